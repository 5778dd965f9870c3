import type { Message } from '@varve/messages';
import { isToolUse, toolResults } from '@varve/messages';
import { beforeAll, describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { BUILT_IN_STRATEGIES, type ReportRow, type Strategy } from '../src/index.ts';
import type { SessionPlan } from '../src/replay/session-plan.ts';
import { choosing, cleared, planOf, rowAfterWaiting, rowFor } from './replays.ts';
import { edit, generatedSteps, randomFrom, read, write } from './sessions.ts';

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((strategy) => strategy.name === name) as Strategy;

/** Two sessions above 100,000 tokens: few large results, and many small ones. */
const LONG = [
  { seed: 1, calls: 70, lines: 110 },
  { seed: 2, calls: 180, lines: 30 },
].map((options) => planOf(generatedSteps(options)));

/** The others compact at a threshold that these sessions do not reach; what they do there is tested by itself. */
const STRATEGIES = BUILT_IN_STRATEGIES.filter(
  ({ name }) => !/compact|session-memory|collapse|ledger/.test(name.replace('microcompact', '')),
);

const SMALL = planOf(generatedSteps({ seed: 4, calls: 90, lines: 20 }));

/** Clears results until at most `share` of all tokens are left, in the order that `rank` gives their positions. */
function clearing(name: string, share: number, rank: (at: number) => number): Strategy {
  return {
    name,
    create({ head, sizeOf }) {
      const messages: Message[] = [];
      const request = () => {
        const order = messages.flatMap((each, at) => (toolResults(each).length > 0 ? [at] : []));
        order.sort((left, right) => rank(left) - rank(right));
        const kept = [...messages];
        const total = messages.reduce((sum, message) => sum + sizeOf(message), 0);
        let left = total;
        for (const at of order) {
          if (left <= total * share) break;
          const message = messages[at] as Message;
          kept[at] = cleared(message);
          left -= sizeOf(message) - sizeOf(kept[at]);
        }
        return { head, messages: kept, markers: [], maxOutputTokens: 8_000 };
      };
      return { add: (message) => void messages.push(message), request };
    },
  };
}

function only(text: string): Strategy {
  const message: Message = { id: 'x', role: 'user', content: [{ type: 'text', text }] };
  return choosing('only-text', () => [message]);
}

describe('hindsight recall', () => {
  test('keep-all has all of it', () => {
    expect(rowFor(SMALL, builtIn('keep-all'))).toMatchObject({
      hindsightRecall: 1,
      relativeToKeepAll: 1,
      rereads: 0,
      breaks: 0,
    });
    expect(rowFor(SMALL, builtIn('keep-all')).hindsightUnits).toBeGreaterThan(10);
  });

  test('drop-all has nothing of it', () => {
    expect(rowFor(SMALL, only('Go on.')).hindsightRecall).toBe(0);
  });

  test('the words of another project are worth nothing', () => {
    const foreign = planOf(generatedSteps({ seed: 5, calls: 90, lines: 20, project: 'Beta' }));
    const text = JSON.stringify(foreign.recording.history);
    expect(rowFor(SMALL, only(text)).hindsightRecall).toBeLessThanOrEqual(0.05);
    const own = JSON.stringify(SMALL.recording.history.map((message) => message.content));
    expect(rowFor(SMALL, only(own)).hindsightRecall).toBeGreaterThan(0.2);
  });

  test('a tail beats random results of the same size, and these beat a head', () => {
    const scrambled = randomFrom(7);
    const ranks = Array.from({ length: 2_000 }, scrambled);
    const recall = (rank: (at: number) => number): number =>
      rowFor(SMALL, clearing('share', 0.45, rank)).hindsightRecall as number;
    const [tail, random, head] = [
      recall((at) => at),
      recall((at) => ranks[at] as number),
      recall((at) => -at),
    ];
    expect(tail).toBeGreaterThan(random);
    expect(random).toBeGreaterThan(head);
  });

  test('what only calls wrote is part of it', () => {
    const line = (at: number): string => `const amountOfPart${at} = basket.items[${at}];`;
    const plan = planOf([
      { user: 'Write all parts, then correct each.' },
      ...Array.from({ length: 20 }, (_, at) => write(`src/part${at}.ts`, line(at))),
      ...Array.from({ length: 20 }, (_, at) => edit(`src/part${at}.ts`, line(at))),
      { say: 'Done.' },
    ]);
    const withoutContents = choosing('no-contents', (messages) =>
      messages.map((message) => ({
        ...message,
        content: message.content.map((block) =>
          isToolUse(block) && block.name === 'Write' ? { ...block, input: {} } : block,
        ),
      })),
    );
    const cleared = rowFor(plan, withoutContents);
    const kept = rowFor(plan, builtIn('keep-all'));
    expect(kept).toMatchObject({ hindsightRecall: 1, rereads: 0 });
    expect(cleared.hindsightRecall).toBeLessThan(0.3);
    expect(cleared).toMatchObject({ rereads: 20, irreproducible: 0, unmetUnits: 0 });
    expect(cleared.dollars).toBeGreaterThan(kept.dollars);
    expect(rowFor(plan, only('Go on.')).hindsightRecall).toBe(0);
  });

  test('grows with the share that is kept', () => {
    const shares = [0.1, 0.2, 0.4, 0.8, 1];
    const recalls = shares.map(
      (share) =>
        rowFor(
          SMALL,
          clearing('tail', share, (at) => at),
        ).hindsightRecall as number,
    );
    expect(recalls).toEqual([...recalls].sort((left, right) => left - right));
    expect(recalls.at(-1)).toBe(1);
  });
});

describe('cost', () => {
  const rows: ReadonlyMap<string, ReportRow>[] = [];
  beforeAll(async () => {
    for (const plan of oneIn(2, LONG)) {
      const named = STRATEGIES.map(
        async (each) => [each.name, await rowAfterWaiting(plan, each)] as const,
      );
      rows.push(new Map(await Promise.all(named)));
    }
  }, 120_000);
  const rowsOf = (name: string): ReportRow[] => rows.map((each) => each.get(name) as ReportRow);

  test('the sessions are as large as they have to be', () => {
    for (const row of rowsOf('keep-all')) expect(row.peakTokens).toBeGreaterThan(100_000);
  });

  test('a volatile prefix costs more than five times as much as keeping everything', () => {
    for (const row of rowsOf('volatile-prefix')) expect(row.relativeToKeepAll).toBeGreaterThan(5);
  });

  test('clearing a bit every turn costs more than clearing in batches', () => {
    for (const [at, row] of rowsOf('sliding-clear').entries()) {
      expect(row.dollars).toBeGreaterThan((rowsOf('batched-clear')[at] as ReportRow).dollars);
    }
  });

  test('keeping everything has the highest hit rate of all that add nothing to the head', () => {
    const addsTool = /^(?:offload|layers)/;
    for (const [at, row] of rowsOf('keep-all').entries()) {
      const others = [...(rows[at] as Map<string, ReportRow>).values()]
        .filter(({ strategy }) => !addsTool.test(strategy))
        .map(({ hitRate }) => hitRate);
      expect(row.hitRate).toBe(Math.max(...(others as number[])));
    }
  });

  test('a parked marker makes clearing cheaper', () => {
    for (const name of ['sliding-clear', 'batched-clear']) {
      for (const [at, row] of rowsOf(`${name}+parked`).entries()) {
        expect(row.dollars).toBeLessThanOrEqual((rowsOf(name)[at] as ReportRow).dollars);
      }
    }
  });

  test('no strategy that keeps everybody’s words comes below the per-object oracle', () => {
    for (const { name } of STRATEGIES) {
      if (name === 'drop-oldest') continue;
      for (const row of rowsOf(name)) expect(row.perObjectDollars).toBeLessThanOrEqual(row.dollars);
    }
  });

  test('no strategy comes below writing everything once', () => {
    for (const { name } of STRATEGIES) {
      for (const row of rowsOf(name)) {
        expect(row.writeOnceDollars).toBeLessThanOrEqual(row.perObjectDollars);
        if (name !== 'drop-oldest') expect(row.writeOnceShare).toBeLessThan(1);
      }
    }
  });

  test('all requests of the built-in strategies are valid and repeatable', () => {
    for (const row of rows.flatMap((each) => [...each.values()])) {
      expect(row).toMatchObject({ invalidRequests: 0, repeatable: true, personLostRequests: 0 });
      expect(row.systemChangedRequests > 0).toBe(row.strategy === 'volatile-prefix');
    }
  });
});

describe('batched-clear (M4)', () => {
  const result = (at: number) => `${`row ${at} of the table `.repeat(1_000)}`;
  const steps = [
    { user: 'Look at all tables.' },
    ...Array.from({ length: 20 }, (_, at) => read(`tables/table${at}.csv`, result(at))),
    { say: 'Done.' },
  ];

  test('case 79: changes the prefix at batch points only, and what is cleared stays so', () => {
    const plan = planOf(steps);
    const row = rowFor(plan, builtIn('batched-clear'));
    expect(rowFor(plan, builtIn('keep-all')).peakTokens).toBeGreaterThan(150_000);
    expect(row.breaks).toBeGreaterThanOrEqual(1);
    expect(row.breaks).toBeLessThanOrEqual(3);
    expect(row.repeatable).toBe(true);
    expect(rowFor(plan, builtIn('sliding-clear')).breaks).toBe(10);
  });

  test('protects the newest results and those under 200 tokens, and clears nothing for little', () => {
    const small = steps.map((step) => ('call' in step ? { ...step, result: 'ok' } : step));
    expect(rowFor(planOf(small), builtIn('batched-clear')).breaks).toBe(0);
    const sent: Message[][] = [];
    const spied: Strategy = {
      name: 'spied',
      create(context) {
        const run = builtIn('batched-clear').create(context);
        const request = () => {
          const asked = run.request();
          sent.push([...asked.messages]);
          return asked;
        };
        return { ...run, request };
      },
    };
    rowFor(planOf([...steps.slice(0, 4), read('a.txt', 'ok'), ...steps.slice(4)]), spied);
    const contents = (sent[20] ?? []).flatMap(toolResults).map((each) => String(each.content));
    expect(contents).toContain('ok');
    expect(contents.slice(-3).every((each) => each.startsWith('row '))).toBe(true);
    expect(contents.some((each) => each.startsWith('This output was cleared'))).toBe(true);
  });
});

describe('gaming', () => {
  const padded = (plan: SessionPlan): ReportRow => {
    const padding = {
      type: 'text',
      text: 'Nothing in here is ever needed. '.repeat(8_000),
    } as const;
    const { head: own } = plan.recording;
    const head = { ...own, system: [...own.system, padding] };
    const strategy = choosing(
      'padded',
      (messages) => messages,
      (request) => ({ ...request, head }),
    );
    return rowFor(plan, strategy);
  };

  test('padding the prefix raises the hit rate and the cost', () => {
    const keepAll = rowFor(SMALL, builtIn('keep-all'));
    const row = padded(SMALL);
    expect(row.hitRate).toBeGreaterThan(keepAll.hitRate as number);
    expect(row.relativeToKeepAll).toBeGreaterThan(1.5);
    expect(row.perObjectShare).toBeLessThan(keepAll.perObjectShare as number);
  });

  test('keep-all under another name is keep-all', () => {
    const { strategy, ...same } = rowFor(
      SMALL,
      choosing('better', (messages) => messages),
    );
    const { strategy: _, ...keepAll } = rowFor(SMALL, builtIn('keep-all'));
    expect(strategy).toBe('better');
    expect(same).toEqual(keepAll);
  });

  test('copies of the messages are not taken for something new', () => {
    const copies = choosing('copies', (messages) => messages.map((each) => structuredClone(each)));
    const row = rowFor(SMALL, copies);
    const keepAll = rowFor(SMALL, builtIn('keep-all'));
    expect(row).toMatchObject({ breaks: 0, rereads: 0, hindsightRecall: 1, invalidRequests: 0 });
    expect(row.dollars).toBeCloseTo(keepAll.dollars, 12);
  });
});
