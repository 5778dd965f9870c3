import { open, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { checkOptions, codeOf, required, textOf } from '@varve/guards';
import { isToolResult, type Message, type ToolResultBlock } from '@varve/messages';
import {
  isPerson,
  isSummary,
  isSynthetic,
  personBlocks,
  splitInjected,
} from '@varve/messages/persons';
import { TranscriptError } from '@varve/transcript';
import { findSessions, importFile } from '@varve/transcript/node';
import type { DreamSessions, Said } from '../sessions.ts';

/** What runs of ours in the background would write, if a host kept their transcripts. */
const OWN_RUN = /"source"\s*:\s*"(?:auto_dream|extract_memories|session-memory)"/;
const LOOKED_AT_BYTES = 16_384;

/** The sessions in a folder, in any format that `@varve/transcript` reads; the id of one is its path below the folder. */
export function sessionFolder(path: string): DreamSessions {
  checkOptions({ path }, { path: required('a text that is not blank') });
  const idOf = (file: string): string =>
    relative(path, file)
      .split(sep)
      .join('/')
      .replace(/\.(?:jsonl|json|traj)$/, '');
  const files = async (): Promise<readonly string[]> => {
    try {
      return await findSessions([path]);
    } catch (error) {
      if (TranscriptError.is(error) && error.code === 'not-found') return [];
      throw error;
    }
  };
  return {
    path,
    isThere: async () => (await stat(path).catch(() => undefined)) !== undefined,
    async list({ sinceMs, signal }) {
      const listed = [];
      for (const file of await files()) {
        signal?.throwIfAborted();
        const touchedMs = await touchedOf(file);
        if (touchedMs === undefined || touchedMs <= sinceMs || (await isOwnRun(file))) continue;
        listed.push({ id: idOf(file), touchedMs });
      }
      return listed;
    },
    async read(id, { signal }) {
      const file = (await files()).find((each) => idOf(each) === id);
      if (file === undefined) return [];
      const threads = await threadsOf(file);
      signal?.throwIfAborted();
      return threads
        .filter(({ kind }) => kind === 'main')
        .flatMap(({ entries }) =>
          entries.flatMap((entry) =>
            entry.type === 'message' ? saidIn(entry.message, entry.at) : [],
          ),
        );
    },
  };
}

/** None of a file that is no transcript, or cannot be read: the other sessions are dreamt of all the same. */
async function threadsOf(file: string) {
  try {
    return (await importFile(file)).threads;
  } catch (error) {
    if (TranscriptError.is(error)) return [];
    throw error;
  }
}

async function touchedOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined; // gone meanwhile
    throw error;
  }
}

async function isOwnRun(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const bytes = new Uint8Array(LOOKED_AT_BYTES);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return OWN_RUN.test(new TextDecoder().decode(bytes.subarray(0, bytesRead)));
  } finally {
    await handle.close();
  }
}

/** No more of one result is looked at. */
const MOST_RESULT_CHARS = 20_000;

const toolText = ({ content }: ToolResultBlock): string =>
  (typeof content === 'string'
    ? content
    : (content ?? []).map((block) => (block.type === 'text' ? textOf(block.text) : '')).join('\n')
  ).slice(0, MOST_RESULT_CHARS);

/** Text that a person typed, that the model answered, or that a tool did. */
function saidIn(message: Message, at: string): Said[] {
  const time = Date.parse(message.createdAt ?? at);
  const atMs = Number.isNaN(time) ? undefined : time;
  const said = (by: Said['by'], texts: readonly string[]): Said[] =>
    texts.filter((text) => text.trim() !== '').map((text) => ({ by, text, atMs }));
  if (isPerson(message)) {
    const own = personBlocks(message).map(
      (block) => splitInjected(textOf((block as { text?: unknown }).text)).own,
    );
    return said('user', own);
  }
  const results = message.content.filter(isToolResult);
  if (results.length > 0) return said('tool', results.map(toolText));
  if (message.role !== 'assistant' || isSynthetic(message) || isSummary(message)) return [];
  return said(
    'assistant',
    message.content.map((block) => (block.type === 'text' ? textOf(block.text) : '')),
  );
}
