import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { codeOf, expected } from '@varve/guards';
import { ToolStorageError } from '../error.ts';
import type { StoreCallOptions, StoredItem, ToolResultStore } from '../store.ts';
import { realFiles, type StoreFiles } from './file-system.ts';
import { writeAll } from './replace-file.ts';
import { sha256 } from './sha256.ts';

export interface FileStoreOptions {
  /**
   * Whether a result survives a power loss once `put` resolves: file and folder are flushed. Without it a kill still leaves
   * all of a result or nothing, and putting is several times faster.
   * @default true
   */
  readonly durable?: boolean | undefined;
  /** @default the real file system */
  readonly files?: StoreFiles | undefined;
}

/**
 * A folder of results: `<folder>/<session>/<name>`, files 0600, folders 0700, each file written beside its place and moved
 * there. Several processes may use one folder. The folder of a session that is a symbolic link is refused with
 * `symbolic-link`, to write, to read and to remove; `folder` itself may be one. A result that is one is not read either.
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): ToolResultStore {
  const { durable = true, files = realFiles } = options;
  const known = new Set<string>();
  return {
    hash: sha256,
    put: (key, bytes, { signal } = {}) => {
      const [session, name] = split(key);
      return put(bytes, { folder, session, name, durable, files, known, signal });
    },
    async get(key, { range, signal } = {}) {
      signal?.throwIfAborted();
      await refuseLink(join(folder, split(key)[0]), files);
      await refuseLink(pathOf(folder, key), files, LINKED_RESULT);
      return absentIsUndefined(files.read(pathOf(folder, key), range));
    },
    async delete(key, { signal } = {}) {
      signal?.throwIfAborted();
      await refuseLink(join(folder, split(key)[0]), files);
      await absentIsUndefined(files.remove(pathOf(folder, key)));
    },
    list: (prefix, call = {}) => list({ folder, files }, prefix, call),
    tidy: ({ nowMs }) => tidy({ folder, files }, nowMs),
  };
}

interface PutOptions extends StoreCallOptions {
  readonly folder: string;
  readonly session: string;
  readonly name: string;
  readonly durable: boolean;
  readonly files: StoreFiles;
  /** Session folders that were made in this process. */
  readonly known: Set<string>;
}

async function put(bytes: Uint8Array, options: PutOptions): Promise<void> {
  const { folder, session, known, files, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    await refuseLink(join(folder, session), files); // a folder cannot be made of one that leads nowhere
    if (attempt > 1 || !known.has(session)) await makeFolder(folder, options);
    try {
      await write(bytes, options);
      known.add(session);
      return;
    } catch (error) {
      // Somebody removed the folder, a sweep of another process perhaps: it is made again.
      if (codeOf(error) !== 'ENOENT' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 3;

/** Asked each time: a folder that was made here can be replaced by a link. */
async function refuseLink(path: string, files: StoreFiles, text = LINKED_FOLDER): Promise<void> {
  if ((await absentIsUndefined(files.stat(path, { atOnce: true })))?.isLink !== true) return;
  throw new ToolStorageError('symbolic-link', text);
}

const LINKED_FOLDER = 'The folder of this session is a symbolic link; put a folder in its place.';
const LINKED_RESULT =
  'This result is a symbolic link, which is not followed; remove it, or store the result again.';

async function makeFolder(folder: string, { session, durable, files }: PutOptions): Promise<void> {
  await files.makeFolder(join(folder, session));
  if (durable) await files.syncFolder(folder);
}

/** Beside its place, flushed, then moved there in one step: who looks sees all of it or nothing. */
async function write(bytes: Uint8Array, options: PutOptions): Promise<void> {
  const { folder, session, name, durable, files, signal } = options;
  const place = join(folder, session);
  const temporary = join(place, `${name}.${randomBytes(6).toString('hex')}${TEMPORARY}`);
  const file = await files.create(temporary);
  try {
    await writeAll(file, bytes, durable);
    signal?.throwIfAborted();
    await files.rename(temporary, join(place, name));
  } catch (error) {
    await files.remove(temporary).catch(() => undefined); // a sweep takes it later
    throw error;
  }
  if (durable) await files.syncFolder(place);
}

const TEMPORARY = '.tmp';
/** No write takes that long: what is older was left behind. */
const STALE_MS = 3_600_000;

interface Place {
  readonly folder: string;
  readonly files: StoreFiles;
}

async function list(place: Place, prefix: string, { signal }: StoreCallOptions) {
  const items: StoredItem[] = [];
  for await (const { session, name, path } of namesIn(place, prefix)) {
    signal?.throwIfAborted();
    const key = `${session}/${name}`;
    if (!KEY.test(key) || !key.startsWith(prefix)) continue;
    const found = await absentIsUndefined(place.files.stat(path));
    if (found?.isFile) items.push({ key, bytes: found.bytes, modifiedMs: found.modifiedMs });
  }
  return items;
}

async function* namesIn({ folder, files }: Place, prefix = '') {
  const whole = /^([^/]+)\//.exec(prefix)?.[1];
  const sessions = whole === undefined ? await namesOrNone(files, folder) : [whole];
  for (const session of sessions) {
    const isLink = (await absentIsUndefined(files.stat(join(folder, session))))?.isLink === true;
    if (isLink && whole === undefined) continue; // nobody asked for this one
    await refuseLink(join(folder, session), files);
    for (const name of await namesOrNone(files, join(folder, session))) {
      yield { session, name, path: join(folder, session, name) };
    }
  }
}

const namesOrNone = async (files: StoreFiles, path: string): Promise<readonly string[]> =>
  (await absentIsUndefined(files.names(path))) ?? [];

/** Removes what interrupted writes have left, and folders with nothing in them. */
async function tidy(place: Place, nowMs: number): Promise<void> {
  const { folder, files } = place;
  for await (const { name, path } of namesIn(place)) {
    if (!name.endsWith(TEMPORARY)) continue;
    const found = await absentIsUndefined(files.stat(path));
    if (found?.isFile && nowMs - found.modifiedMs > STALE_MS)
      await absentIsUndefined(files.remove(path));
  }
  for (const session of await namesOrNone(files, folder)) {
    await files.removeFolder(join(folder, session)).catch(() => undefined); // not empty, or no folder
  }
}

const SESSION = '[A-Za-z0-9_][A-Za-z0-9_~-]*';
const KEY = new RegExp(`^(${SESSION})/(${SESSION}\\.(?:txt|json|bin))$`);

const KEY_WORDS = { what: 'two plain names with a slash between them', error: RangeError };

/** @throws RangeError for anything that could lead out of the folder */
function split(key: string): [session: string, name: string] {
  const [, session, name] = KEY.exec(key) ?? [];
  if (session !== undefined && name !== undefined) return [session, name];
  throw expected('key', KEY_WORDS, key);
}

const pathOf = (folder: string, key: string): string => join(folder, ...split(key));

/** No such file and no such folder are answers; all else is an error. */
async function absentIsUndefined<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
