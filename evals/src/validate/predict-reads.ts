import { createEstimator } from '@varve/tokens';
import type { ImportedSession, ImportedThread } from '@varve/transcript/import';
import { createCacheReplay } from './cache-replay.ts';
import { createHeadFloor } from './head-floor.ts';
import {
  LEFT_AFTER_MISS,
  type LossChances,
  lossChances,
  type SeenRequest,
} from './loss-chances.ts';
import { createLossRate } from './loss-rate.ts';
import type { ProviderRules } from './provider-rules.ts';
import { isClockTrusted } from './recorded-clock.ts';
import type { RecordedEvent, RecordedRequest } from './recorded-request.ts';

/** What the simulator said about a request before its bill was looked at. */
export interface Prediction {
  readonly request: RecordedRequest;
  /** Tokens read by the rules, and after a pause that more likely than not lost the cache. */
  readonly ruleTokens: number;
  /** Tokens read by the rules, less what such sessions lose on average after such pauses, and for no reason in the file. */
  readonly readTokens: number;
  /** What chances are made of; undefined where the rules alone expect a loss. */
  readonly seen: SeenRequest | undefined;
  /** Tokens of system prompt and tools, as far as earlier bills tell. */
  readonly headTokens: number;
  /** Tokens that the request before had left in the cache; the most that can be read. */
  readonly reusableTokens: number;
  readonly causes: readonly string[];
}

export interface PredictOptions {
  readonly thread: ImportedThread;
  readonly format: ImportedSession['format'];
  readonly rules: ProviderRules;
  /** @default those measured once */
  readonly chances?: LossChances | undefined;
}

// A session's own misses move the rate slowly inside a turn, where there are hundreds of requests, and faster at turns.
const IN_TURN_STRENGTH = 200;
// Sessions with OpenAI differ more: they lose 0 to 3.8 % of their requests, so that their own misses say more.
const IN_TURN_STRENGTH_OPENAI = 40;
const AT_TURN_STRENGTH = 20;
/** Lost at the first request after a person wrote, before anything is learned. */
const LOSS_AT_TURN = 0.01;
const FULL_SHARE = 0.8;

/**
 * Runs a recorded session through the cache simulator: prompts have the sizes that were billed, how much of each is read
 * is predicted from what came before it, and then compared.
 */
export function predictReads(
  events: readonly RecordedEvent[],
  { thread, format, rules, chances = lossChances() }: PredictOptions,
): Prediction[] {
  const requests = events.filter((event) => event.kind === 'request');
  const [first] = requests;
  if (!first) return [];
  const estimator = createEstimator({ family: rules.info?.tokenizer ?? 'o200k' });
  const floor = createHeadFloor(first, {
    estimator,
    learnsFromFirst: rules.policy.provider === 'anthropic' && !thread.startsMidSession,
  });
  const isOpenAi = rules.policy.provider === 'openai';
  const inTurnStrength = isOpenAi ? IN_TURN_STRENGTH_OPENAI : IN_TURN_STRENGTH;
  const losses = {
    inTurn: createLossRate(chances.meanLoss(first.model), inTurnStrength),
    atTurn: createLossRate(LOSS_AT_TURN, AT_TURN_STRENGTH),
  };
  const replay = createCacheReplay(requests, { estimator, format, rules, floor });
  const isTrusted = isClockTrusted(requests);
  const predictions: Prediction[] = [];
  let [age, lastMs] = [0, first.startMs];
  for (const event of events) {
    if (event.kind === 'side') {
      replay.side(event.startMs);
      continue;
    }
    const headTokens = floor.tokens();
    const { ruleTokens, reusableTokens, result } = replay.request(event);
    const isFirst = predictions.length === 0;
    const isWhole = !isFirst && ruleTokens > FULL_SHARE * reusableTokens;
    const { model, since, startMs, billed } = event;
    age = since.edits.includes('recorded-compaction') ? 1 : age + 1;
    const idleMs = isTrusted ? startMs - lastMs : 0;
    lastMs = startMs;
    const missed = isFirst ? 0 : chances.missAfter({ model, idleMs });
    const lossHere = chances.expectedLoss({ model, age });
    const [loss, prior] = since.isUserTurn
      ? ([losses.atTurn, Math.max(LOSS_AT_TURN, lossHere)] as const)
      : ([losses.inTurn, lossHere] as const);
    const kept = (1 - loss.rate(prior)) * (1 - missed * (1 - LEFT_AFTER_MISS));
    const causes = result.breaks.map(({ cause }) => cause);
    const isMissed = missed > 0.5;
    predictions.push({
      request: event,
      ruleTokens: isMissed ? ruleTokens * LEFT_AFTER_MISS : ruleTokens,
      readTokens: isFirst ? ruleTokens : ruleTokens * kept,
      reusableTokens,
      causes: isMissed ? [...causes, 'idle'] : causes,
      headTokens,
      seen:
        isFirst || ruleTokens === 0
          ? undefined
          : { model, age, idleMs, lostShare: lostOf(billed.read, ruleTokens) },
    });
    if (isWhole && missed === 0) {
      const whole = isOpenAi ? lostOf(billed.read, ruleTokens) : undefined;
      loss.observe(whole ?? lostShare(event, { ruleTokens, reusableTokens }), prior);
    }
    const isExpired = causes.includes('ttl-expired');
    floor.observe(event, { isFirst, isExpired, reusable: reusableTokens });
  }
  return predictions;
}

/** OpenAI's reads lag behind by a request or two as well, so that small losses count. */
const lostOf = (read: number, expected: number): number =>
  expected > 0 ? Math.max(0, 1 - read / expected) : 0;

/** Small differences are rounding, not a loss. */
function lostShare(
  { billed }: RecordedRequest,
  { ruleTokens, reusableTokens }: { readonly ruleTokens: number; readonly reusableTokens: number },
): number {
  const isLost = billed.read < FULL_SHARE * reusableTokens;
  return isLost ? Math.max(0, 1 - billed.read / ruleTokens) : 0;
}
