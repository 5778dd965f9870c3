import { type Head, type Message, type Request, toolResults } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { OwnCall, Strategy } from '../src/index.ts';
import { TOTAL_COLUMNS } from '../src/report/report-columns.ts';
import type { ReportTotal } from '../src/report/report-schema.ts';
import { totalsOf } from '../src/report/totals.ts';
import { characters, choosing, planOf, rowFor } from './replays.ts';
import { generatedSteps, type Step } from './sessions.ts';

const steps = generatedSteps({ seed: 4, calls: 60, lines: 20 });
const plan = planOf(steps);
const keepAll = rowFor(
  plan,
  choosing('keep-all', (all) => all),
);

/** Sends everything behind another head. */
const behind = (change: (head: Head) => Head): Strategy =>
  choosing(
    'cheat',
    (all) => all,
    (request) => ({ ...request, head: change(request.head) }),
  );

const isAsked = (message: Message): boolean =>
  message.role === 'user' && message.origin === undefined && toolResults(message).length === 0;

const said = (text: string) => ({ type: 'text', text }) as const;

describe('a cheat gains nothing:', () => {
  test('what a compaction cut away and was not billed is not at hand', () => {
    const withBlock = (all: readonly Message[]): readonly Message[] => {
      const last = all.at(-1) as Message;
      const block = { type: 'compaction', content: 'All of the above.' } as const;
      return [...all.slice(0, -1), { ...last, content: [...last.content, block] }];
    };
    const row = rowFor(plan, choosing('cheat', withBlock));
    expect(row.hindsightRecall).toBe(0);
    expect(row.rereads).toBeGreaterThan(10);
    expect(row.personLostRequests).toBe(row.requests + row.rereads);
    expect(row.relativeToKeepAll).toBeGreaterThan(1);
  });

  test('a prompt that has to be summarised and is no request makes its session incomparable', () => {
    const large = generatedSteps({ seed: 1, calls: 20, lines: 110 });
    const tight = planOf(large, { pricing: { window: 62_000 } });
    const flood: Message = { id: 'x', role: 'assistant', content: [said('word '.repeat(80_000))] };
    const cheat = choosing('cheat', (all) => (all.length > 5 ? [...all, flood] : all));
    const row = rowFor(tight, cheat);
    expect(row.forcedCompactions).toBe(0);
    expect(row.invalidRequests).toBeGreaterThan(0);
    expect(row.relativeToKeepAll).toBeNull();
  });

  test('a copy of the head weighs what the head does', () => {
    expect(rowFor(plan, behind(structuredClone)).dollars).toBeCloseTo(keepAll.dollars, 12);
    const marked = behind(({ system, ...head }) => ({
      ...head,
      system: system.map((block) => ({ ...block, copied: true })),
    }));
    expect(rowFor(plan, marked).dollars).toBeGreaterThanOrEqual(keepAll.dollars);
  });

  test.each<[string, (head: Head) => Head, boolean]>([
    ['a tool less', ({ tools, ...head }) => ({ ...head, tools: tools.slice(1) }), true],
    [
      'another tool of the same name',
      (head) => ({ ...head, tools: head.tools.map(({ name }) => ({ name })) }),
      true,
    ],
    ['the same tools, copied', structuredClone, false],
    ['one tool more', (head) => ({ ...head, tools: [...head.tools, { name: 'more' }] }), false],
  ])('%s: the row says whether the head was changed', (_, change, isMarked) => {
    const tools = ['read', 'edit'].map((name) => ({ name, description: `To ${name} files.` }));
    const row = rowFor(planOf(steps, { tools }), behind(change));
    expect(row.systemChangedRequests > 0).toBe(isMarked);
    expect(row.hindsightRecall).toBe(1);
  });

  test('a prompt that was paid for ahead reads well and costs more', () => {
    const row = rowFor(
      plan,
      calling((request) => [{ request, outputTokens: 0 }]),
    );
    expect(row.hitRate).toBeGreaterThan(keepAll.hitRate as number);
    expect(row.dollars).toBeGreaterThan(keepAll.dollars);
  });

  test('who compacts once the cache is cold pays for a cold prompt', () => {
    const pauses = planOf(steps, { gapMs: 600_000, pricing: { ttl: '5m' } });
    const ask: Message = { id: 'ask', role: 'user', content: [said('Summarise.')] };
    const asking = (request: Request): readonly OwnCall[] => [
      { request: { ...request, messages: [...request.messages, ask] }, outputTokens: 0 },
    ];
    const late = rowFor(pauses, calling(asking));
    const soon = rowFor(pauses, calling(asking, 'add'));
    expect(late.ownCalls).toBe(soon.ownCalls + 1);
    expect(late.ownCallDollars).toBeGreaterThan(5 * soon.ownCallDollars);
  });
});

