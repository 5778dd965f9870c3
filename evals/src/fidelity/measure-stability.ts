import type { Message } from '@varve/messages';
import type { SessionPlan } from '../replay/session-plan.ts';
import { withCanaries } from './canaries.ts';
import type { Compactor } from './compactor.ts';
import { recordsOf } from './context-text.ts';
import type { Fact } from './facts/fact.ts';
import type { StabilityRow } from './fidelity-schema.ts';
import { look } from './look.ts';
import { createHaystack } from './match.ts';
import { momentsAt } from './moments.ts';
import { sixths } from './places.ts';

export interface StabilityOptions {
  readonly compactors: readonly Compactor[];
  readonly names: { readonly session: string; readonly project: number };
  /** Share of all tokens before a compaction that may be left. */
  readonly budget: number;
}

/**
 * Compacts a session five times, at sixths of its tokens, and looks each time at the facts that were there before the first:
 * what of them is still true has to be there as well. Conditions that the person put in before it must be there in their
 * own words.
 */
export async function measureStability(
  plan: SessionPlan,
  { compactors, names, budget }: StabilityOptions,
): Promise<readonly StabilityRow[]> {
  const { head, sizes } = plan.recording;
  const places = sixths(plan.recording.history, sizes.message);
  const [first] = places;
  if (first === undefined) return [];
  const { history, sentences } = withCanaries(plan.recording.history, {
    before: first.messageIndex,
  });
  const rows: StabilityRow[] = [];
  for (const compactor of compactors) {
    const run = compactor.create({ head, sizeOf: sizes.message });
    const keptOf = createKeptFindings();
    let added = 0;
    for (const moment of momentsAt(places, { ...plan.recording, history })) {
      const { round, messageIndex } = moment.place;
      for (; added < messageIndex; added++) run.add(history[added] as Message);
      const compacted = await run.compact(Math.floor(moment.tokens * budget));
      const old = moment.facts.filter(({ born }) => born < first.messageIndex);
      const { vital, share, fabricated, contradicted } = look(
        compacted,
        { ...moment, facts: old },
        plan.recording,
      );
      const text = recordsOf(compacted.messages).join('\n');
      const survived = sentences.filter((sentence) => text.includes(sentence)).length;
      const canaries = { canaries: sentences.length, survived };
      rows.push({
        ...names,
        compactor: compactor.name,
        round,
        vital,
        said: keptOf(old, compacted.messages),
        share,
        fabricated,
        contradicted,
        ...canaries,
      });
    }
  }
  return rows;
}

/** Of what the assistant found before the first compaction and stood there after it: the share that is there after each. */
function createKeptFindings() {
  let first: ReadonlySet<string> | undefined;
  return (facts: readonly Fact[], messages: readonly Message[]): number | null => {
    const haystack = createHaystack(messages);
    const found = facts.filter(({ type, key }) => type === 'said' && (first?.has(key) ?? true));
    const bound = found.filter((fact) => haystack.match(fact) === 'bound');
    first ??= new Set(bound.map(({ key }) => key));
    const asked = found.filter(({ key }) => first?.has(key));
    return asked.length === 0 ? null : bound.length / asked.length;
  };
}
