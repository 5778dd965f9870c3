import { checkOptions, type Expectation, integer, number, required } from '@varve/guards';
import type { Request } from '@varve/messages';
import type { Summarize } from '../types.ts';
import { type Wait, waitByTimer } from './call.ts';
import type { SummaryAttempt } from './next-try.ts';

/** How a conversation is compacted; what a log and a plain history have in common. */
export interface FullOptions {
  /**
   * Sends the request for the summary, e.g. `(request, options) => send(client, request, options)`. `'ledger'` asks no model:
   * the facts of the ledger are the summary each time.
   */
  readonly summarize: Summarize | 'ledger';
  /**
   * About so many tokens of the newest rounds stay beside the summary.
   * @default 0; by the `'ledger'` a fifth of the conversation and at most 20_000: no model reads what goes, and the newest
   * results may be ones that none has seen yet
   */
  readonly keepTokens?: number | undefined;
  /**
   * What happens when the model gives no summary: the facts of the ledger take its place (`ledger`), they do so only where
   * the conversation would not fit any more (`when-full`), or everything stays as it was (`none`).
   * @default 'ledger'
   */
  readonly fallback?: 'ledger' | 'when-full' | 'none' | undefined;
  /**
   * Whether a model's summary is held against the record of the session: what is missing is appended, what nobody said is marked or goes.
   * False: it goes in as it was written, but for secrets; its structure and its bounds are looked at either way. @default true
   */
  readonly verify?: boolean | undefined;
  /** The most tokens of a summary, and of output that the first call asks for. @default 20_000 */
  readonly maxSummaryTokens?: number | undefined;
  /** The share of what is replaced that a summary has to save at least, from 0 to 1. @default 0.1 */
  readonly minSavings?: number | undefined;
  /**
   * Places the cache markers of the request for the summary. Its last message is the instruction: one more marker in front of
   * that reads what earlier requests wrote, where rounds are kept as well.
   */
  readonly mark?: ((request: Request) => Request) | undefined;
  /**
   * What gives way when the request for the summary is too long: the oldest rounds, which the summary then does not see, or
   * the newest, which stay in the conversation (and the cached prefix with them). @default 'drop-oldest'
   */
  readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
  /** Where the originals are, in words that the model can act on: a path, a tool to read them with. */
  readonly originals?: string | undefined;
  /** Pauses between calls. @default the platform's timer */
  readonly wait?: Wait | undefined;
  /** Told of every call that gave no summary. It must not throw. */
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
}

/** What `summarize` has to be. */
export const SUMMARIZE: Expectation = {
  what: "a function, or 'ledger'",
  fits: (given) => typeof given === 'function' || given === 'ledger',
};

type LeftOpen = 'keepTokens' | 'mark' | 'originals' | 'onAttempt';
type Chosen = Omit<FullOptions, LeftOpen>;

/** Options with nothing left open but what may be left out. */
export type Settings = { readonly [Name in keyof Chosen]-?: NonNullable<Chosen[Name]> } & Pick<
  FullOptions,
  LeftOpen
>;

/**
 * Complete and checked settings.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function settingsOf(options: FullOptions): Settings {
  checkOptions<FullOptions>(options, {
    summarize: required(SUMMARIZE),
    keepTokens: integer(0),
    maxSummaryTokens: integer(1),
    minSavings: number({ min: 0, below: 1 }),
    verify: 'true or false',
    fallback: ['ledger', 'when-full', 'none'],
    tooLong: ['drop-oldest', 'peel'],
    wait: 'a function',
    mark: 'a function',
    onAttempt: 'a function',
  });
  const { summarize, keepTokens, maxSummaryTokens = 20_000, minSavings = 0.1 } = options;
  const { fallback = 'ledger', tooLong = 'drop-oldest', wait = waitByTimer } = options;
  const { verify = true } = options;
  const { mark, originals, onAttempt } = options;
  const chosen = { summarize, maxSummaryTokens, minSavings, fallback, tooLong, wait, verify };
  return { ...chosen, keepTokens, mark, originals, onAttempt };
}
