import { redact } from '@varve/redact';
import {
  type Change,
  type ChangeRecord,
  changing,
  commit,
  readHistory,
  textBefore,
} from './commit.ts';
import { openIndexes } from './edit-index.ts';
import { hashOf } from './memory-file.ts';
import { checkPath } from './path.ts';
import type { WriteParts } from './save.ts';
import { parseTombstones, statementHashes, TOMBSTONES, writeTombstones } from './tombstones.ts';

export interface ForgetOptions {
  /** For the archive and the tombstones. */
  readonly reason: string;
  /** What the user said, for the archive. */
  readonly quote?: string | undefined;
  /** The hash of the file as it was read. @default whatever is there */
  readonly basis?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type ForgetResult =
  | { readonly kind: 'forgotten'; readonly path: string; readonly id: string }
  | { readonly kind: 'conflict'; readonly path: string; readonly hash: string }
  | {
      readonly kind: 'refused';
      readonly reason: 'bad-path' | 'not-found' | 'not-text';
      readonly message: string;
    };

/** Moves a memory to the archive, takes its lines out of the indexes, and keeps a tombstone of each of its statements. */
export async function forgetMemory(
  parts: WriteParts,
  path: string,
  options: ForgetOptions,
): Promise<ForgetResult> {
  const { folder, library, now } = parts;
  const { reason, quote, basis, signal } = options;
  const checked = checkPath(path);
  if (checked.kind === 'refused' && !isListed(checked.reason)) {
    return { kind: 'refused', reason: 'bad-path', message: checked.message };
  }
  return changing(
    folder,
    async () => {
      const { items, indexes } = await library.look(signal);
      const item = items.find((each) => each.path === path || each.path === path.normalize('NFC'));
      const read = item === undefined ? undefined : await folder.read(item.path, { signal });
      if (item === undefined || read === undefined) {
        return {
          kind: 'refused',
          reason: 'not-found',
          message: 'There is no memory at this path.',
        };
      }
      if (!read.isText)
        return {
          kind: 'refused',
          reason: 'not-text',
          message: 'The file is no text in UTF-8: remove it by hand.',
        };
      const hash = hashOf(read.text);
      if (basis !== undefined && basis !== hash) return { kind: 'conflict', path: item.path, hash };
      const nowMs = now();
      const index = await openIndexes(
        folder,
        indexes.map((each) => each.path),
        signal,
      );
      index.unpoint(item.path);
      const changes: Change[] = [
        await entombed(parts, { text: `${item.description}\n${item.memory.body}`, reason, nowMs }),
        ...index.changes(),
        { path: item.path, before: read.text, after: undefined },
      ];
      const said = quote === undefined ? undefined : redact(quote);
      const { id } = await commit(folder, changes, {
        kind: 'forget',
        reason: redact(reason),
        quote: said,
        nowMs,
        signal,
      });
      return { kind: 'forgotten', path: item.path, id };
    },
    signal,
  );
}

/** What people name files by hand may be such that it cannot be written, and can be removed. */
const isListed = (reason: string): boolean => reason === 'reserved-name' || reason === 'encoded';

interface Entombed {
  readonly text: string;
  readonly reason: string;
  readonly nowMs: number;
}

async function entombed(
  { folder }: WriteParts,
  { text, reason, nowMs }: Entombed,
): Promise<Change> {
  const before = (await folder.read(TOMBSTONES))?.text;
  const known = parseTombstones(before ?? '');
  const at = new Date(nowMs).toISOString();
  const fresh = statementHashes(text)
    .filter((hash) => !known.some((each) => each.hash === hash))
    .map((hash) => ({ hash, reason: redact(reason), at }));
  return { path: TOMBSTONES, before, after: writeTombstones([...known, ...fresh]) };
}

export type UndoResult =
  | { readonly kind: 'undone'; readonly record: ChangeRecord; readonly id: string }
  /** These files were changed since; nothing was done. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'none'; readonly reason: 'nothing-to-undo' | 'no-such-change' };

export interface UndoOptions {
  /** @default the last change that is not undone */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Takes back a change: every file has the bytes of before it again. An undo is a change too. */
export async function undoChange(
  { folder, now }: WriteParts,
  { id, signal }: UndoOptions = {},
): Promise<UndoResult> {
  return changing(
    folder,
    async () => {
      const history = await readHistory(folder, signal);
      const undone = new Set(history.map(({ undoes }) => undoes));
      const record = history.find((each) =>
        id === undefined ? each.kind !== 'undo' && !undone.has(each.id) : each.id === id,
      );
      if (record === undefined) {
        return { kind: 'none', reason: id === undefined ? 'nothing-to-undo' : 'no-such-change' };
      }
      const changes: Change[] = [];
      const conflicts: string[] = [];
      for (const { path, before, after } of record.files) {
        const text = (await folder.read(path, { signal }))?.text;
        const hash = text === undefined ? null : hashOf(text);
        const old = before === null ? undefined : await textBefore(folder, record, path);
        if (hash !== after || (before !== null && old === undefined)) conflicts.push(path);
        else changes.push({ path, before: text, after: old });
      }
      if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts };
      const nowMs = now();
      const done = await commit(folder, changes.reverse(), {
        ...{ kind: 'undo', reason: `undo of ${record.id}`, undoes: record.id, nowMs, signal },
      });
      return { kind: 'undone', record, id: done.id };
    },
    signal,
  );
}
