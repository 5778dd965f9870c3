import { describe, expect, test } from 'vitest';
import { hindsightCuts } from '../src/demand/hindsight.ts';
import { createSessionDemand } from '../src/demand/session-demand.ts';
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

describe('hindsightCuts', () => {
  const padding = (count: number): Step[] =>
    Array.from({ length: count }, (_, at) =>
      read(`src/other${at}x.ts`, 'nothing of interest here'),
    );

  const unitsAt = (steps: readonly Step[], share: number): (string | undefined)[] => {
    const history = historyOf(steps);
    const replies = history.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
    const demand = createSessionDemand(history);
    const cuts = hindsightCuts({ history, replies, demand, sizeOf: () => 1 });
    const cut = cuts.find(({ messageIndex }) => messageIndex >= share * history.length);
    const lines = [LINE].filter((line) =>
      cut?.units.some(({ unit }) => unit === demand.index.idOf(line)),
    );
    return lines;
  };

  test('wants what the next 24 calls use', () => {
    const steps = [
      { user: 'Go.' },
      read('src/bill.ts', LINE),
      ...padding(30),
      edit('src/bill.ts', LINE),
    ];
    expect(unitsAt(steps, 0.25)).toEqual([LINE]);
  });

  test('does not want what the call after these uses', () => {
    const steps = [
      { user: 'Go.' },
      read('src/bill.ts', LINE),
      ...padding(40),
      edit('src/bill.ts', LINE),
    ];
    expect(unitsAt(steps, 0.25)).toEqual([]);
    expect(unitsAt(steps, 0.55)).toEqual([LINE]);
  });

  test('does not want what is shown again before its use', () => {
    const steps = [
      { user: 'Go.' },
      read('src/bill.ts', LINE),
      ...padding(28),
      read('src/bill.ts', LINE),
      edit('src/bill.ts', LINE),
    ];
    expect(unitsAt(steps, 0.4)).toEqual([]);
  });
});
