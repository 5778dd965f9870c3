import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore, offloadMessages } from '../src/index.ts';
import { longText } from './long-text.ts';
import { memoryStorage } from './support.ts';

const call = (id: string, name = 'bash') => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: {} }],
});
const result = (...results: [string, string][]) => ({
  role: 'user',
  content: results.map(([id, content]) => ({ type: 'tool_result', tool_use_id: id, content })),
});

describe('offloadMessages', () => {
  const history = [
    { role: 'user', content: 'Fix it.' },
    call('a'),
    result(['a', longText(60_000)]),
    call('b', 'read'),
    result(['b', longText(70_000)]),
    call('a', 'read'),
    result(['a', longText(61_000)]),
  ];
  const options = { sessionId: 's', tools: { read: Number.POSITIVE_INFINITY } };

  test('replaces large results and leaves all else the same objects', async () => {
    const { messages, outcomes } = await offloadMessages(history, {
      store: memoryStore(),
      ...options,
    });
    expect(outcomes.map(({ toolUseId, kind }) => [toolUseId, kind])).toEqual([['a', 'stored']]);
    expect(messages.map((message, index) => message === history[index])).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(messages[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a' }],
    });
  });

  test('the same array comes back when nothing was replaced', async () => {
    const small = [call('a'), result(['a', 'ok'])];
    expect((await offloadMessages(small, { store: memoryStore(), ...options })).messages).toBe(
      small,
    );
    expect((await offloadMessages([], { store: memoryStore(), ...options })).messages).toEqual([]);
  });

  test('called again on a longer array it gives the same objects and asks the store nothing', async () => {
    let calls = 0;
    const store = memoryStore();
    const put: typeof store.put = (...args) => {
      calls++;
      return store.put(...args);
    };
    const results = memoryStorage({ ...options, store: { ...store, put } });
    const first = await results.offloadMessages(history);
    const second = await results.offloadMessages([...history, call('c'), result(['c', 'ok'])]);
    expect(second.outcomes).toEqual([]);
    expect(first.messages.every((message, index) => message === second.messages[index])).toBe(true);
    expect(calls).toBe(1);
  });

  test('what was sent before stays as it was sent, also as other objects', async () => {
    const results = memoryStorage({ threshold: 1_000 });
    const seen = await results.offloadMessages(history, { seen: 5 });
    expect(seen.outcomes.map(({ toolUseId }) => toolUseId)).toEqual(['a']);
    const copy = structuredClone(history);
    const again = await results.offloadMessages(copy);
    expect(again.messages.slice(0, 6).every((message, index) => message === copy[index])).toBe(
      true,
    );
    expect(again.messages).toEqual(seen.messages);
  });

  test('an array that its caller goes on with during a write is taken as it was given', async () => {
    let open = () => {};
    const wait = new Promise<void>((resolve) => {
      open = resolve;
    });
    const store = memoryStore();
    const put: typeof store.put = async (...args) => {
      await wait;
      return store.put(...args);
    };
    const results = memoryStorage({ threshold: 1_000, store: { ...store, put } });
    const messages: object[] = history.slice(0, 3);
    const running = results.offloadMessages(messages as typeof history);
    await Promise.resolve();
    messages[0] = result(['z', longText(60_000, 'z')]);
    messages.push({ role: 'user', content: [{ type: 'text' }] });
    open();
    const first = await running;
    expect(first.messages).toHaveLength(3);
    expect(first.messages[0]).toBe(history[0]);
    const again = () => results.offloadMessages(messages as typeof history);
    await expect(again()).rejects.toThrow();
    messages.pop();
    expect((await again()).messages[0]).not.toBe(messages[0]);
  });

  // what stood there in the call before is not looked at again: whatever becomes of the array, that must not show
  test('G10 turn flat: an array that is cut, edited, grown or mixed gets what each of its messages got', async () => {
    const pool = [
      ...history,
      ...[2_000, 10, 3_000].map((units, at) => result([`n${at}`, longText(units, `n${at}`)])),
    ];
    const change = fc.record({
      start: fc.nat(12),
      remove: fc.nat(6),
      add: fc.array(fc.nat(pool.length - 1), { maxLength: 4 }),
      isInPlace: fc.boolean(),
      seen: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 8 }), async (changes) => {
        const results = memoryStorage({ threshold: 1_000 });
        const first = new Map<object, object>();
        let messages: object[] = [];
        for (const { start, remove, add, isInPlace, seen } of changes) {
          if (!isInPlace) messages = messages.slice();
          messages.splice(start, remove, ...add.map((at) => pool[at] as object));
          const given = messages.slice();
          const { messages: shown } = await results.offloadMessages(messages as typeof history, {
            seen,
          });
          expect(messages).toEqual(given);
          expect(shown).toHaveLength(given.length);
          for (const [index, message] of given.entries()) {
            const known = first.get(message) ?? shown[index];
            first.set(message, known as object);
            expect(shown[index]).toBe(known);
          }
          const isSame = given.every((message) => first.get(message) === message);
          expect(shown === messages).toBe(isSame);
          await expect(
            results.offloadMessages([...given, { role: 'x' }] as typeof history),
          ).rejects.toThrow(`Message ${given.length} is`);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the results of one message are decided together', async () => {
    const round = result(
      ...Array.from({ length: 5 }, (_, at): [string, string] => [
        `r${at}`,
        longText(45_000, `r${at}`),
      ]),
    );
    const { outcomes } = await memoryStorage().offloadMessages([round]);
    expect(outcomes.map(({ toolUseId, reason }) => [toolUseId, reason])).toEqual([
      ['r0', 'over-round-budget'],
    ]);
  });

  test('an abort rejects, and a later call does all of it', async () => {
    const store = memoryStore();
    const results = memoryStorage({ store });
    const { signal } = { signal: AbortSignal.abort() };
    await expect(results.offloadMessages(history, { signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    expect(await store.list('')).toEqual([]);
    expect((await results.offloadMessages(history)).outcomes).toHaveLength(3);
  });

  // siblings: a plain array, an array behind one that was taken, the function without a storage of its own
  test.each<[string, unknown, string]>([
    ['no list', 'hi', 'Expected `messages` to be a list of messages'],
    ['no message', [undefined], 'Expected `messages[0]` to be a message'],
    ['no content', [{ role: 'user' }], 'Expected `messages[0].content` to be'],
    ['no block', [{ role: 'user', content: [null] }], 'Expected `messages[0].content[0]` to be'],
    [
      'a result that is a number',
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 5 }] }],
      'Expected `messages[0].content[0].content` to be',
    ],
  ])('M336: messages that hold %s are refused with the place', async (_, messages, text) => {
    const store = memoryStore();
    const given = messages as typeof history;
    const refused = { name: 'TypeError', message: expect.stringContaining(text) };
    await expect(offloadMessages(given, { store, sessionId: 's' })).rejects.toMatchObject(refused);
    const storage = memoryStorage();
    await storage.offloadMessages(history);
    await expect(storage.offloadMessages(given)).rejects.toMatchObject(refused);
    expect((await storage.offloadMessages(history)).outcomes).toEqual([]);
  });
});
