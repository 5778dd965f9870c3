import type { Message } from '@varve/messages';
import { spanOf } from '../../memory/words.ts';
import type { Fact } from '../facts/fact.ts';
import { createHaystack } from '../match.ts';
import { messagesText } from '../request-text.ts';
import type { Question } from './load.ts';

/** Which of some facts one statement of these messages says. */
export function saidIn(messages: readonly Message[], facts: readonly Fact[]): ReadonlySet<Fact> {
  const haystack = createHaystack(messages);
  return new Set(facts.filter((fact) => haystack.match(fact) === 'bound'));
}

/** Ids of the questions whose terms stand together in these messages. */
export function askedOf(
  messages: readonly Message[],
  questions: readonly Question[],
): ReadonlySet<string> {
  const text = messagesText(messages);
  return new Set(questions.filter((each) => standsIn(text, each)).map(({ id }) => id));
}

/** Whether one passage, no longer than an answer may be, holds a term of each group. */
export function standsIn(text: string, { terms }: Pick<Question, 'terms'>): boolean {
  const span = spanOf(text, terms);
  return span !== undefined && span <= LONGEST_ANSWER;
}

/** Characters; what a reader may write. */
export const LONGEST_ANSWER = 300;
