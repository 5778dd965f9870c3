import { join } from 'node:path';
import { createMicrocompact } from '@varve/microcompact';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { defaultSessions } from '../src/default-paths.ts';
import {
  BUILT_IN_STRATEGIES,
  contextStrategy,
  EvalsError,
  type Report,
  type ReportRow,
  runEval,
} from '../src/index.ts';
import { loadStrategies } from '../src/load-strategies.ts';
import { PEERS } from '../src/peers/peers.ts';
import { FIRST_STRATEGIES, formatFirstScreen } from '../src/report/first-screen.ts';
import { FLOOR, REACH_FLOOR, verdictOf } from '../src/report/pick.ts';
import { explain, plainName } from '../src/report/plain-words.ts';
import { TOTAL_COLUMNS } from '../src/report/report-columns.ts';
import { totalsOf } from '../src/report/totals.ts';

/** What a strategy costs and keeps in each session. */
interface Figures extends Partial<ReportRow> {
  readonly strategy: string;
  /** Of keep-all's, which costs 10 dollars in each session. */
  readonly cost: number;
  readonly recall?: number;
  readonly reach?: number;
}

const KEEP_ALL: Figures = { strategy: 'keep-all', cost: 1 };

/** Rows of `sessions` sessions, each the same under a strategy. */
const rowsOf = (all: readonly Figures[], sessions: number): ReportRow[] => {
  const asItWas = all.find(({ strategy }) => strategy === 'as-it-was')?.cost;
  return all.flatMap(({ cost, recall = 1, reach = 1, ...figures }) =>
    Array.from({ length: sessions }, (_, at) => {
      const row = {
        ...ROW,
        session: `s${at}`,
        dollars: cost * 10,
        relativeToKeepAll: cost,
        relativeToAsItWas: asItWas === undefined ? null : cost / asItWas,
        hindsightRecall: recall,
        hindsightReach: reach,
        acted: figures.strategy !== 'keep-all',
        ...figures,
      };
      return row as ReportRow;
    }),
  );
};

const ROW = {
  hindsightUnits: 50,
  invalidRequests: 0,
  systemChangedRequests: 0,
  personLostRequests: 0,
  unmetUnits: 0,
  rereads: 0,
  repeatable: true,
  forcedCompactions: 0,
  compactions: 0,
};

interface ReportOptions {
  readonly sessions?: number;
  readonly small?: readonly Figures[];
  readonly windowTokens?: number;
}

function reportOf(
  all: readonly Figures[],
  { sessions = 2, small, windowTokens = 1_000_000 }: ReportOptions = {},
): Report {
  const threads = Array.from({ length: sessions }, (_, at) => ({
    session: `s${at}`,
    project: at,
    pricedAs: 'claude-opus-4-8',
    windowTokens,
  }));
  const figures = (found: readonly Figures[]) => {
    const rows = rowsOf(found, sessions);
    const totals = totalsOf(rows, threads);
    return { rows, totals, verdict: verdictOf({ rows, totals }, threads) };
  };
  return {
    settings: { window: null },
    sessions: [{ replayed: threads }],
    refused: [],
    unpriced: [],
    ...figures(all),
    otherWindows: small === undefined ? [] : [{ windowTokens: 200_000, ...figures(small) }],
  } as unknown as Report;
}

