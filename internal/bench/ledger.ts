import { checkSummary, createLedger, type Ledger, renderLedger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { type BenchRow, toRow } from './bench-row.ts';
import { BENCH_SIZES, createBenchSession, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 25;
/** What a summary may take (FEATURES.md C4). */
const BUDGET_TOKENS = 20_000;

/** G1 and G3 of the ledger: upkeep a turn is flat in the history, rendering, once a compaction, costs less than writing the history out. */
export async function run(): Promise<BenchRow[]> {
  const yardstick = median(() => {
    const messages = messagesOf(BENCH_SIZES['1M']);
    return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
  });
  const small = median(() => turnCost(BENCH_SIZES['10K']));
  const large = median(() => turnCost(BENCH_SIZES['1M']));
  const ledger = ledgerOf(messagesOf(BENCH_SIZES['1M']));
  const { text: sizeOf } = createEstimator({ family: 'claude-new' });
  const render = median(() =>
    millisecondsOf(() => renderLedger(ledger, { budgetTokens: BUDGET_TOKENS, sizeOf })),
  );
  const summary = renderLedger(ledger, { budgetTokens: BUDGET_TOKENS / 2, sizeOf }).text;
  const check = median(() =>
    millisecondsOf(() => checkSummary(summary, { ledger, budgetTokens: BUDGET_TOKENS, sizeOf })),
  );
  return [
    toRow('G1 ledger 1M', {
      what: 'a turn taken in at 1M tokens against 10K',
      ours: large,
      peer: small,
      limit: 1.5,
    }),
    toRow('G1 ledger', {
      what: 'a turn taken in at 1M tokens, against S',
      ours: large,
      peer: yardstick,
      limit: 0.02,
      times: 'S',
    }),
    toRow('G3 ledger render', {
      what: 'the facts of 1M tokens rendered in 20,000 tokens, against S',
      ours: render,
      peer: yardstick,
      limit: 1,
      times: 'S',
    }),
    toRow('G3 ledger check', {
      what: 'a summary of 10,000 tokens checked and repaired, against S',
      ours: check,
      peer: yardstick,
      limit: Number.POSITIVE_INFINITY,
      times: 'S',
    }),
  ];
}

const median = (measure: () => number): number => medianOf(Array.from({ length: ROUNDS }, measure));

const messagesOf = (turns: number): readonly Message[] =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT }).messages;

function ledgerOf(messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  return ledger;
}

/** Milliseconds that one of the last turns of a session takes, its call and its result. */
function turnCost(turns: number): number {
  const messages = messagesOf(turns + LAST_TURNS);
  const before = messages.length - 2 * LAST_TURNS;
  const ledger = ledgerOf(messages.slice(0, before));
  const costs = Array.from({ length: LAST_TURNS }, (_, turn) => {
    const [call, result] = messages.slice(before + 2 * turn, before + 2 * turn + 2);
    return millisecondsOf(() => {
      ledger.add(call as Message);
      ledger.add(result as Message);
    });
  });
  return medianOf(costs);
}
