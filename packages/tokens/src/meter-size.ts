import { type Anchor, anchoredTokens } from './meter-anchor.ts';
import { constantTokens, type MeterState, priceBetween } from './meter-state.ts';

/** How large the next request is. */
export interface ContextSize {
  /** Prompt tokens: what was billed, and an estimate of what came since. */
  readonly tokens: number;
  /** A bill stands behind the size: nothing it measured has changed since. */
  readonly anchored: boolean;
  /**
   * What the estimate stands on. `usage`: the newest bill that holds. `edited-usage`: a bill, less an estimate of what an
   * edit took away. `learned-constant`: what earlier bills say no message shows. `estimate`: nothing was billed yet.
   */
  readonly basis: 'usage' | 'edited-usage' | 'learned-constant' | 'estimate';
  /** The estimated part of `tokens`. */
  readonly estimatedTokens: number;
  /** `high`: billed but for a twentieth. `medium`: a bill with a larger estimate on top. `low`: no bill behind it. */
  readonly confidence: 'high' | 'medium' | 'low';
  /** Present while a report far from everything known waits for the next one to confirm it. */
  readonly unconfirmedTokens?: number;
}

export function sizeOf(state: MeterState): ContextSize {
  const anchor = state.anchors.at(-1);
  const count = state.ledger.records.length;
  const since = priceBetween(state, anchor?.covers ?? 0, count);
  const known = anchor ? anchoredTokens(anchor) : constantTokens(state);
  const tokens = Math.max(0, Math.ceil(known + since - state.removedTokens));
  const isBilled = anchor?.kind === 'billed';
  const estimatedTokens = isBilled ? estimatedBeside(anchor, since, state.removedTokens) : tokens;
  const { suspect } = state;
  return {
    tokens,
    anchored: isBilled,
    basis: basisOf(state, anchor),
    estimatedTokens,
    confidence: isBilled
      ? estimatedTokens <= tokens / 20
        ? 'high'
        : 'medium'
      : anchor
        ? 'medium'
        : 'low',
    ...(suspect === undefined ? {} : { unconfirmedTokens: suspect.promptTokens }),
  };
}

function estimatedBeside(anchor: Anchor, since: number, removed: number): number {
  const reply = anchor.outputBilled ? 0 : anchor.outputTokens;
  return Math.ceil(Math.abs(since) + reply + removed);
}

function basisOf({ constant }: MeterState, anchor: Anchor | undefined): ContextSize['basis'] {
  if (anchor) return anchor.kind === 'billed' ? 'usage' : 'edited-usage';
  return constant ? 'learned-constant' : 'estimate';
}
