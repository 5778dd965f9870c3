import { createInterface } from 'node:readline';
import { isRecord, listOf, recordOf } from '@varve/guards';
import type { Block } from '@varve/messages';
import type { Prompt } from './loop.ts';
import { UsageError } from './options.ts';
import { shown } from './shown.ts';

/** What a person may say: no results of tools, and nothing that only a model writes. */
const KINDS = new Set(['text', 'image', 'document']);

/**
 * Messages of a person, a line of JSON for each: `{ "type": "user", "message": { "role": "user", "content": … } }`. Lines of
 * other types are told of and left out. Throws `UsageError` for a line that is no message.
 */
export async function* messagesIn(
  input: NodeJS.ReadableStream,
  signal: AbortSignal,
): AsyncGenerator<Prompt> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const value = parsed(line);
    const { type, message } = recordOf(value);
    if (!isRecord(value) || typeof type !== 'string')
      throw wrong(number, 'it is no JSON object with a `type`');
    if (type === 'user') yield contentOf(message, number);
    else process.stderr.write(`Line ${number} of standard input is left out: "${shown(type)}"\n`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function contentOf(message: unknown, number: number): Prompt {
  const { role = 'user', content } = recordOf(message);
  if (role !== 'user') throw wrong(number, 'its role is not `user`');
  if (typeof content === 'string' && content.trim() !== '') return content;
  const blocks = listOf(content);
  if (blocks.length === 0) throw wrong(number, 'its `content` is empty');
  const other = blocks.find((block) => !isRecord(block) || !KINDS.has(String(block.type)));
  if (other === undefined) return blocks as Block[];
  throw wrong(number, `its \`content\` holds ${JSON.stringify(recordOf(other).type ?? other)}`);
}

const wrong = (number: number, why: string): UsageError =>
  new UsageError(
    `Line ${number} of standard input is no message of a person: ${why}. One looks so: {"type":"user","message":{"role":"user","content":"…"}}`,
  );
