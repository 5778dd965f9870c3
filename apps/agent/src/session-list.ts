import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, recordOf } from '@varve/guards';
import { isPerson } from '@varve/messages/persons';
import { readLog, readThread } from '@varve/transcript/node';
import { factsOf } from './prompt/facts.ts';
import { saidIn } from './said.ts';
import { logPath, sessionFolder } from './session.ts';
import { oneLine } from './ui/clean.ts';

/** What a list of sessions says of each. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly cwd: string;
  /** The first words of the person. */
  readonly title: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

const PAGE = 50;
const ID = /^[\w-]{1,100}$/;
const MOST_TITLE_CHARS = 80;

export const titleOf = (text: string): string => oneLine(text, MOST_TITLE_CHARS);

/** When a session was used last, as people read it. */
export const changedAt = ({ updatedAt }: SessionInfo): string =>
  new Date(updatedAt).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });

interface ListOptions {
  /** Only those of this folder. @default all */
  readonly cwd?: string | undefined;
  /** How many to leave out. */
  readonly from: number;
}

/** Sessions in which a person said something, the one that was used last first, page by page. */
export async function describeSessions(
  configDir: string,
  { cwd, from }: ListOptions,
): Promise<{ sessions: SessionInfo[]; nextCursor?: string }> {
  const folders =
    cwd === undefined ? await foldersOf(configDir) : [sessionFolder({ configDir, cwd })];
  const logs = (await Promise.all(folders.map(logsIn))).flat();
  logs.sort((one, other) => other.changedMs - one.changedMs || (one.id < other.id ? -1 : 1));
  const sessions: SessionInfo[] = [];
  let at = from;
  for (; at < logs.length && sessions.length < PAGE; at++) {
    const { path, id, changedMs } = logs[at] as LogFile;
    const told = await describeLog(path);
    if (told === undefined || (cwd !== undefined && told.cwd !== cwd)) continue;
    sessions.push({ sessionId: id, ...told, updatedAt: new Date(changedMs).toISOString() });
  }
  return { sessions, ...(at < logs.length && { nextCursor: String(at) }) };
}

/** Where the log of a session is; undefined where there is none. */
export async function findSession(
  configDir: string,
  id: string,
  cwd?: string,
): Promise<string | undefined> {
  if (!ID.test(id)) return undefined; // never a path
  const folders =
    cwd === undefined ? await foldersOf(configDir) : [sessionFolder({ configDir, cwd })];
  for (const folder of folders) {
    const found = await stat(logPath(folder, id)).catch(() => undefined);
    if (found?.isFile()) return folder;
  }
  return undefined;
}

/** Deletes a session, its draft, its agents and what it stored. Says why not, where another one was forked from it and reads its log. */
export async function deleteSession(configDir: string, id: string): Promise<string | undefined> {
  const folder = await findSession(configDir, id);
  if (folder === undefined) return undefined;
  for (const { path, id: other } of await logsIn(folder))
    if (other !== id && (await isForkOf(path, id)))
      return `Session ${other} was forked from it and needs it; delete that one first.`;
  await rm(logPath(folder, id), { force: true });
  for (const own of [join(folder, id), join(folder, 'results', id)])
    await rm(own, { recursive: true, force: true });
  return undefined;
}

interface LogFile {
  readonly id: string;
  readonly path: string;
  readonly changedMs: number;
}

async function logsIn(folder: string): Promise<LogFile[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl'));
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, id: name.slice(0, -'.jsonl'.length), changedMs: (await stat(path)).mtimeMs };
    }),
  );
}

const foldersOf = async (configDir: string): Promise<string[]> => {
  const projects = join(configDir, 'projects');
  return (await namesIn(projects)).map((name) => join(projects, name));
};

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  });

/** Reads a log up to the first words of the person. */
async function describeLog(path: string): Promise<{ cwd: string; title: string } | undefined> {
  let cwd: string | undefined;
  try {
    for await (const { entry } of readThread(path)) {
      cwd ??= factsOf([entry])?.cwd;
      if (entry.type !== 'message' || !isPerson(entry.message)) continue;
      return cwd === undefined ? undefined : { cwd, title: titleOf(saidIn(entry.message)) };
    }
  } catch {
    // a log that cannot be read is no session to go on with
  }
  return undefined;
}

/** Whether a log begins as a copy of another one. */
async function isForkOf(path: string, id: string): Promise<boolean> {
  for await (const { entry } of readLog(path)) {
    if (entry.type !== 'note' || entry.by !== 'transcript') return false;
    return recordOf(recordOf(entry.data).base).path === `${id}.jsonl`;
  }
  return false;
}