const flowing = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('verdict', () => {
  const cases: readonly [string, readonly Figures[], string | null][] = [
    [
      'the cheapest',
      [
        { strategy: 'a', cost: 0.7 },
        { strategy: 'b', cost: 0.6 },
      ],
      'b',
    ],
    ['nothing that is dearer', [{ strategy: 'a', cost: 1.2 }], null],
    ['nothing that costs the same', [{ strategy: 'a', cost: 0.996 }], null],
    ['one at the floor', [{ strategy: 'a', cost: 0.6, recall: FLOOR }], 'a'],
    ['none below it', [{ strategy: 'a', cost: 0.6, recall: FLOOR - 0.001 }], null],
    ['one at both floors', [{ strategy: 'a', cost: 0.6, recall: FLOOR, reach: REACH_FLOOR }], 'a'],
    ['none of which more is out of reach', [{ strategy: 'a', cost: 0.6, reach: 0.949 }], null],
    ['none that is refused', [{ strategy: 'a', cost: 0.6, invalidRequests: 1 }], null],
    ['none that changes the head', [{ strategy: 'a', cost: 0.6, systemChangedRequests: 1 }], null],
    ['none that loses a person', [{ strategy: 'a', cost: 0.6, personLostRequests: 1 }], null],
    ['none that answers differently', [{ strategy: 'a', cost: 0.6, repeatable: false }], null],
    ['none whose cost lacks a part', [{ strategy: 'a', cost: 0.6, unmetUnits: 1 }], null],
    [
      'one whose cost lacks one re-read of a hundred',
      [{ strategy: 'a', cost: 0.6, unmetUnits: 1, rereads: 100 }],
      'a',
    ],
    ['none of which nothing is known', [{ strategy: 'a', cost: 0.6, hindsightUnits: 0 }], null],
  ];

  test.each(cases)('names %s', (_, others, expected) => {
    const refused = (figures: Figures): Figures =>
      figures.invalidRequests ? { ...figures, relativeToKeepAll: null } : figures;
    const report = reportOf([KEEP_ALL, ...others.map(refused)]);
    expect(report.verdict.cheapest).toBe(expected);
  });

  test('where keeping everything forgets more than the floor allows, as much is enough', () => {
    const baseline = { ...KEEP_ALL, recall: 0.6 };
    const found = (recall: number) =>
      reportOf([baseline, { strategy: 'a', cost: 0.5, recall }]).verdict;
    expect(found(0.6)).toMatchObject({ cheapest: 'a', floor: 0.6, saved: 0.5 });
    expect(found(0.59)).toMatchObject({ cheapest: null, saved: null });
  });

  test('and where it has less within one call', () => {
    const baseline = { ...KEEP_ALL, reach: 0.9 };
    const found = (reach: number) =>
      reportOf([baseline, { strategy: 'a', cost: 0.5, reach }]).verdict;
    expect(found(0.9)).toMatchObject({ cheapest: 'a', floor: 0.85, reachFloor: 0.9 });
    expect(found(0.89)).toMatchObject({ cheapest: null });
  });

  test('says what it keeps, with intervals from five projects on (FIDELITY 5)', () => {
    const all = [KEEP_ALL, { strategy: 'a', cost: 0.75, recall: 0.9, reach: 0.97 }];
    const none = { low: null, high: null };
    expect(reportOf(all, { sessions: 4 }).verdict).toMatchObject({
      atHand: { share: 0.9, ...none },
      reach: { share: 0.97, ...none },
    });
    const { atHand, reach } = reportOf(all, { sessions: 5 }).verdict;
    expect(atHand?.low).toBeCloseTo(0.9, 12);
    expect(reach?.high).toBeCloseTo(0.97, 12);
  });

  test('has an interval from five projects on', () => {
    const all = [KEEP_ALL, { strategy: 'a', cost: 0.75 }];
    expect(reportOf(all, { sessions: 4 }).verdict.interval).toBeNull();
    const { interval } = reportOf(all, { sessions: 5 }).verdict;
    expect(interval?.low).toBeCloseTo(0.25, 12);
    expect(interval?.high).toBeCloseTo(0.25, 12);
    expect(flowing(formatFirstScreen(reportOf(all, { sessions: 5 })))).toContain(
      '25 % less (95 %: 25 to 25 %)',
    );
  });
});

