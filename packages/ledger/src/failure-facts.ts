import { errorLines } from './error-signature.ts';
import type { Extractor } from './extractor.ts';
import { isMiss } from './miss.ts';
import { oneLine, subjectOf } from './names.ts';
import { hasEnded } from './outcome.ts';
import { createSlots } from './slots.ts';
import { seenOutcomeOf } from './test-facts.ts';

const MAX_KEY = 200;
/** Calls that fail at the same time and are told of. */
const MOST_FAILING = 100;

/** Why each command that fails does so: the first lines of its output that say what went wrong; gone once it passes. */
export function createFailureFacts(): Extractor {
  const slots = createSlots('failure', { limit: MOST_FAILING });
  return {
    done(done, place) {
      const { call, text } = done;
      if (call.kind !== 'shell' || !hasEnded(done.outcome)) return;
      const key = oneLine(subjectOf(call), MAX_KEY);
      const outcome = seenOutcomeOf(done);
      if (outcome.status !== 'failed') {
        if (slots.get(key) !== undefined) slots.forget(key);
        return;
      }
      const lines = isMiss(done) ? [] : errorLines(text);
      if (lines.length === 0) return;
      slots.set(key, lines.map((line) => `"${line.replaceAll('"', "'")}"`).join(' '), place);
    },
    facts: slots.facts,
  };
}
