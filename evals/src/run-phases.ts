import { statSync } from 'node:fs';
import type { ModelInfo } from '@varve/tokens';
import { backgrounds } from './demand/background.ts';
import { EvalsError } from './error.ts';
import type { ReplayedFile, ThreadBackground } from './replay/replay-file.ts';
import { byReason } from './report/read-text.ts';
import type { Report } from './report/report-schema.ts';
import { type Counted, countOnce } from './session/count-once.ts';
import type { SessionFacts } from './session/session-facts.ts';
import { type PassedOver, SESSION_ENDINGS, type SessionFile } from './session/session-files.ts';
import type { Survey } from './session/survey.ts';
import { unreadPart } from './session/unread.ts';
import type { TaskRunner } from './task-runner.ts';
import type { Task, TaskResult } from './worker.ts';

interface PhaseOptions {
  readonly runner: TaskRunner;
  readonly onDone: (file: string) => void;
}

interface SurveyOptions extends PhaseOptions {
  /** Places in which nothing could be a session. @default none */
  readonly passedOver?: readonly PassedOver[] | undefined;
  /** Entries of one's own, which bills are priced by. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** A file that can be replayed, and the background of each of its main threads; null for one that does not count. */
export interface UsableFile {
  readonly file: SessionFile;
  readonly backgrounds: readonly (ThreadBackground | null)[];
}

export interface Surveyed {
  /** Those with a thread that counts. */
  readonly usable: readonly UsableFile[];
  /** Every file that holds a session. */
  readonly read: readonly { readonly file: SessionFile; readonly facts: SessionFacts }[];
  readonly counted: Counted;
  readonly skipped: Report['skipped'];
  readonly refused: Report['refused'];
}

/**
 * Reads every file once: which hold sessions, and what words they share. Throws `no-sessions` where none does; files that
 * merely lie in a folder and are no sessions are skipped, others are refused.
 */
export async function surveyAll(
  files: readonly SessionFile[],
  { runner, onDone, passedOver = [], models = [] }: SurveyOptions,
): Promise<Surveyed> {
  const results = await largestFirst(files, async (file) => {
    const result = await runner.run({ kind: 'survey', file, models });
    onDone(file.name);
    return { file, result };
  });
  const read = results.flatMap(({ file, result }) =>
    result.kind === 'surveyed' ? [{ file, ...result }] : [],
  );
  const failed = results.flatMap(({ file, result }) =>
    result.kind === 'refused' ? [{ file, ...result }] : [],
  );
  const unread = unreadPart(failed, passedOver);
  if (read.length === 0) throw noSessions(files.length, unread);
  const counted = countOnce(read.map(({ facts }) => facts));
  return { usable: withBackgrounds(read, counted), read, counted, ...unread };
}

/** Replays every file, in whatever order the runner likes; the results are in the order of the files. */
export async function replayAll(
  usable: readonly UsableFile[],
  { runner, onDone, task }: PhaseOptions & { readonly task: ReplaySettings },
): Promise<readonly ReplayedFile[]> {
  return largestFirst(usable, async ({ file, backgrounds }) => {
    const result = await runner.run({ kind: 'replay', file, backgrounds, ...task });
    onDone(file.name);
    return replayedOf(result);
  });
}

/** Begins with the largest files, so that none is left to one thread alone at the end; the results are in the given order. */
export async function largestFirst<Item extends SessionFile | UsableFile, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const sizes = items.map((item) => sizeOf('file' in item ? item.file : item));
  const order = items
    .map((_, at) => at)
    .sort((one, other) => (sizes[other] as number) - (sizes[one] as number));
  const works: Promise<Result>[] = [];
  for (const at of order) works[at] = work(items[at] as Item);
  return Promise.all(works);
}

/** Bytes; a file that is gone, or a link to itself, is for whoever reads it to tell. */
function sizeOf({ path }: SessionFile): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** What is the same for every file. */
export type ReplaySettings = Pick<
  Task & { readonly kind: 'replay' },
  'strategies' | 'pricing' | 'otherWindows'
>;

function replayedOf(result: TaskResult): ReplayedFile {
  if (result.kind === 'replayed') return result.replayed;
  if (result.kind === 'failed') throw new EvalsError(result.code, result.message);
  const reason = result.kind === 'refused' ? result.reason : 'another result was expected';
  throw new EvalsError('not-found', `A session could be read before and no longer can: ${reason}`);
}

/** What does not count is no background of what does either. */
function withBackgrounds(
  read: readonly (Survey & { readonly file: SessionFile })[],
  { leftOut }: Counted,
): readonly UsableFile[] {
  const left = new Set(
    leftOut.filter(({ counted }) => !counted).map(({ file, thread }) => `${file} ${thread}`),
  );
  const isKept = (file: number, thread: number): boolean => !left.has(`${file} ${thread}`);
  const waiting = [
    ...backgrounds(
      read.flatMap(({ vocabularies }, file) =>
        vocabularies.filter((_, thread) => isKept(file, thread)),
      ),
    ),
  ];
  return read
    .map(({ file, vocabularies }, at) => ({
      file,
      backgrounds: vocabularies.map((_, thread) =>
        isKept(at, thread) ? (waiting.shift() ?? null) : null,
      ),
    }))
    .filter(({ backgrounds: each }) => each.some((known) => known !== null));
}

function noSessions(
  files: number,
  { skipped, refused }: Pick<Report, 'skipped' | 'refused'>,
): EvalsError {
  const why = byReason([...refused, ...skipped], SHOWN_UNREAD);
  const passedOver = skipped.length === 0 ? '' : ` Passed over: ${why}.`;
  const text =
    files === 0
      ? `No session files were found. Sessions end in ${SESSION_ENDINGS.join(', ')}; pass files or folders with --sessions.${passedOver}`
      : `${files === 1 ? 'The one file found there cannot' : `None of the ${files} files can`} be read as a session: ${why}. Pass recorded sessions with --sessions.`;
  return new EvalsError('no-sessions', text, { found: { read: [], skipped, refused } });
}

const SHOWN_UNREAD = 8;
