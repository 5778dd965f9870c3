import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord, recordOf } from '@varve/guards';
import { existingFile } from './existing-file.ts';
import { fileError } from './file-error.ts';
import type { StoredSession } from './opencode-stored.ts';

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

/** The file of the session that started a stored one, where it is there: both are read together. */
export async function storedParent(path: string): Promise<string | undefined> {
  const place = storagePlace(path);
  const parent = place && recordOf(await readJson(path)).parentID;
  // an id is the name of a file, and no path to one
  if (typeof parent !== 'string' || parent === place?.id || parent !== basename(parent)) return;
  return existingFile(join(dirname(path), `${parent}.json`));
}

/** A session and those below it, from the files they are spread over. Ids of OpenCode grow with time, so files are read by name. */
export async function readStoredSession(
  path: string,
  place: StoragePlace,
): Promise<readonly StoredSession[]> {
  const own = await readSession(path, place, place.id);
  const sessions = [own];
  const others = await sessionsBeside(place);
  const seen = new Set([own.id]);
  for (const { id } of sessions) {
    for (const [child, parent] of others) {
      if (parent !== id || seen.has(child)) continue;
      seen.add(child);
      sessions.push(await readSession(join(place.sessions, `${child}.json`), place, child));
    }
  }
  return sessions;
}

/** The sessions of a project by id, each with the one that started it. */
async function sessionsBeside(place: StoragePlace): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const name of await jsonNames(place.sessions)) {
    const value = await readJson(join(place.sessions, name));
    if (isRecord(value)) found.set(basename(name, '.json'), value.parentID);
  }
  return found;
}

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
  return { id, parent, info: { id, version: fields.version }, messages, bad };
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