describe('against what was sent', () => {
  const AS_IT_WAS: Figures = { strategy: 'as-it-was', cost: 0.5, recall: 0.9 };
  const CHEAP: Figures = { strategy: 'microcompact-rent', cost: 0.4, recall: 0.9 };
  const DEAR: Figures = { strategy: 'batched-clear', cost: 0.6, recall: 0.95 };
  const line = (screen: string, name: string) =>
    flowing(screen.split('\n').find((each) => each.startsWith(name)) ?? '');

  test('savings are of that, not of keeping everything', () => {
    const report = reportOf([KEEP_ALL, AS_IT_WAS, CHEAP, DEAR]);
    expect(report.verdict).toMatchObject({ cheapest: 'microcompact-rent', reference: 'as-it-was' });
    expect(report.verdict.saved).toBeCloseTo(0.2, 12);
    const screen = formatFirstScreen(report);
    expect(flowing(screen)).toContain('input costs 20 % less at 1M than as it was.');
    expect(line(screen, 'as it was')).toBe('as it was $10.00 - 90 %');
    expect(line(screen, 'keep everything')).toBe('keep everything $20.00 -100 % 100 %');
    expect(line(screen, 'clear when it pays')).toBe('clear when it pays $8.00 20 % 90 %');
    expect(line(screen, 'clear in batches')).toBe('clear in batches $12.00 -20 % 95 %');
  });

  test('one that is cheaper than keeping everything and dearer than what was sent is not named', () => {
    const screen = formatFirstScreen(reportOf([KEEP_ALL, AS_IT_WAS, DEAR]));
    expect(screen).toMatch(/^Leave it as it was in a 1M window: no row is cheaper/);
  });

  test('a smaller window than what was sent needs is compared with keeping everything there', () => {
    const small = [
      { ...KEEP_ALL, cost: 0.9 },
      { ...AS_IT_WAS, overWindowRequests: 3 },
      { ...CHEAP, cost: 0.45 },
    ];
    const screen = formatFirstScreen(reportOf([KEEP_ALL, AS_IT_WAS, CHEAP], { small }));
    expect(line(screen, 'as it was')).toBe('as it was $10.00 - 90 % window too small');
    expect(flowing(screen)).toContain(
      'input costs 20 % less than as it was at 1M and 50 % less than keeping everything at 200K.',
    );
  });

  test('it is never advised, nor what forgets too much, where it is larger than the window', () => {
    for (const recall of [0.5, 0.9]) {
      const small = [KEEP_ALL, { ...AS_IT_WAS, recall, overWindowRequests: 3 }, DEAR];
      const screen = flowing(formatFirstScreen(reportOf([KEEP_ALL, AS_IT_WAS, DEAR], { small })));
      expect(screen).toMatch(
        /^In a 1M window leave it as it was; in a 200K window take "clear in batches", 40 % less than keeping everything\. No row with at least 85 % at hand is cheaper\. 1M/,
      );
    }
  });

  test('where it was dearer than keeping everything, that is what is advised', () => {
    const dearer = { ...AS_IT_WAS, cost: 1.25 };
    const screen = formatFirstScreen(reportOf([KEEP_ALL, dearer, { ...DEAR, cost: 1.1 }]));
    expect(line(screen, 'keep everything')).toBe('keep everything $20.00 20 % 100 %');
    expect(screen).toMatch(/^Keep everything in a 1M window: no row is cheaper/);
  });

  test('has no row where everything was sent', () => {
    const screen = formatFirstScreen(
      reportOf([KEEP_ALL, { strategy: 'as-it-was', cost: 1, acted: false }, CHEAP]),
    );
    expect(screen).not.toMatch(/as it was/i);
    expect(flowing(screen)).toContain('60 % less at 1M than keeping everything');
  });

  test('the bills stand beside it', () => {
    const billed = { requests: 5, dollars: 10, replayedDollars: 9.8, losses: 0, models: ['a'] };
    const rows = { ...AS_IT_WAS, billed: { ...billed, doubt: null } };
    const screen = flowing(formatFirstScreen(reportOf([KEEP_ALL, rows, CHEAP])));
    expect(screen).toContain(
      'Billed: $20.00 of input in 2 sessions, at list prices. Replayed as it was: $19.60, 2.0 % less.',
    );
    expect(screen).toContain('validate --sessions <yours>');
    const mixed = { ...rows, billed: { ...billed, models: ['a', 'b'], doubt: null } };
    expect(flowing(formatFirstScreen(reportOf([KEEP_ALL, mixed, CHEAP])))).toContain(
      'in 2 sessions, at list prices, each session as one model. Replayed',
    );
    const without = formatFirstScreen(reportOf([KEEP_ALL, AS_IT_WAS, CHEAP]));
    expect(without).toContain('--sessions <yours> --model recorded   (beside your bills)');
  });
});

