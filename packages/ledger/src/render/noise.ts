import type { Fact } from '../fact.ts';
import { hasWord } from './words.ts';

/** A message of the person that is no longer than this stands whole, and what it names stands there. UTF-16 units. */
const SHORT_MESSAGE = 360;
/** Open errors that are told of: what was tried last. A check that fails stands with the checks, however old it is. */
const MOST_OPEN = 5;
/** Files whose last edits are told of. */
const MOST_EDITED = 8;

/**
 * Tells facts that say nothing to somebody who goes on: how a command ended, an error that is gone, a task that is over, a value
 * that nobody named again, and what was done to files long ago.
 */
export function createIsNoise(facts: readonly Fact[]): (fact: Fact) => boolean {
  const texts = facts.filter(({ type }) => type === 'said');
  const spoken = texts.map(({ value }) => value).join('\n');
  const said = new Map(
    facts.flatMap(({ type, messageId, value }) =>
      type === 'user-message' ? [[messageId, value] as const] : [],
    ),
  );
  const newest = new Set<Fact>([
    ...newestOf(
      facts.filter(({ type, value }) => type === 'error' && value === OPEN),
      MOST_OPEN,
    ),
    ...newestOf(
      facts.filter(({ type }) => type === 'edit'),
      MOST_EDITED,
    ),
  ]);
  return (fact) => {
    const { type, value, messageId } = fact;
    if (type === 'command') return !value.startsWith('showed');
    if (type === 'background-task') return !value.startsWith('running');
    if (type === 'failed-approach') return value.endsWith('passed in the end');
    if (type === 'error' || type === 'edit') return !newest.has(fact);
    if (type !== 'literal') return false;
    const message = said.get(messageId);
    if (value === NAMED) return (message?.length ?? 0) <= SHORT_MESSAGE;
    return message === undefined && !MEASURED.test(value) && !isNamedAgain(value, spoken);
  };
}

const OPEN = 'open';
const NAMED = 'named by the user';
/** A number with a unit. */
const MEASURED = /^-?[\d.,_]+\s?(?:%|[A-Za-zµ]{1,6}(?:\/s)?)$/;

const newestOf = (facts: readonly Fact[], count: number): readonly Fact[] =>
  facts.toSorted((one, other) => other.position - one.position).slice(0, count);

/** An address or a line of a stack is named by nobody; a number has to stand there as one. */
const isNamedAgain = (value: string, spoken: string): boolean =>
  !/^0x[0-9a-f]+$/i.test(value) && hasWord(spoken, value);
