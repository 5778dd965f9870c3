import { isRecord, recordOf } from '@varve/guards';
import { abortError } from './abort.ts';
import type { Hook, HookPhase, HookWarning } from './hook.ts';

/** Calls `done` after `ms` milliseconds, unless the function it returns is called first. */
export type StartTimer = (ms: number, done: () => void) => () => void;

export interface RunHooksOptions {
  readonly phase: HookPhase;
  readonly timeoutMs: number;
  readonly startTimer: StartTimer;
  readonly onWarning: (warning: HookWarning) => void;
  readonly onStart: (hook: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Answers of a hook: an object whose named fields are text. */
export type HookAnswer = { readonly [field: string]: string | undefined };

/**
 * Runs hooks one after the other and returns the answers that came in time. A hook that throws, is late or answers with
 * something else is one warning; what it does after its time is over is not looked at.
 *
 * @throws DOMException `AbortError`, at once, whatever a hook is doing.
 */
export async function runHooks<Input, Answer>(
  hooks: readonly Hook<Input, Answer>[],
  input: Input,
  options: RunHooksOptions,
): Promise<HookAnswer[]> {
  const answers: HookAnswer[] = [];
  for (const hook of hooks) {
    if (options.signal?.aborted) throw abortError(options.signal);
    options.onStart(hook.name);
    const outcome = await runHook(hook, input, options);
    if (outcome.kind === 'aborted') throw abortError(options.signal);
    if (outcome.kind === 'warning') {
      const { kind: _, ...warning } = outcome;
      options.onWarning({ phase: options.phase, hook: hook.name, ...warning });
    } else if (outcome.answer) answers.push(outcome.answer);
  }
  return answers;
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: HookAnswer | undefined }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'warning'; readonly reason: HookWarning['reason']; readonly cause?: unknown };

function runHook<Input, Answer>(
  hook: Hook<Input, Answer>,
  input: Input,
  { timeoutMs, startTimer, signal }: RunHooksOptions,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const own = new AbortController();
    let stop = () => {};
    const end = (outcome: Outcome) => {
      stop();
      signal?.removeEventListener('abort', onAbort);
      own.abort();
      resolve(outcome);
    };
    const onAbort = () => end({ kind: 'aborted' });
    stop = startTimer(timeoutMs, () => end({ kind: 'warning', reason: 'timed-out' }));
    signal?.addEventListener('abort', onAbort);
    call(hook, input, own.signal).then(
      (answer) => end(readAnswer(answer)),
      (cause: unknown) => end({ kind: 'warning', reason: 'threw', cause }),
    );
  });
}

/** What a hook throws before its first await counts like what it throws later. */
async function call<Input, Answer>(
  { run }: Hook<Input, Answer>,
  input: Input,
  signal: AbortSignal,
): Promise<unknown> {
  return run(input, { signal });
}

function readAnswer(answer: unknown): Outcome {
  if (answer === undefined || answer === null) return { kind: 'answered', answer: undefined };
  const fields = Object.entries(recordOf(answer));
  const isText = fields.every(([, value]) => value === undefined || typeof value === 'string');
  if (!isRecord(answer) || !isText) return { kind: 'warning', reason: 'bad-answer' };
  return { kind: 'answered', answer: Object.fromEntries(fields) as HookAnswer };
}