describe('formatFirstScreen', () => {
  const CHEAP: Figures = { strategy: 'microcompact-rent', cost: 0.6, recall: 0.9 };
  const WHOLE: Figures = { strategy: 'layers+ledger', cost: 0.62, recall: 0.9 };
  const WAITING: Figures = { strategy: 'ledger-compact', cost: 1, acted: false };
  const DEAR: Figures = { strategy: 'sliding-clear', cost: 2.5, recall: 0.9 };

  test('names one for both windows in one sentence, and shows them side by side', () => {
    const small = [
      { ...KEEP_ALL, recall: 0.88, forcedCompactions: 1 },
      { ...CHEAP, cost: 0.7 },
      { ...WHOLE, cost: 0.72, compactions: 1 },
      { ...WAITING, acted: true, cost: 0.9 },
      { ...DEAR, cost: 3 },
    ];
    const screen = formatFirstScreen(reportOf([KEEP_ALL, CHEAP, WHOLE, WAITING, DEAR], { small }));
    expect(flowing(screen)).toContain(
      'Take "clear when it pays": input costs 40 % less at 1M and 30 % less at 200K than keeping everything. It is the cheapest row with at least 85 % at hand.',
    );
    const line = (name: string) =>
      flowing(screen.split('\n').find((each) => each.startsWith(name)) ?? '');
    expect(line('keep everything')).toBe('keep everything $20.00 - 100 % $20.00 - 88 %');
    expect(line('clear when it pays')).toBe('clear when it pays $12.00 40 % 90 % $14.00 30 % 90 %');
    expect(line('ledger when full')).toBe('ledger when full nothing to do $18.00 10 % 100 %');
    expect(line('clear every turn')).toBe('clear every turn $50.00 -150 % 90 % $60.00 -200 % 90 %');
    expect(flowing(screen)).toContain(
      '"Keep everything" outgrows a window of 200K in 2 of 2 sessions: there a summary replaces the history, less is sent and more is forgotten',
    );
    expect(flowing(screen)).toContain(
      'Where clearing alone outgrows the window (2 of 2): "park, clear, compact".',
    );
  });

  test('a whole of which a part never acted says so', () => {
    const said = 'Here "park, clear, compact" never had to compact: parking and clearing sufficed.';
    const idle = { ...WHOLE, cost: 0.5 };
    expect(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, idle]))).toContain(said);
    const small = [KEEP_ALL, CHEAP, { ...idle, compactions: 1 }];
    expect(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, idle], { small }))).not.toContain(said);
  });

  test('one that forgets more is told with its window where there are two', () => {
    const forgetful = { strategy: 'drop-oldest', cost: 0.3, recall: 0.7 };
    const all = [KEEP_ALL, CHEAP, forgetful];
    expect(flowing(formatFirstScreen(reportOf(all, { small: all })))).toContain(
      '"Drop oldest" saves more in a 1M window (70 %), and keeps less at hand (70 %).',
    );
  });

  test('with five projects and two windows there is room for why a small window costs less', () => {
    const full = { ...KEEP_ALL, forcedCompactions: 1 };
    const all = [full, CHEAP, WHOLE, WAITING, DEAR];
    const others: Figures[] = ['batched-clear', 'microcompact-time'].map((strategy, at) => ({
      ...{ strategy, cost: 0.8 + at / 10, recall: 0.9 },
    }));
    const small = [full, { ...CHEAP, cost: 0.9 }, { ...WHOLE, cost: 0.8, compactions: 1 }];
    const both = { small: [...small, { ...WAITING, acted: true }, DEAR, ...others], sessions: 30 };
    const screen = formatFirstScreen(reportOf([...all, ...others], both));
    expect(flowing(screen)).toContain(
      '"Keep everything" outgrows a window of 1M in 30, of 200K in 30 of 30 sessions: there a summary replaces the history, less is sent and more is forgotten.',
    );
  });

  test('a whole that costs more than its part and never compacted is not needed', () => {
    expect(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, WHOLE]))).toContain(
      'Clearing alone never outgrew a window: no need of "park, clear, compact" here.',
    );
  });

  test('a whole that costs no more than its part needs no reason', () => {
    expect(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, { ...WHOLE, cost: 0.6 }]))).not.toMatch(
      /clearing alone/i,
    );
  });

  test('says so for each window where they differ, and where nothing is cheaper', () => {
    const small = [KEEP_ALL, { ...CHEAP, cost: 1.1 }, { ...WHOLE, cost: 0.8 }];
    expect(flowing(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, WHOLE], { small })))).toMatch(
      /^In a 1M window take "clear when it pays", 40 % less than keeping everything; in a 200K window take "park, clear, compact", 20 % less\. No row with at least 85 % at hand is cheaper\. /,
    );
    const dear = [KEEP_ALL, { ...CHEAP, cost: 1.1 }];
    expect(flowing(formatFirstScreen(reportOf([KEEP_ALL, CHEAP], { small: dear })))).toMatch(
      /^In a 1M window take "clear when it pays", 40 % less than keeping everything; in a 200K window keep everything\. No row with at least /,
    );
    const none = flowing(
      formatFirstScreen(reportOf([KEEP_ALL, DEAR], { small: [KEEP_ALL, DEAR] })),
    );
    expect(none).toMatch(
      /^Keep everything in a 1M window or a 200K window: no row is cheaper with at least 85 % at hand\. /,
    );
  });

  test('tells what is cheaper and forgets more, without rounding it over the floor', () => {
    const forgetful = { strategy: 'drop-oldest', cost: 0.3, recall: 0.848 };
    const screen = flowing(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, forgetful])));
    expect(screen).toContain('"Drop oldest" saves more (70 %), and keeps less at hand (84.8 %).');
    expect(screen).toContain('drop oldest $6.00 70 % 84.8 %');
  });

  test('tells what is cheaper and keeps less within one call', () => {
    const lost = { strategy: 'drop-oldest', cost: 0.3, recall: 0.88, reach: 0.9 };
    const screen = flowing(formatFirstScreen(reportOf([KEEP_ALL, CHEAP, lost])));
    expect(screen).toContain('at least 85 % at hand and 95 % within one call.');
    expect(screen).toContain(
      '"Drop oldest" saves more (70 %), and keeps less within one call (90 %).',
    );
  });

  test('says that nothing is known of what is at hand, and that some have no row', () => {
    const all = [KEEP_ALL, CHEAP, WAITING].map((each) => ({ ...each, hindsightUnits: 0 }));
    const screen = formatFirstScreen(reportOf(all));
    expect(screen).toMatch(/^Keep everything in a 1M window: no row is cheaper/);
    expect(screen).toContain('What is at hand is not known');
    expect(flowing(screen)).toContain('the cost of keeping everything: ledger when full.');
    expect(screen).toContain('--all: 1 more');
  });

  test('one window stands alone where the other is no smaller', () => {
    const small = [KEEP_ALL, CHEAP];
    const report = reportOf(small, { small, windowTokens: 200_000 });
    expect(formatFirstScreen(report).match(/window\n/g)).toHaveLength(1);
  });

  test('a session that no window takes is left out, a strategy that is refused has no figures', () => {
    const gone = { relativeToKeepAll: null, invalidRequests: 1 };
    const refused = formatFirstScreen(reportOf([KEEP_ALL, { ...CHEAP, ...gone }]));
    expect(flowing(refused)).toContain('clear when it pays refused, too large');
    const nothing = formatFirstScreen(
      reportOf([
        { ...KEEP_ALL, ...gone },
        { ...CHEAP, ...gone },
      ]),
    );
    expect(flowing(nothing)).toMatch(
      /^Nothing can be compared: no session gets through a 1M window\./,
    );
    expect(flowing(nothing)).toContain('Left out: 2 with a round larger than the window');
  });

  test('has at most 24 lines of 80 characters, whatever is in it', () => {
    const others = BUILT_IN_STRATEGIES.filter(
      ({ name }) => !['keep-all', 'as-it-was'].includes(name),
    );
    const many = others.map(
      ({ name }, at): Figures => ({ strategy: name, cost: 0.4 + at / 12, recall: 0.8 + at / 100 }),
    );
    const small = [...many].reverse().map((each, at) => ({ ...each, cost: 0.5 + at / 12 }));
    const asItWas = { strategy: 'as-it-was', cost: 0.95, recall: 0.9, overWindowRequests: 0 };
    const first = [{ ...KEEP_ALL, forcedCompactions: 2 }, asItWas, ...many];
    const report = reportOf(first, {
      small: [first[0] as Figures, { ...asItWas, overWindowRequests: 1 }, ...small],
      sessions: 6,
    });
    const refused = [{ file: 'a.jsonl', line: null, reason: 'no session' }];
    const screen = formatFirstScreen({ ...report, refused });
    const lines = screen.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(screen).toContain('Refused: a.jsonl (no session).');
    for (const { verdict } of [report, ...report.otherWindows])
      expect(lines.some((line) => line.startsWith(plainName(verdict.cheapest as string)))).toBe(
        true,
      );
  });

  test('what it replays is there', () => {
    const names = BUILT_IN_STRATEGIES.map(({ name }) => name);
    expect(FIRST_STRATEGIES.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('plain words', () => {
  const words = [
    ...BUILT_IN_STRATEGIES.map(({ name }) => name),
    ...PEERS.map(({ name }) => name),
    ...TOTAL_COLUMNS.map(({ title }) => title).filter((title) => title !== 'strategy'),
    ...['cost', 'saved', 'at hand', 'floor', 'window', 'Clear when it pays'],
  ];

  test.each(words)('%s is explained in one paragraph', (word) => {
    const [text = ''] = explain(word).split('\n\nIn an agent');
    expect(text).toMatch(/^[^\n]+:/);
    expect(text.length).toBeGreaterThan(60);
    expect(text).not.toMatch(/undefined|\n\n/);
  });

  const told = BUILT_IN_STRATEGIES.filter(({ name }) => explain(name).includes('createContext('));

  // the same quarter in every run with one VARVE_LAW_SEED; all of them in `.ci/run` and `pnpm soak`
  test.each(oneIn(4, told))(
    'the line that switches $name on does what its row shows',
    async ({ name }) => {
      const line = explain(name).trimEnd().split('\n').at(-1) ?? '';
      const given = {
        createContext: (options: object) => options,
        ...{ createMicrocompact, model: undefined, call: undefined },
        storage: createToolStorage({ store: memoryStore(), sessionId: 'replay' }),
      };
      const setting = () => {
        const made = new Function(...Object.keys(given), `return ${line}`)(...Object.values(given));
        const { model, call, ...options } = made;
        return options;
      };
      const { rows } = await runEval({
        sessions: [join(defaultSessions(), 'round-trip-bug.jsonl')],
        strategies: [name, contextStrategy('as-told', setting)],
        window: 60_000,
      });
      const [shown, asTold] = rows.slice(-2).map(({ strategy, ...figures }) => figures);
      expect(asTold).toEqual(shown);
    },
  );

  test('the strategies that are told of are those that a user may take', () => {
    expect(told.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        FIRST_STRATEGIES.filter((name) => /^(layers|micro|ledger)/.test(name)),
      ),
    );
  });

  test('each strategy of ours has a name of its own that is none of the ids', () => {
    const ids = BUILT_IN_STRATEGIES.map(({ name }) => name);
    const plain = ids.map(plainName);
    expect(new Set(plain).size).toBe(plain.length);
    expect(plain.filter((name) => ids.includes(name))).toEqual([]);
  });

  test('a word that is none is refused, with those that are', () => {
    expect(() => explain('rubbish')).toThrow(EvalsError);
    expect(() => explain('rubbish')).toThrow(/`rubbish`\. There is: acted, .*keep-all/);
  });

  test('a strategy is asked for by either name', async () => {
    const [, found] = await loadStrategies(['clear when it pays']);
    expect(found?.name).toBe('microcompact-rent');
  });
});
