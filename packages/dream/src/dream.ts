import {
  checkOptions,
  type Expectation,
  expected,
  integer,
  isRecord,
  number,
  required,
  untilAborted,
  withinTime,
} from '@varve/guards';
import { createMemdir, type FileChange, type Memdir, MemdirError } from '@varve/memdir';
import type { Usage } from '@varve/messages';
import { createDraft, type Draft } from './draft.ts';
import { readWaiting, type WaitingStep, waitingFile, waitingPatch } from './inbox.ts';
import { type DreamLease, type DreamLock, processLock } from './lock.ts';
import {
  type ApplyOptions,
  type ApplyResult,
  applyPatch,
  checkApply,
  type DreamPatch,
} from './patch.ts';
import { type DreamProgress, IDLE, turnOf, withTouched, withTurn } from './progress.ts';
import { dreamDirective } from './prompt.ts';
import { type DreamReport, reportOf } from './report.ts';
import type { ForkOutcome, RunFork } from './run-fork.ts';
import type { DreamSessions, ListedSession } from './sessions.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { createSources, type GitLookup, type InstructionFile } from './sources.ts';
import { stalePaths } from './stale-paths.ts';
import { type DreamState, STATE, writeState } from './state.ts';
import { createTools } from './tools.ts';
import { trialFolder } from './trial.ts';

export interface DreamOptions {
  readonly memory: Memdir;
  /** The time in ms since 1970. */
  readonly now: () => number;
  /** Runs the child that proposes. @default none: equal files are folded, index and links repaired, and the report says so */
  readonly runFork?: RunFork | undefined;
  /** @default none: memory and logs alone are looked at, and no dream starts by itself */
  readonly sessions?: DreamSessions | undefined;
  /** @default one of this process, which forgets with it */
  readonly lock?: DreamLock | undefined;
  /** What became of paths that memories name. @default none is looked up */
  readonly git?: GitLookup | undefined;
  /** Files of instructions that every session is given: what they say is no memory. @default none */
  readonly instructions?:
    | ((options: { readonly signal: AbortSignal }) => Promise<readonly InstructionFile[]>)
    | undefined;
  /** Asked first, each time: why there is no dream now. @default nothing stands against it */
  readonly isOff?: (() => OffReason | undefined) | undefined;
  /** Since the last consolidation. @default 24 */
  readonly minHours?: number | undefined;
  /** Touched since then, the current one not counted. @default 5 */
  readonly minSessions?: number | undefined;
  /** After a look at the sessions that found too few, or a dream that did not end well, in ms. @default 600_000 */
  readonly scanPauseMs?: number | undefined;
  /** Requests of the child. @default 20 */
  readonly maxTurns?: number | undefined;
  /** After which a child that does not end has failed, in ms. @default 900_000 */
  readonly timeoutMs?: number | undefined;
  /** Share of the files, and of the statements, that the dreams of a day may remove with nothing in their place; the rest waits in the inbox. @default 0.2 */
  readonly mostRemoved?: number | undefined;
  /** Leaves the patch to `apply` and changes nothing. @default false */
  readonly isReviewed?: boolean | undefined;
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: ((event: DreamEvent) => void) | undefined;
}

export type OffReason = 'switched-off' | 'memory-off' | 'remote' | 'daily-logs';

/** Why there was no dream, in the order in which it is asked. */
export type NoDreamReason =
  | 'running'
  | OffReason
  | 'too-soon'
  | 'scanned-lately'
  /** None are given, or the place where they are kept is not there. */
  | 'no-sessions'
  | 'too-few-sessions'
  | 'locked'
  | 'nothing-new'
  | 'closed';

/**
 * `host-failed`: what the host gave threw, as its sessions, lock or lookup of paths, see `cause`; `not-read` and `not-written`: the
 * folder of memory.
 */
export type DreamFailure =
  | 'fork-failed'
  | 'timed-out'
  | 'lock-lost'
  | 'host-failed'
  | 'not-read'
  | 'not-written';

