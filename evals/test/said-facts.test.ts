import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createFactExtractor } from '../src/fidelity/facts/extract.ts';
import { createReturns } from '../src/fidelity/facts/said-facts.ts';
import { createHaystack } from '../src/fidelity/match.ts';
import { summary } from './fidelity-probes.ts';
import { read, type Step, threadOf } from './sessions.ts';

const messagesOf = (steps: readonly Step[]): readonly Message[] =>
  threadOf(steps).entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));

/** What was said before the last `behind` messages, as far as these come back to it. */
function saidBefore(steps: readonly Step[], behind: number) {
  const history = messagesOf(steps);
  const extractor = createFactExtractor({ returns: createReturns(history) });
  for (const message of history.slice(0, history.length - behind)) extractor.add(message);
  return extractor.facts().filter(({ type }) => type === 'said');
}

const FOUND = 'It fails because parseHeader drops the port 8081 in src/header.ts.';
const BACK: Step = { say: 'Now parseHeader keeps 8081.' };

test('a word comes back where a call has it', () => {
  const history = messagesOf([{ user: 'Go.' }, read('src/parseHeader.ts', 'x')]);
  const returns = createReturns(history);
  expect(returns('src/parseheader.ts', 1)).toBe(true);
  expect(returns('src/parseheader.ts', 2)).toBe(false);
});

test('of 200 messages five may hold a rare word, of ten four', () => {
  const steps = (count: number): Step[] => [
    { user: 'Go.' },
    ...Array.from({ length: 5 }, () => ({ say: FOUND })),
    ...Array.from({ length: count - 5 }, () => ({ say: 'Yes.' })),
    BACK,
  ];
  expect(saidBefore(steps(200), 1)).toHaveLength(1);
  expect(saidBefore(steps(10), 1)).toHaveLength(0);
});

describe('what the assistant said (FIDELITY 2.3)', () => {
  test.each<[string, readonly Step[], readonly (readonly string[])[]]>([
    [
      'a cause that is come back to',
      [{ user: 'Go.' }, { say: FOUND }, { user: 'On.' }, BACK],
      [['src/header.ts', 'parseheader', '8081']],
    ],
    [
      'nothing that is not',
      [{ user: 'Go.' }, { say: FOUND }, { user: 'On.' }, { say: 'Done.' }],
      [],
    ],
    [
      'nothing that a result said',
      [{ user: 'Go.' }, read('a.md', FOUND), { user: 'On.' }, BACK],
      [],
    ],
    ['nothing that a person said', [{ user: FOUND }, { say: 'Yes.' }, { user: 'On.' }, BACK], []],
    [
      'names and numbers without a cue, those that come back',
      [
        { user: 'Go.' },
        { say: 'Here parseHeader and readPort_2 meet 8081.' },
        { user: 'On.' },
        BACK,
      ],
      [['8081', 'parseheader']],
    ],
    [
      'that something is not so',
      [
        { user: 'Go.' },
        { say: 'The problem is not parseHeader, it is 8081.' },
        { user: 'On.' },
        BACK,
      ],
      [['8081', 'parseheader', '(not)']],
    ],
    [
      'no word that every session uses, though it comes back',
      [
        { user: 'Go.' },
        { say: 'The target is a budget within 8081 because of the reason.' },
        { user: 'On.' },
        { say: 'Because of that reason.' },
      ],
      [],
    ],
    [
      'nothing in fewer than 24 characters, or more than 400',
      [
        { user: 'Go.' },
        { say: 'Due to parseHeader 8081' },
        { say: `${'It goes on and '.repeat(30)}fails because parseHeader drops 8081.` },
        { user: 'On.' },
        BACK,
      ],
      [],
    ],
    [
      'nothing of one word only',
      [{ user: 'Go.' }, { say: 'It fails because of it, parseHeader.' }, { user: 'On.' }, BACK],
      [],
    ],
  ])('%s', (_, steps, expected) => {
    const terms = saidBefore(steps, 2).map((fact) => (fact.terms ?? []).toSorted());
    expect(terms).toEqual(expected.map((each) => each.toSorted()));
  });

  test.each<[string, string]>([
    ['bound', FOUND],
    ['bound', '- Cause: src/header.ts, parseHeader loses 8081'],
    ['key-only', 'src/header.ts has parseHeader. The port is 8081.'],
    ['key-only', '- src/header.ts: parseHeader\n- 8081'],
    ['key-only', FOUND.replace('8081', '8082')],
    ['key-only', FOUND.replace('It fails', 'It may be failing')],
    ['key-only', `Perhaps ${FOUND}`],
    ['key-only', FOUND.replace('8081', '80810')],
    ['lost', 'It fails because of the port.'],
  ])('is %s in %j', (expected, text) => {
    const [fact] = saidBefore([{ user: 'Go.' }, { say: FOUND }, { user: 'On.' }, BACK], 2);
    expect(fact && createHaystack(summary(text)).match(fact)).toBe(expected);
  });

  test('what is said twice was born where it was said first, and what is said first comes first', () => {
    const steps: readonly Step[] = [
      { user: 'Go.' },
      { say: FOUND },
      { user: 'On.' },
      { say: 'The cause is readPort_2, due to 9090.' },
      { user: 'On.' },
      { say: FOUND },
      { user: 'On.' },
      { say: 'Now parseHeader keeps 8081, and readPort_2 has 9090.' },
    ];
    const said = saidBefore(steps, 2);
    expect(said.map(({ born }) => born)).toEqual([1, 3]);
  });

  test('without its negation it is not there', () => {
    const denied = 'The problem is not parseHeader, it is 8081.';
    const [fact] = saidBefore([{ user: 'Go.' }, { say: denied }, { user: 'On.' }, BACK], 2);
    const match = (text: string) => fact && createHaystack(summary(text)).match(fact);
    expect(match(denied)).toBe('bound');
    expect(match(denied.replace('is not', 'is'))).toBe('key-only');
  });

  test('a word that everybody uses, or that is said all the time, is no term', () => {
    const talk = Array.from({ length: 12 }, (_, at): readonly Step[] => [
      { user: `Step ${at}.` },
      { say: `It works because parseHeader and 8081 agree, see step ${at}.` },
    ]).flat();
    expect(saidBefore([...talk, { user: 'On.' }, BACK], 2)).toEqual([]);
    const reads = Array.from({ length: 300 }, (_, at) => read(`a${at}.md`, 'nothing'));
    expect(saidBefore([...talk, ...reads, { user: 'On.' }, BACK], 2)).toEqual([]);
  });
});
