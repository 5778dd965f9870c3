import type { Head } from '@varve/messages';
import { headFingerprint } from '@varve/messages/stamps';
import type { HeadLike } from './estimator.ts';
import { headTokens, type MeterState } from './meter-state.ts';
import type { ModelInfo } from './model-info.ts';
import { resolveModel } from './resolve-model.ts';
import { contextWindow, isTokenLimit } from './window.ts';

/**
 * Takes what stands in front of the messages. Another head makes every bill a bill of something else; what was learned of
 * the constant moves by the difference of the two estimates.
 */
export function takeHead(state: MeterState, head: HeadLike): void {
  const before = headTokens(state);
  state.head = head;
  state.anchors.length = 0;
  state.suspect = undefined;
  state.removedTokens = 0;
  const { constant } = state;
  if (constant === undefined) return;
  const promptTokens = constant.promptTokens + headTokens(state) - before;
  state.constant = { ...constant, promptTokens };
}

export interface ViewHeadOptions {
  readonly models?: readonly ModelInfo[] | undefined;
  readonly windowTokens?: number | undefined;
}

/** Takes the head of a view, unless it is the one the meter knows. */
export function takeViewHead(
  state: MeterState,
  head: Head,
  { models, windowTokens }: ViewHeadOptions,
): void {
  const known = state.head;
  if (known === head) return;
  if (known && 'params' in known && headFingerprint(known as Head) === headFingerprint(head))
    return;
  takeHead(state, head);
  if (head.model === '') return;
  state.model = resolveModel(head.model, { models }).model;
  state.windowTokens = isTokenLimit(windowTokens)
    ? windowTokens
    : contextWindow(head.model, { models }).tokens;
}