export type DreamResult =
  | { readonly kind: 'none'; readonly reason: NoDreamReason }
  | {
      readonly kind: 'completed';
      readonly report: DreamReport;
      /** What was, or with `isReviewed` would be, done. */
      readonly patch: DreamPatch;
    }
  /** Memory is as it was. */
  | { readonly kind: 'failed'; readonly reason: DreamFailure; readonly cause?: unknown }
  | { readonly kind: 'killed' };

export type DreamEvent =
  | DreamResult
  | { readonly kind: 'started'; readonly sessions: number }
  /** The first change was taken. */
  | { readonly kind: 'updating' }
  /** A turn of the child, or a change: `progress` has more. */
  | { readonly kind: 'progress'; readonly progress: DreamProgress };

/** Consolidation of one memory folder. */
export interface Dream {
  /** To be called after each completed loop of the main agent, and not to be waited for: it never rejects. */
  afterLoop(options?: { readonly sessionId?: string | undefined }): Promise<DreamResult>;
  /** Dreams whatever the gates say, but for the lock and `nothing-new`. Rejects only with what the signal was aborted with. */
  dreamNow(options?: DreamNowOptions): Promise<DreamResult>;
  /** Applies a patch, or some of its steps, as one change. */
  apply(patch: DreamPatch, options?: ApplyOptions): Promise<ApplyResult>;
  /** What waits in the inbox for a person, and a patch of those that still apply. */
  waiting(options?: { readonly signal?: AbortSignal | undefined }): Promise<Waiting>;
  /** Takes back the last dream, or a change by its id: the same bytes again. */
  undo(options?: { readonly id?: string | undefined }): ReturnType<Memdir['undo']>;
  progress(): DreamProgress;
  /** Ends what runs; memory is as it was. */
  kill(): void;
  /** Resolves when nothing runs any more. */
  settle(): Promise<void>;
  /** Ends what runs and starts nothing more. */
  close(): Promise<void>;
}

