import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { TranscriptError } from '@varve/transcript';
import { findSessions } from '@varve/transcript/node';
import { EvalsError } from '../error.ts';
import { type AgentPlace, agentOf, agentPlaces, isAgentFolder } from './agent-places.ts';

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
  /** Whose folder it lies in, where that is known. */
  readonly agent?: string | undefined;
}

/** A place that holds nothing that could be read, and why. */
export interface PassedOver {
  readonly file: string;
  readonly reason: string;
}

/**
 * The session files among `paths`: files as they are, folders searched. In a home folder agents' own places are searched, which
 * are hidden. Sorted by name, each file once. Throws `not-found` for a path that is not there.
 */
export const findSessionFiles = async (paths: readonly string[]): Promise<readonly SessionFile[]> =>
  (await lookForSessions(paths)).files;

/** The same with the places of agents in which no file looks like a session. */
export async function lookForSessions(paths: readonly string[]): Promise<{
  readonly files: readonly SessionFile[];
  readonly passedOver: readonly PassedOver[];
}> {
  const looked = await Promise.all(paths.map(lookAt));
  const byPath = new Map<string, SessionFile>();
  for (const file of looked.flatMap(({ files }) => files)) {
    const known = byPath.get(file.path);
    if (known === undefined || isFuller(file, known)) byPath.set(file.path, file);
  }
  return {
    files: distinctNames([...byPath.values()]).sort(byName),
    passedOver: looked.flatMap(({ passedOver }) => passedOver),
  };
}

/** Of a file that was found twice what is named counts, else the longer name: the order of folders decides nothing. */
const isFuller = (file: SessionFile, known: SessionFile): boolean =>
  file.named === known.named ? file.name.length > known.name.length : file.named;

interface Looked {
  readonly files: readonly SessionFile[];
  readonly passedOver: readonly PassedOver[];
}

async function lookAt(path: string): Promise<Looked> {
  const folder = resolve(path);
  const places = await agentPlaces(folder);
  // a whole home folder is not searched: what else is there is no agent's
  const isHome = folder === homedir() || isAgentFolder(folder);
  const [loose, ...inPlaces] = await Promise.all([
    isHome && places.length > 0 ? [] : filesAt(path),
    ...places.map(async (each) => ({ each, files: await filesIn(each, path) })),
  ]);
  const known = inPlaces.flatMap(({ files }) => files);
  const paths = new Set(known.map((file) => file.path));
  return {
    files: [...known, ...loose.filter((file) => !paths.has(file.path))],
    passedOver: inPlaces
      .filter(({ files }) => files.length === 0)
      .map(({ each: { agent, place } }) => ({
        file: place,
        reason: `of ${agent}: no file there can be read as a session`,
      })),
  };
}

/** Those in an agent's place; none where it cannot be read. */
async function filesIn({ agent, path }: AgentPlace, root: string): Promise<readonly SessionFile[]> {
  const folder = resolve(root);
  const shown = isAbsolute(root) ? basename(root) : root;
  const found = await findSessions([path]).catch((error) => {
    if (!TranscriptError.is(error)) throw error;
    return [];
  });
  return found
    .map((file) => resolve(file))
    .filter((file) => SESSION_PLACE.test(file))
    .map((file) => {
      const inside = relative(folder, file);
      const place = slashed(join(shown, inside));
      return { path: file, name: slashed(inside), place, named: false, agent };
    });
}

/** How the files end that a folder is searched for. */
export const SESSION_ENDINGS = [
  '.jsonl',
  '.jsonl.zst',
  '.json',
  '.traj',
  '.db',
  '.sqlite',
] as const;

/** The same of a place, which may name a session in a database; an agent's place that is one file may end as it likes. */
const SESSION_PLACE = new RegExp(
  `(?:${SESSION_ENDINGS.join('|').replaceAll('.', '\\.')})(?:#[^/\\\\]*)?$`,
  'i',
);

/**
 * Whether a file that was refused merely lies in a folder and is no session; `code` is that of the `TranscriptError`. What cannot be read at all is a
 * damaged session where it lies in an agent's place, or ends as only sessions do.
 */
export const isNoSession = ({ named, agent, name }: SessionFile, code: string): boolean =>
  !named &&
  (NO_SESSION.has(code) ||
    (code === 'not-text' && agent === undefined && !ONLY_SESSIONS.test(name)));

const ONLY_SESSIONS = /\.(?:jsonl|jsonl\.zst|traj)$/i;

/** A reason with the agent whose folder the file lies in. */
export const withAgent = ({ agent }: SessionFile, reason: string): string =>
  agent === undefined || NAMES_AGENT.test(reason) ? reason : `of ${agent}: ${reason}`;

/** An import that knows whose file it is says so. */
const NAMES_AGENT = /\bis from [A-Z]/;

const NO_SESSION: ReadonlySet<string> = new Set([
  'unknown-format',
  'empty',
  'no-messages',
  'not-found', // a link to nothing
]);

async function filesAt(path: string): Promise<readonly SessionFile[]> {
  const folder = resolve(path);
  const files = (await findAt(path)).map((file) => resolve(file));
  if (files.length === 1 && files[0] === folder) {
    const place = isAbsolute(path) ? join(basename(dirname(path)), basename(path)) : path;
    const agent = agentOf(folder);
    return [{ path: folder, name: basename(folder), place: slashed(place), named: true, agent }];
  }
  // a database's sessions stand behind its name
  const isDatabase = files.some((file) => file.startsWith(`${folder}#`));
  const root = isDatabase ? dirname(path) : path;
  const shown = isAbsolute(root) ? basename(root) : root;
  return files.map((file) => {
    const inside = relative(resolve(root), file);
    const place = slashed(join(shown, inside));
    return { path: file, name: slashed(inside), place, named: false, agent: agentOf(file) };
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
