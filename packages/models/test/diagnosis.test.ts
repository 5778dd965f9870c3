import { describe, expect, test } from 'vitest';
import { send } from '../src/index.ts';
import { startLoopback } from './loopback.ts';
import { ANTHROPIC, CHAT, RESPONSES, request } from './providers.ts';

describe('compareWith (P5)', () => {
  test.each([
    {
      provider: ANTHROPIC,
      compareWith: 'msg_0',
      sent: { diagnostics: { previous_message_id: 'msg_0' } },
    },
    {
      provider: ANTHROPIC,
      compareWith: null,
      sent: { diagnostics: { previous_message_id: null } },
    },
    {
      provider: RESPONSES,
      compareWith: 'resp_0',
      sent: { prompt_cache_options: { ttl: '12h', comparison_response_id: 'resp_0' } },
    },
    { provider: RESPONSES, compareWith: null, sent: { prompt_cache_options: { ttl: '12h' } } },
  ])('asks $provider.name with $compareWith', async ({ provider, compareWith, sent }) => {
    const server = await startLoopback(() => ({ frames: provider.frames(provider.whole) }));
    const { head } = request(provider.model);
    const params = provider === RESPONSES ? { prompt_cache_options: { ttl: '12h' } } : {};
    const asked = request(provider.model, { head: { ...head, params } });
    await send(provider.connect({ url: server.url }), asked, { compareWith });
    await server.close();
    expect(server.requests[0]?.body).toMatchObject(sent);
  });

  test('asks nothing by itself, and Chat Completions nothing at all', async () => {
    const server = await startLoopback((_, index) => ({
      frames: index === 0 ? ANTHROPIC.frames(ANTHROPIC.whole) : CHAT.frames(CHAT.whole),
    }));
    await send(ANTHROPIC.connect({ url: server.url }), request(ANTHROPIC.model));
    await send(CHAT.connect({ url: server.url }), request(CHAT.model), { compareWith: 'x' });
    await server.close();
    expect(server.requests[0]?.body).not.toHaveProperty('diagnostics');
    expect(server.requests[1]?.text).not.toContain('comparison_response_id');
  });

  test.each([
    [ANTHROPIC, { diagnostics: null }, undefined],
    [ANTHROPIC, { diagnostics: { cache_miss_reason: null } }, { word: 'pending' }],
    [
      ANTHROPIC,
      {
        diagnostics: {
          cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 900 },
        },
      },
      { word: 'tools_changed', missedTokens: 900 },
    ],
    [
      RESPONSES,
      {
        prompt_cache_diagnostics: {
          type: 'cache_miss',
          reason: 'input_changed',
          cache_missed_tokens: 70,
        },
      },
      { word: 'input_changed', missedTokens: 70 },
    ],
    [RESPONSES, { prompt_cache_diagnostics: { type: 'cache_hit' } }, { word: 'cache_hit' }],
    [RESPONSES, { prompt_cache_diagnostics: { type: 'unavailable' } }, { word: 'unavailable' }],
  ])('reads what $name says: %j', async (provider, changes, expected) => {
    const server = await startLoopback(() => ({
      frames: provider.frames({ ...provider.whole, ...changes }),
    }));
    const { cacheMiss } = await send(
      provider.connect({ url: server.url }),
      request(provider.model),
    );
    await server.close();
    if (!expected) expect(cacheMiss).toBeUndefined();
    else expect(cacheMiss).toMatchObject(expected);
  });
});
