import type { Ledger } from '../ledger.ts';
import { checkRendering, checkSummaryText } from '../options.ts';
import { renderFacts } from '../render/render.ts';
import { removeApprovals } from './approvals.ts';
import type { Finding } from './finding.ts';
import { flagInvented } from './invented.ts';
import { verifyQuotes } from './quotes.ts';
import { markRuleClaims } from './rule-claims.ts';
import { createSpoken } from './spoken.ts';
import { correctClaims } from './stale-claims.ts';
import { correctValues } from './stale-values.ts';

export interface CheckSummaryOptions {
  readonly ledger: Ledger;
  /** Tokens that may be appended to the summary; pins and the newest rules may take 1,000 even where that is more. */
  readonly budgetTokens: number;
  /** What always stands, word for word. */
  readonly pins?: readonly string[];
  /** Text that stays beside the summary: what stands in it is not appended. @default none */
  readonly visible?: string;
  /** Ids of messages that stay beside the summary, see `renderLedger`. @default none */
  readonly shown?: readonly string[];
  /** Where the whole conversation can be read. */
  readonly originals?: string;
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
}

export interface CheckedSummary {
  /** The repaired summary. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

/**
 * Checks a summary against the session that it stands for, and repairs it: quotes of the user that nobody said and approvals that nobody gave are taken out,
 * names that never occurred are marked, superseded values and claims are corrected, and what is missing is appended from the
 * ledger. A sentence that only a tool result holds is no quote of the user.
 *
 * @throws RangeError for a budget, or a size that `sizeOf` gives, that is no number from 0 up; TypeError for other options, or
 * a summary, that are not what they have to be.
 */
export function checkSummary(summary: string, options: CheckSummaryOptions): CheckedSummary {
  checkSummaryText(summary);
  const checked = checkRendering(options?.ledger, options);
  const { ledger, visible: shown = '', ...rendering } = checked;
  const visible = ledger.redact(shown);
  let findings: readonly Finding[] = [];
  const spoken = createSpoken(ledger);
  const given = ledger.redact(summary);
  let text = given;
  for (const repair of REPAIRS) {
    const repaired = repair(text, ledger, spoken);
    text = repaired.text;
    findings = [...findings, ...repaired.findings];
  }
  // what is taken out may leave a name beside a value
  if (text !== given) text = ledger.redact(text);
  const have = `${text}\n${visible}`;
  const standing = Math.max(rendering.budgetTokens, STANDING_TOKENS);
  const missing = renderFacts(ledger, { ...rendering, have, retold: true }, standing);
  if (missing.text === '') return { text, findings };
  const appended = missing.kept.length + missing.dropped.length;
  const detail = `${appended} facts were compared; what the summary lacked was appended`;
  const parts = [text.trimEnd(), HEADING, missing.text].filter((part) => part !== '');
  return { text: parts.join('\n\n'), findings: [...findings, { kind: 'missing-facts', detail }] };
}

const REPAIRS = [
  verifyQuotes,
  removeApprovals,
  markRuleClaims,
  correctValues,
  correctClaims,
  flagInvented,
];

/** Pins and rules have this much room, whatever the budget is. */
const STANDING_TOKENS = 1_000;

const HEADING = '# From the record of the session';
