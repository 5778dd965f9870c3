import { MemdirError } from './error.ts';
import type { ListedFile, Listing, MemoryFolder } from './folder.ts';
import { byNewest, datesOf } from './freshness.ts';
import { type MemoryFile, nameKey, type ReadMemory, readMemory } from './memory-file.ts';
import { folderOf, isDailyLog, isIndex, isSamePath } from './path.ts';
import { type Counted, countWords } from './rank.ts';
import { createWordReader, type WordReader } from './words.ts';

/** A memory with what search needs. */
export interface LibraryItem extends MemoryFile, Counted {
  readonly memory: ReadMemory;
}

/** What stands in a folder at one moment. */
export interface Shelf {
  /** Newest first. */
  readonly items: readonly LibraryItem[];
  readonly indexes: readonly ListedFile[];
  /** With files that could not be read. */
  readonly ignored: Listing['ignored'];
  /** Files beyond the limit: the oldest by the file system. */
  readonly leftOut: number;
  /** Paths of all that stands there, read or not. */
  readonly standing: readonly string[];
}

/** The files of a folder, each read again only after it changed. */
export interface Library {
  readonly words: WordReader;
  /** `also`: paths of files that are read whatever their age. */
  look(
    signal: AbortSignal | undefined,
    leastFiles?: number,
    also?: readonly string[],
  ): Promise<Shelf>;
}

/** More files are not searched, however many there are. What changes the folder looks at all of them. */
const MOST_FILES = 2_000;

export function createLibrary(folder: MemoryFolder): Library {
  const words = createWordReader();
  let known = new Map<string, Known>();

  async function knownOf(listed: ListedFile, signal: AbortSignal | undefined) {
    const old = known.get(listed.path);
    if (old?.memory.version === listed.version) return old;
    const memory = await readMemory(folder, listed, signal).catch(reasonOf);
    if (memory === undefined || typeof memory === 'string') return memory;
    const { path, description, body } = memory;
    // A file is found by its name on disk as well.
    const name = `${memory.name} ${path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')}`;
    return { memory, ...countWords({ name, description, body }, words) };
  }

  return {
    words,
    async look(signal, asked = MOST_FILES, also = []) {
      const mostFiles = Math.max(asked, MOST_FILES);
      const listing = await folder.list('', { signal });
      const markdown = listing.files.filter(({ path }) => /\.md$/i.test(path));
      const topics = markdown.filter(({ path }) => !isIndex(path) && !isDailyLog(path));
      const newest = [...topics].sort(
        (one, other) =>
          (other.modifiedMs || 0) - (one.modifiedMs || 0) || (one.path < other.path ? -1 : 1),
      );
      const ignored = [...listing.ignored];
      const next = new Map<string, Known>();
      const older = newest.slice(mostFiles);
      const named = older.filter(({ path }) => also.some((each) => isSamePath(each, path)));
      for (const listed of [...newest.slice(0, mostFiles), ...named]) {
        const found = await knownOf(listed, signal);
        if (typeof found === 'string') ignored.push({ path: listed.path, reason: found });
        else if (found !== undefined) next.set(listed.path, found);
      }
      const all = [...next.values()];
      // What is not looked at now is not read again by a call that does.
      for (const { path } of older) {
        const old = known.get(path);
        if (old !== undefined && !next.has(path)) next.set(path, old);
      }
      known = next;
      const dateOf = datesOf(all.map(({ memory }) => memory));
      const items = all.map(({ memory, fields }): LibraryItem => {
        const { path, name, description, type, bytes, pinned, problems } = memory;
        const modifiedMs = dateOf(memory);
        return {
          path,
          name,
          description,
          type,
          modifiedMs,
          bytes,
          pinned,
          problems,
          memory,
          fields,
        };
      });
      return {
        items: items.sort(byNewest),
        indexes: markdown
          .filter(({ path }) => isIndex(path))
          .sort((one, other) => (one.path < other.path ? -1 : 1)),
        ignored,
        leftOut: older.length - named.length,
        standing: [...listing.files, ...listing.ignored].map(({ path }) => path),
      };
    },
  };
}

/** Why a file is not read: it is listed all the same, and stands in nobody's way. */
function reasonOf(error: unknown): 'link' | 'unreadable' {
  if (!MemdirError.is(error)) throw error;
  return error.code === 'bad-path' ? 'link' : 'unreadable';
}

interface Known extends Counted {
  readonly memory: ReadMemory;
}

/** Files of one folder whose names a reader cannot tell apart; a name in another folder is another name. */
export const isOneName = (one: Named, other: Named): boolean =>
  scopedName(one) === scopedName(other);

export const scopedName = ({ name, path }: Named): string => `${folderOf(path)} ${nameKey(name)}`;

type Named = Pick<MemoryFile, 'name' | 'path'>;

/** A file as lists show it, without its text. */
export function listed(item: LibraryItem): MemoryFile {
  const { path, name, description, type, modifiedMs, bytes, pinned, problems } = item;
  return { path, name, description, type, modifiedMs, bytes, pinned, problems };
}
