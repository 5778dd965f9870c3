import type { Request } from '@varve/messages';
import { contextLimits, createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { type ContextEvent, createContext } from '../src/index.ts';
import { kindsOf, noWait, summarizer, summary } from './compacting-support.ts';
import { BOUND, call, fakeClock, LATEST, output, rejection, says, text } from './support.ts';

const estimator = createEstimator({ family: resolveModel(LATEST).model.tokenizer });
const sizeOf = ({ head, messages }: Request): number =>
  messages.reduce((sum, message) => sum + estimator.message(message), estimator.head(head));

interface Sitting {
  readonly windowTokens: number;
  readonly resultShare: number;
  readonly summarize: ReturnType<typeof summarizer>['summarize'];
  readonly maxOutputTokens?: number | undefined;
}

/** Forty rounds of work in a window, with results of a share of it each: the largest request, and what was done about it. */
async function work(sitting: Sitting) {
  const { windowTokens, resultShare, summarize, maxOutputTokens } = sitting;
  const clock = fakeClock();
  const events: ContextEvent[] = [];
  const { model: known } = resolveModel(LATEST);
  const model: ModelInfo = { ...known, id: LATEST, aliases: [], windowTokens };
  const context = createContext({
    model: LATEST,
    models: [model],
    system: 'You fix tests.',
    tools: [{ name: 'bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
    now: clock.now,
    onEvent: (event) => void events.push(event),
    compaction: { summarize, wait: noWait },
    ...(maxOutputTokens && { maxOutputTokens }),
  });
  const chars = Math.floor(windowTokens * resultShare * 2.5);
  await context.user('Fix the parser.');
  let largest = 0;
  let sent = 0;
  for (let at = 0; at < 40; at++) {
    const request = await context.request();
    largest = Math.max(largest, sizeOf(request));
    if (maxOutputTokens === undefined) {
      expect(sizeOf(request) + request.maxOutputTokens).toBeLessThan(windowTokens);
    }
    sent++;
    await context.reply(
      says(text(`Step ${at}.`), call(`k${at}`, 'bash', { command: `run ${at}` })),
    );
    await context.results([{ toolUseId: `k${at}`, content: output(`k${at}`, chars) }]);
    if (at % 10 === 9) {
      await context.request();
      await context.reply(says(text('Done so far.')));
      await context.user(`Go on with part ${at}.`);
    }
  }
  return { largest, sent, kinds: kindsOf(events) };
}

const WINDOWS = [4_000, 4_096, 8_192, 16_384, 24_000, 31_999];
const SITTINGS = [0.02, 0.1, 0.25, 0.35].flatMap((resultShare) =>
  [undefined, 4_000, 64_000].map((maxOutputTokens) => ({ resultShare, maxOutputTokens })),
);

describe('K301: a context in a small window', () => {
  let requests = 0;

  // siblings: a summary of no use, a model that is down, replies larger than the window, results that fill the room at once
  describe.each([
    ['a model that answers', () => summarizer(summary())],
    ['a model that is down', () => summarizer(new Error('503'))],
  ])('with %s', (_, model) => {
    test.each(WINDOWS)('of %i tokens compacts before it overflows', async (windowTokens) => {
      const { effectiveTokens } = contextLimits({ windowTokens });
      for (const given of oneIn(12, SITTINGS)) {
        const { summarize } = model();
        const { largest, kinds, sent } = await work({ windowTokens, summarize, ...given });
        expect(largest, JSON.stringify(given)).toBeLessThan(windowTokens);
        if (given.resultShare > 0.02) {
          expect(kinds).toContain('compact edited over-threshold');
          expect(largest).toBeGreaterThan(effectiveTokens / 3);
        }
        requests += sent;
      }
    });
  });

  test('a head that fills most of the window is not compacted for nothing', async () => {
    const { requests: asked, summarize } = summarizer(summary());
    const events: ContextEvent[] = [];
    const context = createContext({
      model: LATEST,
      models: [{ ...resolveModel(LATEST).model, id: LATEST, aliases: [], windowTokens: 8_192 }],
      system: 'You fix tests, one at a time. '.repeat(400),
      onEvent: (event) => void events.push(event),
      compaction: { summarize, wait: noWait },
    });
    await context.user('Fix the parser.');
    await context.request();
    expect(kindsOf(events)).toContain('compact idle irreducible-overhead');
    expect(asked).toEqual([]);
    console.info(`K301: ${requests} requests in small windows, none larger than its window`);
  });
});

// siblings looked for: the option, `setHead` with other parameters, with another model, with a large system prompt, a budget that
// fits beside the head alone, a window that nobody knows
describe('K301 and K305: a thinking budget beside a small window', () => {
  const thinks = (budget_tokens: number) => ({
    params: { thinking: { type: 'enabled', budget_tokens } },
  });
  const windowOf = (id: string, windowTokens: number): ModelInfo => ({
    ...resolveModel(id).model,
    ...{ id, aliases: [], windowTokens },
  });
  const small = (windowTokens: number) => ({
    model: LATEST,
    models: [windowOf(LATEST, windowTokens), windowOf(BOUND, windowTokens * 4)],
  });

  test.each([31_999, 32_000, 40_000, 31_500])('32,000 of window, a budget of %i', (budget) => {
    const make = () => createContext({ ...small(32_000), ...thinks(budget) });
    expect(make).toThrow(RangeError);
    expect(make).toThrow(String(budget));
    expect(make).toThrow('32000');
  });

  test('a head that leaves no room for it is refused, and so is another model', async () => {
    const system = 'You fix tests, one at a time. '.repeat(600);
    const make = () => createContext({ ...small(32_000), ...thinks(28_000), system });
    expect(make).toThrow(RangeError);
    expect(() => createContext({ ...small(32_000), ...thinks(28_000) })).not.toThrow();
    const context = createContext({ ...small(32_000), ...thinks(40_000), model: BOUND });
    await context.user('Go.');
    const before = context.entries();
    expect(await rejection(context.setHead({ model: LATEST }))).toBeInstanceOf(RangeError);
    expect(context.entries()).toEqual(before);
  });

  test.each([10_000, 24_000, 30_000])(
    'a budget of %i is never asked for beyond the window',
    async (budget) => {
      const context = createContext({ ...small(32_000), ...thinks(budget) });
      for (const said of ['Go.', output('long', 16_000), output('longer', 16_000)]) {
        await context.user(said);
        const { maxOutputTokens } = await context.request();
        expect(maxOutputTokens).toBeLessThanOrEqual(32_000);
        expect(maxOutputTokens).toBeGreaterThan(budget);
        await context.reply(says(text('Done.')));
      }
    },
  );

  test('where nobody knows the window, a budget stands', () => {
    expect(() => createContext({ model: 'pretend-1', ...thinks(500_000) })).not.toThrow();
  });
});
