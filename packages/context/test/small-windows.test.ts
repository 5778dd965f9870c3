import type { Request } from '@varve/messages';
import { contextLimits, createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { type ContextEvent, createContext } from '../src/index.ts';
import { kindsOf, noWait, summarizer, summary } from './compacting-support.ts';
import { call, fakeClock, LATEST, output, says, text } from './support.ts';

const estimator = createEstimator({ family: resolveModel(LATEST).model.tokenizer });
const sizeOf = ({ head, messages }: Request): number =>
  messages.reduce((sum, message) => sum + estimator.message(message), estimator.head(head));

interface Sitting {
  readonly windowTokens: number;
  readonly resultShare: number;
  readonly summarize: ReturnType<typeof summarizer>['summarize'];
  readonly maxOutputTokens?: number | undefined;
  readonly system?: string;
}

/** Forty rounds of work in a window, with results of a share of it each: the largest request, and what was done about it. */
async function work(sitting: Sitting) {
  const { windowTokens, resultShare, summarize, maxOutputTokens } = sitting;
  const { system = 'You fix tests.' } = sitting;
  const clock = fakeClock();
  const events: ContextEvent[] = [];
  const { model: known } = resolveModel(LATEST);
  const model: ModelInfo = { ...known, id: LATEST, aliases: [], windowTokens };
  const context = createContext({
    model: LATEST,
    models: [model],
    system,
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
    if (maxOutputTokens === undefined && sitting.system === undefined) {
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
const SHARES = [0.02, 0.1, 0.25, 0.35];
const OUTPUTS = [undefined, 4_000, 64_000];

describe('K301: a context in a small window', () => {
  let requests = 0;

  // siblings: a summary of no use, a model that is down, replies larger than the window, results that fill the room at once
  describe.each([
    ['a model that answers', () => summarizer(summary())],
    ['a model that is down', () => summarizer(new Error('503'))],
  ])('with %s', (_, model) => {
    test.each(WINDOWS)('of %i tokens compacts before it overflows', async (windowTokens) => {
      const { effectiveTokens } = contextLimits({ windowTokens });
      for (const resultShare of SHARES) {
        for (const maxOutputTokens of OUTPUTS) {
          const { summarize } = model();
          const sitting = { windowTokens, resultShare, summarize, maxOutputTokens };
          const { largest, kinds, sent } = await work(sitting);
          expect(largest, JSON.stringify({ resultShare, maxOutputTokens })).toBeLessThan(
            windowTokens,
          );
          if (resultShare > 0.02) {
            expect(kinds).toContain('compact edited over-threshold');
            expect(largest).toBeGreaterThan(effectiveTokens / 3);
          }
          requests += sent;
        }
      }
    });
  });

  test('a head that fills the window is not compacted for nothing', async () => {
    const { requests: asked, summarize } = summarizer(summary());
    const system = 'You fix tests, one at a time. '.repeat(1_500);
    const sitting = { windowTokens: 8_192, resultShare: 0.02, summarize, system };
    const { kinds } = await work(sitting);
    expect(kinds).toContain('compact idle irreducible-overhead');
    expect(asked).toEqual([]);
    console.info(`K301: ${requests} requests in small windows, none larger than its window`);
  });
});
