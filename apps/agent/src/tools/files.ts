import { createHash, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, resolve } from 'node:path';
import { codeOf } from '@varve/guards';
import { makeFolder } from '@varve/transcript/node';

/** Lines of a file, both counted from 1 and included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What was read of a file, so that an edit is known to start from what is there. */
interface SeenFile {
  readonly mtimeMs: number;
  readonly hash: string;
  /** Lines that were shown, where not all of them were. */
  readonly part?: readonly LineRange[] | undefined;
  /** How it was found changed, and the model was told. */
  readonly told?: string | undefined;
}

/** A file that is not as the model saw it. */
export interface FileChange {
  readonly path: string;
  readonly isGone: boolean;
  /** What it looks like now. */
  readonly mark: string;
}

/** An editor that has files open: what stands there counts, saved or not. */
export interface OpenFiles {
  /** The text of a file; undefined where the editor does not have it. */
  read(path: string): Promise<string | undefined>;
  /** Puts a text in place; false where the editor does not take it. */
  write(path: string, text: string): Promise<boolean>;
}

/** The files of the disk or of an editor, and which of them the model has seen. */
export interface FileCache {
  /** The text of a file in the editor; undefined where it is not there. */
  open(path: string): Promise<string | undefined>;
  /** The text of a file, of the editor before that of the disk. */
  read(path: string): Promise<string>;
  /** Puts a text in place, at once. */
  write(path: string, text: string): Promise<void>;
  /** Notes a file as it is now: it was written, or read, of `lines` in all those of `shown`. */
  see(path: string, read?: { readonly shown: LineRange; readonly lines: number }): Promise<void>;
  /** Notes a file after an edit of it: what was not seen of it before is not seen now. */
  seeEdited(path: string): Promise<void>;
  /** Throws where a file that exists was not read since it was changed last; to write it anew, all of it has to be read. */
  requireSeen(path: string, how?: 'in-part' | 'whole'): Promise<void>;
  /** Real paths, the one seen last at the end. */
  paths(): readonly string[];
  /** Files that are not as they were seen, and of which the model was not told. */
  changed(): Promise<readonly FileChange[]>;
  /** The model was told of these. */
  told(changes: readonly FileChange[]): void;
  /** Of what was seen, only these files are before the model still, and whole. */
  keep(paths: readonly string[]): void;
  /** The same files for somebody who has seen them too, and goes on by himself. */
  clone(): FileCache;
}

const GONE = 'gone';
/** Files that are looked at again, of those seen last; an editor is asked for each. */
const MOST_LOOKED_AT = { disk: 500, editor: 50 };
/** How long files are looked at one after the other, in milliseconds: one takes some microseconds, a trip to the thread pool more. */
const MOST_WAIT_MS = 2;
/** A larger file is not asked of an editor, in bytes. */
const MOST_EDITOR_BYTES = 4 * 2 ** 20;

export interface FileCacheOptions {
  /** @default there is no editor */
  readonly editor?: OpenFiles | undefined;
  /** What was seen by somebody else. @default nothing */
  readonly known?: Iterable<readonly [string, SeenFile]> | undefined;
}

