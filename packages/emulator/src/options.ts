import type { ModelInfo } from '@varve/tokens';
import type { RateLimits } from './core/rate-limits.ts';
import { EmulatorError } from './error.ts';
import { FAULT_KINDS, type Fault } from './faults/fault.ts';
import type { RecordedRequest } from './log/exchange.ts';
import type { Replies, ReplyLike } from './replies/reply.ts';

export interface EmulatorOptions {
  /**
   * Who writes the replies: a function, or a list in its order (`script`), after which requests fail.
   * @default the text `OK.` every time
   */
  readonly replies?: Replies | readonly ReplyLike[] | undefined;
  /**
   * Who writes the summaries of compactions on the provider's side.
   * @default extractiveSummary()
   */
  readonly summarize?: Replies | undefined;
  /**
   * What goes wrong, and when. The first that applies to a request happens.
   * @default []
   */
  readonly faults?: readonly Fault[] | undefined;
  /**
   * Models of one's own; they win over the table.
   * @default []
   */
  readonly models?: readonly ModelInfo[] | undefined;
  /**
   * Keys that are accepted. Every key is an organisation with a cache of its own.
   * @default any
   */
  readonly apiKeys?: readonly string[] | undefined;
  /**
   * Milliseconds since 1970. Lifetimes of cache entries are counted by it.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
  /**
   * Milliseconds the simulation adds until a reply begins, before which nobody reads what the request wrote.
   * @default 0
   */
  readonly firstTokenDelayMs?: number | undefined;
  /**
   * UTF-16 units of a text delta in a stream.
   * @default 64
   */
  readonly deltaCharacters?: number | undefined;
  /**
   * `enforced`: models that bind thinking to what came before refuse it behind an edit, as for accounts from
   * 2026-08-31 on. `when-asked`: only requests with `block_binding` are checked.
   * @default 'enforced'
   */
  readonly thinkingBinding?: 'enforced' | 'when-asked' | undefined;
  /**
   * Thinking that this emulator did not write: as the provider, which knows its own, or taken as it is (for histories
   * recorded elsewhere).
   * @default 'refused'
   */
  readonly foreignThinking?: 'refused' | 'accepted' | undefined;
  /**
   * Limits that rate-limit headers report; they are not enforced.
   * @default 4,000 requests, 2,000,000 input and 400,000 output tokens a minute
   */
  readonly rateLimits?: RateLimits | undefined;
  /** Told of each request once it is answered, before its reply goes out. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
  /**
   * How many requests `requests` keeps, the latest ones; the report counts all.
   * @default 10_000
   */
  readonly keepRequests?: number | undefined;
  /**
   * Bytes of request and reply bodies that `requests` keeps.
   * @default 256 MiB
   */
  readonly keepBytes?: number | undefined;
  /**
   * UTF-16 units of distinct prompt parts a simulated cache keeps; one that has more starts again empty.
   * @default 256 * 2 ** 20
   */
  readonly maxPromptCharacters?: number | undefined;
}

const COUNTS = ['firstTokenDelayMs', 'keepRequests', 'keepBytes', 'maxPromptCharacters'] as const;

/** Throws `bad-options` for numbers and faults that are none. */
export function checkOptions(options: EmulatorOptions): void {
  for (const name of COUNTS) {
    const value = options[name];
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
    throw badOption(name, 'a number, 0 or more', value);
  }
  const { deltaCharacters: characters } = options;
  if (characters !== undefined && !(Number.isInteger(characters) && characters > 0)) {
    throw badOption('deltaCharacters', 'a positive integer', characters);
  }
  options.faults?.forEach(checkFault);
}

/** What cannot be sent as a status would only look like a lost connection. */
function checkFault(fault: Fault): void {
  if (!FAULT_KINDS.includes(fault.kind)) {
    throw badOption('faults', `of the kinds ${FAULT_KINDS.join(', ')}`, fault.kind);
  }
  if (fault.kind !== 'status') return;
  const { status } = fault;
  if (Number.isInteger(status) && status >= 400 && status <= 599) return;
  throw badOption('faults', 'of a status from 400 to 599', status);
}

export const badOption = (name: string, expected: string, value: unknown): EmulatorError =>
  new EmulatorError(
    'bad-options',
    `Expected \`${name}\` to be ${expected}, got \`${String(value)}\`.`,
  );
