import { createLedger, type Ledger } from '@varve/ledger';
import type { Message } from '@varve/messages';
import { recallAt } from '../demand/hindsight-recall.ts';
import type { SessionPlan } from '../replay/session-plan.ts';
import type { Compacted, Compactor } from './compactor.ts';
import { randomMessages } from './compactors/keep-some.ts';
import { oracleMessages } from './compactors/oracle.ts';
import type { FidelityRow } from './fidelity-schema.ts';
import { look } from './look.ts';
import { type Moment, momentsAt } from './moments.ts';
import type { RecordedCompaction } from './recorded-compactions.ts';

export interface MeasureOptions {
  readonly compactors: readonly Compactor[];
  readonly names: { readonly session: string; readonly project: number };
}

export interface CutOptions extends MeasureOptions {
  /** Shares of the tokens before the cut. */
  readonly budgets: readonly number[];
}

/** Compacts a session at each of its cuts by each compactor to each budget, and looks at what is left. */
export async function measureCuts(
  plan: SessionPlan,
  { compactors, budgets, names }: CutOptions,
): Promise<readonly FidelityRow[]> {
  const rows: FidelityRow[] = [];
  const ledger = createGrowingLedger();
  for (const moment of momentsAt(plan.cuts, plan.recording)) {
    const cut = moment.place;
    const oracle = oracleMessages(cut, plan.demand.index);
    for (const budget of budgets) {
      const tokens = Math.floor(moment.tokens * budget);
      for (const compactor of [...compactors, ...FLOOR, oracle]) {
        const compacted = await compact(compactor, { plan, moment, tokens, ledger });
        const place = { ...names, cut: cut.messageIndex, budget, compactor: compactor.name };
        const left = look(compacted, moment, plan.recording);
        const isVisible = visibleIn(compacted.messages, plan);
        const hindsight = recallAt(cut.calls, isVisible);
        rows.push({ ...place, ...left, hindsight, named: recallAt(cut.words, isVisible) });
      }
    }
  }
  return rows;
}

/**
 * Compacts a session where somebody wrote a summary, to the size that it had, and looks at what both left. What the near
 * future needs is not asked: it depends on what the recorded agent had forgotten.
 */
export async function measureRecorded(
  plan: SessionPlan,
  compactions: readonly RecordedCompaction[],
  { compactors, names }: MeasureOptions,
): Promise<readonly FidelityRow[]> {
  const rows: FidelityRow[] = [];
  const sizeOf = plan.recording.sizes.message;
  const ledger = createGrowingLedger();
  for (const moment of momentsAt(compactions, plan.recording)) {
    const { left, messageIndex } = moment.place;
    const tokens = (left[0]?.messages ?? []).reduce((sum, message) => sum + sizeOf(message), 0);
    const place = { ...names, cut: messageIndex, budget: null, hindsight: null, named: null };
    const add = (compactor: string, compacted: Compacted): void => {
      rows.push({ ...place, compactor, ...look(compacted, moment, plan.recording) });
    };
    for (const { name, ...compacted } of left) add(name, compacted);
    for (const compactor of [...compactors, ...FLOOR]) {
      add(compactor.name, await compact(compactor, { plan, moment, tokens, ledger }));
    }
  }
  return rows;
}

const FLOOR = [1, 2, 3, 4, 5].map(randomMessages);

interface CompactOptions {
  readonly plan: SessionPlan;
  readonly moment: Moment<unknown>;
  readonly tokens: number;
  readonly ledger: (past: readonly Message[]) => Ledger;
}

function compact(compactor: Compactor, { plan, moment, tokens, ledger }: CompactOptions) {
  const { head, sizes } = plan.recording;
  const run = compactor.create({
    head,
    sizeOf: sizes.message,
    ledger: () => ledger(moment.past),
  });
  for (const message of moment.past) run.add(message);
  return run.compact(tokens);
}

/** A ledger that is given each message of a session once, as the places in it come one after the other. */
function createGrowingLedger(): (past: readonly Message[]) => Ledger {
  const ledger = createLedger();
  let known = 0;
  return (past) => {
    for (; known < past.length; known++) ledger.add(past[known] as Message);
    return ledger;
  };
}

function visibleIn(messages: readonly Message[], { demand }: SessionPlan) {
  const visible = new Set(messages.flatMap((message) => demand.index.unitsOf(message)));
  return (unit: number): boolean => visible.has(unit);
}
