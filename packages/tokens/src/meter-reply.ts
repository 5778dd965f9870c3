import { listOf } from '@varve/guards';
import type { Usage } from '@varve/messages';
import type { Anchor } from './meter-anchor.ts';
import { learningOf, type MeterState, priceBetween, weightBetween } from './meter-state.ts';

/**
 * A placeholder from the start of a stream is a few tokens (at most 64 in 1,300 of them in recorded sessions), and below this
 * share of what the reply shows. A larger count is a bill, however dense its reply and whatever an estimate says.
 */
const PLACEHOLDER_TOKENS = 64;
const PLACEHOLDER_SHARE = 0.5;

/**
 * No vocabulary makes more tokens than this of what is estimated as one, and a reply of text and calls holds at most so many
 * that cannot be read: a larger count is a sum, or of thinking that does not go back.
 */
const MOST_PER_SHOWN = 2.5;
const MOST_UNSHOWN_TOKENS = 1_000;

/** An output that cannot be what the reply is, and what stands for it. */
export interface OutputDoubt {
  readonly billedTokens: number;
  readonly expectedTokens: number;
}

/**
 * Puts the reply of the newest bill in, as far as it was added: what of it goes back, where the count is a real one, else
 * an estimate.
 */
export function settleReply(state: MeterState): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  const { billedOutput, promptCount, covers } = anchor;
  const isBill = billedOutput > 0 && !isPlaceholder(anchor, state);
  const outputBilled = isBill && isPossible(anchor, state);
  const estimate = priceBetween(state, promptCount, covers);
  const outputTokens = outputBilled
    ? sentBack(anchor, state)
    : isBill
      ? estimate
      : Math.max(billedOutput, estimate);
  state.anchors[state.anchors.length - 1] = { ...anchor, outputTokens, outputBilled };
}

/** What of the newest bill's output cannot be; undefined where it can. */
export function doubtOf(state: MeterState): OutputDoubt | undefined {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined || isPossible(anchor, state)) return undefined;
  return {
    billedTokens: anchor.billedOutput,
    expectedTokens: Math.round(anchor.outputTokens),
  };
}

/** Thinking may be as long as the model can reply; all else can be read. Of a reply that is not there yet nothing can. */
function isPossible(anchor: Anchor, state: MeterState): boolean {
  const { billedOutput, billedThinking, promptCount, covers } = anchor;
  const readable = MOST_PER_SHOWN * priceShown(state, anchor) + MOST_UNSHOWN_TOKENS;
  if (billedOutput > Math.max(readable, state.model.maxOutputTokens ?? state.windowTokens)) {
    return false;
  }
  if (covers === promptCount) return true;
  const hides = isOpaque(anchor, state);
  const said = hides ? billedOutput - billedThinking : sentBack(anchor, state);
  return (hides && billedThinking === 0) || said <= readable;
}

/** Thinking that was billed, of which the reply holds no block, does not stand in the next prompt. */
function sentBack(anchor: Anchor, state: MeterState): number {
  const { billedOutput, billedThinking, promptCount, covers } = anchor;
  if (billedThinking === 0 || covers === promptCount || isOpaque(anchor, state)) {
    return billedOutput;
  }
  // some count the thinking beside the output: then all of it was said
  const rest = Math.max(0, billedOutput - billedThinking);
  const shown = priceShown(state, anchor);
  return Math.abs(rest - shown) < Math.abs(billedOutput - shown) ? rest : billedOutput;
}

const repliesOf = ({ ledger }: MeterState, { promptCount, covers }: Anchor) =>
  ledger.records.slice(promptCount, covers);

const isOpaque = (anchor: Anchor, state: MeterState): boolean =>
  repliesOf(state, anchor).some(({ weighed }) => weighed.isOpaque);

function isPlaceholder(anchor: Anchor, state: MeterState): boolean {
  const { billedOutput, billedThinking } = anchor;
  if (billedThinking > 0 || billedOutput > PLACEHOLDER_TOKENS) return false;
  return billedOutput < PLACEHOLDER_SHARE * priceShown(state, anchor);
}

/** Further usage of the response that was counted last: counts are cumulative, so the larger one holds. */
export function mergeUsage(state: MeterState, usage: Usage): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  state.anchors[state.anchors.length - 1] = {
    ...anchor,
    promptTokens: Math.max(anchor.promptTokens, promptOf(usage)),
    billedOutput: Math.max(anchor.billedOutput, countOf(usage.output_tokens)),
    billedThinking: Math.max(anchor.billedThinking, thinkingOf(usage)),
  };
  settleReply(state);
}

/** What the newest reply was billed beyond what it shows. */
export function learnFromReply(state: MeterState): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined || !anchor.outputBilled || anchor.covers === anchor.promptCount) return;
  const replies = repliesOf(state, anchor);
  const hidden = replies.some(({ weighed }) => weighed.reply === 'hidden');
  const shownThinking = replies.reduce((sum, { weighed }) => sum + weighed.shownThinking, 0);
  const surplusTokens = anchor.outputTokens - priceShown(state, anchor);
  const reported = isOpaque(anchor, state) ? anchor.billedThinking : 0;
  const unseen = reported > 0 ? reported - shownThinking : hidden ? surplusTokens : 0;
  learningOf(state).replies.learn({ hidden, surplusTokens, thinkingTokens: unseen });
  state.ledger.billThinking(anchor.covers - 1, shownThinking + Math.max(0, unseen));
}

function priceShown(state: MeterState, { promptCount, covers }: Anchor): number {
  const { shown } = weightBetween(state, promptCount, covers);
  return learningOf(state).calibration.predict(shown);
}

/** Thinking that a bill reports, in tokens: never more than its output. */
export const thinkingOf = ({ output_tokens, output_tokens_details: details }: Usage): number =>
  Math.min(countOf(output_tokens), countOf(details?.thinking_tokens));

/** The whole prompt, in tokens; 0 where one of its counts is none, or was, because the others are a part of it. */
export function promptOf(usage: Usage): number {
  if (listOf(usage.inconsistent).includes('prompt-count')) return 0;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const parts = [input_tokens, cache_creation_input_tokens ?? 0, cache_read_input_tokens ?? 0];
  const isKnown = parts.every((part) => Number.isFinite(part) && part >= 0);
  return isKnown ? parts.reduce((sum, part) => sum + part, 0) : 0;
}

/** A count as a provider gives it; anything that is none is 0. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
