import { promptTokens, type Usage } from '@varve/messages';
import type { Anchor } from './meter-anchor.ts';
import { learningOf, type MeterState, priceBetween, weightBetween } from './meter-state.ts';

/**
 * A placeholder from the start of a stream is a few tokens (at most 64 in 1,300 of them in recorded sessions), and below this
 * share of what the reply shows. A larger count is a bill, however dense its reply and whatever an estimate says.
 */
const PLACEHOLDER_TOKENS = 64;
const PLACEHOLDER_SHARE = 0.5;

/** Puts the reply of the newest bill in, as far as it was added: billed where the count is a real one, else estimated. */
export function settleReply(state: MeterState): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  const { billedOutput, promptCount, covers } = anchor;
  const outputBilled = billedOutput > 0 && !isPlaceholder(anchor, state);
  const outputTokens = outputBilled
    ? billedOutput
    : Math.max(billedOutput, priceBetween(state, promptCount, covers));
  state.anchors[state.anchors.length - 1] = { ...anchor, outputTokens, outputBilled };
}

function isPlaceholder(anchor: Anchor, state: MeterState): boolean {
  const { billedOutput, reportsThinking } = anchor;
  if (reportsThinking || billedOutput > PLACEHOLDER_TOKENS) return false;
  return billedOutput < PLACEHOLDER_SHARE * priceShown(state, anchor);
}

/** Further usage of the response that was counted last: counts are cumulative, so the larger one holds. */
export function mergeUsage(state: MeterState, usage: Usage): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  state.anchors[state.anchors.length - 1] = {
    ...anchor,
    promptTokens: Math.max(anchor.promptTokens, countOf(promptTokens(usage))),
    billedOutput: Math.max(anchor.billedOutput, countOf(usage.output_tokens)),
    reportsThinking: anchor.reportsThinking || reportsThinking(usage),
  };
  settleReply(state);
}

/** What the newest reply was billed beyond what it shows. */
export function learnFromReply(state: MeterState, usage: Usage): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined || !anchor.outputBilled || anchor.covers === anchor.promptCount) return;
  const replies = state.ledger.records.slice(anchor.promptCount, anchor.covers);
  const hidden = replies.some(({ weighed }) => weighed.reply === 'hidden');
  const shownThinking = replies.reduce((sum, { weighed }) => sum + weighed.shownThinking, 0);
  const surplusTokens = anchor.billedOutput - priceShown(state, anchor);
  const reported = countOf(usage.output_tokens_details?.thinking_tokens);
  const unseen = reported > 0 ? reported - shownThinking : hidden ? surplusTokens : 0;
  learningOf(state).replies.learn({ hidden, surplusTokens, thinkingTokens: unseen });
  state.ledger.billThinking(anchor.covers - 1, shownThinking + Math.max(0, unseen));
}

export const reportsThinking = ({ output_tokens_details: details }: Usage): boolean =>
  countOf(details?.thinking_tokens) > 0;

function priceShown(state: MeterState, { promptCount, covers }: Anchor): number {
  const { shown } = weightBetween(state, promptCount, covers);
  return learningOf(state).calibration.predict(shown);
}

/** A count as a provider gives it; anything that is none is 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
