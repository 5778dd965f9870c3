import type { Summarize } from '@varve/compact';
import { isRecord, numberOf, recordOf } from '@varve/guards';
import type { Entry, JsonObject, Usage } from '@varve/messages';
import type { BreakDetector } from '@varve/prompt-cache';
import type { SplitBill } from '@varve/prompt-cache/server';
import { type ModelInfo, priceUsage } from '@varve/tokens';
import type { Diagnoses } from './diagnosis.ts';

type BreakMeasures = ReturnType<BreakDetector['measures']>;

/** What model calls were billed. */
export interface Bill {
  readonly calls: number;
  readonly usage: SummedUsage;
  /** Dollars of every part whose rate is known. */
  readonly dollars: number;
  /** Tokens without a known rate: they are not in `dollars`. */
  readonly unpricedTokens: number;
}

/** Tokens in the shape of a provider's usage. */
export interface SummedUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

/** All that a conversation was billed so far. A call that came without a usage is in none of the sums, `calls` included. */
export interface ContextUsage extends Bill {
  /** The model that cost most first. */
  readonly models: readonly (Bill & { readonly model: string })[];
  /** Who called: `reply`, `compact`, and each `by` of a bill that was brought by `addUsage`; the dearest first. */
  readonly callers: readonly (Bill & { readonly by: string })[];
  /** How much was read from the cache, and which breaks there were, expected or not. Replies only. */
  readonly cache: BreakMeasures;
  /** Where the money of replies went: parts of the prompts, read, paid again or new, and breaks by cause. */
  readonly split: SplitBill;
  /** The provider's own diagnoses of the cache beside ours, where a `reply` brought any. */
  readonly diagnoses: Diagnoses;
}

/** A bill that no reply of the conversation brought: of a fork, of notes, of anything its owner pays for. */
export interface AddedUsage {
  /** Who called, e.g. `fork-agent`. */
  readonly by: string;
  readonly model: string;
  readonly usage: Usage;
  /** How many calls the usage is the sum of. @default 1 */
  readonly calls?: number | undefined;
}

/** The note of such a bill. */
export const usageNote = ({ model, usage, calls = 1 }: AddedUsage): JsonObject => ({
  kind: NOTE,
  model,
  calls,
  usage: usage as unknown as JsonObject,
});

const NOTE = 'usage';

/**
 * Sums the bills of a log: of replies, of summaries whether they were used or not, and of notes. An edit takes none of them
 * back.
 */
export function createUsageSum({ models }: { readonly models?: readonly ModelInfo[] | undefined }) {
  const byModel = new Map<string, Bill>();
  const byCaller = new Map<string, Bill>();
  const attempts = new Set<unknown>();
  let model = '';

  function add({ by, ...given }: AddedUsage): void {
    const { dollars, unpricedTokens } = priceUsage(given.usage, given.model, { models });
    const usage = readUsage(given.usage);
    const bill = { calls: given.calls ?? 1, usage, dollars, unpricedTokens };
    byModel.set(given.model, plus(byModel.get(given.model), bill));
    byCaller.set(by, plus(byCaller.get(by), bill));
  }

  /** What a compaction or a note says it cost. */
  function addNoted(by: string, data: unknown): void {
    const { usage, calls, model: named } = recordOf(data);
    if (!isUsage(usage)) return;
    const name = typeof named === 'string' ? named : model;
    add({ by, model: name, usage, calls: numberOf(calls) ?? 1 });
  }

  return {
    observe(entry: Entry): void {
      if (entry.type === 'head') model = entry.head.model;
      if (entry.type === 'note') addNoted(entry.by, entry.data);
      if (entry.type === 'edit' && entry.receipt) {
        const { attempt = entry.id } = entry.receipt;
        if (!attempts.has(attempt)) addNoted(entry.by, entry.receipt); // one bill, however many edits
        attempts.add(attempt);
      }
      if (entry.type !== 'message') return;
      const { response } = entry.message;
      if (response?.usage) add({ by: 'reply', model: response.model, usage: response.usage });
    },
    total(given: Pick<ContextUsage, 'cache' | 'split' | 'diagnoses'>): ContextUsage {
      const all = [...byModel.values()].reduce(plus, NOTHING);
      const dearest = (one: Bill, other: Bill) => other.dollars - one.dollars;
      const models = [...byModel].map(([name, bill]) => ({ model: name, ...bill }));
      const callers = [...byCaller].map(([by, bill]) => ({ by, ...bill }));
      return {
        ...all,
        models: models.sort(dearest),
        callers: callers.sort(dearest),
        ...given,
      };
    },
  };
}

/** Keeps the bills of an attempt to compact, which are lost with the attempt where it is aborted. */
export function createSummaryBill() {
  let calls = 0;
  let usage = NO_TOKENS;
  return {
    begin(): void {
      calls = 0;
      usage = NO_TOKENS;
    },
    of:
      (summarize: Summarize): Summarize =>
      async (request, options) => {
        const reply = await summarize(request, options);
        if (isUsage(reply?.usage)) {
          calls += 1;
          usage = plusTokens(usage, readUsage(reply.usage));
        }
        return reply;
      },
    /** As a note holds it; empty where nothing was billed. */
    get: (): JsonObject => (calls > 0 ? { calls, usage: { ...usage } } : {}),
  };
}

export type SummaryBill = ReturnType<typeof createSummaryBill>;

export const isUsage = (value: unknown): value is Usage =>
  isRecord(value) &&
  typeof (value as Usage).input_tokens === 'number' &&
  typeof (value as Usage).output_tokens === 'number' &&
  [value.cache_read_input_tokens, value.cache_creation_input_tokens].every(
    (count) => count == null || typeof count === 'number',
  );

/** Negative counts and those that are no numbers count as none, as they do in the price. */
function readUsage(usage: Usage): SummedUsage {
  const count = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
  return {
    input_tokens: count(usage.input_tokens),
    output_tokens: count(usage.output_tokens),
    cache_read_input_tokens: count(usage.cache_read_input_tokens),
    cache_creation_input_tokens: count(usage.cache_creation_input_tokens),
  };
}

const NO_TOKENS: SummedUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

const NOTHING: Bill = { calls: 0, usage: NO_TOKENS, dollars: 0, unpricedTokens: 0 };

function plus(sum: Bill = NOTHING, bill: Bill): Bill {
  return {
    calls: sum.calls + bill.calls,
    usage: plusTokens(sum.usage, bill.usage),
    dollars: sum.dollars + bill.dollars,
    unpricedTokens: sum.unpricedTokens + bill.unpricedTokens,
  };
}

const plusTokens = (one: SummedUsage, other: SummedUsage): SummedUsage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  cache_read_input_tokens: one.cache_read_input_tokens + other.cache_read_input_tokens,
  cache_creation_input_tokens: one.cache_creation_input_tokens + other.cache_creation_input_tokens,
});
