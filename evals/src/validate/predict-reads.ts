import { createEstimator } from '@varve/tokens';
import type { ImportedSession, ImportedThread } from '@varve/transcript/import';
import { createCacheReplay } from './cache-replay.ts';
import { createHeadFloor } from './head-floor.ts';
import { createLossRate } from './loss-rate.ts';
import type { ProviderRules } from './provider-rules.ts';
import type { RecordedEvent, RecordedRequest } from './recorded-request.ts';

/** What the simulator said about a request before its bill was looked at. */
export interface Prediction {
  readonly request: RecordedRequest;
  /** Tokens read by the rules alone. */
  readonly ruleTokens: number;
  /** The same, less what such sessions lose on average for no reason in the file. */
  readonly readTokens: number;
  /** Tokens that the request before had left in the cache; the most that can be read. */
  readonly reusableTokens: number;
  readonly causes: readonly string[];
}

export interface PredictOptions {
  readonly thread: ImportedThread;
  readonly format: ImportedSession['format'];
  readonly rules: ProviderRules;
}

// A session's own misses move the rate slowly inside a turn, where there are hundreds of requests, and faster at turns.
const IN_TURN_STRENGTH = 200;
const AT_TURN_STRENGTH = 20;
const FULL_SHARE = 0.8;

/**
 * Runs a recorded session through the cache simulator: prompts have the sizes that were billed, how much of each is read
 * is predicted from what came before it, and then compared.
 */
export function predictReads(
  events: readonly RecordedEvent[],
  { thread, format, rules }: PredictOptions,
): Prediction[] {
  const requests = events.filter((event) => event.kind === 'request');
  const [first] = requests;
  if (!first) return [];
  const estimator = createEstimator({ family: rules.info?.tokenizer ?? 'o200k' });
  const floor = createHeadFloor(first, {
    estimator,
    learnsFromFirst: rules.policy.provider === 'anthropic' && !thread.startsMidSession,
  });
  const losses = {
    inTurn: createLossRate(rules.lossInTurn, IN_TURN_STRENGTH),
    atTurn: createLossRate(rules.lossAtTurn, AT_TURN_STRENGTH),
  };
  const replay = createCacheReplay(requests, { estimator, format, rules, floor });
  const predictions: Prediction[] = [];
  for (const event of events) {
    if (event.kind === 'side') {
      replay.side(event.startMs);
      continue;
    }
    const { ruleTokens, reusableTokens, result } = replay.request(event);
    const loss = event.since.isUserTurn ? losses.atTurn : losses.inTurn;
    const isFirst = predictions.length === 0;
    const readTokens = isFirst ? ruleTokens : ruleTokens * (1 - loss.rate());
    const causes = result.breaks.map(({ cause }) => cause);
    predictions.push({ request: event, ruleTokens, readTokens, reusableTokens, causes });
    const isWhole = !isFirst && ruleTokens > FULL_SHARE * reusableTokens;
    if (isWhole) loss.observe(lostShare(event, { ruleTokens, reusableTokens }));
    const isExpired = causes.includes('ttl-expired');
    floor.observe(event, { isFirst, isExpired, reusable: reusableTokens });
  }
  return predictions;
}

/** Small differences are rounding, not a loss. */
function lostShare(
  { billed }: RecordedRequest,
  { ruleTokens, reusableTokens }: { readonly ruleTokens: number; readonly reusableTokens: number },
): number {
  const isLost = billed.read < FULL_SHARE * reusableTokens;
  return isLost ? Math.max(0, 1 - billed.read / ruleTokens) : 0;
}
