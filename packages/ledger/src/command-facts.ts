import { shellCommand } from '@varve/messages/tools';
import type { Extractor } from './extractor.ts';
import { oneLine, subjectOf } from './names.ts';
import { hasEnded, outcomeText } from './outcome.ts';
import { createSlots } from './slots.ts';

/** Distinct commands that are remembered; looks at files and folders count too, so there may be many. */
const MAX_COMMANDS = 1_000;
const MAX_COMMAND = 300;

/** Shell commands with how they ended last. Looks at files and folders are left out: they have nothing to repeat. */
export function createCommandFacts(): Extractor {
  const slots = createSlots('command', { limit: MAX_COMMANDS });
  return {
    done({ call, outcome, media }, place) {
      if (media !== undefined && call.kind !== 'read' && outcome.status === 'passed') {
        const count = media === 1 ? 'an image' : `${media} images`;
        slots.set(
          oneLine(subjectOf(call), MAX_COMMAND),
          `showed ${count}, nothing in words`,
          place,
        );
        return;
      }
      if (call.kind !== 'shell' || (!hasEnded(outcome) && outcome.status !== 'running')) return;
      const key = shellCommand(call.command).key;
      if (shellCommand(call.command).onlyLooks && outcome.status !== 'failed') return;
      slots.set(oneLine(key, MAX_COMMAND), outcomeText(outcome), place);
    },
    facts: slots.facts,
  };
}
