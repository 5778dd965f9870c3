import type { CacheBreak } from '@varve/prompt-cache';
import { EmulatorError } from '../error.ts';
import type { RecordedRequest } from './exchange.ts';

type BreakCause = CacheBreak['cause'];

/** One loss of cached tokens. */
export interface ReportedBreak {
  readonly requestIndex: number;
  /** The conversation it happened in. */
  readonly thread: string;
  readonly cause: BreakCause;
  readonly lostTokens: number;
  /** The first message that differs, where that is the cause. */
  readonly messageIndex?: number | undefined;
  /** The parameter that changed, where that is the cause. */
  readonly param?: string | undefined;
}

/** What an agent's requests came to. Tokens and dollars are simulated, from estimated sizes. */
export interface EmulatorReport {
  readonly requests: number;
  /** Requests that were billed. */
  readonly billed: number;
  /** Requests that were refused for a rule they break. */
  readonly refused: number;
  /** Faults that were injected. */
  readonly faults: number;
  readonly promptTokens: number;
  readonly readTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  /** Read tokens as a share of prompt tokens; undefined where nothing was billed. */
  readonly hitRate: number | undefined;
  /** Of everything with a known price. */
  readonly dollars: number;
  readonly unpricedTokens: number;
  readonly conversations: number;
  /** The latest ones where there are many. */
  readonly breaks: readonly ReportedBreak[];
  /** Lost tokens by cause, of all breaks. */
  readonly lostTokens: Readonly<Partial<Record<BreakCause, number>>>;
  /** How often a simulated cache was emptied to stay within its memory. */
  readonly cacheResets: number;
}

const MOST_BREAKS = 1_000;

/** Adds requests up as they come. */
export function createReport(resets: () => number) {
  const sums = {
    requests: 0,
    billed: 0,
    refused: 0,
    faults: 0,
    promptTokens: 0,
    readTokens: 0,
    writtenTokens: 0,
    outputTokens: 0,
    dollars: 0,
    unpricedTokens: 0,
  };
  const threads = new Set<string>();
  const lost = new Map<BreakCause, number>();
  const breaks: ReportedBreak[] = [];
  return {
    add(request: RecordedRequest) {
      sums.requests += 1;
      sums.faults += request.fault === undefined ? 0 : 1;
      sums.billed += request.billed.length > 0 ? 1 : 0;
      const isError = request.status >= 400 && request.status < 500;
      sums.refused += request.fault === undefined && isError ? 1 : 0;
      for (const served of request.billed) {
        const { tokens, dollars = 0, price, thread } = served;
        sums.promptTokens += tokens.total;
        sums.readTokens += tokens.read;
        sums.writtenTokens += tokens.write5m + tokens.write1h;
        sums.dollars += dollars;
        sums.unpricedTokens += price.unpricedTokens;
        threads.add(thread);
        for (const each of breaksOf(request, served)) {
          lost.set(each.cause, (lost.get(each.cause) ?? 0) + each.lostTokens);
          breaks.push(each);
          if (breaks.length > MOST_BREAKS) breaks.shift();
        }
      }
      sums.outputTokens += request.outputTokens;
    },
    read: (): EmulatorReport => ({
      ...sums,
      hitRate: sums.promptTokens === 0 ? undefined : sums.readTokens / sums.promptTokens,
      conversations: threads.size,
      breaks: [...breaks],
      lostTokens: Object.fromEntries(lost),
      cacheResets: resets(),
    }),
  };
}

function breaksOf(
  { index }: RecordedRequest,
  { breaks, uncached, thread }: RecordedRequest['billed'][number],
) {
  return [...breaks, ...(uncached ? [uncached] : [])].map(
    ({ cause, lostTokens, place, param }): ReportedBreak => ({
      requestIndex: index,
      thread,
      cause,
      lostTokens,
      ...(place && { messageIndex: place.messageIndex }),
      ...(param !== undefined && { param }),
    }),
  );
}

/** Throws `hit-rate-too-low` where less of the prompts was read than this share, and says what was lost to what. */
export function requireHitRate(report: EmulatorReport, atLeast: number): void {
  if (!(atLeast >= 0 && atLeast <= 1)) {
    throw new EmulatorError('bad-options', `Expected a hit rate from 0 to 1, got \`${atLeast}\`.`);
  }
  const { hitRate, billed, lostTokens } = report;
  if (hitRate !== undefined && hitRate >= atLeast) return;
  const found = hitRate === undefined ? 'no request was billed' : `it is ${percent(hitRate)}`;
  const causes = Object.entries(lostTokens)
    .sort(([, left], [, right]) => right - left)
    .map(([cause, tokens]) => `${cause} ${tokens}`);
  const why = causes.length > 0 ? ` Tokens lost by cause: ${causes.join(', ')}.` : '';
  throw new EmulatorError(
    'hit-rate-too-low',
    `Expected a cache hit rate of at least ${percent(atLeast)} over ${billed} requests, but ${found}.${why}`,
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
