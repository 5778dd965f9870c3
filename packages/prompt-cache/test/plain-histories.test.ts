import type { BlockLike } from '@varve/messages/blocks';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { cachePolicy, createCacheSimulator, explainBreak, placeMarkers } from '../src/index.ts';
import { checkMarkers, createServerView, renderPrefix } from '../src/server.ts';
import type { CacheSimulator } from '../src/simulator.ts';
import { characters, head } from './support.ts';

const serverView = (
  given: Parameters<ReturnType<typeof createServerView>>[0],
  options: Parameters<typeof createServerView>[0],
) => createServerView(options)(given);

type CacheMessage = Parameters<CacheSimulator['send']>[0]['messages'][number];

const policy = cachePolicy('claude-opus-5-5');

describe('messages of one’s own loop (P1, P3)', () => {
  const asBlocks = (text: string): BlockLike[] => [{ type: 'text', text } as BlockLike];
  const history = (write: (text: string) => CacheMessage['content']): CacheMessage[] => [
    { role: 'user', content: write('q'.repeat(400)) },
    { role: 'assistant', content: write('a'.repeat(300)) },
    { role: 'user', content: write('q'.repeat(200)) },
  ];
  const request = (messages: readonly CacheMessage[]) => ({ head: head(), messages, markers: [] });

  test('text content is cached, priced and marked like one block of text', () => {
    const [plain, blocks] = [(text: string) => text, asBlocks].map((write) => {
      const cache = createCacheSimulator(policy, { sizeOf: characters });
      const messages = history(write);
      return [1, 3, 3].map((count, index) => {
        const marked = placeMarkers(request(messages.slice(0, count)), { policy });
        expect(checkMarkers(marked, policy)).toEqual([]);
        const { tokens, breaks } = cache.send(marked, { startMs: index });
        return { tokens, breaks, markers: marked.markers, bytes: renderPrefix(marked) };
      });
    });
    expect(plain).toEqual(blocks);
    expect(plain?.map(({ tokens }) => tokens.read)).toEqual([0, 1_400, 1_900]);
  });

  test('an edit of a plain text is found at its place', () => {
    const messages = history((text) => text);
    const edited = messages.with(0, { role: 'user', content: 'cleared' });
    const [previous, next] = [messages, edited].map((each) => ({
      request: placeMarkers(request(each), { policy }),
      startMs: 0,
    }));
    const { change } = explainBreak(previous, next as NonNullable<typeof next>, { policy });
    expect(change).toEqual({
      cause: 'messages-changed',
      place: { messageIndex: 0, blockIndex: 0 },
    });
  });

  test('a marked request keeps its own messages, and its type', () => {
    const given = { ...request(history((text) => text)), mine: 1 };
    const marked = placeMarkers(given, { policy });
    expect(marked.messages).toBe(given.messages);
    expectTypeOf(marked.mine).toEqualTypeOf<number>();
  });

  test('clearing an old result in a long session is not told as time that passed', () => {
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    const send = (messages: readonly CacheMessage[], minute: number) =>
      cache.send(placeMarkers(request(messages), { policy }), { startMs: minute * 60_000 });
    const turn = (fill: string): CacheMessage[] => [
      { role: 'user', content: fill.repeat(400) },
      { role: 'assistant', content: fill.repeat(100) },
    ];
    const messages = [...'abcdefghij'].flatMap(turn);
    for (let minute = 0; minute < 10; minute++) send(messages.slice(0, 2 * minute + 1), minute);
    const cleared = messages.slice(0, -1).with(4, { role: 'user', content: 'cleared' });
    expect(send(cleared, 10).breaks).toEqual([
      {
        cause: 'messages-changed',
        lostTokens: 3_900,
        place: { messageIndex: 4, blockIndex: 0 },
      },
      { cause: 'ttl-expired', lostTokens: 1_000 },
    ]);
  });

  test('empty text is no block and carries no marker', () => {
    const marked = placeMarkers(request([{ role: 'user', content: '' }]), { policy });
    expect(marked.markers.map(({ at }) => at)).toEqual(['system']);
    expect(serverView(marked, { sizeOf: characters }).request.messages[0]?.content).toEqual([]);
  });

  test('law: histories of plain texts and of blocks, cut and changed from one to the next, are seen as if each were the first', () => {
    const message = fc
      .tuple(fc.constantFrom('user', 'assistant'), fc.constantFrom('', 'a', 'b'), fc.boolean())
      .map(
        ([role, text, isPlain]) =>
          ({ role, content: isPlain ? text : asBlocks(text) }) as CacheMessage,
      );
    const step = fc.tuple(fc.nat(6), fc.array(message, { maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        const view = createServerView({ sizeOf: characters });
        let messages: CacheMessage[] = [];
        for (const [kept, added] of steps) {
          messages = [...messages.slice(0, kept), ...added];
          const given = request(messages);
          const seen = view(given).request;
          expect(seen).toEqual(serverView(given, { sizeOf: characters }).request);
          expect(Object.is(seen, given)).toBe(
            messages.every(({ content }) => Array.isArray(content)),
          );
          expect(seen.messages.every(({ content }) => Array.isArray(content))).toBe(true);
        }
      }),
    );
  });
});
