import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { checkOptions, codeOf, number } from '@varve/guards';
import {
  isReplaceLeftover,
  realFiles,
  replaceFile,
  type StoreFiles,
} from '@varve/tool-storage/node';
import { type Lock, takeLock } from '@varve/transcript/node';
import { MemdirError } from '../error.ts';
import type { FolderText, ListedFile, Listing, MemoryFolder, ReplaceCall } from '../folder.ts';
import { changedMeanwhile, decodeStart } from '../in-memory-folder.ts';
import { isPassedOver } from '../path.ts';

export interface DiskFolderOptions {
  /**
   * How long a change waits for another process that changes the same folder, in ms.
   * @default 10_000
   */
  readonly lockWaitMs?: number | undefined;
  /** What a test puts in place of the disk for writing. @default the real file system */
  readonly files?: StoreFiles | undefined;
}

/** Files that are listed or read before other work may run. */
const AT_ONCE = 128;

/** Most files are smaller. */
const ROOM_BYTES = 65_536;

/**
 * A folder of memory on disk. Files are readable for their owner only, each is written beside its place and moved there in one
 * step, and changes of several processes come one after the other. No link inside of the folder is followed, to read or to
 * write; the folder itself, or one above it, may be a link. Nothing is made before the first change or `make`.
 *
 * @throws MemdirError `bad-folder` for a path that is not absolute, a root or a folder right below it, a share, and what is encoded
 */
