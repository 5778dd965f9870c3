import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import { toLine } from './line.ts';
import { isPresent } from './presence.ts';
import { createRoot } from './root.ts';
import { type Row, writeSections } from './sections.ts';
import { chooseFacts } from './select.ts';
import { shortRow, staleNote, userRows } from './user-rows.ts';

export interface RenderLedgerOptions {
  /** Tokens that the text may take. Rules and pins always stand, even where they alone are more. */
  readonly budgetTokens: number;
  /** Text that is already there, such as a summary: only what is missing in it is rendered. */
  readonly have?: string;
  /** What always stands, word for word: a message, a fact, the content of a file. */
  readonly pins?: readonly string[];
  /** Where the whole conversation can be read, in the caller's words; shown where something is cut. */
  readonly originals?: string;
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
}

export interface RenderedLedger {
  /** Markdown; empty where nothing is missing. */
  readonly text: string;
  readonly tokens: number;
  /** Facts that stand in the text or stood in `have`, whole. */
  readonly kept: readonly Fact[];
  /** Facts that are missing or cut. */
  readonly dropped: readonly Fact[];
}

/**
 * Writes a ledger as dense Markdown within a budget. Rules and pins come first and always. The person's messages stand word
 * for word while they fit half of the budget, the newest first; of the others head, tail and the id of the message stand.
 * The rest goes to the other facts by importance. Same ledger, same bytes. Longer than the budget it gets by rules and pins
 * only.
 */
export function renderLedger(ledger: Ledger, options: RenderLedgerOptions): RenderedLedger {
  const { budgetTokens, have = '', pins = [], sizeOf } = options;
  const facts = ledger.facts();
  const missing = facts.filter((fact) => !isPresent(fact, have));
  const rules = missing.filter(({ type }) => type === 'rule');
  const fixed = [
    ...pins.filter((pin) => !have.includes(pin)).map((text) => pinRow(text)),
    ...rules.map((fact) => toRow(fact, `- ${fact.value}`)),
  ];
  const frame = { root: createRoot(facts), originals: options.originals };
  const fixedText = writeSections(fixed, frame);
  const limit = Math.max(budgetTokens, sizeOf(fixedText));
  const rest = limit - sizeOf(fixedText);
  const chosen = chooseFacts({
    // a message that is one rule stands there already
    users: userRows(missing, rules, staleNote(ledger.superseded())),
    others: missing.filter(isOther).map((fact) => toRow(fact, toLine(fact, frame.root))),
    restTokens: rest,
    sizeOf,
  });
  const rows = trimToFit([...fixed, ...chosen], { frame, limit, sizeOf });
  return finish({ facts, missing, rows, text: writeSections(rows, frame), sizeOf });
}

const isOther = ({ type }: Fact): boolean => type !== 'rule' && type !== 'user-message';

function pinRow(text: string): Row {
  return { section: 'pin', text, whole: true, rank: Number.POSITIVE_INFINITY, position: -1 };
}

function toRow(fact: Fact, text: string): Row {
  const rank = fact.type === 'rule' ? Number.POSITIVE_INFINITY : 0;
  return { section: fact.type, text, whole: true, rank, position: fact.position, fact };
}

interface Fitting {
  readonly frame: Parameters<typeof writeSections>[1];
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/** Headings and joints count too: takes the least important rows away, or shortens them, until the whole fits. */
function trimToFit(rows: readonly Row[], { frame, limit, sizeOf }: Fitting): Row[] {
  let kept = [...rows];
  for (;;) {
    const tokens = sizeOf(writeSections(kept, frame));
    const loose = kept.filter(({ rank }) => rank < Number.POSITIVE_INFINITY);
    if (tokens <= limit || loose.length === 0) return kept;
    const excess = (tokens - limit) / Math.max(1, tokens);
    const count = Math.max(1, Math.floor(loose.length * excess * 0.5));
    const least = loose.toSorted((left, right) => left.rank - right.rank).slice(0, count);
    const going = new Set(least);
    kept = kept.flatMap((row) => (going.has(row) ? shortRow(row) : [row]));
  }
}

interface Finished {
  readonly facts: readonly Fact[];
  readonly missing: readonly Fact[];
  readonly rows: readonly Row[];
  readonly text: string;
  readonly sizeOf: (text: string) => number;
}

function finish({ facts, missing, rows, text, sizeOf }: Finished): RenderedLedger {
  const shown = new Set(rows.filter(({ whole }) => whole).map(({ fact }) => fact));
  const ruled = new Set(
    rows.filter(({ section }) => section === 'rule').map(({ fact }) => fact?.value),
  );
  const lacking = new Set(
    missing.filter(
      (fact) => !shown.has(fact) && !(fact.type === 'user-message' && ruled.has(fact.value)),
    ),
  );
  return {
    text,
    tokens: text === '' ? 0 : sizeOf(text),
    kept: facts.filter((fact) => !lacking.has(fact)),
    dropped: facts.filter((fact) => lacking.has(fact)),
  };
}
