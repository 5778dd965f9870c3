import {
  checkOptions,
  type Expectation,
  expected,
  isRecord,
  number,
  required,
} from '@varve/guards';
import { TOOL_KINDS } from '@varve/messages/tools';
import type { Ledger, LedgerOptions } from './ledger.ts';

type SizeOf = (text: string) => number;

const LEDGER: readonly (keyof Ledger)[] = [
  'observe',
  'catchUp',
  'add',
  'facts',
  'superseded',
  'words',
  'approvals',
  'refusals',
  'mentions',
  'redact',
];

/** True for what `createLedger` makes, also of another copy of this package. */
export const isLedger = (value: unknown): value is Ledger =>
  isRecord(value) && LEDGER.every((name) => typeof value[name] === 'function');

const A_LEDGER: Expectation = { what: 'a ledger, as `createLedger` makes it', fits: isLedger };

const TOKENS = number({ min: 0 });

/** Refuses options of a ledger that would be ignored or taken for others. */
export function checkLedgerOptions(options: LedgerOptions): void {
  checkOptions<LedgerOptions>(options, { tools: 'an object', redact: 'true or false' });
  const { tools = {} } = options;
  const kinds = Object.fromEntries(Object.keys(tools).map((name) => [name, A_KIND]));
  checkOptions(tools, kinds, 'tools');
}

const A_KIND = TOOL_KINDS;

/** What an option of rendering, checking or notes has to be, by its name. */
const RENDERING = {
  budgetTokens: required(TOKENS),
  sizeOf: required('a function'),
  pins: 'a list of texts',
  shown: 'a list of texts',
  have: 'a text',
  visible: 'a text',
  originals: 'a text',
} as const;

interface Rendering {
  readonly budgetTokens: number;
  readonly sizeOf: SizeOf;
}

/** Refuses a budget that nothing can be compared with, and gives the same options with a `sizeOf` that refuses such sizes. */
export function checkRendering<Options extends Rendering>(
  ledger: unknown,
  options: Options,
): Options {
  checkOptions(options, RENDERING);
  checkLedger(ledger);
  // shares of no bound are none
  const budgetTokens = Math.min(options.budgetTokens, Number.MAX_SAFE_INTEGER);
  return { ...options, budgetTokens, sizeOf: checkedSize(options.sizeOf) };
}

export function checkLedger(ledger: unknown): void {
  checkOptions({ ledger }, { ledger: required(A_LEDGER) });
}

/** The text itself, which has to be one. */
export function checkSummaryText(summary: unknown): void {
  checkOptions({ summary }, { summary: required('a text') });
}

interface NotesOptions {
  readonly sections: unknown;
  readonly sizeOf: SizeOf;
  readonly sectionTokens?: number | undefined;
}

export function checkNotesOptions(options: NotesOptions): void {
  checkOptions<NotesOptions>(options, {
    sections: required(SECTIONS),
    sizeOf: required('a function'),
    sectionTokens: TOKENS,
  });
}

const SECTIONS: Expectation = {
  what: 'a list of sections `{ heading, guidance }`',
  fits: (value) =>
    Array.isArray(value) &&
    value.every((place) => isRecord(place) && typeof place.heading === 'string'),
};

/** A size that is none, such as a promise of one, would be compared with the budget without end. */
function checkedSize(sizeOf: SizeOf): SizeOf {
  return (text) => {
    const size: unknown = sizeOf(text);
    if (!TOKENS.fits(size)) throw expected('sizeOf()', TOKENS, size);
    return Number(size);
  };
}
