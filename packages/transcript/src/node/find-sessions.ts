import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parentFile } from './claude-agents.ts';
import { databaseSessions } from './database-sessions.ts';
import { fileError } from './file-error.ts';
import { isStoredBelow, storagePlace } from './opencode-storage.ts';
import { firstBytes, isDatabase } from './session-place.ts';
import { rootsOf } from './stored-session.ts';
import { TASK_MESSAGES } from './task-bills.ts';

/** Extensions of the files that {@link findSessions} looks for. */
const SESSION_FILE = /\.(jsonl|jsonl\.zst|json|traj|db|sqlite)$/i;

/**
 * The sessions among `paths`, in their order, a folder's by name. A file is taken as it is; a folder is searched for `.jsonl`, `.jsonl.zst`, `.json`,
 * `.traj`, `.db` and `.sqlite` files and links to such, in whatever case; hidden ones, node_modules and links to other folders aside. A database of OpenCode, Kilo or Goose
 * gives a place for each of its sessions (`opencode.db#ses_…`), which `importFile` takes. What belongs to another session is no session of
 * its own: sub-agents, OpenCode's files of messages and parts, and what Cline and its kin keep beside the messages of a task.
 *
 * @throws TranscriptError `not-found` or `unreadable`
 */
export async function findSessions(paths: readonly string[]): Promise<string[]> {
  const found: string[][] = [];
  for (const path of paths) {
    const stats = await stat(path).catch((error) => Promise.reject(fileError(path, error)));
    found.push(stats.isDirectory() ? await searchFolder(path) : await sessionsAt(path));
  }
  return [...new Set(found.flat())];
}

async function searchFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) =>
    Promise.reject(fileError(folder, error)),
  );
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const isStorage =
    basename(folder) === 'storage' && entries.some(({ name }) => name === 'session');
  const isTask = entries.some(({ name }) => name === TASK_MESSAGES);
  const found: string[][] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isTask && entry.name.endsWith('.json') && entry.name !== TASK_MESSAGES) continue;
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (isStorage && entry.name !== 'session') continue;
    if (entry.isDirectory()) found.push(await searchFolder(path));
    else if (SESSION_FILE.test(entry.name) && (await mayBeFile(entry, path))) {
      if (!(await isPartOfAnother(path))) found.push(await sessionsAt(path));
    }
  }
  return withoutMigrated(found.flat());
}

/** False for a folder behind a link, a pipe, a socket or a device; a link that leads nowhere is for the reader to report. */
async function mayBeFile(entry: Dirent, path: string): Promise<boolean> {
  if (entry.isFile()) return true;
  return stat(path).then(
    (stats) => stats.isFile(),
    () => true,
  );
}

/** Whether a file is read together with another one that is there as well. */
async function isPartOfAnother(path: string): Promise<boolean> {
  if (OPENCODE_PIECE.test(path) || AGENT_NOTE.test(path)) return true;
  return (await parentFile(path)) !== undefined || isStoredBelow(path);
}

/** The messages and parts of OpenCode before 0.6 lie beside the sessions. */
const OPENCODE_PIECE = /[/\\]storage[/\\]session[/\\](message|part)[/\\]/;

/** What Claude Code notes beside the file of a sub-agent. */
const AGENT_NOTE = /[/\\]agent-[^/\\]*\.meta\.json$/;

/** The sessions in a database; any other file is one place, whatever it holds. */
async function sessionsAt(path: string): Promise<string[]> {
  if (!isDatabase(await firstBytes(path))) return [path];
  const sessions = await databaseSessions(path).catch(() => []);
  return sessions.length === 0 ? [path] : rootsOf(sessions).map((id) => `${path}#${id}`);
}

/** OpenCode left the files of the sessions that it moved into its database where they were. */
function withoutMigrated(places: readonly string[]): string[] {
  const moved = new Set(places.flatMap((place) => /#(ses_\w+)$/.exec(place)?.[1] ?? []));
  if (moved.size === 0) return [...places];
  return places.filter((place) => !moved.has(storagePlace(place)?.id ?? ''));
}
