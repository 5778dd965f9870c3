import { type Input, stringIn } from '@varve/messages/tools';
import { answersIn } from './answers.ts';
import type { Extractor } from './extractor.ts';
import { oneLine } from './names.ts';
import { hasEnded } from './outcome.ts';
import { createSlots } from './slots.ts';

const MAX_QUESTION = 300;
const MAX_ANSWER = 600;

/**
 * What the person picked when the agent's own tool asked: the answer per question, and whether a plan was approved. Only tools
 * that the host names count: any other may call itself anything.
 */
export function createChoiceFacts(): Extractor {
  const slots = createSlots('choice');
  return {
    done({ call, outcome, text }, place) {
      if (call.kind === 'ask' && outcome.status === 'passed') {
        for (const [question, answer] of answersIn(call.input, text)) {
          slots.set(oneLine(question, MAX_QUESTION), oneLine(answer, MAX_ANSWER), place);
        }
      } else if (call.kind === 'plan' && (hasEnded(outcome) || outcome.status === 'refused')) {
        const approved = outcome.status === 'passed' && APPROVED.test(text);
        slots.set(`plan: ${planTitle(call.input)}`, approved ? 'approved' : 'not approved', place);
      }
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

/** How agents begin the result that says so: a word somewhere in a result, such as a file's name, approves nothing. */
const APPROVED =
  /^\s*(?:(?:the )?user (?:has )?approved\b|(?:(?:your|the) )?plan (?:was |has been |is )?approved\b|approved(?:[.!,]?\s|[.!]?$|\s*[:=]\s*true\b)|\{\s*"approved"\s*:\s*true\b)/i;

function planTitle(input: Input): string {
  const plan = stringIn(input, ['plan', 'summary', 'content']) ?? '';
  return oneLine(/^#+\s*(.+)$/m.exec(plan)?.[1] ?? plan, 120) || 'without a title';
}
