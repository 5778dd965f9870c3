import { checkOptions, isAbortError, number } from '@varve/guards';
import { HOOK_PHASES, SOME_HOOKS } from '../full/check-given.ts';
import type { Compaction, CompactionFailed } from '../types.ts';
import type {
  CompactionEnd,
  CompactionHooks,
  CompactionStart,
  HookPhase,
  HookWarning,
} from './hook.ts';
import { mergeInstructions } from './instructions.ts';
import { type HookAnswer, type RunHooksOptions, runHooks, type StartTimer } from './run-hooks.ts';

/** Progress of a compaction, for whoever shows or counts it. */
export type CompactionEvent =
  | { readonly type: 'hook-started'; readonly phase: HookPhase; readonly hook: string }
  | { readonly type: 'hook-warning'; readonly warning: HookWarning }
  /** A hook's line for the person. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'compaction-started'; readonly start: CompactionStart }
  | {
      readonly type: 'compaction-ended';
      readonly start: CompactionStart;
      readonly outcome: 'compacted' | 'failed' | 'aborted';
      readonly tokensAfter?: number;
      readonly failure?: string;
      readonly cause?: unknown;
    };

export interface PipelineOptions {
  readonly hooks?: CompactionHooks | undefined;
  /** It must not throw. */
  readonly onEvent?: ((event: CompactionEvent) => void) | undefined;
  /** Longest time for each run of a hook, in milliseconds. @default 10_000 */
  readonly hookTimeoutMs?: number | undefined;
  /** @default the timers of the platform */
  readonly startTimer?: StartTimer | undefined;
}

/** What the pipeline reads of a compaction; whatever else an engine returns passes through. */
type Compacted = Pick<Compaction, 'kind'> & { readonly receipt: { readonly tokensAfter: number } };

