import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord, recordOf } from '@varve/guards';
import { existingFile } from './existing-file.ts';
import { fileError } from './file-error.ts';
import { createFolderMemo } from './folder-memo.ts';
import { type SessionLink, type StoredSession, sessionsBelow } from './stored-session.ts';

/** Where OpenCode's files of one session lie. */
export interface StoragePlace {
  readonly id: string;
  readonly sessions: string;
  messages(session: string): string;
  parts(session: string, message: string): string;
}

/**
 * The place of a session in OpenCode's folder `storage`, by the path of its own file: `session/<project>/<id>.json`, or
 * `session/info/<id>.json` as before 0.6; undefined for any other file.
 */
export function storagePlace(path: string): StoragePlace | undefined {
  const id = basename(path, '.json');
  const folder = dirname(path);
  const above = dirname(folder);
  if (!path.endsWith('.json') || basename(above) !== 'session') return undefined;
  const root = dirname(above);
  if (basename(root) !== 'storage') return undefined;
  if (basename(folder) === 'info') {
    return {
      id,
      sessions: folder,
      messages: (session) => join(above, 'message', session),
      parts: (session, message) => join(above, 'part', session, message),
    };
  }
  return {
    id,
    sessions: folder,
    messages: (session) => join(root, 'message', session),
    parts: (_session, message) => join(root, 'part', message),
  };
}

/** Whether a stored session is read together with the one that started it: that one is there, and is not below this one itself. */
export async function isStoredBelow(path: string): Promise<boolean> {
  const place = storagePlace(path);
  if (place === undefined) return false;
  const way = [place.id];
  for (;;) {
    const file = join(dirname(path), `${way.at(-1)}.json`);
    const parent = recordOf(await readJson(file)).parentID;
    // an id is the name of a file, and no path to one
    if (typeof parent !== 'string' || parent !== basename(parent)) break;
    if (way.includes(parent)) {
      const circle = way.slice(way.indexOf(parent));
      return !circle.includes(place.id) || circle.some((id) => id < place.id);
    }
    if ((await existingFile(join(dirname(path), `${parent}.json`))) === undefined) break;
    way.push(parent);
  }
  return way.length > 1;
}

/** A session and those below it, from the files they are spread over. Ids of OpenCode grow with time, so files are read by name. */
export async function readStoredSession(
  path: string,
  place: StoragePlace,
): Promise<readonly StoredSession[]> {
  const own = await readSession(path, place, place.id);
  const sessions = [own];
  for (const child of sessionsBelow(place.id, await sessionsIn(place.sessions))) {
    sessions.push(await readSession(join(place.sessions, `${child}.json`), place, child));
  }
  return sessions;
}

/** The sessions of a project, each with the one that started it. */
const sessionsIn = createFolderMemo(async (folder) => {
  const value: SessionLink[] = [];
  const unfinished: string[] = [];
  for (const name of await jsonNames(folder)) {
    const info = await readJson(join(folder, name));
    const { parentID } = recordOf(info);
    if (!isRecord(info)) unfinished.push(join(folder, name));
    else
      value.push({
        id: basename(name, '.json'),
        parent: typeof parentID === 'string' ? parentID : undefined,
      });
  }
  return { value, unfinished };
});

async function readSession(path: string, place: StoragePlace, id: string): Promise<StoredSession> {
  const text = await readFile(path, 'utf8').catch((cause) =>
    Promise.reject(fileError(path, cause)),
  );
  const info = parseJson(text);
  let bad = isRecord(info) ? 0 : 1;
  const read = async (file: string): Promise<unknown> => {
    const value = await readJson(file);
    if (!isRecord(value)) bad += 1;
    return value;
  };
  const messages: StoredSession['messages'][number][] = [];
  const folder = place.messages(id);
  for (const name of await jsonNames(folder)) {
    const message = await read(join(folder, name));
    const partsFolder = place.parts(id, basename(name, '.json'));
    const parts: unknown[] = [];
    for (const part of await jsonNames(partsFolder)) {
      const value = await read(join(partsFolder, part));
      if (isRecord(value)) parts.push(value);
    }
    messages.push({ info: isRecord(message) ? message : {}, parts });
  }
  const fields = isRecord(info) ? info : {};
  const parent = typeof fields.parentID === 'string' ? fields.parentID : undefined;
  const about = { id, version: fields.version };
  return { id, parent, format: 'opencode', info: about, messages, bad };
}

/** The JSON files of a folder by name; none where it is missing. */
async function jsonNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).sort();
}

const readJson = async (path: string): Promise<unknown> =>
  parseJson(await readFile(path, 'utf8').catch(() => ''));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
