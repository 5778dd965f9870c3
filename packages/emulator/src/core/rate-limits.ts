import type { ProviderName } from '../replies/reply.ts';

/** Limits that are reported, never enforced: refusals are faults. */
export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly inputTokensPerMinute: number;
  readonly outputTokensPerMinute: number;
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Headers that say what is left of the current minute, in the words of each provider. */
export function createRateLimitHeaders(limits: RateLimits) {
  const windows = new Map<
    string,
    { minute: number; requests: number; input: number; output: number }
  >();
  return (organisation: string, provider: ProviderName, nowMs: number, spent: Spent) => {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = windows.get(organisation);
    const window = known?.minute === minute ? known : { minute, requests: 0, input: 0, output: 0 };
    windows.set(organisation, window);
    window.requests += 1;
    window.input += spent.inputTokens;
    window.output += spent.outputTokens;
    const resetMs = (minute + 1) * MINUTE_MS;
    const left = {
      requests: Math.max(0, limits.requestsPerMinute - window.requests),
      input: Math.max(0, limits.inputTokensPerMinute - window.input),
      output: Math.max(0, limits.outputTokensPerMinute - window.output),
    };
    return provider === 'anthropic'
      ? anthropicHeaders(limits, left, new Date(resetMs).toISOString())
      : openAiHeaders(limits, left, `${Math.max(0, resetMs - nowMs)}ms`);
  };
}

const MINUTE_MS = 60_000;

interface Left {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

function anthropicHeaders(limits: RateLimits, left: Left, reset: string): Record<string, string> {
  const rows = [
    ['requests', limits.requestsPerMinute, left.requests],
    ['input-tokens', limits.inputTokensPerMinute, left.input],
    ['output-tokens', limits.outputTokensPerMinute, left.output],
  ] as const;
  return Object.fromEntries(
    rows.flatMap(([name, limit, remaining]) => [
      [`anthropic-ratelimit-${name}-limit`, String(limit)],
      [`anthropic-ratelimit-${name}-remaining`, String(remaining)],
      [`anthropic-ratelimit-${name}-reset`, reset],
    ]),
  );
}

const openAiHeaders = (limits: RateLimits, left: Left, reset: string): Record<string, string> => ({
  'x-ratelimit-limit-requests': String(limits.requestsPerMinute),
  'x-ratelimit-remaining-requests': String(left.requests),
  'x-ratelimit-reset-requests': reset,
  'x-ratelimit-limit-tokens': String(limits.inputTokensPerMinute),
  'x-ratelimit-remaining-tokens': String(left.input),
  'x-ratelimit-reset-tokens': reset,
});
