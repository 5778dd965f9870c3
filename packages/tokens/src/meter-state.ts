import type { Block, Usage } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { totalTokens } from './content-class.ts';
import type { Estimator, HeadLike } from './estimator.ts';
import { type Anchor, anchoredTokens } from './meter-anchor.ts';
import type { Learnings, ModelLearning } from './meter-learning.ts';
import type { Ledger, PushOptions } from './meter-ledger.ts';
import { subtractWeights, type WeighedMessage, type Weight, weighMessage } from './meter-weight.ts';
import type { ModelInfo } from './model-info.ts';

/** What a meter knows. The other `meter-*` files are functions on it. */
export interface MeterState {
  readonly estimator: Estimator;
  readonly learnings: Learnings;
  readonly ledger: Ledger;
  /** In order of what they cover. */
  readonly anchors: Anchor[];
  model: ModelInfo;
  windowTokens: number;
  head: HeadLike | undefined;
  /** A billed prompt with no earlier bill below it: less its messages, it is what no message shows. */
  constant: { readonly promptTokens: number; readonly weight: Weight } | undefined;
  /** A bill that nobody believed yet. */
  suspect: { readonly promptTokens: number; readonly promptCount: number } | undefined;
  removedTokens: number;
  /** The newest usage, where it came before its reply. */
  awaitsReply: { readonly usage: Usage; readonly believed: boolean } | undefined;
  /** Blocks of replies as they were billed, by message id: an edit may change what a bill still counts. */
  readonly billedReplies: Map<string, readonly Block[]>;
  /** Replies among the first so many messages had their usage, believed or not. */
  answered: number;
}

export const learningOf = (state: MeterState): ModelLearning => state.learnings.of(state.model.id);

export function weightBetween(state: MeterState, from: number, to: number): Weight {
  return subtractWeights(state.ledger.sum(to), state.ledger.sum(from));
}

export function priceBetween(state: MeterState, from: number, to: number): number {
  return learningOf(state).price(weightBetween(state, from, to));
}

/** The same by the estimator's own vocabulary: no bill, however wrong, moves it by what it says of text. */
export const estimateBetween = (state: MeterState, from: number, to: number): number =>
  estimateOf(state, weightBetween(state, from, to));

/** What can be read of it alone, by the same measure. */
export const visibleBetween = (state: MeterState, from: number, to: number): number =>
  totalTokens(weightBetween(state, from, to).shown) - state.removedTokens;

export function estimateOf(state: MeterState, weight: Weight): number {
  const { calibration, price } = learningOf(state);
  return price(weight) - calibration.predict(weight.shown) + totalTokens(weight.shown);
}

/** System prompt, tools and whatever else no message shows: learned from a bill, else estimated from the head. */
export function constantTokens(state: MeterState): number {
  const { constant } = state;
  const learning = learningOf(state);
  if (constant === undefined) return headTokens(state);
  return Math.max(0, constant.promptTokens - learning.price(constant.weight));
}

/** Estimated tokens of system prompt and tools; 0 where nobody showed them. */
export function headTokens({ head, estimator, ...state }: MeterState): number {
  if (head === undefined) return 0;
  return state.learnings.of(state.model.id).calibration.predict(estimator.headClasses(head));
}

/** Expected size of a request with the first `count` messages, in tokens. */
export function expectedTokens(state: MeterState, count: number): number {
  const base = state.anchors.findLast((anchor) => anchor.covers <= count);
  const known = base ? anchoredTokens(base) : constantTokens(state);
  return known - state.removedTokens + priceBetween(state, base?.covers ?? 0, count);
}

/** What of that the newest reply was billed beyond what can be read of it: it may not go back, or the bill was wrong. */
export function unseenOfReply(state: MeterState, count: number): number {
  const base = state.anchors.findLast((anchor) => anchor.covers <= count);
  if (!base?.outputBilled) return 0;
  const { shown } = weightBetween(state, base.promptCount, base.covers);
  return Math.max(0, base.outputTokens - learningOf(state).calibration.predict(shown));
}

export function pushMessage(
  state: MeterState,
  message: MessageLike,
  options: PushOptions = {},
): void {
  const weighed = weighMessage(message, state.estimator);
  const thinkingTokens = expectedThinking(state, weighed);
  state.ledger.push(message, weighed, { thinkingTokens, ...options });
}

function expectedThinking(state: MeterState, { reply, shownThinking }: WeighedMessage): number {
  if (reply === 'none') return 0;
  return shownThinking + learningOf(state).replies.thinking(reply === 'hidden');
}