export function createFileCache({ editor, known = [] }: FileCacheOptions = {}): FileCache {
  const seen = new Map<string, SeenFile>(known);

  async function open(path: string): Promise<string | undefined> {
    if (editor === undefined) return undefined;
    const bytes = await sizeOf(path);
    return bytes > MOST_EDITOR_BYTES ? undefined : editor.read(path);
  }
  const read = async (path: string) => (await open(path)) ?? readFile(path, 'utf8');

  async function look(path: string): Promise<SeenFile> {
    const { mtimeMs } = await stat(path); // before the content: a write in between shows as a change
    const content = (await open(path)) ?? (await readFile(path));
    return { mtimeMs, hash: createHash('sha256').update(content).digest('hex') };
  }

  /** How a file differs from what was seen of it; undefined where it does not. What is in an editor has no time. */
  async function markOf(path: string, { mtimeMs, hash }: SeenFile): Promise<string | undefined> {
    try {
      const found = await stat(path);
      if (editor === undefined && found.mtimeMs === mtimeMs) return undefined;
      const now = (await look(path)).hash;
      return now === hash ? undefined : now;
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? GONE : undefined;
    }
  }

  const put = (path: string, file: SeenFile): void => {
    seen.delete(path);
    seen.set(path, file);
  };
  return {
    ...{ open, read },
    async write(path, text) {
      if (text.length > MOST_EDITOR_BYTES || !(await editor?.write(path, text)))
        await replaceFile(path, text);
    },
    async see(path, read) {
      const [real, found] = [await realPath(path), await look(path)];
      const known = seen.get(real);
      const part = read && restOf(read, known?.hash === found.hash ? known : undefined);
      put(real, { ...found, part });
    },
    async seeEdited(path) {
      const [real, found] = [await realPath(path), await look(path)];
      put(real, { ...found, part: seen.get(real)?.part && [] });
    },
    async requireSeen(path, how = 'in-part') {
      const known = seen.get(await realPath(path));
      await stat(path);
      if (known === undefined)
        throw new Error(`Read ${path} first: it was not read in this conversation yet.`);
      if ((await markOf(path, known)) !== undefined)
        throw new Error(
          `${path} was changed since it was read. Read it again before you change it.`,
        );
      if (how === 'whole' && known.part !== undefined)
        throw new Error(
          `Only a part of ${path} was read, and the rest would be lost. Read all of it first, or use Edit.`,
        );
    },
    paths: () => [...seen.keys()],
    async changed() {
      const last = [...seen].slice(-MOST_LOOKED_AT[editor === undefined ? 'disk' : 'editor']);
      const until = performance.now() + MOST_WAIT_MS;
      const isAsSeen = ([path, file]: readonly [string, SeenFile]): boolean =>
        editor === undefined && performance.now() < until && mtimeOf(path) === file.mtimeMs;
      const found = await Promise.all(
        last
          .filter((each) => !isAsSeen(each))
          .map(async ([path, file]) => {
            const mark = await markOf(path, file);
            if (mark === undefined || mark === file.told) return [];
            return [{ path, isGone: mark === GONE, mark }];
          }),
      );
      return found.flat();
    },
    told(changes) {
      for (const { path, mark } of changes) {
        const known = seen.get(path);
        if (known !== undefined) seen.set(path, { ...known, told: mark });
      }
    },
    keep(paths) {
      for (const [path, file] of seen)
        if (paths.includes(path)) seen.set(path, { ...file, part: undefined });
        else seen.delete(path);
    },
    clone: () => createFileCache({ editor, known: seen }),
  };
}

/** The lines that were shown, with those shown before; undefined once they are all of the file. */
function restOf(
  { shown, lines }: { readonly shown: LineRange; readonly lines: number },
  before: SeenFile | undefined,
): readonly LineRange[] | undefined {
  if (before !== undefined && before.part === undefined) return undefined;
  const ranges = [...(before?.part ?? []), shown].sort((one, other) => one.from - other.from);
  let next = 1;
  for (const { from, to } of ranges) if (from <= next) next = Math.max(next, to + 1);
  return next > lines ? undefined : ranges;
}

/**
 * Waits for the disk; undefined where there is nothing, or nothing that can be seen. `MOST_WAIT_MS` is looked at between two
 * files, not within one: where a network mount hangs, one file holds the whole process for as long as the mount does.
 */
function mtimeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

/** In bytes; 0 where nothing is there yet. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Where a path leads: through links, or the path itself where nothing is there yet. */
export const realPath = (path: string): Promise<string> =>
  realpath(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return path;
    throw error;
  });

/** The text of a file; undefined where there is none. */
export const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

/** A path as a model writes it: absolute, from the home folder, or from the folder of the session. */
export function pathIn(cwd: string, path: string): string {
  if (path === '~' || path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path);
}

/** Puts the content in place at once, through links and with the rights of the file: a kill leaves the old or the new one. */
async function replaceFile(file: string, content: string): Promise<void> {
  const path = await realPath(file);
  await makeFolder(dirname(path), 0o777);
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(beside, content, mode === undefined ? {} : { mode });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