export interface DreamNowOptions {
  /** Of the current session, which is none of the past ones. */
  readonly sessionId?: string | undefined;
  /** Asks the child also where nothing is new since the last dream. @default false */
  readonly isForced?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Waiting {
  readonly steps: readonly WaitingStep[];
  /** Those that apply. */
  readonly patch: DreamPatch;
}

const HOUR_MS = 3_600_000;

/**
 * Consolidates memory in the background.
 *
 * @throws TypeError and RangeError for options that make no sense
 */
export function createDream(options: DreamOptions): Dream {
  checkOptions(options, {
    memory: required(objectWith('a memory of `createMemdir`', 'scan', 'read', 'change', 'undo')),
    now: required('a function'),
    runFork: 'a function',
    sessions: objectWith('sessions, as `sessionFolder(path)` makes them', 'list', 'read'),
    lock: objectWith('a lock, as `consolidateLock(path)` makes it', 'lastMs', 'take'),
    git: 'a function',
    instructions: 'a function',
    isOff: 'a function',
    minHours: number({ min: 0 }),
    minSessions: integer(0),
    scanPauseMs: number({ min: 0 }),
    maxTurns: integer(1),
    timeoutMs: number({ above: 0 }),
    mostRemoved: number({ min: 0, max: 1 }),
    isReviewed: 'true or false',
    onEvent: 'a function',
  });
  const { memory, now, sessions, lock = processLock(), isOff, onEvent } = options;
  const mode = modeOf(options);
  const { minHours = 24, minSessions = 5, scanPauseMs = 600_000 } = options;
  let scannedMs: number | undefined;
  let progress = IDLE;
  let running: AbortController | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let reviewed: { readonly at: string; readonly seen: () => Promise<void> } | undefined;
  const keepSeen = ({ at }: DreamPatch, seen: () => Promise<void>): void => {
    reviewed = { at, seen };
  };

  const tell = (event: DreamEvent): void => {
    try {
      onEvent?.(event);
    } catch {
      // a listener that throws is its own affair
    }
  };
  const none = (reason: NoDreamReason): DreamResult => ({ kind: 'none', reason });

  /** The gates, cheapest first. */
  async function tryDream(sessionId: string | undefined, run: Run): Promise<DreamResult> {
    const off = isOff?.();
    if (off !== undefined) return none(off);
    const lastMs = await lock.lastMs();
    const nowMs = now();
    // A time that lies ahead was written before a clock was set back: it says nothing.
    const isSoon = lastMs !== undefined && lastMs <= nowMs && nowMs - lastMs < minHours * HOUR_MS;
    if (isSoon) return none('too-soon');
    const sinceScanMs = scannedMs === undefined ? undefined : nowMs - scannedMs;
    if (sinceScanMs !== undefined && sinceScanMs >= 0 && sinceScanMs < scanPauseMs)
      return none('scanned-lately');
    const found = await sessionsSince(lastMs, sessionId, run.signal);
    if (found.length < minSessions) {
      scannedMs = nowMs;
      const isThere = sessions !== undefined && ((await sessions.isThere?.()) ?? true);
      return none(isThere ? 'too-few-sessions' : 'no-sessions');
    }
    scannedMs = undefined;
    return locked(found, run);
  }

  async function sessionsSince(
    lastMs: number | undefined,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly ListedSession[]> {
    const sinceMs = lastMs === undefined || lastMs > now() ? 0 : lastMs;
    const list = () => sessions?.list({ sinceMs, signal }) ?? [];
    const listed: unknown = await untilAborted<unknown>(list, signal);
    if (!isListOfSessions(listed)) throw expected('sessions.list', A_LIST_OF_SESSIONS, listed);
    return listed
      .filter(({ id, touchedMs }) => id !== sessionId && touchedMs > sinceMs)
      .sort((one, other) => one.touchedMs - other.touchedMs || (one.id < other.id ? -1 : 1));
  }

  async function locked(
    found: readonly ListedSession[],
    run: Run,
    isForced = false,
  ): Promise<DreamResult> {
    const lease = await lock.take({ signal: run.signal });
    if (lease === undefined) return none('locked');
    const startMs = now();
    let consolidatedMs: number | undefined;
    try {
      const result = await dreamOnce({
        ...options,
        found,
        isForced,
        startMs,
        lease,
        run,
        tell,
        touch,
        keepSeen,
      });
      // Sessions of a dream of which all was refused stay those since the last one, until another comes to them.
      const isIdle = result.kind === 'none' && (mode === 'without-model' || found.length === 0);
      if (isIdle || (result.kind === 'completed' && !isAllRefused(result)))
        consolidatedMs = startMs;
      return result;
    } finally {
      // What failed is tried again, and not after each loop of the main agent.
      if (consolidatedMs === undefined) scannedMs = now();
      await lease.release(consolidatedMs).catch(() => undefined); // an hour later it is taken over
    }
  }

  const touch = (change: (before: DreamProgress) => DreamProgress): void => {
    const before = progress;
    progress = change(before);
    if (before.phase === 'starting' && progress.phase === 'updating') tell({ kind: 'updating' });
    tell({ kind: 'progress', progress });
  };

  async function start(
    work: (run: Run) => Promise<DreamResult>,
    signal?: AbortSignal,
  ): Promise<DreamResult> {
    if (isClosed) return none('closed');
    if (running !== undefined) return none('running');
    const own = new AbortController();
    running = own;
    progress = { ...IDLE, status: 'running' };
    const either = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
    const ended = attempt(work, { signal: either, kill: own.signal });
    last = ended.catch(() => undefined);
    try {
      const result = await ended;
      progress = { ...progress, status: result.kind === 'none' ? 'idle' : result.kind };
      tell(result);
      if (result.kind === 'killed') signal?.throwIfAborted();
      return result;
    } finally {
      running = undefined;
    }
  }

  async function attempt(work: (run: Run) => Promise<DreamResult>, run: Run): Promise<DreamResult> {
    try {
      return await work(run);
    } catch (cause) {
      if (run.signal.aborted) return { kind: 'killed' };
      if (!MemdirError.is(cause)) return failed('host-failed', cause);
      return failed(cause.code === 'not-read' ? 'not-read' : 'not-written', cause);
    }
  }

  return {
    // What it is given may be anything, and it never rejects: what is no id is none.
    afterLoop: (call) => {
      const sessionId = isRecord(call) ? call.sessionId : undefined;
      return start((run) => tryDream(sessionId, run));
    },
    async dreamNow(call = {}) {
      checkOptions<DreamNowOptions>(call, {
        ...{ sessionId: 'a text', isForced: 'true or false', signal: 'an AbortSignal' },
      });
      const { sessionId, isForced, signal } = call;
      signal?.throwIfAborted();
      return start(async (run) => {
        const found = await sessionsSince(await lock.lastMs(), sessionId, run.signal);
        return locked(found, run, isForced);
      }, signal);
    },
    async apply(patch, call = {}) {
      checkApply(patch, call);
      const result = await applyPatch(memory, patch, call);
      if (reviewed?.at === patch.at) await reviewed.seen();
      return result;
    },
    async waiting(call = {}) {
      checkOptions(call, { signal: 'an AbortSignal' });
      const { signal } = call;
      const steps = await readWaiting(memory, signal);
      return { steps, patch: waitingPatch(steps, new Date(now()).toISOString()) };
    },
    async undo(call = {}) {
      checkOptions(call, { id: 'a text' });
      const { id } = call;
      const history = await memory.history();
      const undone = new Set(history.map(({ undoes }) => undoes));
      const record = history.find((each) => each.kind === 'dream' && !undone.has(each.id));
      const wanted = id ?? record?.id;
      if (wanted === undefined) return { kind: 'none', reason: 'nothing-to-undo' };
      return memory.undo({ id: wanted });
    },
    progress: () => progress,
    kill: () => running?.abort(killed()),
    async settle() {
      await last;
    },
    async close() {
      isClosed = true;
      running?.abort(killed());
      await last;
    },
  };
}

const objectWith = (what: string, ...methods: readonly string[]): Expectation => ({
  what,
  fits: (value) =>
    isRecord(value) && methods.every((method) => typeof value[method] === 'function'),
});

const A_LIST_OF_SESSIONS = { what: 'a function that answers with a list of `{ id, touchedMs }`' };

const isListOfSessions = (value: unknown): value is readonly ListedSession[] =>
  Array.isArray(value) &&
  value.every(
    (each) => isRecord(each) && typeof each.id === 'string' && typeof each.touchedMs === 'number',
  );

const killed = (): DOMException => new DOMException('The dream was ended.', 'AbortError');

const modeOf = ({ runFork }: DreamOptions): DreamReport['mode'] =>
  runFork === undefined ? 'without-model' : 'model';

interface Run {
  readonly signal: AbortSignal;
  readonly kill: AbortSignal;
}

type Failure = Extract<DreamResult, { kind: 'failed' }>;

const failed = (reason: DreamFailure, cause?: unknown): Failure => ({
  ...{ kind: 'failed', reason },
  ...(cause === undefined ? {} : { cause }),
});

/** Something was tried, and nothing of it was taken. */
const isAllRefused = ({ report, patch }: Extract<DreamResult, { kind: 'completed' }>): boolean =>
  Object.keys(report.refused).length > 0 && patch.steps.length === 0;

interface OnceInput extends DreamOptions {
  readonly found: readonly ListedSession[];
  readonly isForced: boolean;
  readonly startMs: number;
  readonly lease: DreamLease;
  readonly run: Run;
  readonly tell: (event: DreamEvent) => void;
  readonly touch: (change: (before: DreamProgress) => DreamProgress) => void;
  /** What there is to remember once a patch is applied that is reviewed first. */
  readonly keepSeen: (patch: DreamPatch, seen: () => Promise<void>) => void;
}

/** One dream under the lock: look, let the child propose on a copy, apply, remember what was seen. */
async function dreamOnce(input: OnceInput): Promise<DreamResult> {
  const { memory, found, startMs, lease, run, tell, now, keepSeen } = input;
  const { signal } = run;
  const { git, sessions, isReviewed = false, mostRemoved = 0.2 } = input;
  const snapshot = await takeSnapshot(memory, signal);
  const mode = modeOf(input);
  // What code does by itself needs no memory of the last time: done twice it changes nothing.
  if (mode === 'model' && !input.isForced && !hasNews(snapshot, found))
    return { kind: 'none', reason: 'nothing-new' };
  const instructions = mode === 'model' ? ((await input.instructions?.({ signal })) ?? []) : [];
  const sources = createSources({
    ...{ snapshot, instructions, sessions, git, signal },
    sessionIds: found.map(({ id }) => id),
  });
  const draft = await createDraft({
    ...{ memory, snapshot, instructions, sources, mostRemoved },
    nowMs: startMs,
  });
  const refused: Record<string, number> = {};
  const stale = await stalePaths(snapshot, git, signal);
  let usage: Usage | undefined;
  if (mode === 'model') {
    tell({ kind: 'started', sessions: found.length });
    const outcome = await runChild(input, {
      ...{ snapshot, instructions, sources, draft, stale, refused },
    });
    if (outcome.kind === 'failed') return outcome;
    usage = outcome.usage;
  }
  signal.throwIfAborted();
  if (!lease.isHeld()) return failed('lock-lost');
  const at = new Date(startMs).toISOString();
  const all: DreamPatch = { at, steps: draft.steps() };
  const patch = { ...all, steps: all.steps.map((step) => withPlace(step, at)) };
  await readWaiting(memory, signal); // an inbox that cannot be read ends a dream before it writes
  const waitingFiles = isReviewed ? [] : await newWaitingFiles(memory, patch);
  // What is reviewed is tried out beside the folder: its report tells what would be done.
  const place = isReviewed ? trialOf(memory, startMs) : memory;
  const applied = await applyPatch(place, patch, { signal }, waitingFiles);
  // From here on it is done: an abort comes too late.
  if (mode === 'model') {
    const sessionsSeen = Object.fromEntries(found.map(({ id, touchedMs }) => [id, touchedMs]));
    const state = { ...snapshot.seen, sessions: sessionsSeen, spent: draft.spent() };
    const seen = () => remember(memory, state, startMs);
    if (isReviewed) keepSeen(patch, seen);
    else await seen();
  } else if (isIdle({ patch, applied, stale, secrets: draft.secrets() }))
    return { kind: 'none', reason: 'nothing-new' };
  const waiting = (await readWaiting(memory, undefined)).filter(({ isBroken }) => !isBroken).length;
  const report = reportOf({
    ...{ mode, isReviewed, sessions: found.length, refused, waiting, stale, usage },
    ...{ startMs, endMs: now(), patch, applied, secrets: draft.secrets() },
  });
  return { kind: 'completed', report, patch };
}

/** The folder as it would be. */
const trialOf = ({ folder, isShared }: Memdir, nowMs: number): Memdir =>
  createMemdir({ folder: trialFolder(folder), isShared, now: () => nowMs });

/** Whether there is nothing to tell. */
const isIdle = ({
  patch,
  applied,
  stale,
  secrets,
}: {
  readonly patch: DreamPatch;
  readonly applied: ApplyResult;
  readonly stale: DreamReport['stale'];
  readonly secrets: DreamReport['secrets'];
}): boolean =>
  patch.steps.length + stale.length + secrets.length === 0 && applied.kind !== 'applied';

/** Whether anything changed since the last dream that came to its end, also where all that it proposed was refused. */
const hasNews = (
  { files, logs, removed, seenSessions }: Snapshot,
  sessions: readonly ListedSession[],
): boolean =>
  sessions.some(({ id, touchedMs }) => seenSessions.get(id) !== touchedMs) ||
  removed.length > 0 ||
  logs.some(({ isNew }) => isNew) ||
  [...files.values()].some(({ change }) => change !== 'same');

interface ChildInput {
  readonly snapshot: Snapshot;
  readonly instructions: readonly InstructionFile[];
  readonly sources: ReturnType<typeof createSources>;
  readonly draft: Draft;
  readonly stale: Awaited<ReturnType<typeof stalePaths>>;
  readonly refused: Record<string, number>;
}

async function runChild(
  { memory, sessions, runFork, found, startMs, run, touch, ...limits }: OnceInput,
  { snapshot, instructions, sources, draft, stale, refused }: ChildInput,
): Promise<Failure | { readonly kind: 'done'; readonly usage: Usage | undefined }> {
  const { maxTurns = 20, timeoutMs = 900_000 } = limits;
  let isOver = false;
  const tools = createTools({
    ...{ draft, snapshot, instructions, sources, nowMs: startMs },
    sessionIds: found.map(({ id }) => id),
    onProposed(_, proposed) {
      if (proposed.kind === 'refused')
        refused[proposed.reason] = (refused[proposed.reason] ?? 0) + 1;
      else
        touch((before) =>
          withTouched(
            before,
            proposed.step.files.map(({ path }) => path),
          ),
        );
    },
  });
  // No secret goes to the model: sessions have them as they were said, files as a person wrote them.
  const directive = await sources.hide(
    dreamDirective({
      ...{ snapshot, draft, stale, instructions, sessions: found, nowMs: startMs },
      place: placeOf(memory),
      sessionsPath: sessions?.path,
    }),
  );
  let before: Promise<unknown> = Promise.resolve();
  const fork = (signal: AbortSignal): Promise<ForkOutcome> | undefined =>
    runFork?.({
      source: 'auto_dream',
      directive,
      tools: tools.list,
      canUseTool(call) {
        const answer = tools.gate(call);
        if (!answer.allow) refused['not-allowed'] = (refused['not-allowed'] ?? 0) + 1;
        return answer;
      },
      runTool(call) {
        // Whatever the runner does, one change is looked at after the other.
        const result = before.then(async () => {
          if (isOver) return { content: 'The dream is over.', isError: true };
          const outcome = await tools.run(call);
          return { ...outcome, content: await sources.hide(outcome.content) };
        });
        before = result.catch(() => undefined);
        return result;
      },
      onMessage(message) {
        const turn = turnOf(message);
        if (turn !== undefined) touch((progress) => withTurn(progress, turn));
      },
      ...{ maxTurns, signal },
    });
  let within: AbortSignal | undefined;
  const work = async (signal: AbortSignal): Promise<unknown> => {
    within = signal;
    const outcome = await fork(signal);
    await before;
    return outcome;
  };
  try {
    const outcome = await withinTime(work, { limitMs: timeoutMs, signal: run.signal });
    if (!isOutcome(outcome)) throw expected('runFork', A_FORK, outcome);
    if (outcome.kind === 'failed') return failed('fork-failed', outcome.cause ?? outcome.reason);
    return { kind: 'done', usage: outcome.usage };
  } catch (cause) {
    if (run.signal.aborted) throw cause;
    return failed(within?.aborted ? 'timed-out' : 'fork-failed', cause);
  } finally {
    isOver = true;
  }
}

const A_FORK = {
  what: "a function that answers with `{ kind: 'done', usage }` or `{ kind: 'failed', reason }`",
};

/** What a host's function gives may be anything. */
function isOutcome(value: unknown): value is ForkOutcome {
  if (!isRecord(value)) return false;
  if (value.kind === 'failed') return true;
  return value.kind === 'done' && (value.usage === undefined || isUsage(value.usage));
}

const isUsage = (value: unknown): boolean =>
  isRecord(value) &&
  [value.input_tokens, value.output_tokens].every(
    (count) => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0,
  );

/** Where a model finds the folder: above any file of it. */
const placeOf = ({ folder }: Memdir): string =>
  folder.locate('MEMORY.md').replace(/\/?MEMORY\.md$/, '') || '.';

function withPlace(step: DreamPatch['steps'][number], at: string): DreamPatch['steps'][number] {
  return step.waits === undefined ? step : { ...step, waitsAt: waitingFile(step, at).path };
}

/** What waits goes to the inbox; what waits there already stays as it is. */
async function newWaitingFiles(
  memory: Memdir,
  { steps, at }: DreamPatch,
): Promise<readonly FileChange[]> {
  const files: FileChange[] = [];
  for (const { waitsAt, ...bare } of steps) {
    if (waitsAt === undefined || (await memory.folder.read(waitsAt)) !== undefined) continue;
    files.push(waitingFile(bare, at));
  }
  return files;
}

async function remember(
  { folder }: Memdir,
  seen: Omit<DreamState, 'at'>,
  atMs: number,
): Promise<void> {
  const text = writeState({ at: new Date(atMs).toISOString(), ...seen });
  await folder.exclusive(async () => {
    const basis = (await folder.read(STATE))?.text;
    if (basis !== text) await folder.replace(STATE, text, { basis });
  });
}
