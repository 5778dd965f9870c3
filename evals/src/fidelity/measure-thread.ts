import type { Message } from '@varve/messages';
import type { Cut } from '../demand/hindsight.ts';
import { addCut, NO_RECALL } from '../demand/hindsight-recall.ts';
import type { SessionPlan } from '../replay/session-plan.ts';
import type { Compacted, Compactor } from './compactor.ts';
import { randomMessages } from './compactors/keep-some.ts';
import { oracleMessages } from './compactors/oracle.ts';
import { recordsOf } from './context-text.ts';
import { createFactExtractor } from './facts/extract.ts';
import type { Fact } from './facts/fact.ts';
import type { FidelityRow } from './fidelity-schema.ts';
import { createHaystack } from './match.ts';
import { createSource, precisionOf, type Source } from './precision.ts';
import { scoreFacts } from './score.ts';

/** A place in the session, and what was true and said until then. */
interface Moment {
  readonly cut: Cut;
  readonly past: readonly Message[];
  readonly facts: readonly Fact[];
  readonly source: Source;
  readonly tokens: number;
}

export interface MeasureOptions {
  readonly compactors: readonly Compactor[];
  /** Shares of the tokens before the cut. */
  readonly budgets: readonly number[];
  readonly names: { readonly session: string; readonly project: number };
}

/** Compacts a session at each of its cuts by each compactor to each budget, and looks at what is left. */
export async function measureThread(
  plan: SessionPlan,
  { compactors, budgets, names }: MeasureOptions,
): Promise<readonly FidelityRow[]> {
  const rows: FidelityRow[] = [];
  for (const moment of moments(plan)) {
    const oracle = oracleMessages(moment.cut, plan.demand.index);
    for (const budget of budgets) {
      for (const compactor of [...compactors, ...FLOOR, oracle]) {
        const compacted = await compact(compactor, { plan, moment, budget });
        const place = { ...names, cut: moment.cut.messageIndex, budget, compactor: compactor.name };
        rows.push({ ...place, ...look(compacted, moment, plan) });
      }
    }
  }
  return rows;
}

const FLOOR = [1, 2, 3, 4, 5].map(randomMessages);

/** One after the other, each with what came before it; a source grows, so a moment is to be used before the next. */
function* moments({ recording, cuts }: SessionPlan): Generator<Moment> {
  const { history, head, sizes } = recording;
  const extractor = createFactExtractor();
  const source = createSource();
  source.add(head.system.map(({ text }) => text));
  let tokens = 0;
  let next = 0;
  for (const cut of cuts) {
    const added = history.slice(next, cut.messageIndex);
    next = cut.messageIndex;
    for (const message of added) {
      extractor.add(message);
      tokens += sizes.message(message);
    }
    source.add(recordsOf(added));
    source.add(added.map(({ id }) => id));
    yield { cut, past: history.slice(0, next), facts: extractor.facts(), source, tokens };
  }
}

async function compact(
  compactor: Compactor,
  { plan, moment, budget }: { plan: SessionPlan; moment: Moment; budget: number },
): Promise<Compacted> {
  const { head, sizes } = plan.recording;
  const run = compactor.create({ head, sizeOf: sizes.message });
  for (const message of moment.past) run.add(message);
  return run.compact(Math.floor(moment.tokens * budget));
}

function look({ messages, synthesised }: Compacted, moment: Moment, plan: SessionPlan) {
  const { facts, source, cut } = moment;
  const score = scoreFacts(facts, createHaystack(messages));
  const { index } = plan.demand;
  const visible = new Set(messages.flatMap((message) => index.unitsOf(message)));
  const { kept, wanted } = addCut(NO_RECALL, cut, (unit) => visible.has(unit));
  const precision = precisionOf(synthesised, { source, facts });
  const tokens = messages.reduce((sum, message) => sum + plan.recording.sizes.message(message), 0);
  return {
    share: tokens / moment.tokens,
    tokens,
    facts: facts.length,
    recall: score.recall,
    recallWithRecovery: score.recallWithRecovery,
    vital: score.vital,
    contradicted: score.contradicted,
    types: score.types,
    hindsight: wanted === 0 ? null : kept / wanted,
    entities: precision.entities,
    fabricated: precision.fabricated.length,
    wrongClaims: precision.wrongClaims,
  };
}
