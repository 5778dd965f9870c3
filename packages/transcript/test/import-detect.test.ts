import { describe, expect, test } from 'vitest';
import { importText, jsonLines } from './import-support.ts';

const user = { role: 'user', content: 'Go.' };
const claude = { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: user };

describe('importSession: telling formats apart (V2)', () => {
  test.each([
    {
      file: 'text alone, as a list',
      value: [user, { role: 'assistant', content: 'Gone.' }],
      format: 'anthropic-messages',
    },
    { file: 'one message', value: [user], format: 'anthropic-messages' },
    {
      file: 'a body with a system prompt',
      value: { system: 'Be kind.', messages: [user] },
      format: 'anthropic-messages',
    },
    {
      file: 'a system message first',
      value: [{ role: 'system', content: 'Be kind.' }, user],
      format: 'anthropic-messages',
    },
    {
      file: 'a developer message',
      value: [{ role: 'developer', content: 'Be kind.' }, user],
      format: 'openai-chat',
    },
    {
      file: 'chat calls',
      value: {
        messages: [
          user,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
          },
        ],
      },
      format: 'openai-chat',
    },
    {
      file: 'Anthropic calls',
      value: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      ],
      format: 'anthropic-messages',
    },
    {
      file: 'items',
      value: { input: [user, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] },
      format: 'openai-responses',
    },
    {
      file: 'items with a developer message',
      value: [
        { role: 'developer', content: 'x' },
        { role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      ],
      format: 'openai-responses',
    },
  ])('reads $file as $format', async ({ value, format }) => {
    expect((await importText(JSON.stringify(value))).format).toBe(format);
    expect((await importText(JSON.stringify(value, null, 2))).format).toBe(format);
  });

  test('tells message lines apart only when all are known', async () => {
    const lines = [
      ...Array.from({ length: 1500 }, () => user),
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ];
    expect((await importText(jsonLines(lines))).format).toBe('openai-chat');
  });

  test('looks past records that tell nothing', async () => {
    const lines = [
      { type: 'summary', summary: 'A title', leafUuid: 'x' },
      { type: 'mode', mode: 'normal', sessionId: 's' },
      claude,
    ];
    expect((await importText(jsonLines(lines))).format).toBe('claude-code');
  });

  test('looks past damage at the start', async () => {
    expect((await importText(`ssion":"s"}\n\0\0\n${jsonLines([claude])}`)).format).toBe(
      'claude-code',
    );
  });

  test('takes the caller’s word', async () => {
    const { format } = await importText(JSON.stringify([user]), { format: 'openai-chat' });
    expect(format).toBe('openai-chat');
    await expect(importText(JSON.stringify([user]), { format: 'codex' })).rejects.toMatchObject({
      code: 'no-messages',
    });
  });
});
