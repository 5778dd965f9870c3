import type { PlanContext } from '@varve/messages';
import type { Candidates } from './candidate.ts';
import { type Decision, nothing } from './decision-types.ts';

export interface TimeOptions {
  /**
   * How long the model has to have been silent, in milliseconds; by then no provider's cache holds the prefix.
   * @default 3_600_000
   */
  readonly idleMs?: number | undefined;
  /**
   * A prefix whose lifetime is over counts as idle, however short the silence was.
   * @default false
   */
  readonly whenCold?: boolean | undefined;
  /**
   * Newest clearable results that stay; at least 1.
   * @default 5
   */
  readonly keepRecent?: number | undefined;
}

/** After a long silence the cache is gone and clearing costs nothing: everything old goes. */
export function decideByIdleTime(
  candidates: Candidates,
  { nowMs, cache }: Pick<PlanContext, 'nowMs' | 'cache'>,
  options: TimeOptions = {},
): Decision {
  const { idleMs = 3_600_000, whenCold = false, keepRecent = 5 } = options;
  const { lastAssistantAtMs } = candidates;
  if (lastAssistantAtMs === undefined) return nothing('no-reply-yet');
  const isIdle = nowMs - lastAssistantAtMs >= idleMs || (whenCold && !cache.warm);
  if (!isIdle) return nothing('not-idle');
  const kept = Math.max(1, keepRecent);
  const clear = candidates.list.filter((candidate) => !candidates.protectionOf(candidate, kept));
  return clear.length === 0 ? nothing('nothing-to-clear') : { clear, reason: 'idle' };
}
