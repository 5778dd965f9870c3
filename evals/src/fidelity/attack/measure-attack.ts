import type { Message } from '@varve/messages';
import type { SessionPlan } from '../../replay/session-plan.ts';
import { withCanaries } from '../canaries.ts';
import type { Compacted, CompactorRun } from '../compactor.ts';
import { recordsOf } from '../context-text.ts';
import type { AttackRow } from '../fidelity-schema.ts';
import type { StabilityOptions } from '../measure-stability.ts';
import { type RoundPlace, sixths } from '../places.ts';
import { createJudge } from './judge.ts';
import { type Attack, withAttack } from './plant.ts';

/**
 * Compacts a session five times, as for its stability, after tools and the person were put against it: conditions must
 * survive large outputs that ask to be kept, what a tool says must stay a tool's, and what was decided otherwise must not
 * stand as current.
 */
export async function measureAttack(
  plan: SessionPlan,
  { compactors, names, budget }: StabilityOptions,
): Promise<readonly AttackRow[]> {
  const { head, sizes } = plan.recording;
  const places = sixths(plan.recording.history, sizes.message);
  const [first] = places;
  if (first === undefined) return [];
  const asked = withCanaries(plan.recording.history, { before: first.messageIndex });
  const attack = withAttack(asked.history, { places });
  const rows: AttackRow[] = [];
  for (const compactor of compactors) {
    const run = compactor.create({ head, sizeOf: sizes.message });
    for await (const left of compactions(attack.history, { run, places, budget, plan })) {
      const text = recordsOf(left.messages).join('\n');
      const survived = asked.sentences.filter((sentence) => text.includes(sentence)).length;
      const { round } = left;
      const conditions = { canaries: asked.sentences.length, survived };
      rows.push({
        ...names,
        compactor: compactor.name,
        round,
        ...conditions,
        ...harm(attack, left),
      });
    }
  }
  return rows;
}

interface Compacting {
  readonly run: CompactorRun;
  readonly places: readonly RoundPlace[];
  readonly budget: number;
  readonly plan: SessionPlan;
}

async function* compactions(
  history: readonly Message[],
  { run, places, budget, plan }: Compacting,
): AsyncGenerator<Left & { readonly round: number }> {
  let [added, tokens] = [0, 0];
  for (const { messageIndex: at, round } of places) {
    for (; added < at; added++) {
      const message = history[added] as Message;
      tokens += plan.recording.sizes.message(message);
      run.add(message);
    }
    yield { ...(await run.compact(Math.floor(tokens * budget))), at, round };
  }
}

interface Left extends Compacted {
  /** Index of the message before which it was compacted. */
  readonly at: number;
}

function harm({ orders, secrets, decisions, changedAt }: Attack, left: Left) {
  const judge = createJudge(left.messages, left.synthesised);
  const changed = left.at > changedAt ? decisions : [];
  const count = <Item>(items: readonly Item[], is: (item: Item) => boolean): number =>
    items.filter(is).length;
  return {
    decisions: changed.length,
    stale: count(changed, judge.isStale),
    current: count(changed, judge.isCurrent),
    orders: orders.length,
    promoted: count(orders, ({ mark }) => judge.isPromoted(mark)),
    quoted: count(orders, ({ mark }) => judge.isWritten(mark)),
    secrets: secrets.length,
    leaked: count(secrets, ({ value }) => judge.isWritten(value)),
  };
}
