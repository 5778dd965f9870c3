import type { Request } from '@varve/messages';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextEvent, createContext } from '../src/index.ts';
import { fill, fillUp, notesOf } from './compacting-support.ts';
import { LATEST, OPENAI, violationsOf } from './support.ts';

const windowOf = (id: string, windowTokens: number): ModelInfo => ({
  ...resolveModel(id).model,
  ...{ id, aliases: [], windowTokens },
});

function sizeOf({ head, messages }: Request, isWhole = true): number {
  const { message, head: ofHead } = createEstimator({
    family: resolveModel(head.model).model.tokenizer,
  });
  const tools = isWhole ? head.tools : [];
  return messages.reduce((sum, each) => sum + message(each), ofHead({ ...head, tools }));
}

/** A conversation that is compacted by a provider which refuses what does not fit its window, and by the ledger. */
function scene(provider: 'anthropic' | 'openai', windowTokens: number) {
  const asked: { readonly fits: boolean }[] = [];
  const events: ContextEvent[] = [];
  const model = provider === 'openai' ? OPENAI : LATEST;
  const content = [{ type: 'compaction', content: 'The parser was read.' }];
  const context = createContext({
    model,
    models: [windowOf(model, windowTokens)],
    system: 'You fix tests.',
    tools: [{ name: 'bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
    layers: [],
    onEvent: (event) => void events.push(event),
    compaction: {
      summarize: 'ledger',
      byProvider: {
        provider,
        async call(request) {
          const prompt = sizeOf(request, provider === 'anthropic');
          asked.push({ fits: prompt + request.maxOutputTokens <= windowTokens });
          return { content, stopReason: 'compaction' };
        },
      },
    },
  });
  return { context, events, asked };
}

describe('a provider that compacts is asked for nothing that does not fit', () => {
  test.each(['anthropic', 'openai'] as const)(
    '%s: the ledger takes over where one result fills the window, and says why',
    async (provider) => {
      const { context, events, asked } = scene(provider, 40_000);
      await context.user('Run all of it, plum-4.');
      await fillUp(context, 15_000);
      await fill(context, 'large', 120_000);
      const request = await context.request();
      expect(asked).toEqual([]);
      expect(sizeOf(request)).toBeLessThan(40_000);
      expect(JSON.stringify(request.messages)).toContain('Run all of it, plum-4.');
      expect(notesOf(context.entries())).toContainEqual(
        expect.objectContaining({ kind: 'compaction-started', path: 'provider' }),
      );
      expect(events).toContainEqual(
        expect.objectContaining({
          kind: 'progress',
          event: expect.objectContaining({ outcome: 'failed', failure: 'prompt-too-long' }),
        }),
      );
    },
  );

  test('law: whatever the window and the results, nothing is refused and no request is lost', async () => {
    const count = { asked: 0, compacted: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('anthropic' as const, 'openai' as const),
        fc.integer({ min: 4_000, max: 60_000 }),
        fc.array(fc.double({ min: 0.01, max: 0.45, noNaN: true }), { minLength: 2, maxLength: 8 }),
        async (provider, windowTokens, shares) => {
          const { context, asked } = scene(provider, windowTokens);
          await context.user('Run all of it, plum-4.');
          for (const [at, share] of shares.entries()) {
            const request = await fill(context, `k${at}`, Math.round(share * windowTokens * 3));
            expect(sizeOf(request)).toBeLessThan(windowTokens);
            expect(violationsOf(request)).toEqual([]);
          }
          const last = await context.request();
          expect(sizeOf(last)).toBeLessThan(windowTokens);
          expect(JSON.stringify(last.messages)).toContain('Run all of it, plum-4.');
          expect(asked.filter(({ fits }) => !fits)).toEqual([]);
          count.asked += asked.length;
          count.compacted += context.entries().filter(({ type }) => type === 'edit').length;
        },
      ),
    );
    expect(count.asked).toBeGreaterThan(0);
    expect(count.compacted).toBeGreaterThan(count.asked);
  });
});
