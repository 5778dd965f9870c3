import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isRecord, recordOf } from '@varve/guards';
import { timeOf } from '../import/json.ts';
import { createFolderMemo } from './folder-memo.ts';
import { type SessionBytesOptions, sessionBytes } from './session-bytes.ts';

/** Where the history of a Codex thread begins that was forked from another one, or turned back. */
interface HistoryBase {
  readonly rollout: string;
  /** Of the unpacked file of that rollout. */
  readonly endBytes: number;
}

/** Ancestors of more than this are a circle, or no history anybody had. */
const MAX_ANCESTORS = 100;

/**
 * The bytes of a Codex file with those of its ancestors before them. Since 0.146 a fork writes only its own records and names the rollout, and the
 * place in it, that its history comes from (`history_base`). Where an ancestor is missing or cannot be read the bytes begin behind it: the first record then still
 * names its base, and the importer says that the session begins in the middle.
 */
export async function* withHistory(
  path: string,
  base: HistoryBase,
  options: SessionBytesOptions,
): AsyncGenerator<Uint8Array> {
  const own = resolve(path);
  const pieces: { readonly path: string; readonly end?: number }[] = [{ path: own }];
  for (let next: HistoryBase | undefined = base; next !== undefined; ) {
    const parent: string | undefined = await rolloutFile(own, next.rollout);
    const isKnown = parent === undefined || pieces.some((piece) => piece.path === parent);
    if (isKnown || pieces.length > MAX_ANCESTORS) break;
    const record = await firstRecord(parent);
    if (record === undefined) break;
    pieces.unshift({ path: parent, end: next.endBytes });
    next = historyBaseOf(record);
  }
  for (const piece of pieces) {
    const name = piece.path === own ? options.name : piece.path;
    yield* sessionBytes(piece.path, { ...options, name, end: piece.end });
  }
}

/** What a Codex file's first record says of where its history is; undefined where the file holds it all. */
export function historyBaseOf(record: unknown): HistoryBase | undefined {
  if (!isRecord(record) || record.type !== 'session_meta') return undefined;
  const base = recordOf(recordOf(record.payload).history_base);
  const { thread_id: rollout, end_byte_offset: endBytes } = base;
  return typeof rollout === 'string' && typeof endBytes === 'number'
    ? { rollout, endBytes }
    : undefined;
}

/** The first line of a file as JSON; undefined where it is none, or longer than 16 MiB. */
export async function firstRecord(path: string): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    const options = { name: path, end: MAX_FIRST_BYTES, pieceBytes: FIRST_PIECE_BYTES };
    for await (const piece of sessionBytes(path, options)) {
      const end = piece.indexOf(0x0a);
      parts.push(Buffer.from(end < 0 ? piece : piece.subarray(0, end)));
      size += piece.length;
      if (end >= 0 || size >= MAX_FIRST_BYTES) break;
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

const MAX_FIRST_BYTES = 1 << 24;
/** Most first lines are shorter, and a session may ask for those of all files beside it. */
const FIRST_PIECE_BYTES = 1 << 14;

const ROLLOUT =
  /^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl(\.zst)?$/;

/** The file of a rollout in the tree of Codex that another file is part of: its folder, or all of `sessions` and `archived_sessions`. */
async function rolloutFile(own: string, id: string): Promise<string | undefined> {
  const trees = treesOf(own);
  for (const folder of [dirname(own), ...daysOf(trees, id)]) {
    const found = (await rolloutsIn(folder)).rollouts.get(id);
    if (found !== undefined) return found;
  }
  // a tree has no time of its own, so each of its folders is asked
  const folders = [...trees];
  for (const folder of folders) {
    const { rollouts, below } = await rolloutsIn(folder);
    const found = rollouts.get(id);
    if (found !== undefined) return found;
    folders.push(...below);
  }
  return undefined;
}

const rolloutsIn = createFolderMemo(async (folder) => {
  const rollouts = new Map<string, string>();
  const below: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    const id = ROLLOUT.exec(entry.name)?.[1];
    if (entry.isDirectory()) below.push(path);
    else if (id !== undefined && !rollouts.has(id)) rollouts.set(id, path);
  }
  return { value: { rollouts, below }, unfinished: [] };
});

/** The folders of the days that a rollout may have begun on, in any zone: its id begins with the time (UUID version 7). */
function daysOf(trees: readonly string[], id: string): readonly string[] {
  if (id[14] !== '7') return [];
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const days = [0, -DAY_MS, DAY_MS].flatMap((offset) => timeOf(ms + offset)?.slice(0, 10) ?? []);
  return trees.flatMap((tree) => [tree, ...days.map((day) => join(tree, ...day.split('-')))]);
}

const DAY_MS = 86_400_000;

function treesOf(path: string): readonly string[] {
  const folder = dirname(path);
  for (let above = folder; dirname(above) !== above; above = dirname(above)) {
    if (!TREES.includes(basename(above))) continue;
    return TREES.map((name) => join(dirname(above), name));
  }
  return [folder];
}

const TREES = ['sessions', 'archived_sessions'];
