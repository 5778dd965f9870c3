import type { Strategy } from '@varve/evals';
import { cachePolicy } from '@varve/prompt-cache';
import { createEstimator, type ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { createRequestHash } from './request-hash.ts';
import type { RecordedSession } from './sessions.ts';

const MODEL = findModel('claude-opus-4-8') as ModelInfo;
/** Small enough for every session to be compacted. */
const WINDOW_TOKENS = 60_000;
const GAP_MS = 20_000;
/** Longer than any cache entry lives. */
const PAUSE_MS = 2 * 3_600_000;
/** The person is away before every so many replies. */
const PAUSE_EVERY = 25;

/**
 * Plays a session to a strategy of the evals as the replay does, but for what is read again, and hashes each request, those
 * that the strategy sends for itself included. The clock is made up: a pause now and then lets the cache grow cold.
 */
export async function playStrategy(
  { head, history }: RecordedSession,
  strategy: Strategy,
): Promise<string> {
  const hash = createRequestHash();
  const { message, head: headSize } = createEstimator({ family: MODEL.tokenizer });
  let nowMs = 0;
  const run = strategy.create({
    head: { ...head, model: MODEL.id },
    model: MODEL,
    window: WINDOW_TOKENS,
    policy: cachePolicy(MODEL),
    sizeOf: (part) => ('role' in part ? message(part) : headSize(part)),
    now: () => nowMs,
  });
  const hashCalls = (): void => {
    for (const { request, outputTokens } of run.calls?.() ?? []) {
      hash.request(request);
      hash.text(`${outputTokens}`);
    }
  };
  let replies = 0;
  for (const each of history) {
    if (each.role === 'assistant') {
      replies += 1;
      nowMs += replies % PAUSE_EVERY === 0 ? PAUSE_MS : GAP_MS;
      await run.prepare?.();
      hash.request(run.request());
      hashCalls();
      hash.text(JSON.stringify(run.announced?.() ?? null));
    }
    run.add(each);
    if (each.role === 'assistant') await run.replied?.();
    hashCalls();
  }
  return `${hash.requests()} ${hash.digest()}`;
}
