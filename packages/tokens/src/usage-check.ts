/** Below this difference nothing is implausible: tools or instructions may have been added unseen. */
const SLACK_TOKENS = 30_000;
/** Nor below this share of what was expected. */
const SLACK_SHARE = 0.5;
/** A report confirms a doubted one where it is as far above it as what came since; a sum grows by whole prompts. */
const CONFIRMED_TOKENS = 5_000;
/** The same for one above all that may be believed at once: a sum of small prompts grows by a few thousand too. */
const CONFIRMED_ABOVE_TOKENS = 1_000;
/** No vocabulary makes more tokens than this of what is estimated as one: the largest factor of calibration. */
const MOST_PER_ESTIMATE = 2.5;
/** Nor less: a bill below this share of what the messages show leaves a part out, as a gateway does that drops what was cached. */
const LEAST_PER_ESTIMATE = 0.4;
/** Below this difference a bill is not too low, in tokens. */
const LOW_SLACK_TOKENS = 1_000;

/** A bill fits what can be read of a prompt where it is no further from that than this share of it, or this many tokens. */
const FIT_SHARE = 0.25;
const FIT_TOKENS = 1_000;

export interface UsageCheck {
  readonly billedTokens: number;
  /**
   * From an earlier bill and an estimate of what came since; without one, an estimate of everything. Undefined where system
   * prompt and tools were never shown: then there is nothing to measure against.
   */
  readonly expectedTokens: number | undefined;
  /** What of the expected was billed for the newest reply and cannot be read in it. */
  readonly unseenReplyTokens: number;
  /** Everything the request carried, estimated without what earlier reports taught of vocabularies; undefined where that leaves out what was never shown. */
  readonly estimatedTokens: number | undefined;
  /** What an earlier bill had beside its messages, where nobody showed system prompt and tools; undefined without one. */
  readonly unseenTokens: number | undefined;
  /** What the messages show at least, by the same measure, system prompt and tools aside where nobody showed them. */
  readonly shownTokens: number;
  /** An earlier report that was doubted, and an estimate of what came since: two that agree are believed. */
  readonly suspect: { readonly promptTokens: number; readonly sinceTokens: number } | undefined;
  /** No report above it is believed at once. */
  readonly mostTokens: number;
}

/**
 * Whether a billed prompt size can be acted on. A size far from what was expected (a proxy that reports a sum, or only what
 * was not cached), or above the window, is held back until the next report confirms it. One that is far below what the messages
 * show is never believed: every report of such a gateway is. One that fits what can be read of the whole prompt is believed
 * whatever was expected: that stands on earlier reports, and one of them may have been wrong.
 */
export function isPlausible(check: UsageCheck): boolean {
  const { billedTokens, expectedTokens, unseenReplyTokens, shownTokens, suspect } = check;
  if (billedTokens < LEAST_PER_ESTIMATE * shownTokens - LOW_SLACK_TOKENS) return false;
  const isAbove = billedTokens > mostAtOnce(check);
  const slackTokens = isAbove ? CONFIRMED_ABOVE_TOKENS : CONFIRMED_TOKENS;
  if (suspect && confirms(billedTokens, suspect, slackTokens)) return true;
  if (isAbove) return false;
  if (expectedTokens === undefined || fitsShown(check)) return true;
  return (
    isNear(billedTokens, expectedTokens) ||
    (billedTokens < expectedTokens && isNear(billedTokens, expectedTokens - unseenReplyTokens))
  );
}

const isNear = (billedTokens: number, expectedTokens: number): boolean =>
  Math.abs(billedTokens - expectedTokens) <= Math.max(SLACK_TOKENS, SLACK_SHARE * expectedTokens);

function fitsShown({
  billedTokens,
  estimatedTokens,
  unseenTokens,
  shownTokens,
}: UsageCheck): boolean {
  if (estimatedTokens === undefined && unseenTokens === undefined) return false;
  const visible =
    estimatedTokens === undefined ? Math.max(0, unseenTokens ?? 0) + shownTokens : shownTokens;
  return Math.abs(billedTokens - visible) <= Math.max(FIT_TOKENS, FIT_SHARE * visible);
}

function mostAtOnce({
  estimatedTokens,
  unseenTokens = Number.POSITIVE_INFINITY,
  shownTokens,
  mostTokens,
}: UsageCheck): number {
  const all =
    estimatedTokens === undefined
      ? unseenTokens + Math.max(shownTokens, MOST_PER_ESTIMATE * shownTokens)
      : MOST_PER_ESTIMATE * estimatedTokens;
  return Math.min(mostTokens, all + SLACK_TOKENS);
}

function confirms(
  billedTokens: number,
  { promptTokens, sinceTokens }: NonNullable<UsageCheck['suspect']>,
  slackTokens: number,
): boolean {
  const slack = Math.max(slackTokens, SLACK_SHARE * Math.abs(sinceTokens));
  return Math.abs(billedTokens - promptTokens - sinceTokens) <= slack;
}
