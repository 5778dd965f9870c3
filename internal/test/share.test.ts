import { afterEach, describe, expect, test, vi } from 'vitest';

/** The module as a run with these settings loads it. */
async function shareOf(runs: number | undefined, seed = 1, allCases?: string) {
  vi.resetModules();
  vi.stubEnv('VARVE_LAW_RUNS', runs === undefined ? undefined : `${runs}`);
  vi.stubEnv('VARVE_LAW_SEED', `${seed}`);
  vi.stubEnv('VARVE_ALL_CASES', allCases);
  return await import('../src/share.ts');
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const CASES = Array.from({ length: 10 }, (_, at) => at);

describe('oneIn', () => {
  test('draws one of each so many that stand beside each other, the same for the same seed', async () => {
    const { oneIn } = await shareOf(undefined);
    const drawn = oneIn(4, CASES);
    expect(drawn.map((at) => Math.floor(at / 4))).toEqual([0, 1, 2]);
    expect((await shareOf(undefined)).oneIn(4, CASES)).toEqual(drawn);
    expect(oneIn(4, [])).toEqual([]);
    expect(oneIn(4, ['only'])).toEqual(['only']);
  });

  test('draws every case with one seed or another', async () => {
    const seen = new Set<number>();
    for (let seed = 1; seed <= 40; seed++) {
      for (const at of (await shareOf(undefined, seed)).oneIn(4, CASES)) seen.add(at);
    }
    expect([...seen].sort()).toEqual(CASES);
  });

  test.each([2_500, 10_000])('takes all cases where laws run %i times', async (runs) => {
    const { oneIn, someUpTo, isWhole } = await shareOf(runs);
    expect(isWhole).toBe(true);
    expect(oneIn(4, CASES)).toEqual(CASES);
    expect(someUpTo(5, 4)).toEqual([1, 2, 3, 4, 5]);
    expect(oneIn(10, CASES, 4).map((at) => Math.floor(at / 4))).toEqual([0, 1, 2]);
  });

  test('takes all cases with few runs of each law only where VARVE_ALL_CASES is 1', async () => {
    const all = await shareOf(60, 1, '1');
    expect([all.oneIn(4, CASES), all.lawRuns]).toEqual([CASES, 60]);
    expect((await shareOf(60, 1, '0')).oneIn(4, CASES)).toHaveLength(3);
    expect((await shareOf(2_499)).oneIn(4, CASES)).toHaveLength(3);
  });
});

test.each([0, 1])('a law runs at least once where %i runs are asked for', async (runs) => {
  expect((await shareOf(runs)).lawRuns).toBe(1);
});

test('someUpTo holds the first and the last, in order, each once', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const numbers = (await shareOf(undefined, seed)).someUpTo(19, 6);
    expect([numbers[0], numbers.at(-1)]).toEqual([1, 19]);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(numbers.length).toBeLessThanOrEqual(6);
  }
});
