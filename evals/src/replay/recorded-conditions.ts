import { type Message, promptTokens, type Usage } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import { createEstimator, type Estimator, priceUsage } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';
import { findPricedModel, type Pricing } from '../resolve-pricing.ts';
import { createRecordedViews } from '../session/recorded-views.ts';
import { createRecording, type Recording } from '../session/recording.ts';
import { createLossyCache } from './lossy-cache.ts';

/** What the bills of a session say of the conditions it ran under; they hold for every row alike. */
export interface RecordedConditions {
  /** Counts tokens as the bills do. */
  readonly estimator: Pick<Estimator, 'block' | 'message' | 'head'>;
  /** Indices of the replies before whose requests the provider lost the conversation's cache, for no reason that rules know. */
  readonly losses: ReadonlySet<number>;
  /** Another session had left system prompt and tools in the cache. */
  readonly startsWarm: boolean;
  /** What was billed for the prompt, by the index of the reply, at the prices of the model that the session is priced as. */
  readonly bills: ReadonlyMap<number, number>;
  /** Models that were billed; more than one are priced as one. */
  readonly models: readonly string[];
  /** Why the bills are no measure of this replay. */
  readonly doubt: 'lacks-most' | undefined;
}

/** Whether the bills tell of entries that live for an hour, mostly. */
export function livesLong({ entries }: Pick<ImportedThread, 'entries'>): boolean {
  let [long, all] = [0, 0];
  for (const entry of entries) {
    const usage = entry.type === 'message' ? entry.message.response?.usage : undefined;
    long += usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0;
    all += usage?.cache_creation_input_tokens ?? 0;
  }
  return long * 2 > all;
}

/**
 * Sends the recorded requests to a simulated cache and compares it with the bills: how large they were, and what was lost. A
 * thread with fewer than three bills says nothing; one whose sizes cannot be brought to those that were billed is in doubt.
 */
export function recordedConditions(
  thread: ImportedThread,
  pricing: Pricing,
): RecordedConditions | undefined {
  const estimator = createEstimator({ family: pricing.model.tokenizer });
  const options = { profile: pricing.profile, modelId: pricing.model.id };
  const plain = createRecording(thread, { ...options, estimator });
  const requests = billedRequests(thread, plain, pricing);
  const bills = requests.flatMap(({ usage }) => usage ?? []);
  if (bills.length < MIN_BILLS) return undefined;
  const factor = sizeFactor(requests, plain);
  const isKnown = factor > MIN_FACTOR && factor < MAX_FACTOR;
  const scaled = isKnown ? scaledBy(factor, estimator) : estimator;
  const recording = createRecording(thread, { ...options, estimator: scaled });
  const models = requests.flatMap(({ message, usage }) =>
    usage ? (message.response?.model ?? []) : [],
  );
  return {
    estimator: scaled,
    losses: isKnown ? lossesOf(requests, { recording, pricing }) : new Set(),
    startsWarm: !thread.startsMidSession && (bills[0]?.cache_read_input_tokens ?? 0) > 0,
    bills: new Map(
      requests.flatMap(({ reply, usage }) => (usage ? [[reply, priceOf(usage, pricing)]] : [])),
    ),
    models: [...new Set(models.map((id) => findPricedModel(id)?.id ?? id))],
    doubt: isKnown ? undefined : 'lacks-most',
  };
}

/** Fewer say nothing. */
const MIN_BILLS = 3;
// beyond these it is not the estimate that is wrong: the file does not hold what was sent
const MIN_FACTOR = 0.5;
const MAX_FACTOR = 2;

interface BilledRequest {
  /** Index of the reply. */
  readonly reply: number;
  readonly message: Message;
  readonly sent: readonly Message[];
  readonly startMs: number;
  readonly usage: Usage | undefined;
}

function billedRequests(
  thread: ImportedThread,
  { history, replies, times }: Recording,
  { profile }: Pricing,
): readonly BilledRequest[] {
  const views = createRecordedViews({ thread, history, profile });
  return replies.map((reply, at) => {
    const message = history[reply] as Message;
    const usage = message.response?.usage;
    const isBilled = usage !== undefined && promptTokens(usage) > 0;
    return {
      ...{ reply, message, sent: views.before(message), startMs: times.startMs[at] as number },
      usage: isBilled ? usage : undefined,
    };
  });
}

/** Billed tokens of messages over those that were estimated. */
function sizeFactor(
  requests: readonly BilledRequest[],
  { sizes, headSize }: Pick<Recording, 'sizes' | 'headSize'>,
): number {
  let [billed, estimated] = [0, 0];
  for (const { usage, sent } of requests) {
    if (usage === undefined) continue;
    billed += promptTokens(usage) - headSize.tokens;
    estimated += sent.reduce((sum, message) => sum + sizes.message(message), 0);
  }
  return billed / estimated;
}

/** The head's size is known from a bill already. */
function scaledBy(
  factor: number,
  { block, message, head }: Estimator,
): RecordedConditions['estimator'] {
  const scale = (tokens: number): number => Math.round(tokens * factor);
  return {
    block: (each) => scale(block(each)),
    message: (each) => scale(message(each)),
    head,
  };
}

/** Requests that were billed for much less from the cache than the one before had left there, while the rules say it was warm. */
function lossesOf(
  requests: readonly BilledRequest[],
  { recording, pricing }: { readonly recording: Recording; readonly pricing: Pricing },
): ReadonlySet<number> {
  const { head, sizes } = recording;
  const { policy } = pricing;
  const cache = createLossyCache({ pricing, sizes });
  const losses = new Set<number>();
  let left = 0;
  for (const { reply, sent, startMs, usage } of requests) {
    if (usage !== undefined) {
      const total = promptTokens(usage);
      const read = usage.cache_read_input_tokens ?? 0;
      const reusable = Math.min(left, total);
      const isWarm = cache.warmTokens(startMs) > WARM_SHARE * reusable;
      if (isWarm && read < KEPT_SHARE * reusable) {
        losses.add(reply);
        cache.lose();
      }
      const written = usage.cache_creation_input_tokens ?? 0;
      left = written > 0 ? read + written : total;
    }
    const request = { head, messages: [...sent], markers: [], maxOutputTokens: 1 };
    cache.send(placeMarkers(request, { policy }), { startMs });
  }
  return losses;
}

// as `validate` tells breaks; in between lie rounding and replies that were not sent again
const KEPT_SHARE = 0.8;
const WARM_SHARE = 0.5;

const priceOf = (usage: Usage, { model }: Pricing): number =>
  priceUsage({ ...usage, output_tokens: 0 }, model.id, { models: [model] }).dollars;
