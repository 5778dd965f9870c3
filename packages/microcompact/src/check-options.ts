import { checkOptions as check, expected, integer, number } from '@varve/guards';
import type { MicrocompactOptions } from './options.ts';
import type { SituationOptions } from './plain-context.ts';
import type { ServerClearingOptions } from './server.ts';

/**
 * Refuses options that would clear too much or nothing without a word.
 *
 * @throws RangeError when a number is negative or none; TypeError for a preset or mechanism that does not exist.
 */
export function checkOptions(options: MicrocompactOptions): void {
  check(options, OPTIONS);
  const unknown = options.mechanisms?.find((mechanism) => !MECHANISM.fits(mechanism));
  if (unknown !== undefined) throw expected('mechanisms', MECHANISM, unknown);
  const { time, count, rent, server, experimental_cacheEdits } = options;
  if (time) check(time, TIME, 'time');
  if (count) check(count, COUNT, 'count');
  if (rent) check(rent, RENT, 'rent');
  if (server) checkServer(server, 'server');
  if (experimental_cacheEdits) check(experimental_cacheEdits, EDITS, 'experimental_cacheEdits');
}

/** Refuses what a plain history is said to be in. */
export function checkSituation(options: SituationOptions): void {
  check(options, SITUATION);
  if (options.prices) check(options.prices, PRICES, 'prices');
}

/** Refuses what a provider would not take, or take for something else. */
export function checkServer(options: ServerClearingOptions, path = ''): void {
  check(options, SERVER, path);
}

const COUNTED = number({ min: 0 });
const KEPT = { keepRecent: COUNTED };

const MECHANISM = {
  what: "a list of 'time', 'count', 'rent'",
  fits: (value: unknown) => ['time', 'count', 'rent'].some((word) => word === value),
  quotes: true,
};

const OPTIONS = {
  ...KEPT,
  compactableTools: {
    what: 'a list or a function',
    fits: (value: unknown) => Array.isArray(value) || typeof value === 'function',
  },
  isProtected: 'a function',
  minTokens: COUNTED,
  inputTokens: COUNTED,
  largeTokens: COUNTED,
  editingRequests: COUNTED,
  model: 'a text that is not blank',
  sizeOf: 'a function',
  decide: 'a function',
  handleOf: 'a function',
  preset: ['rent', 'classic'],
  mechanisms: { ...MECHANISM, fits: Array.isArray },
  minSavingsTokens: COUNTED,
  time: 'an object',
  count: 'an object',
  rent: 'an object',
  server: 'an object',
  experimental_cacheEdits: 'an object',
} as const;
/** What the numbers of each way to decide have to be. */
const TIME = { ...KEPT, idleMs: COUNTED };
const COUNT = {
  ...KEPT,
  candidateTokens: COUNTED,
  minSavingsTokens: COUNTED,
  minBatch: COUNTED,
};
const RENT = { ...KEPT, by: ['age', 'need'], patience: COUNTED, caution: COUNTED } as const;
const EDITS = { ...KEPT, maxResults: COUNTED };
const SERVER = {
  triggerTokens: integer(0),
  clearAtLeastTokens: integer(0),
  keepToolUses: integer(0),
  excludeTools: 'a list',
  clearToolInputs: {
    what: 'a boolean or a list of names',
    fits: (value: unknown) => typeof value === 'boolean' || Array.isArray(value),
  },
  keepThinking: {
    what: "a non-negative integer or 'all'",
    fits: (value: unknown) => value === 'all' || integer(0).fits(value),
    error: RangeError,
  },
} as const;
const SITUATION = {
  model: 'a text that is not blank',
  thinkingRule: ['free', 'latest-turn', 'prefix-bound'],
  prices: 'an object',
  nowMs: number(),
  lastReplyMs: number(),
  contextTokens: COUNTED,
} as const;
const PRICES = { read: COUNTED, write: COUNTED, output: COUNTED };