/** What differs between the ways of compacting. */
export interface CompactionSteps<Done extends Compacted> {
  /** Makes the compaction and changes nothing. */
  compact(context: {
    readonly instructions?: string;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Done | CompactionFailed>;
  /**
   * Puts it in force, in one step, and gives it as it is now; undefined: as it was made. Gets what session-start hooks want the
   * model to know. Nothing that happens later takes it back. A refusal is returned.
   */
  commit(
    done: Done,
    context: { readonly sessionContext: readonly string[] },
  ): Promise<Done | CompactionFailed | undefined> | Done | CompactionFailed | undefined;
}

/** Every way of compacting goes through here, so that none of them leaves out a hook or an event. */
export interface CompactionPipeline {
  /**
   * Before-hooks, the compaction, session-start hooks, the commit, after-hooks. What an engine throws is a failure with
   * the reason `error`.
   *
   * @throws the signal's reason, an `AbortError` unless one was given: nothing was committed.
   */
  run<Done extends Compacted>(
    start: CompactionStart,
    steps: CompactionSteps<Done>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Done | CompactionFailed>;
}

/** Creates the one pipeline of a thread. It keeps nothing between runs. */
export function createCompactionPipeline(options: PipelineOptions = {}): CompactionPipeline {
  checkPipeline(options);
  const { hooks = {}, onEvent = () => {} } = options;
  return {
    async run<Done extends Compacted>(
      start: CompactionStart,
      steps: CompactionSteps<Done>,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ) {
      const hooking = (phase: HookPhase) => hookOptions(phase, options, signal);
      const run: Run = { start, signal, hooks, hooking, onEvent };
      let result: Done | CompactionFailed;
      try {
        result = await compactAndCommit(run, steps);
      } catch (cause) {
        onEvent({ type: 'compaction-ended', start, outcome: 'aborted' });
        throw cause;
      }
      await runAfter(run, result);
      return result;
    },
  };
}

/** @throws TypeError, RangeError for hooks that would not run, each with its place */
export function checkPipeline(options: PipelineOptions, path = ''): void {
  checkOptions<PipelineOptions>(
    options,
    {
      hooks: SOME_HOOKS,
      hookTimeoutMs: number({ min: 0 }),
      startTimer: 'a function',
      onEvent: 'a function',
    },
    path,
  );
  const { hooks } = options;
  if (hooks) checkOptions<CompactionHooks>(hooks, HOOK_PHASES, path ? `${path}.hooks` : 'hooks');
}

interface Run {
  readonly start: CompactionStart;
  readonly signal: AbortSignal | undefined;
  readonly hooks: CompactionHooks;
  readonly hooking: (phase: HookPhase) => RunHooksOptions;
  readonly onEvent: (event: CompactionEvent) => void;
}

function hookOptions(
  phase: HookPhase,
  options: PipelineOptions,
  signal: AbortSignal | undefined,
): RunHooksOptions {
  const { hookTimeoutMs = 10_000, startTimer = startPlatformTimer, onEvent = () => {} } = options;
  return {
    phase,
    timeoutMs: hookTimeoutMs,
    startTimer,
    signal,
    onStart: (hook) => onEvent({ type: 'hook-started', phase, hook }),
    onWarning: (warning) => onEvent({ type: 'hook-warning', warning }),
  };
}

function startPlatformTimer(ms: number, done: () => void): () => void {
  const timer = setTimeout(done, ms);
  return () => clearTimeout(timer);
}

async function compactAndCommit<Done extends Compacted>(
  run: Run,
  { compact, commit }: CompactionSteps<Done>,
): Promise<Done | CompactionFailed> {
  const { start, signal, hooks, hooking, onEvent } = run;
  const before = await runHooks(hooks.before ?? [], start, hooking('before'));
  showNotices(before, onEvent);
  const instructions = mergeInstructions(
    start.instructions,
    ...before.map((answer) => answer.instructions),
  );
  onEvent({ type: 'compaction-started', start });
  const context = { ...(instructions !== undefined && { instructions }), signal };
  const done = await orFailed(() => compact(context), signal);
  signal?.throwIfAborted();
  if (done.kind === 'failed') return done;
  const input = { ...start, source: 'compact' } as const;
  const answers = await runHooks(hooks.sessionStart ?? [], input, hooking('session-start'));
  showNotices(answers, onEvent);
  const sessionContext = answers.flatMap((answer) => mergeInstructions(answer.context) ?? []);
  signal?.throwIfAborted();
  return (await orFailed(async () => commit(done, { sessionContext }), signal)) ?? done;
}

/** An abort passes, and everything else that is thrown becomes a failure. */
async function orFailed<Result>(
  step: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | CompactionFailed> {
  try {
    return await step();
  } catch (cause) {
    if (isAbortError(cause) || (signal?.aborted && cause === signal.reason)) throw cause;
    return { kind: 'failed', reason: 'error', cause };
  }
}

/** After-hooks hear of failures too; an abort while they run only ends them, because what was committed stays. */
async function runAfter(run: Run, result: Compacted | CompactionFailed): Promise<void> {
  const { start, signal, hooks, hooking, onEvent } = run;
  const outcome =
    result.kind === 'compacted'
      ? ({ outcome: 'compacted', tokensAfter: result.receipt.tokensAfter } as const)
      : ({ outcome: 'failed', failure: result.reason } as const);
  const end: CompactionEnd = { ...start, ...outcome };
  try {
    showNotices(await runHooks(hooks.after ?? [], end, hooking('after')), onEvent);
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
  const cause = result.kind === 'failed' && result.cause !== undefined && { cause: result.cause };
  onEvent({ type: 'compaction-ended', start, ...outcome, ...cause });
}

function showNotices(answers: readonly HookAnswer[], onEvent: Run['onEvent']): void {
  for (const { notice } of answers) {
    if (notice !== undefined && notice.trim() !== '') onEvent({ type: 'notice', text: notice });
  }
}
