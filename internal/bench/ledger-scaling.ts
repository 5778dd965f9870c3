import { checkSummary, createLedger, type Ledger, renderLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import type { BenchRow } from './bench-row.ts';
import { exponentOf, growthRow, millisecondsOf } from './timing.ts';

const SIZES = [2_000, 4_000, 8_000, 16_000, 32_000];
const ROUNDS = 3;

const sizeOf = (text: string): number => Math.ceil(text.length / 4);

/** Texts that are made of many lines, each of a kind that was read once for each of the others. */
const KINDS: Readonly<Record<string, (at: number) => string>> = {
  rules: (at) => `Never touch dir ${at}.`,
  'one rule': () => 'Never touch the dir.',
  values: (at) => `The limit of part ${at % 500} is ${at}.`,
  quotes: (at) => `The user said "please move part ${at} away".`,
  retold: (at) => `- user: please take part ${at} somewhere else`,
  paths: (at) => `See src/part${at}/index.ts and src/index.ts.`,
  claims: (at) => `All tests pass in part ${at}.`,
};

/** G3: a summary is checked, and a ledger is fed and rendered, in about the time their texts take to read. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [kind, lineOf] of Object.entries(KINDS)) {
    const sizes = SIZES.map((count) => textsOf(count, lineOf));
    for (const [deed, work] of Object.entries(DEEDS)) {
      const times = sizes.map((texts) => best(() => work(texts)));
      rows.push(toRow(`G3 ${deed} ${kind}`, times));
    }
  }
  return rows;
}

const DEEDS: Readonly<Record<string, (texts: Texts) => unknown>> = {
  feed: ({ messages }) => fed(messages),
  render: ({ ledger, summary }) =>
    renderLedger(ledger, { budgetTokens: 20_000, have: summary, sizeOf }),
  check: ({ ledger, summary }) => checkSummary(summary, { ledger, budgetTokens: 20_000, sizeOf }),
};

interface Texts {
  readonly messages: readonly Message[];
  readonly ledger: Ledger;
  readonly summary: string;
}

/** Half of the lines of the summary were said, in one message and in many. */
function textsOf(count: number, lineOf: (at: number) => string): Texts {
  const lines = Array.from({ length: count }, (_, at) => lineOf(at));
  const half = lines.slice(0, count / 2);
  const messages = [
    said('whole', half.join('\n')),
    ...half.map((line, at) => said(`m${at}`, line)),
    ...half.slice(0, 200).flatMap((_, at) => checked(at)),
  ];
  return { messages, ledger: fed(messages), summary: lines.join('\n') };
}

const said = (id: string, text: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
});

function checked(at: number): Message[] {
  const id = `c${at}`;
  const input = { command: `npm test part${at}` };
  const result = { tool_use_id: id, content: 'Tests: 1 failed, 3 passed, 4 total' };
  return [
    {
      id: `${id}-call`,
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Bash', input }],
    },
    { id: `${id}-result`, role: 'user', content: [{ type: 'tool_result', ...result }] },
  ];
}

function fed(messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  return ledger;
}

/** The least of the rounds: a pause of the machine does not decide. */
const best = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      globalThis.gc?.();
      return millisecondsOf(work);
    }),
  );

/** Through all sizes but the first, at which the code is still compiled. */
function toRow(id: string, times: readonly number[]): BenchRow {
  const exponent = exponentOf(
    times.slice(1).map((time, index) => ({ size: SIZES[index + 1] as number, time })),
  );
  const what = `${SIZES[0]} to ${SIZES.at(-1)} lines: exponent of its time`;
  return growthRow(id, { what, times, exponent });
}
