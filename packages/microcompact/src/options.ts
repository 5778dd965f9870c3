import type { CacheEditOptions } from './cache-edits.ts';
import type { CandidateOptions } from './candidates.ts';
import type { CountOptions } from './decide-by-count.ts';
import type { TimeOptions } from './decide-by-idle-time.ts';
import type { Decide } from './decision-types.ts';
import type { RentOptions } from './rent/decide-by-rent.ts';
import type { ServerClearingOptions } from './server.ts';

/** A trigger that clears local messages. */
export type Mechanism = 'time' | 'count' | 'rent';

/** What is cleared, and when. Sizes in tokens. */
export interface MicrocompactOptions extends CandidateOptions {
  /**
   * `rent`: as soon as what the old results have cost exceeds what clearing them costs. `classic`: after an hour of
   * silence, or as soon as 20,000 tokens of large results can go.
   * @default 'rent'
   */
  readonly preset?: 'rent' | 'classic' | undefined;
  /** The triggers in order, in place of the preset's: the first that clears something decides. */
  readonly mechanisms?: readonly Mechanism[] | undefined;
  /** Newest clearable results that stay, for every trigger. @default 4 by rent, 5 by time, 3 by count */
  readonly keepRecent?: number | undefined;
  /** Nothing is cleared by count before so much can go at once. @default 20_000 */
  readonly minSavingsTokens?: number | undefined;
  readonly time?: TimeOptions | undefined;
  readonly count?: CountOptions | undefined;
  readonly rent?: RentOptions | undefined;
  /**
   * Decides in place of the mechanisms, over the same candidates: what it names is made legal, and cleared by the same edits.
   * @default the mechanisms
   */
  readonly decide?: Decide | undefined;
  /** Lets the provider clear, and nothing is cleared here. */
  readonly server?: ServerClearingOptions | undefined;
  /**
   * Deletes results from the provider's cache in place of clearing them by count or rent. An experiment of ours: no
   * public provider takes the parameter.
   */
  readonly experimental_cacheEdits?: CacheEditOptions | undefined;
  /** A fork never edits the cache of the thread it came from. @default false */
  readonly isFork?: boolean | undefined;
}

/** What is smaller is no candidate by rent: more than half of all objects, a twenty-fifth of their tokens. */
const RENT_MIN_TOKENS = 200;
/** As many as the newest results that stay: what is read is kept by its price longer than what is printed anyway. */
const RENT_EDITING_REQUESTS = 4;

/** The triggers that clear local messages, in order. */
export function mechanismsOf({
  preset = 'rent',
  mechanisms,
}: MicrocompactOptions): readonly Mechanism[] {
  return mechanisms ?? (preset === 'rent' ? ['rent'] : ['time', 'count']);
}

/** The options of the fold below a planner. */
export function candidateOptions(options: MicrocompactOptions): CandidateOptions {
  const rentOnly = mechanismsOf(options).every((mechanism) => mechanism === 'rent');
  const { minTokens = rentOnly ? RENT_MIN_TOKENS : 0, count, largeTokens } = options;
  const { inputTokens = rentOnly ? RENT_MIN_TOKENS : undefined, thinking = rentOnly } = options;
  const isByNeed = options.rent?.by === 'need' && mechanismsOf(options).includes('rent');
  const { editingRequests = rentOnly ? RENT_EDITING_REQUESTS : undefined } = options;
  return {
    ...options,
    minTokens,
    inputTokens,
    thinking,
    editingRequests,
    needs: options.needs === true || isByNeed,
    largeTokens: largeTokens ?? count?.candidateTokens,
  };
}

/** What the last trigger keeps, whatever it would save: newest results, and anything up to a size in tokens. */
export function keptBy(options: MicrocompactOptions): { keepRecent: number; maxTokens: number } {
  const { keepRecent, count, time, rent } = options;
  switch (mechanismsOf(options).at(-1)) {
    case 'count': {
      const hasFloor = (count?.minSavingsTokens ?? options.minSavingsTokens ?? 1) > 0;
      const maxTokens = hasFloor ? (count?.candidateTokens ?? 1_000) : 0;
      return { keepRecent: count?.keepRecent ?? keepRecent ?? 3, maxTokens };
    }
    case 'time':
      return { keepRecent: Math.max(1, time?.keepRecent ?? keepRecent ?? 5), maxTokens: 0 };
    default:
      return { keepRecent: rent?.keepRecent ?? keepRecent ?? 4, maxTokens: 0 };
  }
}
