import { createIsOutdated } from '../check/stale-claims.ts';
import type { Fact } from '../fact.ts';
import type { Ledger } from '../ledger.ts';
import { checkRendering } from '../options.ts';
import { toLine } from './line.ts';
import { createIsNoise } from './noise.ts';
import { createIsPresent } from './presence.ts';
import { createRoot } from './root.ts';
import { type Row, writeSections } from './sections.ts';
import { chooseFacts } from './select.ts';
import { chooseStanding } from './standing.ts';
import { shortRow, staleNote, userRows } from './user-rows.ts';

export interface RenderLedgerOptions {
  /** Tokens that the text may take at most, rules and pins included. */
  readonly budgetTokens: number;
  /** Text that is already there, such as a summary: only what is missing in it is rendered. */
  readonly have?: string;
  /**
   * Ids of messages that stay beside the text: what the assistant said in them, and what only their calls show, is not told
   * again. @default none
   */
  readonly shown?: readonly string[];
  /** What comes first, word for word: a message, a fact, the content of a file. */
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
  /** Facts that stand in the text or stood in `have`, whole. What says nothing, such as that a command ran, is in neither list. */
  readonly kept: readonly Fact[];
  /** Facts that are missing or cut. */
  readonly dropped: readonly Fact[];
}

/**
 * Writes a ledger as dense Markdown within a budget. Pins come first, then rules, the newest of them in up to two thirds of the
 * budget; where there are more, a line says how many and where they are. The person's messages stand word for word while
 * they fit half of the rest, the newest first; of the others head, tail and the id of the message stand. What is left goes to
 * the other facts by importance. Same ledger, same bytes; never more tokens than the budget.
 *
 * @throws RangeError for a budget, or a size that `sizeOf` gives, that is no number from 0 up; TypeError for other options that
 * are not what they have to be.
 */
export function renderLedger(ledger: Ledger, options: RenderLedgerOptions): RenderedLedger {
  const checked = checkRendering(ledger, options);
  const have = ledger.redact(checked.have ?? '');
  return renderFacts(ledger, { ...checked, have }, checked.budgetTokens);
}

/**
 * The same with more room for pins and rules than for the rest, beside a text without secrets. `retold`: the text retells the
 * session already, so that only what the assistant said last and what it found is added.
 */
export function renderFacts(
  ledger: Ledger,
  options: RenderLedgerOptions & { readonly have: string; readonly retold?: boolean },
  standingTokens: number,
): RenderedLedger {
  const { budgetTokens, have, sizeOf, retold = false } = options;
  const beside = new Set(options.shown);
  const pins = (options.pins ?? []).map(ledger.redact);
  const all = ledger.facts();
  const isNoise = createIsNoise(all);
  const facts = all.filter(
    (fact) => !isNoise(fact) && !(SHOWN_BY_CALLS.has(fact.type) && beside.has(fact.messageId)),
  );
  const isPresent = createIsPresent(have, { retold });
  const missing = facts.filter((fact) => !isPresent(fact));
  const rules = missing.filter(({ type }) => type === 'rule');
  const frame = { root: createRoot(facts), originals: options.originals };
  const standing = chooseStanding({
    pins: pins.filter((pin) => !have.includes(pin)),
    rules,
    limit: standingTokens,
    frame,
    sizeOf,
  });
  const standingSize = sizeOf(writeSections(standing, frame));
  const limit = Math.max(budgetTokens, standingSize);
  const chosen = chooseFacts({
    // a message that is one rule stands there already
    users: userRows(missing, shownRules(standing), staleNote(ledger.superseded(), missing)),
    said: missing.filter(({ type }) => type === 'said'),
    retold,
    isOutdated: createIsOutdated(all),
    others: missing.filter(isOther),
    // what is put together of pieces may show what no piece did
    lineOf: (fact) => {
      const line = toLine(fact, frame.root);
      return COMPOSED.has(fact.type) ? ledger.redact(line) : line;
    },
    restTokens: limit - standingSize,
    sizeOf,
  });
  const rows = trimToFit([...standing, ...chosen], { frame, limit, sizeOf });
  return finish({ facts, missing, rows, text: writeSections(rows, frame), sizeOf });
}

/** What a message shows whole that a fact of these types is of. */
const SHOWN_BY_CALLS: ReadonlySet<Fact['type']> = new Set([
  'said',
  'standing',
  'failure',
  'command',
  'file-read',
  'literal',
]);

const COMPOSED: ReadonlySet<Fact['type']> = new Set(['said', 'standing', 'edit', 'failure']);

const isOther = ({ type }: Fact): boolean =>
  type !== 'rule' && type !== 'user-message' && type !== 'said';

const shownRules = (rows: readonly Row[]): readonly Fact[] =>
  rows.flatMap(({ section, fact }) => (section === 'rule' && fact !== undefined ? [fact] : []));

interface Fitting {
  readonly frame: Parameters<typeof writeSections>[1];
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/** The least share of the rows that goes at a time: a few rounds are enough, however many rows there are. */
const STEP = 0.02;

/** Headings and joints count too: takes the least important rows away, or shortens them, until the whole fits. */
function trimToFit(rows: readonly Row[], { frame, limit, sizeOf }: Fitting): Row[] {
  let kept = [...rows];
  for (;;) {
    const tokens = sizeOf(writeSections(kept, frame));
    const loose = kept.filter(({ rank }) => rank < Number.POSITIVE_INFINITY);
    if (tokens <= limit || loose.length === 0) return kept;
    const excess = Math.max(STEP, ((tokens - limit) / Math.max(1, tokens)) * 0.5);
    const count = Math.max(1, Math.floor(loose.length * excess));
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
  const ruled = new Set(shownRules(rows).map(({ value }) => value));
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
