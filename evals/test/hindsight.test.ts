import { describe, expect, test } from 'vitest';
import { createNeeds } from '../src/demand/needs.ts';
import { createSessionDemand, type Need } from '../src/demand/session-demand.ts';
import { edit, read, type Step, threadOf, write } from './sessions.ts';

function historyOf(steps: readonly Step[]) {
  return threadOf(steps).entries.flatMap((entry) =>
    entry.type === 'message' ? [entry.message] : [],
  );
}

const LINE = 'const total = priceWithTaxes(basket);';

describe('createSessionDemand', () => {
  test.each([
    ['a result', read('src/bill.ts', LINE), 2],
    ['a call that wrote it', write('src/bill.ts', LINE), 1],
  ])('counts a unit only once %s has shown it', (_, shows, shownAt) => {
    const history = historyOf([
      { user: `Go and change ${LINE}` },
      shows,
      edit('src/bill.ts', LINE),
      { say: 'Done.' },
    ]);
    const demand = createSessionDemand(history);
    const line = demand.index.idOf(LINE) as number;
    expect(demand.at(1)).toEqual([]);
    expect(demand.at(3)).toContain(line);
    expect(demand.firstShownAt(line)).toBe(shownAt);
    expect(demand.firstShownAt(demand.index.size)).toBe(-1);
  });

  test('leaves out what is guessable', () => {
    const history = historyOf([
      { user: 'Go.' },
      read('src/bill.ts', LINE),
      edit('src/bill.ts', LINE),
    ]);
    const demand = createSessionDemand(history, { isGuessable: (unit) => unit === LINE });
    expect(demand.index.idOf(LINE)).toBeUndefined();
    expect(demand.index.idOf('src/bill.ts')).toBeDefined();
  });
});

describe('createSessionDemand of words', () => {
  test('counts a name, a path and a number that stood anywhere before, but for common ones', () => {
    const history = historyOf([
      { user: 'Use port 8081 for parseHeader.' },
      { say: 'I take 8081, and src/port.ts with parseHeader, on 9090.' },
      read('src/port.ts', LINE),
      { say: 'src/port.ts is on 9090 with 12.5 of 12.5 and 12.' },
    ]);
    const demand = createSessionDemand(history, { isGuessable: (unit) => unit === '9090' });
    const named = (at: number) => demand.at(at, 'words').map((id) => unitOf(demand, id));
    expect(named(1).toSorted()).toEqual(['8081', 'parseHeader']);
    expect(named(history.length - 1).toSorted()).toEqual(['src/port.ts']);
    expect(demand.at(1)).toEqual([]);
  });
});

const unitOf = (demand: ReturnType<typeof createSessionDemand>, id: number): string | undefined =>
  ['8081', '9090', '12.5', 'parseHeader', 'src/port.ts', LINE].find(
    (unit) => demand.index.idOf(unit) === id,
  );

describe('createNeeds (FIDELITY 2.4)', () => {
  const padding = (count: number): Step[] =>
    Array.from({ length: count }, (_, at) =>
      read(`src/other${at}x.ts`, 'nothing of interest here'),
    );

  /** Indices of the requests before which the line is needed, with its weight there. */
  function neededAt(steps: readonly Step[], kind: Need = 'calls', unit = LINE) {
    const history = historyOf(steps);
    const replies = history.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
    const demand = createSessionDemand(history);
    const needs = createNeeds({ history, replies, demand }, kind);
    return replies.flatMap((reply) => {
      const { units, weights } = needs.before(reply);
      const at = units.indexOf(demand.index.idOf(unit) ?? -1);
      return at === -1 ? [] : [[reply, weights[at]] as const];
    });
  }

  test('before every request from where it was shown on, with 24 calls and no more between', () => {
    const start = [{ user: 'Go.' }, read('src/bill.ts', LINE)];
    const near = neededAt([...start, ...padding(5), edit('src/bill.ts', LINE)]);
    expect(near.map(([at]) => at)).toEqual([3, 5, 7, 9, 11, 13]);
    expect(near[0]?.[1]).toBeCloseTo(Math.log(1 + 3 / 1));
    expect(near.at(-1)?.[1]).toBeCloseTo(Math.log(1 + 13 / 1));
    const far = neededAt([...start, ...padding(30), edit('src/bill.ts', LINE)]);
    expect(far).toHaveLength(24);
    expect(far.at(-1)?.[0]).toBe(63);
  });

  test('wherever two people speak one after the other', () => {
    const start = [{ user: 'Go.' }, read('src/bill.ts', LINE), ...padding(12)];
    const people = [{ user: 'Wait.' }, { user: 'Go on.' }, { user: 'Now.' }];
    const needed = neededAt([...start, ...people, ...padding(15), edit('src/bill.ts', LINE)]);
    // 27 calls between: the line is needed before the newest 24 of them and the one that uses it
    expect(needed).toHaveLength(24);
    expect(needed[0]?.[0]).toBe(3 + 2 * 4);
  });

  test('of the newest words, too, with 24 calls and no more between', () => {
    const needed = neededAt(
      [{ user: 'The total is 48213.' }, ...padding(30), { say: 'So it is 48213.' }],
      'words',
      '48213',
    );
    expect(needed).toHaveLength(24);
  });

  test('not before what shows it again', () => {
    const steps = [
      { user: 'Go.' },
      read('src/bill.ts', LINE),
      ...padding(3),
      read('src/bill.ts', LINE),
      ...padding(1),
      edit('src/bill.ts', LINE),
    ];
    const needed = neededAt(steps);
    expect(needed.map(([at]) => at)).toEqual([11, 13]);
    expect(needed[0]?.[1]).toBeCloseTo(Math.log(1 + 11 / 2));
  });

  test('not of what only words showed, which only words need', () => {
    const steps: Step[] = [
      { user: 'The total is 48213.' },
      ...padding(2),
      { say: 'So it is 48213.' },
      ...padding(1),
    ];
    expect(neededAt(steps, 'calls', '48213')).toEqual([]);
    expect(neededAt(steps, 'words', '48213').map(([at]) => at)).toEqual([1, 3, 5]);
  });
});
