/** Below this difference nothing is implausible: tools or instructions may have been added unseen. */
const SLACK_TOKENS = 30_000;
/** Nor below this share of what was expected. */
const SLACK_SHARE = 0.5;

export interface UsageCheck {
  readonly billedTokens: number;
  /** From an earlier bill and an estimate of what came since; undefined where there is no earlier bill. */
  readonly expectedTokens: number | undefined;
  /** An earlier report nobody believed, carried on by what came since: two that agree are believed. */
  readonly suspectTokens: number | undefined;
  readonly windowTokens: number;
}

/**
 * Whether a billed prompt size can be acted on. A size far from the last one plus what was added since, or above the
 * window, is held back until the next report confirms it.
 */
export function isPlausible(check: UsageCheck): boolean {
  const { billedTokens, expectedTokens, suspectTokens, windowTokens } = check;
  if (suspectTokens !== undefined && isNear(billedTokens, suspectTokens)) return true;
  if (expectedTokens === undefined) return billedTokens <= windowTokens;
  return isNear(billedTokens, expectedTokens);
}

function isNear(billed: number, expected: number): boolean {
  return Math.abs(billed - expected) <= Math.max(SLACK_TOKENS, SLACK_SHARE * expected);
}
