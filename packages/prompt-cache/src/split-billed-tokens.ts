import type { BilledSizes } from './cache-result.ts';
import { anchorTokens } from './columns-anchor.ts';
import { tokensOf } from './prefix-columns.ts';
import type { Served } from './scope-cache.ts';
import type { ThreadPrefix } from './thread-prefix.ts';
import type { CacheTokens } from './usage-fields.ts';

/** Takes over what is known from a bill and returns the tokens of the whole prompt. */
export function applyBill(prefix: ThreadPrefix, reach: number, billed: BilledSizes = {}): number {
  const { columns, headEnd } = prefix;
  const { headTokens, cachedTokens, promptTokens } = billed;
  if (headTokens !== undefined) anchorTokens(columns, headEnd, headTokens);
  if (cachedTokens !== undefined && cachedTokens > 0) anchorTokens(columns, reach, cachedTokens);
  const isTailKnown = cachedTokens === undefined || reach < columns.length;
  if (promptTokens !== undefined && isTailKnown)
    anchorTokens(columns, columns.length, promptTokens);
  return promptTokens ?? tokensOf(columns, columns.length);
}

/** What was billed bounds what was estimated: the parts never exceed the prompt. */
export function splitTokens(served: Served, total: number): CacheTokens {
  const read = Math.min(served.readTokens, total);
  const write1h = Math.min(served.write1hTokens, total - read);
  const write5m = Math.min(served.write5mTokens, total - read - write1h);
  return { read, write5m, write1h, plain: total - read - write1h - write5m, total };
}
