import { promptTokens, type Usage } from '@varve/messages';
import { type Anchor, NO_OUTPUT } from './meter-anchor.ts';
import {
  expectedTokens,
  learningOf,
  type MeterState,
  priceBetween,
  weightBetween,
} from './meter-state.ts';
import { isPlausible } from './usage-check.ts';

/** Why a usage did not become the base of the size. */
export type IgnoredUsage = {
  readonly kind: 'ignored';
  /**
   * `synthetic-reply`: no model wrote it. `no-prompt`: it counts no prompt. `implausible`: far from what was expected;
   * held back until the next report confirms it.
   */
  readonly reason: 'synthetic-reply' | 'no-prompt' | 'implausible';
  readonly billedTokens: number;
  readonly expectedTokens: number;
};

export type AnchorResult = { readonly kind: 'anchored' } | IgnoredUsage;

/** Where in the request a bill stands. */
export interface UsagePlace {
  readonly responseId: string | undefined;
  /** How many messages the request carried. */
  readonly promptCount: number;
  /** The same and the reply, as far as it was added. */
  readonly covers: number;
}

/** An output count below this share of what the reply shows is a placeholder from the start of a stream. */
const PLACEHOLDER_SHARE = 0.5;

/** Takes a bill as the base of the size, unless it cannot be believed, and learns from it. */
export function acceptUsage(
  state: MeterState,
  usage: Usage,
  { learns = true, ...place }: UsagePlace & { readonly learns?: boolean },
): AnchorResult {
  const billedTokens = promptTokens(usage);
  const { promptCount } = place;
  const expected = expectedTokens(state, promptCount);
  const result = { billedTokens, expectedTokens: Math.round(expected) };
  if (!(billedTokens > 0)) return { kind: 'ignored', reason: 'no-prompt', ...result };
  const base = lastBilled(state, promptCount);
  if (!believes(state, { billedTokens, expected: base && expected, promptCount })) {
    state.suspect = { promptTokens: billedTokens, promptCount };
    return { kind: 'ignored', reason: 'implausible', ...result };
  }
  if (base && learns) learnFromPrompt(state, base, { promptCount, billedTokens });
  if (state.anchors.length === 0) {
    state.constant = { promptTokens: billedTokens, weight: state.ledger.sum(promptCount) };
  }
  while (state.anchors.at(-1)?.kind === 'inferred') state.anchors.pop();
  const billedOutput = countOf(usage.output_tokens);
  const prompt = { promptTokens: billedTokens, ...place };
  state.anchors.push({ kind: 'billed', ...prompt, ...NO_OUTPUT, billedOutput });
  settleReply(state);
  if (learns) learnFromReply(state, usage);
  state.suspect = undefined;
  state.removedTokens = 0;
  return { kind: 'anchored' };
}

/** Puts the reply of the newest bill in, as far as it was added: billed where the count is a real one, else estimated. */
export function settleReply(state: MeterState): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  const { billedOutput, promptCount, covers } = anchor;
  const outputBilled =
    billedOutput > 0 && billedOutput >= PLACEHOLDER_SHARE * priceShown(state, anchor);
  const outputTokens = outputBilled
    ? billedOutput
    : Math.max(billedOutput, priceBetween(state, promptCount, covers));
  state.anchors[state.anchors.length - 1] = { ...anchor, outputTokens, outputBilled };
}

/** Further usage of the response that was counted last: counts are cumulative, so the larger one holds. */
export function mergeUsage(state: MeterState, usage: Usage): void {
  const anchor = state.anchors.at(-1);
  if (anchor === undefined) return;
  state.anchors[state.anchors.length - 1] = {
    ...anchor,
    promptTokens: Math.max(anchor.promptTokens, countOf(promptTokens(usage))),
    billedOutput: Math.max(anchor.billedOutput, countOf(usage.output_tokens)),
  };
  settleReply(state);
}

function lastBilled(state: MeterState, promptCount: number): Anchor | undefined {
  const last = state.anchors.at(-1);
  return last?.kind === 'billed' && last.covers <= promptCount ? last : undefined;
}

interface Belief {
  readonly billedTokens: number;
  readonly expected: number | undefined;
  readonly promptCount: number;
}

function believes(state: MeterState, { billedTokens, expected, promptCount }: Belief): boolean {
  const { suspect, windowTokens } = state;
  const carried = suspect && priceBetween(state, suspect.promptCount, promptCount);
  return isPlausible({
    billedTokens,
    expectedTokens: expected,
    suspectTokens: suspect && suspect.promptTokens + (carried ?? 0),
    windowTokens,
  });
}

/** Two bills in a row say what everything between them was billed. */
function learnFromPrompt(
  state: MeterState,
  base: Anchor,
  { promptCount, billedTokens }: { promptCount: number; billedTokens: number },
): void {
  const from = base.outputBilled ? base.covers : base.promptCount;
  const weight = weightBetween(state, from, promptCount);
  const unbilled = weight.shownReplies + 2 * weight.hiddenReplies;
  if (unbilled > (base.outputBilled ? 0 : 1)) return;
  const known = base.promptTokens + (base.outputBilled ? base.outputTokens : 0);
  learningOf(state).calibration.learn({
    estimate: weight.shown,
    billedTokens: billedTokens - known + weight.droppedTokens,
  });
}

function priceShown(state: MeterState, { promptCount, covers }: Anchor): number {
  const { shown } = weightBetween(state, promptCount, covers);
  return learningOf(state).calibration.predict(shown);
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

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