export function diskFolder(path: string, options: DiskFolderOptions = {}): MemoryFolder {
  checkOptions(options, { lockWaitMs: number({ min: 0 }), files: 'an object' });
  const { lockWaitMs = 10_000, files = realFiles } = options;
  const root = checkFolder(path);
  let work = 0;
  let held: Lock | undefined;
  /** Files that this folder writes right now. */
  let writing = 0;
  /** Room that is used for each file in turn: reading one is a single step. */
  const room = Buffer.allocUnsafe(ROOM_BYTES);
  const pause = async (signal: AbortSignal | undefined): Promise<void> => {
    if (++work % AT_ONCE === 0) await setImmediate();
    signal?.throwIfAborted();
  };

  function placeOf(relative: string): string {
    const place = resolve(root, ...relative.split('/'));
    const isInside = place.startsWith(root + sep) && !isAbsolute(relative);
    if (relative.includes('\0') || (sep === '\\' && relative.includes('\\')) || !isInside) {
      throw new MemdirError('bad-path', 'The path leads out of the memory folder.');
    }
    return place;
  }

  /** Whether a folder on the way is a link, or the file itself where it is looked at: it may lead anywhere. */
  function refuseLinks(relative: string, looksAtFile = true): void {
    const names = relative.split('/');
    const last = looksAtFile ? names.length : names.length - 1;
    for (let depth = 1; depth <= last; depth++) {
      const stats = statOf(join(root, ...names.slice(0, depth)));
      if (stats === undefined) return;
      if (stats.isSymbolicLink()) {
        throw linkError();
      }
    }
  }

  async function read(relative: string, maxBytes: number): Promise<FolderText | undefined> {
    const place = placeOf(relative);
    refuseLinks(relative, constants.O_NOFOLLOW === undefined); // else opening it refuses one
    try {
      const found = readText(place, maxBytes, room);
      if (relative.includes('/')) refuseLinks(relative); // a folder above may have become one
      return found;
    } catch (cause) {
      if (MemdirError.is(cause)) throw cause;
      if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(cause)))) return undefined;
      if (codeOf(cause) === 'ELOOP') throw linkError();
      if (['EISDIR', 'ENXIO'].includes(String(codeOf(cause)))) {
        throw new MemdirError('bad-path', 'No file stands at this path, but a folder or the like.');
      }
      throw new MemdirError('not-read', `${relative} could not be read; see \`cause\`.`, { cause });
    }
  }

  /** The folders above a file, each looked at right before the next one is made in it. */
  async function makeFolders(relative: string): Promise<void> {
    const names = relative.split('/').slice(0, -1);
    for (let depth = 0; depth <= names.length; depth++) {
      const place = join(root, ...names.slice(0, depth));
      const stats = statOf(place);
      if (stats === undefined) await files.makeFolder(place);
      else if (depth > 0 && stats.isSymbolicLink()) throw linkError();
    }
    refuseLinks(relative);
  }

  async function confirm(relative: string, basis: string | undefined): Promise<void> {
    if (held !== undefined && !held.isHeld()) throw changedMeanwhile(relative);
    const there = await read(relative, Number.POSITIVE_INFINITY);
    if (there?.text !== basis) throw changedMeanwhile(relative);
  }

  async function unlessRefused(
    relative: string,
    work: () => Promise<void>,
    signal: ReplaceCall['signal'],
  ) {
    try {
      await work();
    } catch (cause) {
      signal?.throwIfAborted();
      if (MemdirError.is(cause)) throw cause;
      throw new MemdirError(
        'not-written',
        `${relative} could not be written; what was there before stands. See \`cause\`.`,
        { cause },
      );
    }
  }

  /** Changes of this process wait for each other without asking the disk. */
  let last: Promise<unknown> = Promise.resolve();

  const makeRoot = (signal: AbortSignal | undefined): Promise<void> =>
    unlessRefused('The folder', () => files.makeFolder(root), signal);

  async function locked<Value>(change: () => Promise<Value>, signal: ReplaceCall['signal']) {
    signal?.throwIfAborted();
    await makeRoot(signal);
    const lock = await takeIt(signal);
    held = lock;
    try {
      return await change();
    } finally {
      held = undefined;
      await lock.release().catch(() => undefined); // the change stands; whoever comes next is told who has the lock
    }
  }

  async function takeIt(signal: ReplaceCall['signal']): Promise<Lock> {
    try {
      const options = { waitMs: lockWaitMs, signal, name: 'the memory folder' };
      return await takeLock(join(root, LOCK), options);
    } catch (cause) {
      signal?.throwIfAborted();
      if (codeOf(cause) !== 'locked') {
        throw new MemdirError(
          'not-written',
          'The memory folder could not be locked; see `cause`.',
          {
            cause,
          },
        );
      }
      throw new MemdirError(
        'locked',
        'Another process changes the memory folder; nothing was changed. Try again later; see `cause`.',
        { cause },
      );
    }
  }

  /**
   * Whether a write had not put a file in its place. Whoever has the lock and writes none is sure that a process left it that was
   * killed: readers do not wait for writers.
   */
  async function isLeftover(entry: Dirent, place: string): Promise<boolean> {
    if (!entry.isFile() || !isReplaceLeftover(entry.name)) return false;
    if (held?.isHeld() && writing === 0) await files.remove(place).catch(() => undefined); // the next change tries again
    return true;
  }

  return {
    locate: (relative) => placeOf(relative),
    make: () => makeRoot(undefined),
    async list(below, { signal } = {}) {
      const found: ListedFile[] = [];
      const ignored: Listing['ignored'][number][] = [];
      const top = below === '' ? root : placeOf(below);
      if (below !== '') refuseLinks(below);
      const waiting = [{ place: top, prefix: below === '' ? '' : `${below}/` }];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const entries = entriesOf(next.place);
        if (entries === 'unreadable') {
          if (next.place === root) {
            throw new MemdirError(
              'not-read',
              'The memory folder is no folder, or not ours to read.',
            );
          }
          ignored.push({ path: next.prefix.slice(0, -1), reason: 'unreadable' });
          continue;
        }
        for (const entry of entries) {
          await pause(signal);
          const relative = `${next.prefix}${entry.name}`;
          const place = join(next.place, entry.name);
          if (await isLeftover(entry, place)) continue;
          if (below === '' && isPassedOver(entry.name)) continue;
          if (entry.isDirectory()) waiting.push({ place, prefix: `${relative}/` });
          else if (entry.isSymbolicLink()) ignored.push({ path: relative, reason: 'link' });
          else if (entry.isFile()) found.push(...listedOf(relative, place));
          else ignored.push({ path: relative, reason: 'special' });
        }
      }
      return { files: found, ignored };
    },
    async names(below, { signal } = {}) {
      const place = below === '' ? root : placeOf(below);
      if (below !== '') refuseLinks(below);
      const entries = entriesOf(place);
      const names: string[] = [];
      for (const entry of entries === 'unreadable' ? [] : entries) {
        await pause(signal);
        if (!(await isLeftover(entry, join(place, entry.name)))) names.push(entry.name);
      }
      return names;
    },
    async read(relative, { maxBytes = Number.POSITIVE_INFINITY, signal } = {}) {
      await pause(signal);
      return read(relative, maxBytes);
    },
    async replace(relative, text, { basis, signal }) {
      signal?.throwIfAborted();
      const place = placeOf(relative);
      refuseLinks(relative);
      await unlessRefused(
        relative,
        async () => {
          await makeFolders(relative);
          writing += 1;
          await replaceFile(place, new TextEncoder().encode(text), {
            files,
            signal,
            async confirm() {
              refuseLinks(relative);
              await confirm(relative, basis);
            },
          }).finally(() => {
            writing -= 1;
          });
        },
        signal,
      );
    },
    async remove(relative, { basis, signal }) {
      signal?.throwIfAborted();
      const place = placeOf(relative);
      if ((await read(relative, Number.POSITIVE_INFINITY)) === undefined) return;
      await confirm(relative, basis);
      await unlessRefused(
        relative,
        async () => {
          refuseLinks(relative);
          await files.remove(place).catch((error: unknown) => {
            if (codeOf(error) !== 'ENOENT') throw error; // gone meanwhile
          });
          const left = await removeEmpty(dirname(place), root, files);
          await files.syncFolder(left).catch(() => undefined);
        },
        signal,
      );
    },
    exclusive(work, { signal } = {}) {
      const run = last.then(() => locked(work, signal));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

const linkError = (): MemdirError =>
  new MemdirError(
    'bad-path',
    'A link stands in the path: links are not followed in a memory folder.',
  );

const LOCK = '.memdir.lock';

const refuse = (message: string): never => {
  throw new MemdirError('bad-folder', message);
};

/** A folder that may hold memory, with the links above it resolved as far as it is there. */
function checkFolder(path: string): string {
  if (typeof path !== 'string' || path === '') return refuse('The memory folder needs a path.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001F\u007F]/.test(path))
    return refuse('The path of the memory folder holds a control character.');
  if (!isAbsolute(path)) return refuse('The memory folder has to be an absolute path.');
  if (/^(?:\\\\|\/\/)/.test(path)) return refuse('The memory folder may not be a network share.');
  if (/%(?:2e|2f|5c|00)/i.test(path))
    return refuse('The path of the memory folder is encoded: write it plainly.');
  if (path.split(/[/\\]/).includes('..'))
    return refuse('The path of the memory folder may not hold `..`.');
  const real = realFolder(resolve(path));
  const names = real
    .slice(parse(real).root.length)
    .split(sep)
    .filter((name) => name !== '');
  if (names.length < 2)
    return refuse('The memory folder may not be a root or stand right below one.');
  return real;
}

/** With links resolved in the deepest folder that is there. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path) {
      throw new MemdirError('bad-folder', 'The memory folder cannot be reached; see `cause`.', {
        cause: error,
      });
    }
    if (statOf(path)?.isSymbolicLink())
      return refuse('The memory folder is a link that leads nowhere.');
    return join(realFolder(above), path.slice(above.length).replace(/^[/\\]/, ''));
  }
}

/** Undefined where nothing is. */
function statOf(place: string) {
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch (cause) {
    if (codeOf(cause) === 'ENOTDIR') return undefined;
    throw new MemdirError('not-read', 'The path could not be looked at; see `cause`.', { cause });
  }
}

function entriesOf(place: string): readonly Dirent[] | 'unreadable' {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? [] : 'unreadable';
  }
}

function listedOf(path: string, place: string): ListedFile[] {
  const stats = statOf(place);
  if (stats === undefined) return []; // gone meanwhile
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return [
    { path, bytes: size, modifiedMs: mtimeMs, version: `${size} ${mtimeMs} ${ctimeMs} ${ino}` },
  ];
}

/** No link is followed, and no pipe is waited for. */
function readText(place: string, maxBytes: number, room: Buffer): FolderText {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw Object.assign(new Error('This is no file.'), { code: 'EISDIR' });
    const size = Math.min(stats.size, maxBytes);
    const bytes = size <= room.length ? room.subarray(0, size) : Buffer.allocUnsafe(size);
    let length = 0;
    while (length < bytes.length) {
      const taken = readSync(file, bytes, length, bytes.length - length, length);
      if (taken === 0) break;
      length += taken;
    }
    return decode(bytes.subarray(0, length), stats.size <= maxBytes);
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer, isWhole: boolean): FolderText {
  if (isWhole && isUtf8(bytes)) return { text: bytes.toString(), isWhole, isText: true };
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return { text: strict.decode(bytes, { stream: !isWhole }), isWhole, isText: true };
  } catch {
    return { text: decodeStart(bytes), isWhole, isText: false };
  }
}

/** Removes folders that hold nothing any more, up to the memory folder. Returns the first one that stays. */
async function removeEmpty(place: string, root: string, files: StoreFiles): Promise<string> {
  for (let at = place; at.startsWith(root + sep); at = dirname(at)) {
    try {
      await files.removeFolder(at);
    } catch {
      return at; // something is in it, or it is a link
    }
  }
  return root;
}
