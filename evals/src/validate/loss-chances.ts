import { findModel } from '@varve/tokens/models';

/** A request that the rules call warm, and what its bill says. */
export interface SeenRequest {
  readonly model: string;
  /** Requests since the conversation began or was compacted, this one included. */
  readonly age: number;
  /** Since the request before. */
  readonly idleMs: number;
  /** Of what the rules say was to be read, from 0 to 1. */
  readonly lostShare: number;
}

/** How likely a cache is to have lost what the rules say it keeps, by what was seen of other sessions. */
export interface LossChances {
  /** The share of the prefix that a request loses on average, before the session itself is looked at. */
  expectedLoss(request: Pick<SeenRequest, 'model' | 'age'>): number;
  /** The mean of that over a session. */
  meanLoss(model: string): number;
  /** The chance that a pause of this length lost the conversation; what is left then is the head. */
  missAfter(request: Pick<SeenRequest, 'model' | 'idleMs'>): number;
}

/** What a provider keeps of a conversation that it has lost to time: mostly the tools. */
export const LEFT_AFTER_MISS = 0.15;

/** Requests with their losses, summed. */
interface Bucket {
  readonly model: 'gpt-5.5' | 'gpt';
  readonly from: number;
  readonly requests: number;
  readonly lost: number;
}

const MINUTE = 60_000;

// Codex sessions of 2026, five with gpt-5.5 and one with gpt-5.3-codex-spark, whose prefixes are kept as long. A young prefix is
// on few machines: it is lost far more often than an old one.
const BY_AGE: readonly Bucket[] = [
  { model: 'gpt-5.5', from: 1, requests: 48, lost: 6.73 },
  { model: 'gpt-5.5', from: 6, requests: 121, lost: 7.13 },
  { model: 'gpt-5.5', from: 17, requests: 164, lost: 4.13 },
  { model: 'gpt-5.5', from: 33, requests: 620, lost: 3.17 },
];
// Pauses in the same sessions; `gpt` is gpt-5.4, of which 2 of 15 pauses of ten minutes and more were read after.
const BY_IDLE: readonly Bucket[] = [
  { model: 'gpt-5.5', from: 5 * MINUTE, requests: 5, lost: 0 },
  { model: 'gpt-5.5', from: 10 * MINUTE, requests: 4, lost: 1 },
  { model: 'gpt-5.5', from: 60 * MINUTE, requests: 2, lost: 2 },
  { model: 'gpt', from: 10 * MINUTE, requests: 15, lost: 13 },
];

const AGES = [1, 6, 17, 33] as const;
const IDLES = [5 * MINUTE, 10 * MINUTE, 60 * MINUTE] as const;

// Where little was seen. In-memory caches are said to go after 5 to 10 idle minutes, and always within an hour.
const AGE_PRIOR_REQUESTS = 10;
const IDLE_PRIOR = { 'gpt-5.5': [0.1, 0.25, 0.8], gpt: [0.3, 0.7, 0.95] } as const;
const IDLE_PRIOR_REQUESTS = 2;

/** From what was measured once, or from the sessions that are given in its place. */
export function lossChances(seen?: readonly SeenRequest[]): LossChances {
  const byAge = seen
    ? bucketsOf(
        seen.filter((each) => isShort(each) && IS_YOUNG_LOST.test(idOf(each.model))),
        ({ age }) => placeIn(AGES, age),
      )
    : BY_AGE;
  const byIdle = seen
    ? bucketsOf(seen.filter((each) => !isShort(each)).map(asMiss), ({ idleMs }) =>
        placeIn(IDLES, idleMs),
      )
    : BY_IDLE;
  return {
    expectedLoss({ model, age }) {
      // of others no more is known than a mean
      if (!IS_YOUNG_LOST.test(idOf(model))) return meanLoss(model);
      const { requests, lost } = bucketAt(byAge, 'gpt-5.5', placeIn(AGES, age));
      return (lost + meanLoss(model) * AGE_PRIOR_REQUESTS) / (requests + AGE_PRIOR_REQUESTS);
    },
    meanLoss,
    missAfter({ model, idleMs }) {
      const kind = kindOf(model);
      if (kind === undefined || !(idleMs >= IDLES[0])) return 0;
      const from = placeIn(IDLES, idleMs);
      const prior = IDLE_PRIOR[kind][IDLES.indexOf(from as (typeof IDLES)[number])] ?? 0;
      const { requests, lost } = bucketAt(byIdle, kind, from);
      return (lost + prior * IDLE_PRIOR_REQUESTS) / (requests + IDLE_PRIOR_REQUESTS);
    },
  };
}

/** Rates over 7,326 recorded requests: of gpt-5.5, of other GPT models, of all others. */
function meanLoss(model: string): number {
  if (IS_YOUNG_LOST.test(idOf(model))) return 0.022;
  return kindOf(model) === undefined ? 0.001 : 0.002;
}

const IS_YOUNG_LOST = /gpt-5\.5/;
const idOf = (model: string): string => findModel(model)?.id ?? model;

/** What models share a cache's habits at pauses: OpenAI's up to 5.4, and those after it, which keep prefixes for a day. */
function kindOf(model: string): Bucket['model'] | undefined {
  const id = idOf(model);
  if (!/gpt|codex|^o\d/.test(id)) return undefined;
  return /gpt-5\.(?:[5-9]|\d\d)|spark|gpt-[6-9]/.test(id) ? 'gpt-5.5' : 'gpt';
}

const isShort = ({ idleMs }: SeenRequest): boolean => !(idleMs >= IDLES[0]);

/** A pause loses the conversation or does not. */
const asMiss = (seen: SeenRequest): SeenRequest => ({
  ...seen,
  lostShare: Number(seen.lostShare > 0.5),
});

const placeIn = (starts: readonly number[], value: number): number =>
  starts.findLast((start) => value >= start) ?? (starts[0] as number);

function bucketsOf(seen: readonly SeenRequest[], placeOf: (seen: SeenRequest) => number): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const each of seen) {
    const model = kindOf(each.model);
    if (model === undefined) continue;
    const from = placeOf(each);
    const { requests, lost } = buckets.get(`${model} ${from}`) ?? NOTHING;
    const sum = { model, from, requests: requests + 1, lost: lost + each.lostShare };
    buckets.set(`${model} ${from}`, sum);
  }
  return [...buckets.values()];
}

const NOTHING = { requests: 0, lost: 0 };

const bucketAt = (buckets: readonly Bucket[], model: Bucket['model'], from: number) =>
  buckets.find((each) => each.model === model && each.from === from) ?? NOTHING;
