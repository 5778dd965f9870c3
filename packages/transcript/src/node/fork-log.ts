import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import type { Entry, Json, JsonObject } from '@varve/messages';
import { TranscriptError } from '../error.ts';
import { FORMAT_LINE } from '../log-format.ts';
import type { EntryOnLine, ReadEntriesOptions } from '../read-entries.ts';
import { createEntryLines } from './entry-lines.ts';
import { errorCode, writeError } from './file-error.ts';
import { writeNewFile } from './new-file.ts';
import { makeFolder } from './private-files.ts';
import { readChunks, readLog } from './read-log.ts';
import { syncFolder } from './sync-folder.ts';

export interface ForkOptions {
  /** The last entry of the base that the fork shares. */
  readonly entryId: string;
  /** Id and time (ISO 8601, UTC) of the entry that names the base. */
  readonly id: string;
  readonly at: string;
}

/**
 * Begins a log whose past is another log up to an entry. The line after that of the format names the base by a path relative to the fork, the
 * entry, and a hash of the shared bytes; the base is never written to and may grow on. Makes the folder of the fork.
 *
 * @throws TranscriptError `exists` rather than write over a file, `base-mismatch` when the base has no such entry,
 * `invalid-entry` for an id or a time that no entry can have, `write-failed`
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
  const line = createEntryLines(path).encode([entry]);
  const bytesOfFork = Buffer.concat([Buffer.from(FORMAT_LINE), line]);
  try {
    await makeFolder(dirname(path));
  } catch (cause) {
    throw writeError(path, 'the fork was not begun', cause);
  }
  const written = writeNewFile(path, bytesOfFork).then(() => syncFolder(dirname(path)));
  await written.catch((cause: unknown) => {
    if (errorCode(cause) !== 'EEXIST') throw writeError(path, 'the fork was not begun', cause);
    const text = 'there is something already; choose another path for the fork';
    throw new TranscriptError('exists', text, { file: path, cause });
  });
}

/**
 * Reads a log with its past: the shared part of its base first, checked against the hash, then its own entries.
 *
 * @throws TranscriptError as `readLog`, and `base-mismatch` where a base is gone or is not what it was
 */
export async function* readThread(
  path: string,
  options: Omit<ReadEntriesOptions, 'file'> = {},
): AsyncGenerator<EntryOnLine> {
  let isFirst = true;
  for await (const item of readLog(path, options)) {
    if (isFirst && isFork(item.entry)) yield* readBase(path, item.entry.data.base, options);
    isFirst = false;
    yield item;
  }
}

type ForkEntry = Extract<Entry, { type: 'note' }> & {
  readonly data: { readonly base: Json | undefined };
};

function isFork(entry: Entry): entry is ForkEntry {
  if (entry.type !== 'note' || entry.by !== 'transcript') return false;
  return (entry.data as JsonObject | null)?.kind === 'fork';
}

async function* readBase(
  path: string,
  named: Json | undefined,
  options: Omit<ReadEntriesOptions, 'file'>,
): AsyncGenerator<EntryOnLine> {
  const base = baseOf(named);
  if (base === undefined)
    throw mismatch(path, 'the first line does not name the base as it should');
  const file = resolve(dirname(path), base.path);
  const sha256 = await hash(file, base.bytes).catch((cause: unknown) => {
    throw mismatch(path, `the base ${base.path} is gone or cannot be read`, cause);
  });
  if (sha256 !== base.sha256) {
    const text = `the shared part of the base ${base.path} is not what it was when this log was forked`;
    throw mismatch(path, `${text}; if it was salvaged, the file that kept its bytes is the base`);
  }
  for await (const item of readThread(file, options)) {
    yield item;
    if (item.entry.id === base.entryId) return;
  }
}

function mismatch(file: string, text: string, cause?: unknown): TranscriptError {
  return new TranscriptError('base-mismatch', text, { file, line: 1, cause });
}

interface Base {
  readonly path: string;
  readonly entryId: string;
  readonly bytes: number;
  readonly sha256: string;
}

function baseOf(named: Json | undefined): Base | undefined {
  const { path, entryId, bytes, sha256 } = (named ?? {}) as JsonObject;
  if (typeof path !== 'string' || typeof entryId !== 'string') return undefined;
  if (typeof bytes !== 'number' || typeof sha256 !== 'string') return undefined;
  return { path, entryId, bytes, sha256 };
}

async function endOf(basePath: string, entryId: string): Promise<number> {
  for await (const { entry, end } of readLog(basePath)) if (entry.id === entryId) return end;
  const text = 'the base has no entry with the id to fork at';
  throw new TranscriptError('base-mismatch', text, { file: basePath });
}

async function hash(path: string, bytes: number): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of readChunks(path, { end: bytes })) sum.update(chunk);
  return sum.digest('hex');
}
