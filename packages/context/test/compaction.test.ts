import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPlanners } from '../src/compaction/planners.ts';
import { createContext } from '../src/index.ts';
import {
  compactingScene,
  editsOf,
  fill,
  fillUp,
  kindsOf,
  notesOf,
  summarizer,
  summary,
} from './compacting-support.ts';
import { smallWindow } from './small-window.ts';
import {
  BOUND,
  bytesOf,
  call,
  expectGrown,
  LATEST,
  OPENAI,
  says,
  text,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const down = new ModelError('auth', 'No key.');

describe('request with a compaction (C1, C4, C14)', () => {
  test('compacting by the ledger hides no result that no model has seen', async () => {
    const models = [smallWindow(LATEST, 60_000)];
    const { context } = compactingScene({ summarize: 'ledger', percent: undefined }, { models });
    await context.user('Refactor everything.');
    for (let at = 0; at < 40; at++) {
      await context.request();
      await context.reply(says(call(`c${at}`, 'Read', { file_path: `src/f${at}.ts` })));
      const content = `row of c${at} const value = 1;\n`.repeat(1_500);
      await context.results([{ toolUseId: `c${at}`, content }]);
      const { messages } = await context.request();
      expect(JSON.stringify(messages.at(-1))).toContain(`row of c${at} const`);
      expect(JSON.stringify(messages)).toContain('Refactor everything.');
    }
    expect(editsOf(context.entries()).length).toBeGreaterThan(1);
  });

  test('compacts by the ledger without a call', async () => {
    const { context } = compactingScene({ summarize: 'ledger' });
    await context.user('Fix the parser. Never touch vendor/.');
    await fillUp(context);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(JSON.stringify(request.messages)).toContain('Never touch vendor/.');
    const [edit] = editsOf(context.entries());
    expect(edit).toMatchObject({ by: 'compact', receipt: { engine: 'ledger', calls: 0 } });
    expect(context.usage()).toMatchObject({ dollars: 0 });
  });

  test.each([LATEST, BOUND, OPENAI, UNKNOWN])(
    'compacts %s at the threshold, in one edit with its receipt, and goes on',
    async (model) => {
      const { requests, summarize } = summarizer();
      const { context, events } = compactingScene({ summarize }, { model });
      await context.user('Fix the parser. Never touch vendor/.');
      await fillUp(context);
      const before = context.size().tokens;
      expect(editsOf(context.entries())).toEqual([]);
      events.length = 0;

      const request = await context.request();

      expect(requests).toHaveLength(1);
      expect(violationsOf(request)).toEqual([]);
      expect(JSON.stringify(request.messages)).toContain('The parser was read.');
      expect(JSON.stringify(request.messages)).toContain('Never touch vendor/.');
      const [edit, ...more] = editsOf(context.entries());
      expect(more).toEqual([]);
      expect(edit).toMatchObject({ by: 'compact', reason: 'over-threshold' });
      expect(edit?.receipt).toMatchObject({ trigger: 'auto', engine: 'summary', calls: 1 });
      expect(edit?.receipt).toMatchObject({ tokensBefore: before, attempt: expect.any(String) });
      expect(context.size().tokens).toBeLessThan(before / 2);
      expect(kindsOf(events)).toEqual([
        'compaction-started',
        'compact edited over-threshold',
        'compaction-ended',
      ]);
      await context.reply(says(text('Read on.')));
      await context.user('Go on.');
      expectGrown(request, await context.request());
    },
  );

  test('below the threshold says so and asks nobody', async () => {
    const { requests, summarize } = summarizer();
    const { context, events } = compactingScene({ summarize });
    await context.user('Fix the parser.');
    await context.request();
    expect(kindsOf(events)).toEqual(['compact idle below-threshold']);
    expect(requests).toEqual([]);
    expect(notesOf(context.entries())).toEqual([]);
  });

  test('the share of the window at which it is compacted is an option', async () => {
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize, percent: 10 });
    await context.user('Fix the parser.');
    await fillUp(context, 1_700);
    expect(context.size().tokens).toBeLessThan(4_000);
    await context.request();
    expect(requests).toHaveLength(1);
  });

  test("a summary's request begins with the conversation's own bytes and has markers where its requests have them", async () => {
    const { requests, summarize } = summarizer();
    const { context } = compactingScene({ summarize });
    await context.user('Fix the parser.');
    let last = await context.request();
    for (let at = 0; context.size().tokens < 4_000; at++) {
      await context.reply(says(call(`k${at}`)));
      await context.results([{ toolUseId: `k${at}`, content: 'x y z '.repeat(500) }]);
      if (context.size().tokens < 4_000) last = await context.request();
    }
    await context.request();
    const [asked] = requests;
    if (!asked) return expect.fail('no summary was asked for');
    expectGrown(last, asked);
    expect(bytesOf(asked).length).toBeGreaterThan(bytesOf(last).length);
    const places = asked.markers.map((marker) => JSON.stringify(marker));
    expect(places.length).toBeGreaterThan(1);
    expect(asked.markers.at(-1)).toMatchObject({ messageIndex: asked.messages.length - 1 });
  });

  test.each([
    { name: 'off', switches: { enabled: false }, reason: 'disabled' },
    { name: 'automatic one off', switches: { auto: false }, reason: 'auto-disabled' },
    { name: 'reactive only', switches: { reactiveOnly: true }, reason: 'reactive-only' },
    { name: 'collapse on', switches: { collapse: true }, reason: 'collapse-on' },
    { name: 'a fork for notes', switches: { source: 'session-memory' }, reason: 'own-fork' },
  ] as const)('$name: the request goes out as it is', async ({ switches, reason }) => {
    const { requests, summarize } = summarizer();
    const { context, events } = compactingScene({ summarize, switches: () => switches });
    await context.user('Fix the parser.');
    await fillUp(context);
    events.length = 0;
    await context.request();
    expect(kindsOf(events)).toEqual([`compact idle ${reason}`]);
    expect(requests).toEqual([]);
  });

  test.each([
    {
      name: 'one that is made: the layers wait for the next request',
      steps: [summary()],
      asked: 0,
    },
    { name: 'one that fails: the layers do what they can', steps: [down], asked: 1 },
  ])('a compaction comes before the layers, $name', async ({ steps, asked }) => {
    const { requests, summarize } = summarizer(...steps);
    let plans = 0;
    const plan = () => ({ kind: 'none', reason: `asked-${++plans}` }) as const;
    const layers = [{ name: 'counts', planner: { observe() {}, plan } }];
    const { context } = compactingScene({ summarize, fallback: 'none' }, { layers });
    await context.user('Fix the parser.');
    await fillUp(context);
    plans = 0;
    await context.request();
    expect(requests).toHaveLength(1);
    expect(plans).toBe(asked);
    await context.request();
    expect(plans).toBe(asked + 1);
  });

  test('switches that throw are a no', async () => {
    const cause = new Error('no settings');
    const { context, events } = compactingScene({
      switches() {
        throw cause;
      },
    });
    await context.user('Fix the parser.');
    await context.request();
    expect(events).toEqual([{ layer: 'compact', kind: 'failed', reason: 'plan-threw', cause }]);
  });

  test('what was said is read for the facts of a summary once a request is out, every few requests', async () => {
    let reads = 0;
    const content = [text('Fix src/plum.ts.')];
    const message: Message = {
      ...{ id: 'm', role: 'user' },
      get content() {
        reads += 1;
        return content;
      },
    };
    const planners = createPlanners({
      compaction: { summarize: 'ledger' },
      ...{
        mark: (each) => each,
        models: [],
        textSize: () => 0,
        redact: true,
        enter: (each) => each,
      },
    });
    planners.observe(
      { id: 'e', at: '', type: 'message', message },
      { messages: [], changedFrom: 0 },
    );
    const before = reads;
    for (let request = 0; request < 8; request++) planners.readSoon();
    expect(reads).toBe(before);
    await wait(5);
    expect(reads).toBeGreaterThan(before);
    const { context } = compactingScene();
    await context.user('Fix the parser.');
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // one timer is that of the request itself: what its answer needs
    for (let request = 0; request < 7; request++) await context.request();
    expect(vi.getTimerCount()).toBe(1);
    await context.request();
    expect(vi.getTimerCount()).toBe(2);
    vi.runAllTimers();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of a conversation that was closed nothing is read ahead, until it goes on', async () => {
    const { context } = compactingScene();
    await context.user('Fix the parser.');
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let request = 0; request < 8; request++) await context.request();
    expect(vi.getTimerCount()).toBe(2);
    await context.close();
    expect(vi.getTimerCount()).toBe(0);
    for (let request = 0; request < 8; request++) await context.request();
    expect(vi.getTimerCount()).toBe(2);
  });

  test('pins that throw leave the conversation uncompacted, and says why', async () => {
    const cause = new Error('pins');
    const { context, events } = compactingScene({
      pins() {
        throw cause;
      },
    });
    await context.user('Fix the parser.');
    await fillUp(context);
    events.length = 0;
    await context.request();
    expect(events).toEqual([{ layer: 'compact', kind: 'failed', reason: 'plan-threw', cause }]);
    expect(await context.compact()).toEqual({ kind: 'failed', reason: 'plan-threw', cause });
  });
});

