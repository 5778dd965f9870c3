import type { CacheResult } from '@varve/prompt-cache';
import type { Announcement, OwnCall } from '../strategy.ts';
import type { Inspection } from './gates.ts';

/** Everything counted while one session is replayed under one strategy. */
export interface Tally {
  /** Requests of the recorded replies, re-reads not among them. */
  requests: number;
  rereads: number;
  /** Those of the re-reads whose call would not give the same again. */
  irreproducible: number;
  /** Demanded units that were still missing after the re-reads. */
  unmetUnits: number;
  promptTokens: number;
  readTokens: number;
  writtenTokens: number;
  peakTokens: number;
  unpricedTokens: number;
  /** The prompts of all requests, and the calls of re-reads. */
  dollars: number;
  rereadDollars: number;
  irreproducibleDollars: number;
  /** Requests that are no continuation of the one before. */
  breaks: number;
  /** Requests that do not begin with the one before, block by block: where the strategy said so, and elsewhere. */
  breaksAnnounced: number;
  breaksUnannounced: number;
  /** Tokens that were in the cache and had to be sent again because of a break. */
  breakMassTokens: number;
  /** Requests that found the cache gone cold. */
  expiries: number;
  invalidRequests: number;
  violations: Map<string, number>;
  /** Larger than the window and priced as if accepted. */
  overWindowRequests: number;
  /** Summaries that had to be written because the next request would have been refused, and what these cost. */
  forcedCompactions: number;
  compactionDollars: number;
  /** Compactions by the strategy. */
  compactions: number;
  /** Requests that a strategy sent for itself, those of them whose reply something stands for, and what they cost. */
  ownCalls: number;
  standInCalls: number;
  ownCallDollars: number;
  /** Tokens of summaries and notes that somebody waits for. */
  waitedTokens: number;
  systemChangedRequests: number;
  personLostRequests: number;
}

export function createTally(): Tally {
  return {
    requests: 0,
    rereads: 0,
    irreproducible: 0,
    unmetUnits: 0,
    promptTokens: 0,
    readTokens: 0,
    writtenTokens: 0,
    peakTokens: 0,
    unpricedTokens: 0,
    dollars: 0,
    rereadDollars: 0,
    irreproducibleDollars: 0,
    breaks: 0,
    breaksAnnounced: 0,
    breaksUnannounced: 0,
    breakMassTokens: 0,
    expiries: 0,
    invalidRequests: 0,
    violations: new Map(),
    overWindowRequests: 0,
    forcedCompactions: 0,
    compactionDollars: 0,
    compactions: 0,
    ownCalls: 0,
    standInCalls: 0,
    ownCallDollars: 0,
    waitedTokens: 0,
    systemChangedRequests: 0,
    personLostRequests: 0,
  };
}

/** A re-read that a request belongs to. */
export interface ReReadKind {
  readonly reproducible: boolean;
}

/** Counts a request, accepted or not. */
export function countRequest(tally: Tally, reRead: ReReadKind | undefined): void {
  if (reRead) tally.rereads += 1;
  else tally.requests += 1;
  if (reRead && !reRead.reproducible) tally.irreproducible += 1;
}

export interface CountPricedOptions {
  readonly windowTokens: number;
  readonly reRead?: ReReadKind | undefined;
  /** A re-read's cost as a multiple of its price. */
  readonly rereadFactor: number;
}

/** Counts what an accepted request cost: its price with the re-read's call. */
export function countPriced(tally: Tally, result: CacheResult, options: CountPricedOptions): void {
  const { windowTokens, reRead, rereadFactor } = options;
  const { tokens, breaks, change, price } = result;
  const dollars = price.dollars * (reRead ? rereadFactor : 1);
  tally.promptTokens += tokens.total;
  tally.readTokens += tokens.read;
  tally.writtenTokens += tokens.write5m + tokens.write1h;
  tally.peakTokens = Math.max(tally.peakTokens, tokens.total);
  tally.unpricedTokens += price.unpricedTokens;
  tally.overWindowRequests += Number(tokens.total > windowTokens);
  tally.dollars += dollars;
  if (reRead) tally.rereadDollars += dollars;
  if (reRead && !reRead.reproducible) tally.irreproducibleDollars += dollars;
  if (breaks.some((each) => each.cause === 'ttl-expired')) tally.expiries += 1;
  else if (change) {
    tally.breakMassTokens += breaks.reduce((sum, each) => sum + each.lostTokens, 0);
  }
  tally.breaks += Number(change !== undefined);
}

/** Counts a summary that an agent has to have written; its prompt is counted like any other. */
export function countCompaction(tally: Tally, { price }: CacheResult, outputTokens: number): void {
  tally.forcedCompactions += 1;
  tally.waitedTokens += outputTokens;
  tally.compactionDollars += price.dollars;
}

/** Counts a request that a strategy sent for itself, accepted or not. */
export function countOwnCall(
  tally: Tally,
  { isStandIn, outputTokens }: Pick<OwnCall, 'isStandIn' | 'outputTokens'>,
): void {
  tally.ownCalls += 1;
  tally.waitedTokens += outputTokens;
  tally.standInCalls += Number(isStandIn ?? false);
}

/** Counts what an accepted one cost. Its tokens are none of the conversation's: they would raise the hit rate. */
export function countOwnPrice(tally: Tally, { price }: CacheResult): void {
  tally.unpricedTokens += price.unpricedTokens;
  tally.dollars += price.dollars;
  tally.ownCallDollars += price.dollars;
}

/** Counts a request whose messages differ from the one before from `at` on, if they do, and what was announced of it. */
export function countBreak(
  tally: Tally,
  at: number | undefined,
  announced: Announcement | undefined,
): void {
  tally.compactions += Number(announced?.isCompaction ?? false);
  if (at === undefined) return;
  if (announced?.from === at) tally.breaksAnnounced += 1;
  else tally.breaksUnannounced += 1;
}

/** Counts what is wrong with a request, accepted or not. */
export function countInspection(tally: Tally, inspection: Inspection): void {
  tally.systemChangedRequests += Number(inspection.systemChanged);
  tally.personLostRequests += Number(inspection.personLost);
  countViolations(tally, inspection);
}

/** Counts the rules that a request breaks. */
export function countViolations(
  tally: Tally,
  { violations }: Pick<Inspection, 'violations'>,
): void {
  tally.invalidRequests += Number(violations.length > 0);
  for (const code of violations) tally.violations.set(code, (tally.violations.get(code) ?? 0) + 1);
}
