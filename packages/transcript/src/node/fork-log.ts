import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type Entry, type JsonObject, serializeEntry } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import type { EntryOnLine, ReadEntriesOptions } from '../read-entries.ts';
import { readChunks, readLog } from './read-log.ts';

export interface ForkOptions {
  /** The last entry of the base that the fork shares. */
  readonly entryId: string;
  /** Id and time of the fork's first line. */
  readonly id: string;
  readonly at: string;
}

/**
 * Begins a log whose past is another log up to an entry. The first line names the base by a path relative to the fork, the
 * entry, and a hash of the shared bytes; the base is never written to and may grow on. Throws `exists` rather than write
 * over a file, and `base-mismatch` when the base has no such entry.
 */
export async function forkLog(basePath: string, path: string, options: ForkOptions): Promise<void> {
  const { entryId, id, at } = options;
  const bytes = await endOf(basePath, entryId);
  const base = {
    path: relative(dirname(path), basePath),
    entryId,
    bytes,
    sha256: await hash(basePath, bytes),
  };
  const entry: Entry = { id, at, type: 'note', by: 'transcript', data: { kind: 'fork', base } };
  try {
    await writeFile(path, `${serializeEntry(entry)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const text = 'the fork could not be begun: choose a path where nothing is yet';
    throw new TranscriptError('exists', text, { file: path, cause });
  }
}

/** Reads a log with its past: the shared part of its base first, checked against the hash, then its own entries. */
export async function* readThread(
  path: string,
  options: Omit<ReadEntriesOptions, 'file'> = {},
): AsyncGenerator<EntryOnLine> {
  let isFirst = true;
  for await (const item of readLog(path, options)) {
    const base = isFirst ? baseOf(item.entry) : undefined;
    isFirst = false;
    if (base !== undefined) yield* readBase(path, base, options);
    yield item;
  }
}

interface Base {
  readonly path: string;
  readonly entryId: string;
  readonly bytes: number;
  readonly sha256: string;
}

async function* readBase(
  path: string,
  base: Base,
  options: Omit<ReadEntriesOptions, 'file'>,
): AsyncGenerator<EntryOnLine> {
  const file = join(dirname(path), base.path);
  if ((await hash(file, base.bytes)) !== base.sha256) {
    const text = `the shared part of the base ${base.path} is not what it was when this log was forked`;
    throw new TranscriptError('base-mismatch', text, { file: path, line: 1 });
  }
  for await (const item of readThread(file, options)) {
    yield item;
    if (item.entry.id === base.entryId) return;
  }
}

function baseOf(entry: Entry): Base | undefined {
  if (entry.type !== 'note' || entry.by !== 'transcript') return undefined;
  const data = entry.data as JsonObject | null;
  return data?.kind === 'fork' ? (data.base as unknown as Base) : undefined;
}

async function endOf(basePath: string, entryId: string): Promise<number> {
  for await (const { entry, line } of readLog(basePath)) {
    if (entry.id === entryId) return line.start + line.bytes.length;
  }
  throw new TranscriptError('base-mismatch', 'the base has no entry with the id to fork at', {
    file: basePath,
  });
}

async function hash(path: string, bytes: number): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of readChunks(path, { end: bytes })) sum.update(chunk);
  return sum.digest('hex');
}
