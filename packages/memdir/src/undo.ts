import {
  type Change,
  type ChangeRecord,
  changing,
  commit,
  readHistory,
  textBefore,
} from './commit.ts';
import { type IndexEdit, openIndexes } from './edit-index.ts';
import type { MemoryFolder } from './folder.ts';
import { linksTo, readIndex } from './index-lines.ts';
import { hashOf } from './memory-file.ts';
import { OWN_LINES, parseOwnLines } from './own-lines.ts';
import { isIndex } from './path.ts';
import type { WriteParts } from './save.ts';
import {
  formHashes,
  parseTombstones,
  statedIn,
  TOMBSTONES,
  writeTombstones,
} from './tombstones.ts';

export type UndoResult =
  | { readonly kind: 'undone'; readonly record: ChangeRecord; readonly id: string }
  /** These files were changed or forgotten since; nothing was done. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | {
      readonly kind: 'none';
      readonly reason: 'nothing-to-undo' | 'no-such-change' | 'already-undone';
    };

export interface UndoOptions {
  /** @default the last change that is not undone */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes back a change, also one that others came after: its files have the bytes of before it again. Indexes and tombstones that
 * were changed since keep what came later; only what belongs to this change is taken out of them. An undo is a change too.
 */
export async function undoChange(
  { folder, library, now }: WriteParts,
  { id, signal }: UndoOptions,
): Promise<UndoResult> {
  const work = async (): Promise<UndoResult> => {
    const history = await readHistory(folder, signal);
    const standing = notUndone(history);
    const record =
      id === undefined
        ? standing.find(({ kind }) => kind !== 'undo')
        : history.find((each) => each.id === id);
    if (record === undefined) {
      return { kind: 'none', reason: id === undefined ? 'nothing-to-undo' : 'no-such-change' };
    }
    if (!standing.includes(record)) return { kind: 'none', reason: 'already-undone' };
    const states = await Promise.all(record.files.map((file) => stateOf(folder, record, file)));
    const topics = states.filter(({ path }) => !isShared(path));
    const shared = states.filter(({ path }) => isShared(path));
    const isLast = shared.every(({ isAsLeft }) => isAsLeft);
    const inTheWay = topics.length > 0 || isLast ? topics : shared;
    const conflicts = inTheWay.filter(({ isAsLeft }) => !isAsLeft).map(({ path }) => path);
    if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts };
    const merged = isLast ? shared.map(({ change }) => change) : await mergeShared(record.at);
    const forgotten = await forgottenAgain(merged, await tombstonesBefore(record, history));
    if (forgotten.length > 0) return { kind: 'conflict', paths: forgotten };
    const isGoing = ({ change }: State): boolean => change.after === undefined;
    const changes = [
      ...topics.filter((each) => !isGoing(each)).map(({ change }) => change),
      ...merged,
      ...topics.filter(isGoing).map(({ change }) => change),
    ];
    const done = await commit(folder, changes, {
      ...{ kind: 'undo', reason: `undo of ${record.id}`, undoes: record.id, nowMs: now(), signal },
    });
    return { kind: 'undone', record, id: done.id };

    async function mergeShared(at: string): Promise<readonly Change[]> {
      const { indexes } = await library.look(signal);
      const edit = await openIndexes(
        folder,
        indexes.map(({ path }) => path),
        signal,
      );
      await restoreLines(edit, topics, shared);
      const tombstones = shared.find(({ path }) => path === TOMBSTONES);
      return [
        ...edit.changes(),
        ...(tombstones === undefined ? [] : restoreTombstones(tombstones, topics, at)),
      ];
    }

    /** What was forgotten after a change does not come back by its undo; what was forgotten before it stood there all the same. */
    async function forgottenAgain(
      changes: readonly Change[],
      known: ReadonlySet<string>,
    ): Promise<readonly string[]> {
      const merged = changes.find(({ path }) => path === TOMBSTONES);
      const text =
        merged === undefined ? (await folder.read(TOMBSTONES, { signal }))?.text : merged.after;
      const hashes = new Set([...hashesIn(text)].filter((hash) => !known.has(hash)));
      const isHit = ({ change: { path, before, after } }: State): boolean =>
        before === undefined && [...formsOf(path, after)].some((hash) => hashes.has(hash));
      return topics.filter(isHit).map(({ path }) => path);
    }

    /** What counted as forgotten when a change was made: the first change since then that wrote it down kept how it was. */
    async function tombstonesBefore(
      { id: since }: ChangeRecord,
      records: readonly ChangeRecord[],
    ): Promise<ReadonlySet<string>> {
      const writer = records
        .slice(0, records.findIndex((each) => each.id === since) + 1)
        .findLast(({ files }) => files.some(({ path }) => path === TOMBSTONES));
      return hashesIn(
        writer === undefined
          ? (await folder.read(TOMBSTONES, { signal }))?.text
          : await textBefore(folder, writer, TOMBSTONES),
      );
    }
  };
  return changing(folder, work, signal);
}

