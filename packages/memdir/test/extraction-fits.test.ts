import type { Message, Request } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { createExtraction, type ExtractionEvent } from '../src/extract.ts';
import { testMemory } from './support.ts';

const MODEL = 'my-model';
const windowOf = (windowTokens: number): ModelInfo => ({
  ...resolveModel(MODEL).model,
  ...{ id: MODEL, windowTokens },
});
const said = (words: number): readonly Message[] => [
  {
    id: 'u1',
    role: 'user',
    content: [{ type: 'text', text: 'Release on Tuesday. '.repeat(words) }],
  },
  { id: 'a1', role: 'assistant', content: [{ type: 'text', text: 'Understood.' }] },
];

const estimator = createEstimator({ family: 'unknown' });
const sizeOf = ({ head, messages }: Request): number =>
  messages.reduce((sum, each) => sum + estimator.message(each), estimator.head(head));

/** What the extraction of a conversation asks of a model with such a window, and what it tells. */
async function extracted(words: number, windowTokens: number | undefined) {
  const asked: Request[] = [];
  const events: ExtractionEvent[] = [];
  const client: ModelClient = {
    provider: 'scripted',
    stream(request, { signal } = {}) {
      asked.push(request);
      return createModelStream(async function* () {
        const usage = { input_tokens: 10, output_tokens: 5 };
        const content = [{ type: 'text', text: 'Nothing to keep.' }];
        const response = { id: 'm', model: MODEL, stopReason: 'end_turn', usage, content } as const;
        yield { type: 'response-start', id: response.id, model: MODEL };
        yield { type: 'response-end', response };
      }, signal);
    },
  };
  const extraction = createExtraction({
    ...{ memory: testMemory().memory, client, model: MODEL },
    ...(windowTokens !== undefined && { models: [windowOf(windowTokens)] }),
    onEvent: (event) => void events.push(event),
  });
  extraction.afterTurn(said(words));
  await extraction.flush();
  return { asked, events };
}

// siblings: forks and agents, summaries, compaction by the provider
describe('a pass over new messages in a call of its own', () => {
  test.each([4_000, 8_000, 16_000])('asks for what a window of %i leaves', async (windowTokens) => {
    const { asked } = await extracted(20, windowTokens);
    const [request] = asked as [Request];
    expect(sizeOf(request) + request.maxOutputTokens).toBeLessThanOrEqual(windowTokens);
  });

  test('asks for 8,000 where there is room for it, or where the window is not known', async () => {
    for (const windowTokens of [200_000, undefined]) {
      const { asked } = await extracted(20, windowTokens);
      expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8_000]);
    }
  });

  test('that does not fit is dropped with the reason, without a call', async () => {
    const { asked, events } = await extracted(2_000, 4_000);
    expect(asked).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: 'dropped', reason: 'prompt-too-long', turns: 0 });
  });
});
