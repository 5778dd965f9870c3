import { parseEntry, type Request, serializeEntry, toolResults } from '@varve/messages';
import { resolveModel } from '@varve/tokens';
import { memoryStore } from '@varve/tool-storage';
import { handlesIn } from '@varve/tool-storage/retention';
import { describe, expect, test } from 'vitest';
import { createContext } from '../src/index.ts';
import {
  bytesOf,
  CLEARED_RESULT,
  call,
  earlyClearing,
  earlyStorage,
  expectGrown,
  fakeClock,
  LATEST,
  output,
  round,
  says,
  scene,
  text,
  thinking,
  UNKNOWN,
  violationsOf,
} from './support.ts';

const resultsIn = ({ messages }: Request) =>
  messages.flatMap((message) => toolResults(message).map(({ content }) => String(content)));

describe('cases', () => {
  test.each([
    { name: 'shrinks where a known window has less room', known: true, params: {}, asked: 300 },
    { name: 'is as it was where nobody knows the window', known: false, params: {}, asked: 8_192 },
    {
      name: 'never shrinks below what its thinking may take',
      known: true,
      params: { thinking: { type: 'enabled', budget_tokens: 4_000 } },
      asked: 8_192,
    },
  ])('case 21: the reply that is asked for $name', async ({ known, params, asked }) => {
    const model = known ? LATEST : UNKNOWN;
    const { context } = scene({ model, params, maxOutputTokens: 8_192 });
    await context.user('Go.');
    const { windowTokens } = resolveModel(model).model;
    // the first bill is far from what was sent, so that it needs a second one
    for (const input_tokens of [windowTokens - 350, windowTokens - 310]) {
      await context.request();
      await context.reply({ ...says(text('A.')), usage: { input_tokens, output_tokens: 3 } });
      await context.user('B.');
    }
    const { tokens } = context.size();
    expect(tokens).toBeGreaterThan(windowTokens - 310);
    const { maxOutputTokens } = await context.request();
    expect(maxOutputTokens).toBe(asked === 300 ? windowTokens - tokens : asked);
    expect(maxOutputTokens).toBeGreaterThan(200);
  });

  test('case 39: fifty rounds that use one call id keep fifty results, stored and cleared ones apart', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage, layers: [earlyClearing(3)] });
    await context.user('Go.');
    const outputs = Array.from({ length: 50 }, (_, index) =>
      output(`r${index}`, index % 2 === 0 ? 6_000 : 800),
    );
    for (const content of outputs) await round(context, { k0: content });
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    const shown = resultsIn(request);
    expect(shown).toHaveLength(50);
    expect(shown.slice(-3)[0]).toBe(outputs[47]);
    expect(shown.some((content) => content.includes(CLEARED_RESULT.slice(0, 20)))).toBe(true);
    const stored = await Promise.all(storage.handles().map((handle) => storage.load(handle)));
    expect(new Set(stored)).toEqual(new Set(outputs.filter(({ length }) => length > 4_000)));
  });

  test('case 42: a batch that was written in part keeps what came, in the order of the calls', async () => {
    const first = scene();
    await first.context.user('Go.');
    await first.context.request();
    await first.context.reply(says(...['r1', 'r2', 'r3', 'r4'].map((id) => call(id))));
    await first.context.results([
      { toolUseId: 'r3', content: 'three' },
      { toolUseId: 'r1', content: 'one' },
    ]);
    const { context } = scene({ entries: first.context.entries() });
    await context.closeRound('killed');
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    const unknown = expect.stringContaining('killed');
    expect(resultsIn(request)).toEqual(['one', unknown, 'three', unknown]);
  });

  test('case 45: clearing leaves signed thinking as it is, or takes all of it', async () => {
    const { context } = scene({ layers: [earlyClearing(1)] });
    await context.user('Go.');
    const thoughts = [thinking('s1'), thinking('s2')];
    for (let index = 0; index < 8; index++)
      await round(context, { a: output(`r${index}`, 3_000) }, thoughts);
    const { messages } = await context.request();
    const replies = messages.filter(({ role }) => role === 'assistant');
    expect(replies.map(({ content }) => content.slice(0, 2))).toEqual(replies.map(() => thoughts));
  });

  test('case 47: nothing empty gets into the log', async () => {
    const { context } = scene();
    await context.user([text(''), text('Go.'), text(' ')]);
    await context.request();
    await context.reply(says(text(''), call('a'), text('\n')));
    await context.results([{ toolUseId: 'a', content: [text('')] }]);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(request.messages.map(({ content }) => content.length)).toEqual([1, 1, 1]);
  });

  test('case 49: half an emoji never leaves, whoever cut it; the whole of it is stored', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage });
    const half = '😀'.slice(0, 1);
    await context.user([text(`Look: ${half}`), text(`${half}${output('big', 9_000)}`)]);
    await context.request();
    await context.reply(says(text(half), call('a', 'bash', { [`key${half}`]: [half] }), call('b')));
    const large = `${output('big', 9_000)}${half}`;
    await context.results([
      { toolUseId: 'a', content: [text(`${half} `)] },
      { toolUseId: 'b', content: large },
    ]);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(bytesOf(request).join('')).toContain('\ufffd');
    const [, handle = ''] = storage.handles();
    expect(await storage.load(handle)).toBe(large);
  });

  test('case 73: another clock changes no byte', async () => {
    const requestAt = async (ms: number) => {
      const { context, clock } = scene({ storage: earlyStorage() });
      clock.pass(ms);
      await context.user('Go.');
      await round(context, { a: output('a', 9_000) });
      return bytesOf(await context.request());
    };
    expect(await requestAt(3_601_000)).toEqual(await requestAt(0));
  });

  test('case 77: what is sent after a restart has the same shape', async () => {
    const store = memoryStore();
    const options = { storage: earlyStorage({ store }), params: { effort: 'high', a: [1, 'x'] } };
    const { context } = scene(options);
    await context.user([{ ...text('Go.'), extra: { b: 1, a: 2 } }]);
    await context.request();
    await context.reply(says(call('a', 'bash', { z: 1, a: { d: [], c: null } }), call('b')));
    await context.results([
      { toolUseId: 'b', content: [text('list')] },
      { toolUseId: 'a', content: output('a', 9_000) },
    ]);
    const lines = context.entries().map(serializeEntry);
    const again = scene({
      ...options,
      storage: earlyStorage({ store }),
      entries: lines.map(parseEntry),
    });
    const [before, after] = [await context.request(), await again.context.request()];
    const sent = ({ head, messages, markers }: Request) =>
      JSON.stringify([head, messages.map(({ role, content }) => ({ role, content })), markers]);
    expect(sent(after)).toBe(sent(before));
  });

  test('case 79: clearing moves the prefix rarely, and what is cleared stays so after a restart', async () => {
    const { context, events } = scene({ layers: [earlyClearing(5)] });
    await context.user('Go.');
    const requests: Request[] = [];
    for (let index = 0; index < 20; index++)
      requests.push(await round(context, { [`c${index}`]: output(`r${index}`, 1_000) }));
    const last = await context.request();
    const edits = events.filter(({ kind }) => kind === 'edited');
    expect(edits.length).toBeGreaterThan(0);
    expect(edits.length).toBeLessThanOrEqual(3);
    const broken = requests.filter((before, index) => {
      const after = requests[index + 1] ?? last;
      return bytesOf(before).some((block, at) => block !== bytesOf(after)[at]);
    });
    expect(broken).toHaveLength(edits.length);
    const again = scene({ layers: [earlyClearing(5)], entries: context.entries() });
    expect(bytesOf(await again.context.request())).toEqual(bytesOf(last));
  });

  test('case 80: a fork sends what its parent has and its own message behind it', async () => {
    const storage = earlyStorage();
    const parent = scene({ storage });
    await parent.context.user('Go.');
    await round(parent.context, { a: output('a', 9_000) });
    const request = await parent.context.request();
    const child = scene({
      storage: storage.fork({ sessionId: 'child' }),
      entries: parent.context.entries(),
    });
    await child.context.user('Look at the tests only.');
    const forked = await child.context.request();
    expectGrown(request, forked);
    expect(forked.head).toBe(request.head);
    expect(forked.messages).toHaveLength(request.messages.length + 1);
  });

  test('case 97: reading a stored result page by page ends, and stores nothing anew', async () => {
    const storage = earlyStorage();
    const { context } = scene({ storage, layers: [] });
    await context.user('Go.');
    const whole = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(40_000)).join('\n');
    await round(context, { big: whole });
    const [handle = ''] = storage.handles();
    let read = '';
    for (let page = 1; ; page++) {
      const id = `p${page}`;
      await context.request();
      await context.reply(says(call(id, storage.readTool.name, { handle, page })));
      const { text: part, next } = await storage.read(handle, { page });
      const { content, isError } = await storage.runReadTool({ handle, page });
      await context.results([{ toolUseId: id, content, isError }]);
      read += part;
      if (next === undefined) break;
    }
    expect(storage.handles()).toEqual([handle]);
    const request = await context.request();
    expect(violationsOf(request)).toEqual([]);
    expect(read).toBe(whole);
  });

  test('case 99: a stored result that is cleared still names its handle, and the files it showed are reported', async () => {
    const storage = earlyStorage();
    const { context, events } = scene({ storage, layers: [earlyClearing(1)] });
    await context.user('Go.');
    await context.request();
    await context.reply(says(call('f', 'read', { file_path: 'src/f.ts' })));
    await context.results([{ toolUseId: 'f', content: output('f', 9_000) }]);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await round(context, { [id]: output(id, 3_000) });
    const request = await context.request();
    expect(events.some(({ kind }) => kind === 'edited')).toBe(true);
    const edit = context.entries().find(({ type }) => type === 'edit');
    expect(edit).toMatchObject({ receipt: { paths: ['src/f.ts'] } });
    expect(edit).toHaveProperty('receipt.clearedToolUseIds.0', 'f');
    const [first = ''] = resultsIn(request);
    expect(first.length).toBeLessThan(300);
    const [handle = ''] = handlesIn(first);
    expect(await storage.load(handle)).toBe(output('f', 9_000));
  });

  test('case 100: sixty small results are never cleared, and large ones the oldest first', async () => {
    const small = createContext({ model: LATEST, now: fakeClock().now });
    await small.user('Go.');
    for (let index = 0; index < 60; index++)
      await round(small, { [`c${index}`]: output(`r${index}`, 160) });
    expect(small.entries().filter(({ type }) => type === 'edit')).toEqual([]);
    const { context } = scene({ layers: [earlyClearing(5)] });
    await context.user('Go.');
    for (let index = 0; index < 20; index++)
      await round(context, { [`c${index}`]: output(`r${index}`, 1_000) });
    const shown = resultsIn(await context.request());
    const cleared = shown.map((content) => content === CLEARED_RESULT);
    expect(cleared.lastIndexOf(true)).toBe(cleared.filter(Boolean).length - 1);
    expect(cleared.slice(-5)).toEqual([false, false, false, false, false]);
  });
});
