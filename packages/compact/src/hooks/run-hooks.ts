import { isRecord, recordOf, untilAborted } from '@varve/guards';
import { cutText } from '@varve/messages/text';
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
 * something else is one warning, and so are texts that are too long, of which the head is kept; what it does after its time is over is not looked at.
 *
 * @throws the signal's reason, an `AbortError` unless one was given, at once, whatever a hook is doing.
 */
export async function runHooks<Input, Answer>(
  hooks: readonly Hook<Input, Answer>[],
  input: Input,
  options: RunHooksOptions,
): Promise<HookAnswer[]> {
  const answers: HookAnswer[] = [];
  let room = MOST_PHASE_UNITS;
  for (const hook of hooks) {
    options.signal?.throwIfAborted();
    options.onStart(hook.name);
    const outcome = await runHook(hook, input, options);
    if (outcome.kind === 'warning') {
      const { kind: _, ...warning } = outcome;
      options.onWarning({ phase: options.phase, hook: hook.name, ...warning });
    } else if (outcome.answer) {
      const { answer, left } = boundAnswer(outcome.answer, room);
      if (answer !== outcome.answer) {
        options.onWarning({ phase: options.phase, hook: hook.name, reason: 'too-long' });
      }
      room = left;
      answers.push(answer);
    }
  }
  return answers;
}

/** UTF-16 units of one text of a hook, and of all texts of a phase: a hook that prints a log may not fill the window. */
const MOST_TEXT_UNITS = 20_000;
const MOST_PHASE_UNITS = 60_000;

/** The heads of texts that are too long, each with a notice; the same answer where none is. */
function boundAnswer(
  answer: HookAnswer,
  room: number,
): { readonly answer: HookAnswer; readonly left: number } {
  let left = room;
  const fields = Object.entries(answer).map(([name, text]): [string, string | undefined] => {
    const most = Math.min(MOST_TEXT_UNITS, left);
    if (text === undefined || text.length <= most) {
      left -= text?.length ?? 0;
      return [name, text];
    }
    left -= most;
    const notice = `[${text.length - most} characters more of this hook were left out.]`;
    return [name, most > 0 ? `${cutText(text, most)}\n${notice}` : notice];
  });
  const isSame = fields.every(([name, text]) => answer[name] === text);
  return { answer: isSame ? answer : Object.fromEntries(fields), left };
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: HookAnswer | undefined }
  | { readonly kind: 'warning'; readonly reason: HookWarning['reason']; readonly cause?: unknown };

async function runHook<Input, Answer>(
  hook: Hook<Input, Answer>,
  input: Input,
  { timeoutMs, startTimer, signal }: RunHooksOptions,
): Promise<Outcome> {
  const own = new AbortController();
  let stop = () => {};
  const late = new Promise<Outcome>((resolve) => {
    stop = startTimer(timeoutMs, () => resolve({ kind: 'warning', reason: 'timed-out' }));
  });
  try {
    return await untilAborted(() => Promise.race([late, call(hook, input, own.signal)]), signal);
  } finally {
    stop();
    own.abort();
  }
}

async function call<Input, Answer>(
  { run }: Hook<Input, Answer>,
  input: Input,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return readAnswer(await run(input, { signal }));
  } catch (cause) {
    return { kind: 'warning', reason: 'threw', cause };
  }
}

function readAnswer(answer: unknown): Outcome {
  if (answer === undefined || answer === null) return { kind: 'answered', answer: undefined };
  const fields = Object.entries(recordOf(answer));
  const isText = fields.every(([, value]) => value === undefined || typeof value === 'string');
  if (!isRecord(answer) || !isText) return { kind: 'warning', reason: 'bad-answer' };
  return { kind: 'answered', answer: Object.fromEntries(fields) as HookAnswer };
}