describe('request where the model gives no summary (C2, C7)', () => {
  test('the ledger takes its place', async () => {
    const { context } = compactingScene({ summarize: summarizer(down).summarize });
    await context.user('Fix the parser. Never touch vendor/.');
    await fillUp(context);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    const [edit] = editsOf(context.entries());
    expect(edit?.receipt).toMatchObject({ engine: 'ledger', failure: 'model-failed' });
    expect(JSON.stringify(request.messages)).toContain('Never touch vendor/.');
  });

  test('case 35: without a fallback the request goes out uncompacted, and three failures in a row are the last, also after a restart', async () => {
    const { requests, summarize } = summarizer(down);
    const compaction = { summarize, fallback: 'none' } as const;
    const { context, events, options } = compactingScene(compaction);
    await context.user('Fix the parser.');
    await fillUp(context);
    const before = JSON.stringify(context.view().messages);
    events.length = 0;
    const request = await context.request();
    expect(JSON.stringify(request.messages)).toBe(before);
    expect(events.at(-1)).toEqual({
      layer: 'compact',
      kind: 'failed',
      reason: 'model-failed',
      cause: down,
      calls: 1,
    });
    expect(notesOf(context.entries())).toEqual([
      { kind: 'compaction-started', attempt: expect.any(String), path: 'full' },
      {
        kind: 'compaction-ended',
        attempt: expect.any(String),
        outcome: 'failed',
        reason: 'model-failed',
        calls: 1,
        trigger: 'auto',
      },
    ]);
    await context.reply(says(call('again')));
    await context.results([{ toolUseId: 'again', content: 'x' }]);
    await context.request();
    const resumed = createContext({ ...options, entries: context.entries() });
    await resumed.request();
    expect(requests).toHaveLength(3);
    events.length = 0;
    await resumed.request();
    expect(kindsOf(events)).toEqual(['compact idle breaker-open']);
    expect(requests).toHaveLength(3);
    expect(await resumed.compact()).toMatchObject({ kind: 'failed', reason: 'model-failed' });
    expect(requests).toHaveLength(4);
  });

  test('a success by hand closes the breaker', async () => {
    const { summarize } = summarizer(down, down, down, summary());
    const { context, events } = compactingScene({ summarize, fallback: 'none' });
    await context.user('Fix the parser.');
    await fillUp(context);
    for (let time = 0; time < 4; time++) await context.request();
    expect(kindsOf(events).at(-1)).toBe('compact idle breaker-open');
    expect(await context.compact()).toMatchObject({ kind: 'compacted' });
    await fillUp(context, 4_000, 100);
    await context.request();
    expect(editsOf(context.entries())).toHaveLength(2);
  });

  // a third of the window a result, so that each compaction is due three requests after the one before
  test.each([4_096, 20_000, 31_999, 32_768, 40_000, 64_000, 128_000, 200_000])(
    'K301: a window of %i is compacted before it overflows, close compactions or not',
    async (windowTokens) => {
      const { requests, summarize } = summarizer();
      const model = { ...smallWindow(LATEST, 4_000), windowTokens, maxOutputTokens: 512 };
      const { context, events } = compactingScene(
        { summarize, percent: undefined },
        { models: [model] },
      );
      await context.user('Fix the parser.');
      const chars = windowTokens * 0.8;
      for (let at = 0; at < 25; at++) {
        await fill(context, `k${at}`, chars);
        expect((await context.request()).maxOutputTokens).toBeGreaterThan(0);
        expect(context.size().tokens).toBeLessThan(windowTokens);
      }
      expect(requests.length).toBeGreaterThan(2);
      expect(events.filter(({ kind }) => kind === 'paused').length).toBeLessThan(2);
    },
  );

  test('case 17: compactions that gain nothing stop and name what fills the conversation, once a turn', async () => {
    const { requests, summarize } = summarizer();
    const { context, events } = compactingScene(
      { summarize, keepTokens: 19_000, percent: 23 },
      { models: [smallWindow(LATEST, 100_000)] },
    );
    await context.user('Fix the parser.');
    let at = 0;
    while (requests.length < 2) await fill(context, `k${at++}`, 40_000);
    await fill(context, `k${at++}`, 40_000);
    await fill(context, `k${at++}`, 40_000);
    await fill(context, `k${at++}`, 40_000);
    expect(requests).toHaveLength(2);
    const paused = events.filter(({ kind }) => kind === 'paused');
    expect(paused).toMatchObject([{ reason: 'no-headroom', producers: [{ toolName: 'bash' }] }]);
    expect(notesOf(context.entries())).toContainEqual({ kind: 'compaction-paused' });
    await context.request();
    await context.reply(says(text('So far.')));
    await context.user('Go on.');
    await context.request();
    expect(requests).toHaveLength(3);
  });
});
