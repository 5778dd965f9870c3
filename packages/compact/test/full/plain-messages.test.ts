import { describe, expect, test } from 'vitest';
import { compact } from '../../src/index.ts';
import { replied, type Said, said, turns } from './histories.ts';
import { fakeModel, GOOD, noWait, reply } from './models.ts';

const OPTIONS = { windowTokens: 200_000, thinking: 'free', wait: noWait, keepTokens: 0 } as const;
const head = { model: 'claude-sonnet-4-5' };

describe('compact (plain messages)', () => {
  test('L311: a message without an id keeps its origin, so that a failed reply answers nothing', async () => {
    const asked = said('What is this?');
    const failed = { ...replied('API Error: 529'), origin: { kind: 'synthetic' } } as Said;
    const cut = { ...replied('So far'), stop_reason: 'max_tokens' } as Said;
    for (const broken of [failed, cut]) {
      const history = [...turns(6), asked, broken, said('Try again.')];
      const model = fakeModel(reply(GOOD));
      const result = await compact(history, { ...OPTIONS, ...model, head });
      expect(result.messages).toContain(asked);
    }
  });

  test('N341: messages of another library are refused by name', async () => {
    const model = fakeModel(reply(GOOD));
    const history = [...turns(6), { role: 'assistant', content: null } as never];
    await expect(compact(history, { ...OPTIONS, ...model, head })).rejects.toThrow(
      'fromOpenAIChat',
    );
    expect(model.requests).toHaveLength(0);
  });
});
