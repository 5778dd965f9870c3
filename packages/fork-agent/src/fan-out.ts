import { checkOptions, integer } from '@varve/guards';
import { checkLimits } from './check-limits.ts';
import { ForkError } from './error.ts';
import type { Fork } from './fork.ts';
import { runPool } from './pool.ts';
import type { ForkResult, RunOptions } from './types.ts';

export interface FanOutOptions<State = undefined>
  extends Omit<RunOptions<State>, 'directive' | 'id' | 'onMessage' | 'onEvent'> {
  /** Most children at once. @default 8 */
  readonly concurrency?: number | undefined;
  /** Waits for the first event of one child before the others start, so that they read what it wrote. @default true */
  readonly warmUp?: boolean | undefined;
  /** What differs from child to child, e.g. its sink; asked for all before the first starts. The signal of all ends it too. */
  readonly optionsOf?: ((index: number) => Partial<RunOptions<State>>) | undefined;
}

/**
 * What came of one child: its result, which may say `failed`, or what it threw, such as the abort of its own signal or
 * `message-too-large`.
 */
export type FanOutResult<State = undefined> =
  | { readonly kind: 'done'; readonly result: ForkResult<State> }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * One child a directive, results in the order of the directives. A child that fails fails alone; an abort ends all, and
 * rejects once none is left running.
 *
 * @throws ForkError `cold-prefix`, `bound-thinking`, before anything is sent
 * @throws TypeError for a blank directive, RangeError for limits that are no positive integers, before anything is sent
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function fanOut<State = undefined>(
  fork: Fork<State>,
  directives: readonly string[],
  options: FanOutOptions<State> = {},
): Promise<readonly FanOutResult<State>[]> {
  const { concurrency = 8, warmUp = true, optionsOf, ...shared } = options;
  checkOptions({ concurrency }, { concurrency: integer(1) });
  shared.signal?.throwIfAborted();
  // all of them before the first is sent: what is wrong with one would leave the others running
  const runs = directives.map((directive, index) => {
    const id = idOf(fork, directive, index);
    const run = { ...shared, id, ...withoutGaps(optionsOf?.(index) ?? {}), directive };
    checkLimits(run);
    return { ...run, signal: either(shared.signal, run.signal) };
  });
  const start = (index: number, onFirstEvent: () => void) => {
    const run = runs[index] as RunOptions<State>;
    return settle(fork, { ...run, onEvent: both(onFirstEvent, run.onEvent) });
  };
  const results = await runPool({ count: directives.length, concurrency, warmUp, start });
  shared.signal?.throwIfAborted();
  return results;
}

async function settle<State>(
  fork: Fork<State>,
  options: RunOptions<State>,
): Promise<FanOutResult<State>> {
  try {
    return { kind: 'done', result: await fork.run(options) };
  } catch (error) {
    // the same for every child, unless it is too large by its own directive
    if (ForkError.is(error) && error.code !== 'message-too-large') throw error;
    return { kind: 'failed', error };
  }
}

/** Two children with one directive are two children. */
function idOf<State>(fork: Fork<State>, directive: string, index: number): string {
  const id = fork.request({ directive }).messages.at(-1)?.id ?? '';
  return `${id.replace(/:directive$/, '')}-${index}`;
}

/** A gate or a signal that is left undefined for one child is that of all, not none. */
const withoutGaps = <Options extends object>(options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;

function either(shared: AbortSignal | undefined, own: AbortSignal | undefined) {
  return shared && own && shared !== own ? AbortSignal.any([shared, own]) : (own ?? shared);
}

const both =
  <Event>(first: () => void, second: ((event: Event) => void) | undefined) =>
  (event: Event) => {
    first();
    second?.(event);
  };