/** Keeps everything, and makes the calls before each request, or after each reply. */
function calling(
  callsBefore: (request: Request) => readonly OwnCall[],
  when: 'add' | 'request' = 'request',
): Strategy {
  return {
    name: 'calling',
    create({ head }) {
      const messages: Message[] = [];
      let calls: readonly OwnCall[] = [];
      const request = (): Request => ({
        head,
        messages: [...messages],
        markers: [],
        maxOutputTokens: 8_000,
      });
      return {
        add(message) {
          if (when === 'add' && message.role === 'assistant') calls = callsBefore(request());
          messages.push(message);
        },
        request() {
          if (when === 'request') calls = callsBefore(request());
          return request();
        },
        calls() {
          const made = calls;
          calls = [];
          return made;
        },
      };
    },
  };
}

test('who drops what was just read again for it is cheap, and marked', () => {
  const large = planOf(generatedSteps({ seed: 1, calls: 40, lines: 110 }));
  const forgets = choosing('cheat', (given) => {
    const all = given.filter(({ origin }) => origin?.kind !== 're-read');
    const newest = all.findLastIndex(({ role }) => role === 'assistant');
    const said = all.filter((each) => isAsked(each) && all.indexOf(each) < newest);
    return [...said.slice(-1), ...all.slice(Math.max(0, newest))];
  });
  const base = rowFor(
    large,
    choosing('keep-all', (all) => all),
  );
  const row = rowFor(large, forgets);
  const [, total] = totalsOf([base, row]);
  expect(row).toMatchObject({ invalidRequests: 0, personLostRequests: 0 });
  expect(row.relativeToKeepAll).toBeLessThan(1);
  expect(total?.unmetUnits).toBeGreaterThan(0);
  expect(TOTAL_COLUMNS[0]?.cell(total as ReportTotal)).toBe('cheat?');
  expect(TOTAL_COLUMNS[0]?.cell(totalsOf([base])[0] as ReportTotal)).toBe('keep-all');
});

test('the dollars of a compaction, worked out by hand', () => {
  const talk: readonly Step[] = [
    { user: 'u'.repeat(1_000) },
    { say: 's'.repeat(500) },
    { user: 'v'.repeat(2_000) },
    { say: 'Done.' },
  ];
  const ask: Message = { id: 'ask', role: 'user', content: [said('a'.repeat(100))] };
  const summary: Message = { id: 'sum', role: 'user', content: [said('m'.repeat(600))] };
  const compacting: Strategy = {
    name: 'compacting',
    create({ head }) {
      let messages: Message[] = [];
      let calls: readonly OwnCall[] = [];
      const request = (all: Message[]): Request => ({
        head,
        messages: all,
        markers: [],
        maxOutputTokens: 8_000,
      });
      return {
        add(message) {
          messages = [...messages, message];
          if (message.role !== 'assistant') return;
          calls = [{ request: request([...messages, ask]), outputTokens: 600 }];
          messages = [summary];
        },
        request: () => request(messages),
        calls() {
          const made = calls;
          calls = [];
          return made;
        },
      };
    },
  };
  const priced = planOf(talk, { estimator: characters, pricing: { ttl: '5m' } });
  const row = rowFor(priced, compacting);
  // per million: 5 plain, 6.25 written for 5 minutes, 0.5 read, 25 of output; the head is taken to hold 15,000
  const first = 16_000 * 6.25; // head and question are written
  const call = 16_000 * 0.5 + 600 * 6.25 + 600 * 25; // both are read; reply and instruction are written; the summary
  const second = 15_000 * 0.5 + 2_600 * 6.25; // the head is read; summary and next question are written
  expect(row.ownCallDollars).toBeCloseTo(call / 1e6, 12);
  expect(row.dollars).toBeCloseTo((first + call + second) / 1e6, 12);
  expect(row).toMatchObject({ promptTokens: 33_600, readTokens: 15_000, ownCalls: 1, breaks: 1 });
});
