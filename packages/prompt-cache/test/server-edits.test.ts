import type { Block, JsonObject, Message, Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { cachePolicy, createCacheSimulator } from '../src/index.ts';
import { renderPrefix } from '../src/server.ts';
import { call, characters, message, onBlock, request, result, text, user } from './support.ts';

const POLICY = cachePolicy('claude-opus-5-5');
const CLEAR = 'clear_tool_uses_20250919';
const thinking = (tokens: number): Block => ({
  type: 'thinking',
  thinking: 't'.repeat(tokens),
  signature: 's',
});

const withEdits = (sent: Request, ...edits: readonly JsonObject[]): Request => ({
  ...sent,
  server: { context_management: { edits } },
});

const turns = (count: number, tokens = 1_000): Message[] => [
  user(100),
  ...Array.from({ length: count }, (_, index) => [
    message('assistant', text(20), call(`call-${index}`)),
    message('user', result(`call-${index}`, tokens)),
  ]).flat(),
];

const _contents = ({ messages }: Request) =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [String(block.content).length] : [],
    ),
  );

const CLEARED = '[tool result cleared]'.length;

describe('createCacheSimulator with server-side edits (P3)', () => {
  test('hashes and bills what the server sees, and loses the prefix from the first cleared block', () => {
    const cache = createCacheSimulator(POLICY, { sizeOf: characters });
    const edit = {
      type: CLEAR,
      trigger: { type: 'tool_uses', value: 4 },
      keep: { type: 'tool_uses', value: 2 },
    };
    const send = (messages: Message[], startMs: number) =>
      cache.send(
        withEdits(
          request(messages, { markers: [{ at: 'system' }, onBlock(messages.length - 1)] }),
          edit,
        ),
        { startMs },
      );
    const before = send(turns(4), 0);
    expect(before.appliedEdits).toEqual([]);
    const after = send(turns(5), 1);
    const saved = 3 * (1_000 - CLEARED);
    expect(after.appliedEdits).toEqual([
      { type: CLEAR, cleared_tool_uses: 3, cleared_input_tokens: saved },
    ]);
    expect(after.tokens.total).toBe(
      before.tokens.total + 1_000 + 20 + '{"id":"call-4"}'.length - saved,
    );
    expect(after.tokens.read).toBe(1_000);
    expect(after.change).toEqual({
      cause: 'messages-changed',
      place: { messageIndex: 2, blockIndex: 0 },
    });
  });

  test('a model that strips old thinking loses the prefix from there at a user turn', () => {
    const policy = { ...POLICY, oldThinking: 'stripped-at-user-turn' as const };
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const messages = [user(500), message('assistant', thinking(50), call('a'))];
    const inTurn = [...messages, message('user', result('a', 10))];
    const send = (sent: Message[], startMs: number) =>
      cache.send(
        request(sent, { markers: [{ at: 'system' }, onBlock(0), onBlock(sent.length - 1)] }),
        { startMs },
      );
    send(inTurn, 0);
    const next = [...inTurn, message('assistant', thinking(40), text(5)), user(7)];
    expect(send(next, 1)).toMatchObject({
      tokens: { read: 1_570 },
      breaks: [],
    });
    const later = [...next, message('assistant', thinking(30), text(5)), user(7)];
    expect(send(later, 2)).toMatchObject({
      tokens: { read: 1_500 },
      change: { cause: 'messages-changed', place: { messageIndex: 1, blockIndex: 0 } },
    });
  });

  test('a compaction block leaves the head readable', () => {
    const cache = createCacheSimulator(POLICY, { sizeOf: characters });
    const send = (sent: Message[], startMs: number) =>
      cache.send(request(sent, { markers: [{ at: 'system' }, onBlock(sent.length - 1)] }), {
        startMs,
      });
    const history = turns(3);
    send(history, 0);
    const compacted = message('assistant', { type: 'compaction', content: 'all of it' });
    const after = send([...history, compacted, user(30)], 1);
    expect(after.tokens).toMatchObject({ read: 1_000, total: 1_000 + 100 + 30 });
    expect(renderPrefix(request([compacted])).length).toBe(2);
  });
});
