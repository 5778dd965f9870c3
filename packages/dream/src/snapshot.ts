import type { Memdir, MemoryFile } from '@varve/memdir';
import { statementsOf } from '@varve/memdir/evidence';
import { hashOf, isDailyLog, parseText } from '@varve/memdir/files';
import { type DreamState, parseState, type Spent, STATE, seenFile, shortHash } from './state.ts';

type ChangeRecord = Awaited<ReturnType<Memdir['history']>>[number];

/** Why a dream changes no byte of a file. */
export type Protection =
  | 'pinned'
  | 'edited-by-hand'
  | 'not-text'
  | 'too-large'
  | 'writer-not-known';

export interface SnapshotFile extends MemoryFile {
  readonly text: string;
  readonly body: string;
  readonly isProtected: Protection | undefined;
  /** Since the last dream. */
  readonly change: 'new' | 'changed' | 'same';
  /** Statements that the last dream did not see. */
  readonly fresh: readonly string[];
}

export interface DailyLog {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** The folder at one moment, as a dream sees it. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, SnapshotFile>;
  /** Paths that the last dream saw. */
  readonly removed: readonly string[];
  /** Oldest first. */
  readonly logs: readonly DailyLog[];
  /** Changes of earlier dreams that were taken back: nobody wants them again. */
  readonly takenBack: ReadonlySet<string>;
  /** Every text that belongs to the folder, what is hidden included: what a clone is made of. */
  readonly texts: Readonly<Record<string, string>>;
  /** What the next dream is to know. */
  readonly seen: Omit<DreamState, 'at' | 'spent' | 'sessions'>;
  /** When sessions were touched that the last dream was given, by id. */
  readonly seenSessions: ReadonlyMap<string, number>;
  readonly spent: Spent | undefined;
}

const MANY = 1_000_000;
/** A file that is too large for a memory stays as it is: its beginning is looked at. */
const LARGE_START_BYTES = 65_536;
/** What a clone needs beside memories and indexes. */
const HIDDEN = ['.index-lines.json', '.tombstones.jsonl'];

export async function takeSnapshot(
  memory: Memdir,
  signal: AbortSignal | undefined,
): Promise<Snapshot> {
  const { folder } = memory;
  const { files: listed, indexes } = await memory.scan({ maxFiles: MANY, signal });
  const history = await memory.history({ signal });
  const last = lastRecords(history);
  const state = parseState((await folder.read(STATE, { signal }))?.text);
  const files = new Map<string, SnapshotFile>();
  const texts: Record<string, string> = {};
  for (const file of listed) {
    const maxBytes = file.problems.includes('too-large') ? LARGE_START_BYTES : undefined;
    const found = await folder.read(file.path, { signal, maxBytes });
    if (found === undefined) continue;
    const { text, isText } = found;
    const isProtected = protectionOf(file, { text, isText, state, last });
    const { body } = parseText(text);
    const seen = state?.files[file.path];
    const isOwn =
      last.get(file.path)?.kind === 'dream' && afterOf(last, file.path) === hashOf(text);
    const isSame = isOwn || seen?.hash === hashOf(text);
    const change = isSame ? 'same' : seen === undefined ? 'new' : 'changed';
    const known = new Set(seen?.statements);
    const said = statementsOf(body).map((each) => each.text);
    const fresh = isSame ? [] : said.filter((each) => !known.has(shortHash(each)));
    files.set(file.path, { ...file, text, body, isProtected, change, fresh });
    if (isText) texts[file.path] = text;
  }
  for (const path of [...indexes, ...HIDDEN]) {
    const text = (await folder.read(path, { signal }))?.text;
    if (text !== undefined) texts[path] = text;
  }
  const logs = await readLogs(memory, state, signal);
  const removed = Object.keys(state?.files ?? {}).filter((path) => {
    const record = last.get(path);
    return !files.has(path) && !(record?.kind === 'dream' && afterOf(last, path) === null);
  });
  const seen = {
    files: Object.fromEntries(
      [...files].map(([path, { text, body }]) => [path, seenFile(text, body)]),
    ),
    logs: Object.fromEntries(logs.map(({ path, text }) => [path, hashOf(text)])),
  };
  return {
    ...{ files, removed, logs, takenBack: takenBackIn(history), texts, seen },
    seenSessions: new Map(Object.entries(state?.sessions ?? {})),
    spent: state?.spent,
  };
}

/** Names a change of a file by the hashes of its texts, to be looked up among those that were taken back. */
export const changeKey = (path: string, before: string | null, after: string | null): string =>
  `${path}\n${before}\n${after}`;

function takenBackIn(history: readonly ChangeRecord[]): ReadonlySet<string> {
  const undone = new Set(history.map(({ undoes }) => undoes));
  const records = history.filter(({ id, kind }) => kind === 'dream' && undone.has(id));
  return new Set(
    records.flatMap(({ files }) =>
      files.map(({ path, before, after }) => changeKey(path, before, after)),
    ),
  );
}

type LastRecords = ReadonlyMap<string, ChangeRecord>;

/** The last change of each path. */
function lastRecords(history: readonly ChangeRecord[]): LastRecords {
  const last = new Map<string, ChangeRecord>();
  for (const record of history)
    for (const { path } of record.files) if (!last.has(path)) last.set(path, record);
  return last;
}

const afterOf = (last: LastRecords, path: string): string | null | undefined =>
  last.get(path)?.files.find((file) => file.path === path)?.after;

interface Known {
  readonly text: string;
  readonly isText: boolean;
  readonly state: DreamState | undefined;
  readonly last: LastRecords;
}

/**
 * A file that is not what was written here last, and not what the last dream saw either, was edited by hand since. Before the first
 * dream nothing is known of files that were never written here: what has no stamp of a writer may be a person's own.
 */
function protectionOf(
  { path, pinned, problems }: MemoryFile,
  { text, isText, state, last }: Known,
): Protection | undefined {
  if (pinned) return 'pinned';
  if (!isText) return 'not-text';
  if (problems.includes('too-large')) return 'too-large';
  const hash = hashOf(text);
  if (state?.files[path]?.hash === hash) return undefined;
  const written = afterOf(last, path);
  if (written === undefined && state === undefined)
    return isStamped(text) ? undefined : 'writer-not-known';
  return written === hash ? undefined : 'edited-by-hand';
}

/** Whether the header says when or in which session it was written, as tools note it and people do not. */
const isStamped = (text: string): boolean => {
  const { header, foreign } = parseText(text);
  return (
    header.modified !== undefined || foreign.some((line) => /^\s*originSessionId\s*:/.test(line))
  );
};

async function readLogs(
  memory: Memdir,
  state: DreamState | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly DailyLog[]> {
  const { files } = await memory.folder.list('logs', { signal });
  const logs: DailyLog[] = [];
  for (const { path } of [...files].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const found = isDailyLog(path) ? await memory.folder.read(path, { signal }) : undefined;
    if (found === undefined || !found.isText) continue;
    logs.push({ path, text: found.text, isNew: state?.logs[path] !== hashOf(found.text) });
  }
  return logs;
}

/** The end of the day of a log. */
export const logEndMs = (path: string): number =>
  Date.parse(`${path.slice(path.lastIndexOf('/') + 1, -3)}T23:59:59.999Z`);
