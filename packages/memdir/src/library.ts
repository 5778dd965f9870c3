import type { ListedFile, Listing, MemoryFolder } from './folder.ts';
import { byNewest, datesOf } from './freshness.ts';
import { type MemoryFile, type ReadMemory, readMemory } from './memory-file.ts';
import { isDailyLog, isIndex } from './path.ts';
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
  readonly ignored: Listing['ignored'];
  /** Files beyond the limit: the oldest by the file system. */
  readonly leftOut: number;
}

/** The files of a folder, each read again only after it changed. */
export interface Library {
  readonly words: WordReader;
  look(signal: AbortSignal | undefined, mostFiles?: number): Promise<Shelf>;
}

/** More files are not read, however many there are. */
const MOST_FILES = 2_000;

export function createLibrary(folder: MemoryFolder): Library {
  const words = createWordReader();
  let known = new Map<string, Known>();

  async function knownOf(listed: ListedFile, signal: AbortSignal | undefined) {
    const old = known.get(listed.path);
    if (old?.memory.version === listed.version) return old;
    const memory = await readMemory(folder, listed, signal);
    if (memory === undefined) return undefined;
    const { path, description, body } = memory;
    // A file is found by its name on disk as well.
    const name = `${memory.name} ${path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')}`;
    return { memory, ...countWords({ name, description, body }, words) };
  }

  return {
    words,
    async look(signal, mostFiles = MOST_FILES) {
      const { files, ignored } = await folder.list('', { signal });
      const markdown = files.filter(({ path }) => /\.md$/i.test(path));
      const topics = markdown.filter(({ path }) => !isIndex(path) && !isDailyLog(path));
      const newest = [...topics].sort(
        (one, other) =>
          (other.modifiedMs || 0) - (one.modifiedMs || 0) || (one.path < other.path ? -1 : 1),
      );
      const next = new Map<string, Known>();
      for (const listed of newest.slice(0, mostFiles)) {
        const found = await knownOf(listed, signal);
        if (found !== undefined) next.set(listed.path, found);
      }
      known = next;
      const all = [...next.values()];
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
        indexes: markdown.filter(({ path }) => isIndex(path)),
        ignored,
        leftOut: topics.length - items.length,
      };
    },
  };
}

interface Known extends Counted {
  readonly memory: ReadMemory;
}

/** A file as lists show it, without its text. */
export function listed(item: LibraryItem): MemoryFile {
  const { path, name, description, type, modifiedMs, bytes, pinned, problems } = item;
  return { path, name, description, type, modifiedMs, bytes, pinned, problems };
}
