import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importFile } from '@varve/transcript/node';
import { EmulatorError } from '../error.ts';
import { recorded } from '../replies/recorded.ts';
import type { Replies, ReplyLike } from '../replies/reply.ts';
import { script } from '../replies/script.ts';
import type { Arguments } from './arguments.ts';

/** The replies a command line names; undefined where it names none. Throws `bad-options`. */
export async function loadReplies({
  replies,
  session,
  then,
}: Arguments): Promise<Replies | undefined> {
  if (session !== undefined) return recorded(await importFile(session));
  if (replies === undefined) return undefined;
  const loaded = await load(replies);
  if (typeof loaded === 'function') return loaded as Replies;
  if (Array.isArray(loaded)) return script(loaded as readonly ReplyLike[], { then });
  const text = `\`${replies}\` holds neither a list of replies nor a function.`;
  throw new EmulatorError('bad-options', text);
}

async function load(file: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(await readFile(file, 'utf8'));
    const module = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
    return module.default;
  } catch (cause) {
    throw new EmulatorError('bad-options', `\`${file}\` cannot be read as replies.`, { cause });
  }
}
