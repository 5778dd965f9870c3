import type { Usage } from '@varve/messages';
import { type Anchor, NO_OUTPUT } from './meter-anchor.ts';
import {
  countOf,
  doubtOf,
  learnFromReply,
  type OutputDoubt,
  promptOf,
  settleReply,
  thinkingOf,
} from './meter-reply.ts';
import {
  estimateBetween,
  estimateOf,
  expectedTokens,
  learningOf,
  type MeterState,
  priceBetween,
  unseenOfReply,
  visibleBetween,
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

/** `doubtedOutput`: the prompt is the base of the size, but the reply cannot be as large as it says; an estimate stands for it. */
export type AnchorResult =
  | { readonly kind: 'anchored'; readonly doubtedOutput?: OutputDoubt }
  | IgnoredUsage;

/** Where in the request a bill stands. */
export interface UsagePlace {
  readonly responseId: string | undefined;
  /** How many messages the request carried. */
  readonly promptCount: number;
  /** The same and the reply, as far as it was added. */
  readonly covers: number;
}

/** Takes a bill as the base of the size, unless it cannot be believed, and learns from it. */
export function acceptUsage(
  state: MeterState,
  usage: Usage,
  place: UsagePlace & { readonly learns?: boolean },
): AnchorResult {
  const { promptCount } = place;
  const billedTokens = promptOf(usage);
  const expected = expectedTokens(state, promptCount);
  const figures = { billedTokens, expectedTokens: Math.round(expected) };
  if (!(billedTokens > 0)) return { kind: 'ignored', reason: 'no-prompt', ...figures };
  const base = lastBilled(state, promptCount);
  if (!believes(state, { billedTokens, expected, promptCount, isFirst: base === undefined })) {
    state.suspect = { promptTokens: billedTokens, promptCount };
    return { kind: 'ignored', reason: 'implausible', ...figures };
  }
  const { learns = true } = place;
  if (base && learns) learnFromPrompt(state, base, { promptCount, billedTokens });
  pushAnchor(state, usage, place);
  if (learns) learnFromReply(state);
  return anchored(state);
}

/** The newest bill is believed; what of it is not. */
export function anchored(state: MeterState): AnchorResult {
  const doubtedOutput = doubtOf(state);
  return doubtedOutput === undefined ? { kind: 'anchored' } : { kind: 'anchored', doubtedOutput };
}

function pushAnchor(state: MeterState, usage: Usage, place: UsagePlace): void {
  const { anchors, ledger } = state;
  const { responseId, promptCount, covers } = place;
  const prompt = promptOf(usage);
  // a bill that was doubted and confirmed says anew what no message shows
  if (anchors.length === 0 || (state.suspect && state.head === undefined)) {
    state.constant = { promptTokens: prompt, weight: ledger.sum(promptCount) };
  }
  while (anchors.at(-1)?.kind === 'inferred') anchors.pop();
  anchors.push({
    kind: 'billed',
    responseId,
    promptCount,
    promptTokens: prompt,
    covers,
    ...NO_OUTPUT,
    billedOutput: countOf(usage.output_tokens),
    billedThinking: thinkingOf(usage),
  });
  state.suspect = undefined;
  state.removedTokens = 0;
  settleReply(state);
}

function lastBilled(state: MeterState, promptCount: number): Anchor | undefined {
  const last = state.anchors.at(-1);
  return last?.kind === 'billed' && last.covers <= promptCount ? last : undefined;
}

interface Belief {
  readonly billedTokens: number;
  readonly expected: number;
  readonly promptCount: number;
  readonly isFirst: boolean;
}

function believes(state: MeterState, belief: Belief): boolean {
  const { billedTokens, expected, promptCount, isFirst } = belief;
  const { suspect, windowTokens, anchors, constant, head } = state;
  const knowsHead = anchors.length > 0 || constant !== undefined || head !== undefined;
  const shown = estimateBetween(state, 0, promptCount) - state.removedTokens;
  const headTokens = head && state.estimator.head(head);
  // what earlier bills say of replies may be wrong: it makes no later one too low
  const visible = Math.max(0, Math.min(shown, visibleBetween(state, 0, promptCount)));
  return isPlausible({
    billedTokens,
    expectedTokens: knowsHead ? expected : undefined,
    unseenReplyTokens: unseenOfReply(state, promptCount),
    estimatedTokens: headTokens === undefined ? undefined : headTokens + shown,
    unseenTokens: constant && constant.promptTokens - estimateOf(state, constant.weight),
    shownTokens: (headTokens ?? 0) + visible,
    suspect: suspect && {
      promptTokens: suspect.promptTokens,
      sinceTokens: priceBetween(state, suspect.promptCount, promptCount),
    },
    mostTokens: isFirst ? windowTokens : Number.POSITIVE_INFINITY,
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
