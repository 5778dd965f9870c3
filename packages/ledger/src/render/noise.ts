import type { Fact } from '../fact.ts';
import { hasWord } from './words.ts';

/** A message of the person that is no longer than this stands whole, and what it names stands there. UTF-16 units. */
const SHORT_MESSAGE = 360;
/** Ends of resolved errors that are told of; of older ones nobody needs to know. */
const MOST_RESOLVED = 5;

/** Tells facts that say nothing to somebody who goes on: that a command ran, a value that nobody named again. */
export function createIsNoise(facts: readonly Fact[]): (fact: Fact) => boolean {
  const texts = facts.filter(({ type }) => type === 'said');
  const spoken = texts.map(({ value }) => value).join('\n');
  const said = new Map(
    facts.flatMap(({ type, messageId, value }) =>
      type === 'user-message' ? [[messageId, value] as const] : [],
    ),
  );
  const checked = new Set(facts.flatMap(({ type, key }) => (type === 'test-status' ? [key] : [])));
  const resolved = facts.filter(({ type, value }) => type === 'error' && isResolved(value));
  const old = new Set(resolved.slice(0, Math.max(0, resolved.length - MOST_RESOLVED)));
  return (fact) => {
    const { type, key, value, messageId } = fact;
    if (type === 'command') return isOk(value) || checked.has(key);
    if (type === 'error') return old.has(fact);
    if (type !== 'literal') return false;
    const message = said.get(messageId);
    if (value === NAMED) return (message?.length ?? 0) <= SHORT_MESSAGE;
    return message === undefined && !MEASURED.test(value) && !isNamedAgain(value, spoken);
  };
}

const NAMED = 'named by the user';
/** A number with a unit. */
const MEASURED = /^-?[\d.,_]+\s?(?:%|[A-Za-zµ]{1,6}(?:\/s)?)$/;
const isOk = (value: string): boolean => /^ok(?:, exit 0)?$/.test(value);
const isResolved = (value: string): boolean => value.startsWith('resolved');

/** An address or a line of a stack is named by nobody; a number has to stand there as one. */
const isNamedAgain = (value: string, spoken: string): boolean =>
  !/^0x[0-9a-f]+$/i.test(value) && hasWord(spoken, value);
