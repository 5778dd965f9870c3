import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importSession } from '../import/import-session.ts';
import type { ImportedSession, ImportOptions } from '../import/types.ts';
import { fileError } from './file-error.ts';
import { readChunks } from './read-log.ts';

/** Options of {@link importFile}. */
export interface ImportFileOptions extends Omit<ImportOptions, 'name'> {
  /** @default the path */
  readonly name?: string | undefined;
}

/**
 * Reads the session in a file as a stream: {@link importSession} over its bytes.
 *
 * @throws TranscriptError also for the file itself: `not-found`, `not-a-file`, `unreadable` are three different things.
 */
export async function importFile(
  path: string,
  options: ImportFileOptions = {},
): Promise<ImportedSession> {
  const { name = path, ...rest } = options;
  return importSession(readChunks(path, { name, takesPipes: true }), { name, ...rest });
}

/** Extensions of the files that {@link findSessions} looks for. */
const SESSION_FILE = /\.(jsonl|json|traj)$/;

/**
 * The session files among `paths`: a file is taken as it is, a folder is searched for `.jsonl`, `.json` and `.traj`
 * files and links to such; hidden ones, node_modules and links to other folders aside. In the order of `paths`, a folder's files by name.
 *
 * @throws TranscriptError `not-found` or `unreadable`
 */
export async function findSessions(paths: readonly string[]): Promise<string[]> {
  const found: string[][] = [];
  for (const path of paths) {
    const stats = await stat(path).catch((error) => Promise.reject(fileError(path, error)));
    found.push(stats.isDirectory() ? await searchFolder(path) : [path]);
  }
  return [...new Set(found.flat())];
}

async function searchFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) =>
    Promise.reject(fileError(folder, error)),
  );
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[][] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) found.push(await searchFolder(path));
    else if (SESSION_FILE.test(entry.name) && (await mayBeFile(entry, path))) found.push([path]);
  }
  return found.flat();
}

/** False for a folder behind a link, a pipe, a socket or a device; a link that leads nowhere is for the reader to report. */
async function mayBeFile(entry: Dirent, path: string): Promise<boolean> {
  if (entry.isFile()) return true;
  return stat(path).then(
    (stats) => stats.isFile(),
    () => true,
  );
}