const hashesIn = (tombstones: string | undefined): ReadonlySet<string> =>
  new Set(parseTombstones(tombstones ?? '').map(({ hash }) => hash));

/** An undo that was taken back itself does not count. The newest first. */
function notUndone(history: readonly ChangeRecord[]): readonly ChangeRecord[] {
  const undone = new Set<string>();
  return history.filter(({ id, undoes }) => {
    if (undone.has(id)) return false;
    if (undoes !== undefined) undone.add(undoes);
    return true;
  });
}

/** Whether many changes write to a file: an index, and what is kept beside it. */
const isShared = (path: string): boolean =>
  isIndex(path) || path === OWN_LINES || path === TOMBSTONES;

interface State {
  readonly path: string;
  /** Whether the file is what the change left, and what was before it is known. */
  readonly isAsLeft: boolean;
  /** What takes it back. */
  readonly change: Change;
}

async function stateOf(
  folder: MemoryFolder,
  record: ChangeRecord,
  { path, before, after }: ChangeRecord['files'][number],
): Promise<State> {
  const found = await folder.read(path);
  const hash = found === undefined ? null : found.isText ? hashOf(found.text) : undefined;
  const old = before === null ? undefined : await textBefore(folder, record, path);
  const isAsLeft = hash === after && (before === null || old !== undefined);
  return { path, isAsLeft, change: { path, before: found?.text, after: old } };
}

/** The lines of the files of a change, as they were before it. */
async function restoreLines(
  edit: IndexEdit,
  topics: readonly State[],
  shared: readonly State[],
): Promise<void> {
  const textOf = (path: string): string =>
    shared.find((each) => each.path === path)?.change.after ?? '';
  const own = parseOwnLines(textOf(OWN_LINES));
  for (const { path, change } of topics) {
    if (change.after === undefined) edit.unpoint(path);
    for (const { path: at } of shared.filter((each) => isIndex(each.path))) {
      if (change.after === undefined) continue;
      const line = readIndex(at, textOf(at)).find((each) => linksTo(at, path)(each).length > 0);
      if (line === undefined) continue;
      edit.restore(at, path, { text: line.text, isOwn: own.has(at, line.text) });
    }
  }
}

const formsOf = (path: string, text: string | undefined): ReadonlySet<string> =>
  text === undefined ? new Set() : formHashes(statedIn(path, text));

/** Takes out what the change added for its files, and puts back what it lifted. */
function restoreTombstones(
  { change }: State,
  topics: readonly State[],
  at: string,
): readonly Change[] {
  const forms = (side: 'before' | 'after') =>
    new Set(topics.flatMap((each) => [...formsOf(each.path, each.change[side])]));
  const back = forms('after');
  const gone = forms('before');
  const old = parseTombstones(change.after ?? '');
  const known = new Set(old.map(({ hash }) => hash));
  const kept = parseTombstones(change.before ?? '').filter(
    (each) => known.has(each.hash) || each.at !== at || !back.has(each.hash),
  );
  const there = new Set(kept.map(({ hash }) => hash));
  const lifted = old.filter(({ hash }) => gone.has(hash) && !there.has(hash));
  return [
    { path: TOMBSTONES, before: change.before, after: writeTombstones([...kept, ...lifted]) },
  ];
}
