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

  // B2, E3. Siblings looked for: roles of other libraries, none, fields that stand for one, pairs, and content that is none.
  test.each<[string, unknown, string]>([
    ['the role human', { role: 'human', content: 'x' }, '`human`'],
    ['USER', { role: 'USER', content: 'x' }, '`USER`'],
    ['no role', { content: 'x' }, 'without a `role`'],
    ['an author', { author: 'user', content: 'x' }, '`author`'],
    ['AutoGen', { source: 'user', type: 'TextMessage', content: 'x' }, 'AutoGen'],
    ['ShareGPT', { from: 'human', value: 'x' }, 'ShareGPT'],
    ['a pair', ['human', 'x'], 'LangChain'],
    ['a prompt of MCP', { role: 'user', content: { type: 'text', text: 'x' } }, 'MCP'],
    ['a block alone', { type: 'text', text: 'x' }, '.role`'],
    [
      'a result that is an object',
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: { stdout: 'x' } }],
      },
      'content[0].content',
    ],
  ])('N341: %s is refused by name, and no model is asked', async (_name, message, named) => {
    const model = fakeModel(reply(GOOD));
    const history = [...turns(6), message as never];
    await expect(compact(history, { ...OPTIONS, ...model, head })).rejects.toThrow(named);
    expect(model.requests).toHaveLength(0);
  });
});
