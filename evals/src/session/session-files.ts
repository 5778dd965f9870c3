import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TranscriptError } from '@varve/transcript';
import { findSessions } from '@varve/transcript/node';
import { EvalsError } from '../error.ts';

/** A file that may hold a session. */
export interface SessionFile {
  /** Absolute. */
  readonly path: string;
  /** How it is called in reports: relative to the folder it was found in, with `/` between segments. */
  readonly name: string;
  /** Where it is, for whoever looks for it: as the caller wrote the path, of an absolute one the last folder only. */
  readonly place: string;
  /** Named by the caller, not found in a folder: that it holds no session is then an error. */
  readonly named: boolean;
}

/**
 * The session files among `paths`: files as they are, folders searched through for `.jsonl`, `.json` and `.traj`. Sorted by
 * name, each file once. Throws `not-found` for a path that is not there.
 */
export async function findSessionFiles(paths: readonly string[]): Promise<readonly SessionFile[]> {
  const found = (await Promise.all(paths.map(filesAt))).flat();
  const byPath = new Map<string, SessionFile>();
  for (const file of found) if (!byPath.has(file.path) || file.named) byPath.set(file.path, file);
  return distinctNames([...byPath.values()]).sort(byName);
}

/** Whether a file that was refused merely lies in a folder and is no session; `code` is that of the `TranscriptError`. */
export const isNoSession = ({ named }: SessionFile, code: string): boolean =>
  !named && NO_SESSION.has(code);

const NO_SESSION: ReadonlySet<string> = new Set([
  'unknown-format',
  'not-text',
  'empty',
  'no-messages',
]);

async function filesAt(path: string): Promise<readonly SessionFile[]> {
  const folder = resolve(path);
  const files = (await findAt(path)).map((file) => resolve(file));
  if (files.length === 1 && files[0] === folder) {
    const place = isAbsolute(path) ? join(basename(dirname(path)), basename(path)) : path;
    return [{ path: folder, name: basename(folder), place: slashed(place), named: true }];
  }
  const shown = isAbsolute(path) ? basename(path) : path;
  return files.map((file) => {
    const inside = relative(folder, file);
    const place = slashed(join(shown, inside));
    return { path: file, name: slashed(inside), place, named: false };
  });
}

async function findAt(path: string): Promise<readonly string[]> {
  try {
    return await findSessions([path]);
  } catch (cause) {
    if (!TranscriptError.is(cause)) throw cause;
    const text = `Nothing can be read at ${path}. Pass a session file, or a folder that holds some, with --sessions.`;
    throw new EvalsError('not-found', text, { cause });
  }
}

/** Files of the same name in two folders are told apart by their whole paths. */
function distinctNames(files: readonly SessionFile[]): SessionFile[] {
  const times = new Map<string, number>();
  for (const { name } of files) times.set(name, (times.get(name) ?? 0) + 1);
  return files.map((file) =>
    times.get(file.name) === 1 ? file : { ...file, name: slashed(relative('', file.path)) },
  );
}

const byName = (left: SessionFile, right: SessionFile): number =>
  left.name < right.name ? -1 : Number(left.name > right.name);

const slashed = (path: string): string => path.split(sep).join('/');
