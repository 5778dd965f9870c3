import { type Change, changing, commit } from './commit.ts';
import { openIndexes } from './edit-index.ts';
import { MemdirError } from './error.ts';
import { hashOf, MOST_CHANGED_BYTES } from './memory-file.ts';
import { checkPath, findPath } from './path.ts';
import { tooLargeToChange, type WriteParts } from './save.ts';
import { withoutSecrets } from './secrets.ts';
import {
  parseTombstones,
  type Stated,
  statedIn,
  statementHashes,
  TOMBSTONES,
  writeTombstones,
} from './tombstones.ts';

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
      readonly reason: 'bad-path' | 'not-found' | 'not-text' | 'too-large';
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
  return changing(
    folder,
    async (): Promise<ForgetResult> => {
      const { items, indexes } = await library.look(signal, undefined, [path]);
      const item = findPath(items, path);
      if (item !== undefined && item.bytes > MOST_CHANGED_BYTES)
        return { kind: 'refused', reason: 'too-large', message: tooLargeToChange(item.path) };
      const read = item === undefined ? undefined : await folder.read(item.path, { signal });
      if (item === undefined || read === undefined) return notFound(path);
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
        await entombed(parts, { memory: statedIn(item.path, read.text), reason, nowMs }),
        ...index.changes(),
        { path: item.path, before: read.text, after: undefined },
      ];
      const said = quote === undefined ? undefined : withoutSecrets(quote);
      const { id } = await commit(folder, changes, {
        kind: 'forget',
        reason: withoutSecrets(reason),
        quote: said,
        nowMs,
        signal,
      });
      return { kind: 'forgotten', path: item.path, id };
    },
    signal,
  ).catch((error: unknown): ForgetResult => {
    if (!MemdirError.is(error) || error.code !== 'bad-path') throw error;
    return { kind: 'refused', reason: 'bad-path', message: error.message };
  });
}

/** What stands in the folder can be forgotten, whatever a hand has named it; of other paths it is said what is wrong. */
function notFound(path: string): ForgetResult {
  const checked = checkPath(path);
  if (checked.kind === 'refused') {
    return { kind: 'refused', reason: 'bad-path', message: checked.message };
  }
  return { kind: 'refused', reason: 'not-found', message: 'There is no memory at this path.' };
}

interface Entombed {
  readonly memory: Stated;
  readonly reason: string;
  readonly nowMs: number;
}

/** The tombstones with those of a memory. */
export async function entombed(
  { folder }: Pick<WriteParts, 'folder'>,
  { memory, reason, nowMs }: Entombed,
): Promise<Change> {
  const before = (await folder.read(TOMBSTONES))?.text;
  const known = parseTombstones(before ?? '');
  const hashes = new Set(known.map(({ hash }) => hash));
  const stamp = { reason: withoutSecrets(reason), at: new Date(nowMs).toISOString() };
  const fresh = statementHashes(memory)
    .filter((hash) => !hashes.has(hash))
    .map((hash) => ({ hash, ...stamp }));
  return { path: TOMBSTONES, before, after: writeTombstones([...known, ...fresh]) };
}
