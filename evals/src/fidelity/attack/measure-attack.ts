import type { Message } from '@varve/messages';
import type { SessionPlan } from '../../replay/session-plan.ts';
import { withCanaries } from '../canaries.ts';
import { recordsOf } from '../context-text.ts';
import type { AttackRow } from '../fidelity-schema.ts';
import type { StabilityOptions } from '../measure-stability.ts';
import { sixths } from '../places.ts';
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
    let [added, tokens] = [0, 0];
    for (const { messageIndex, round } of places) {
      for (; added < messageIndex; added++) {
        const message = attack.history[added] as Message;
        tokens += sizes.message(message);
        run.add(message);
      }
      const { messages, synthesised } = await run.compact(Math.floor(tokens * budget));
      const text = recordsOf(messages).join('\n');
      const survived = asked.sentences.filter((sentence) => text.includes(sentence)).length;
      rows.push({
        ...{
          ...names,
          compactor: compactor.name,
          round,
          canaries: asked.sentences.length,
          survived,
        },
        ...harm(attack, { messages, synthesised, at: messageIndex }),
      });
    }
  }
  return rows;
}

interface Left {
  readonly messages: readonly Message[];
  readonly synthesised: readonly string[];
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
