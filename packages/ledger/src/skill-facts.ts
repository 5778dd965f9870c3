import { stringIn } from '@varve/messages/tools';
import type { Extractor } from './extractor.ts';
import { createSlots } from './slots.ts';

/** Skills that were loaded: their instructions have to be loaded again to be followed. */
export function createSkillFacts(): Extractor {
  const slots = createSlots('skill');
  return {
    done({ call, outcome }, place) {
      if (call.kind !== 'skill' || outcome.status !== 'passed') return;
      const name = stringIn(call.input, ['skill', 'name', 'skill_name', 'command']);
      const args = stringIn(call.input, ['args', 'arguments']);
      if (name !== undefined)
        slots.set(name, args === undefined ? 'loaded' : `loaded with ${args.slice(0, 80)}`, place);
    },
    facts: slots.facts,
  };
}
