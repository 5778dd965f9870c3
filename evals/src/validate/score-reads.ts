import type { Prediction } from './predict-reads.ts';
import type { ProviderRules } from './provider-rules.ts';

/** How well a session's reads were predicted; shares from 0 to 1. The first request is left out of all but itself. */
export interface ReadScore {
  readonly requests: number;
  readonly billedCachedShare: number;
  readonly predictedCachedShare: number;
  /** Predicted over billed price of all prompts, less one. */
  readonly costErrorShare: number;
  readonly breaks: BreakScore;
  readonly baselines: { readonly alwaysWarm: BaselineScore; readonly constant: BaselineScore };
  readonly firstRequest: { readonly billedRead: number; readonly promptTokens: number };
  readonly exactShare: number;
  /** Tokens that such sessions lose on average for no reason in the file, and that this one lost. */
  readonly losses: { readonly expectedTokens: number; readonly tokens: number };
  readonly unexplained: readonly UnexplainedBreak[];
}

export interface BaselineScore {
  readonly cachedShare: number;
  readonly costErrorShare: number;
}

/** Counts of requests that read less than 80 % of what the one before had left. */
export interface BreakScore {
  readonly billed: number;
  readonly predicted: number;
  readonly both: number;
}

export interface UnexplainedBreak {
  /** Counted from 1. */
  readonly request: number;
  readonly messageId: string;
  readonly lostTokens: number;
  /** Since the request before; null where the clock says nothing, or runs backwards. */
  readonly gapSeconds: number | null;
  /** What the transcript shows between the requests; empty where it shows nothing. */
  readonly signals: readonly string[];
}

/** Share of the prompt that a constant guess takes as read: the median of a larger collection of such sessions. */
export const CONSTANT_SHARE = 0.964;

const BREAK_SHARE = 0.8;
const EXACT_SHARE = 0.005;

export function scoreReads(predictions: readonly Prediction[], rules: ProviderRules): ReadScore {
  const [first] = predictions;
  const rest = predictions.slice(1);
  const price = pricer(predictions, rules);
  const prompts = sum(rest, ({ request }) => request.billed.total);
  const billedCost = sum(rest, price.billed);
  const scoreOf = (readOf: (prediction: Prediction) => number): BaselineScore => ({
    cachedShare: ratio(sum(rest, readOf), prompts),
    costErrorShare:
      ratio(
        sum(rest, (each) => price.withRead(each, readOf(each))),
        billedCost,
      ) - 1,
  });
  const predicted = scoreOf(({ readTokens }) => readTokens);
  return {
    requests: predictions.length,
    billedCachedShare: ratio(
      sum(rest, ({ request }) => request.billed.read),
      prompts,
    ),
    predictedCachedShare: predicted.cachedShare,
    costErrorShare: predicted.costErrorShare,
    breaks: {
      billed: rest.filter(isBilledBreak).length,
      predicted: rest.filter(isPredictedBreak).length,
      both: rest.filter((each) => isBilledBreak(each) && isPredictedBreak(each)).length,
    },
    baselines: {
      alwaysWarm: scoreOf(({ reusableTokens }) => reusableTokens),
      constant: scoreOf(({ request }) => CONSTANT_SHARE * request.billed.total),
    },
    firstRequest: {
      billedRead: first?.request.billed.read ?? 0,
      promptTokens: first?.request.billed.total ?? 0,
    },
    exactShare: ratio(rest.filter(isExact).length, rest.length),
    losses: {
      expectedTokens: sum(rest, ({ ruleTokens, readTokens }) => ruleTokens - readTokens),
      tokens: sum(rest, ({ ruleTokens, request }) => Math.max(0, ruleTokens - request.billed.read)),
    },
    unexplained: unexplainedBreaks(predictions),
  };
}

const isBilledBreak = ({ request, reusableTokens }: Prediction): boolean =>
  request.billed.read < BREAK_SHARE * reusableTokens;

const isPredictedBreak = ({ ruleTokens, reusableTokens }: Prediction): boolean =>
  ruleTokens < BREAK_SHARE * reusableTokens;

const isExact = ({ request: { billed }, ruleTokens }: Prediction): boolean =>
  Math.abs(ruleTokens - billed.read) <= EXACT_SHARE * billed.total;

function unexplainedBreaks(predictions: readonly Prediction[]): UnexplainedBreak[] {
  return predictions.flatMap((prediction, index) => {
    const before = predictions[index - 1]?.request;
    if (!before || !isBilledBreak(prediction) || isPredictedBreak(prediction)) return [];
    const { request, reusableTokens } = prediction;
    return [
      {
        request: index + 1,
        messageId: request.messageId,
        lostTokens: Math.round(reusableTokens - request.billed.read),
        gapSeconds: gapOf(request.startMs - before.startMs),
        signals: [...request.since.signals.map(({ kind }) => kind), ...request.since.edits],
      },
    ];
  });
}

const gapOf = (ms: number): number | null => (ms >= 0 ? Math.round(ms / 1000) : null);

/** Prices a prompt in plain input tokens, by what its bill says about writes; without a write fee all that is not read is plain. */
function pricer(predictions: readonly Prediction[], { policy }: ProviderRules) {
  const { short, long = short } = policy.lifetimes;
  const reportsWrites = predictions.some(
    ({ request: { billed } }) => billed.write5m + billed.write1h > 0,
  );
  const fees = { short: short.writeMultiplier ?? 1, long: long.writeMultiplier ?? 1 };
  return {
    billed: ({ request: { billed } }: Prediction) =>
      billed.read * policy.readMultiplier +
      billed.write5m * fees.short +
      billed.write1h * fees.long +
      billed.plain,
    withRead({ request: { billed } }: Prediction, read: number) {
      const rest = Math.max(0, billed.total - read);
      if (!reportsWrites) return read * policy.readMultiplier + rest;
      const plain = Math.min(rest, billed.plain);
      const fee = billed.write1h > billed.write5m ? fees.long : fees.short;
      return read * policy.readMultiplier + plain + (rest - plain) * fee;
    },
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
