import { randomFrom } from '../../random.ts';

/**
 * A text whose statements each have the key of one and the value of another: all words are there, and hardly anything is so.
 * Headings and tags stay where they are. The same seed, the same text.
 */
export function shuffleStatements(text: string, seed = 1): string {
  const lines = text.split('\n').map(statementsIn);
  const values = lines.flat().map(({ value }) => value);
  const moved = turned(
    values.filter((value) => value !== ''),
    seed,
  );
  let next = 0;
  const withOther = ({ key, value }: Statement): string =>
    value === '' ? key : `${key}${moved[next++]}`;
  return lines.map((statements) => statements.map(withOther).join(' ')).join('\n');
}

interface Statement {
  readonly key: string;
  /** Empty where there is nothing to move. */
  readonly value: string;
}

const statementsIn = (line: string): readonly Statement[] =>
  /^\s*(?:#|<|$)/.test(line)
    ? [{ key: line, value: '' }]
    : line.split(/(?<=\w[.!?;]) /).map(statementOf);

/** Up to a colon or an equals sign, or else to the middle of its words. */
function statementOf(text: string): Statement {
  const [, key = '', value = ''] = /^(.+?(?:: | = ))(.*)$/.exec(text) ?? halves(text);
  return { key, value };
}

function halves(text: string): readonly string[] {
  const words = text.split(' ');
  const half = Math.floor(words.length / 2);
  const key = words.slice(0, half).join(' ');
  return [text, key === '' ? '' : `${key} `, words.slice(half).join(' ')];
}

/** Drawn by lot so that none stays in its place (Sattolo's cycles). */
function turned(values: readonly string[], seed: number): readonly string[] {
  const random = randomFrom(seed);
  const moved = [...values];
  for (let at = moved.length - 1; at > 0; at--) {
    const other = Math.floor(random() * at);
    [moved[at], moved[other]] = [moved[other] as string, moved[at] as string];
  }
  return moved;
}
