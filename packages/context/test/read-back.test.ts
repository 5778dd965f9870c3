import { parseEntry, type Request, serializeEntry, toolResults } from '@varve/messages';
import { memoryStore, type ToolStorage } from '@varve/tool-storage';
import { handlesIn } from '@varve/tool-storage/retention';
import { describe, expect, test } from 'vitest';
import type { Context } from '../src/index.ts';
import {
  CLEARED_RESULT,
  earlyStorage,
  image,
  output,
  round,
  type Scene,
  scene,
  text,
} from './support.ts';

const HOURS = 7_200_000;
const RESULTS = 10;
const contentOf = (index: number) => output(`r${index}`, 2_000);

/** A conversation whose oldest results, too small to be stored, were cleared by the default layers after a silence. */
async function clearedScene(
  storage: ToolStorage | undefined,
  {
    idOf = (index: number) => `c${index}`,
    first = contentOf(0) as Parameters<typeof round>[1][''],
  } = {},
): Promise<Scene & { readonly request: Request }> {
  const made = scene({ storage, layers: undefined });
  await made.context.user('Go.');
  await round(made.context, { [idOf(0)]: first });
  for (let index = 1; index < RESULTS; index++)
    await round(made.context, { [idOf(index)]: contentOf(index) });
  made.clock.pass(HOURS);
  return { ...made, request: await made.context.request() };
}

const shownIn = ({ messages }: Request) =>
  messages.flatMap((message) => toolResults(message).map(({ content }) => String(content)));

/** What the model gets that reads everything under the only handle of a text. */
async function readAll(storage: ToolStorage, shown = ''): Promise<string> {
  const [handle = '', ...others] = handlesIn(shown);
  expect(others).toEqual([]);
  const { content, isError } = await storage.runReadTool({ handle });
  expect(isError).toBe(false);
  return content.slice(content.indexOf('\n') + 1);
}

const clearedIn = (request: Request) =>
  shownIn(request).filter((shown) => shown.startsWith('[Output cleared'));

const resumed = (context: Context, storage: ToolStorage) =>
  scene({ storage, entries: context.entries().map(serializeEntry).map(parseEntry) });

describe('reading back what was cleared (M6)', () => {
  test('nothing was stored, and every cleared result is read from the log by the handle in its place', async () => {
    const storage = earlyStorage();
    const { request } = await clearedScene(storage);
    expect(storage.decisions().filter(({ kind }) => kind === 'stored')).toEqual([]);
    const cleared = clearedIn(request);
    expect(cleared).toHaveLength(RESULTS - 4);
    const read = await Promise.all(cleared.map((shown) => readAll(storage, shown)));
    expect(read).toEqual(cleared.map((_, index) => contentOf(index)));
    expect(storage.handles().sort()).toEqual(cleared.flatMap(handlesIn).sort());
  });

  test('lines and searches work as they do on what is stored', async () => {
    const storage = earlyStorage();
    const [shown = ''] = clearedIn((await clearedScene(storage)).request);
    const [handle = ''] = handlesIn(shown);
    const lines = await storage.runReadTool({ handle, lines: [3, 3] });
    expect(lines.content).toContain('\nr0 line 2 ');
    const found = await storage.runReadTool({ handle, search: 'line 7' });
    expect(found.content).toContain('1 places');
    expect(await storage.load(handle)).toBe(contentOf(0));
  });

  test('a new process reads it too, and so does a fork', async () => {
    const store = memoryStore();
    const storage = earlyStorage({ store });
    const { context, request } = await clearedScene(storage);
    const later = earlyStorage({ store });
    resumed(context, later);
    const forked = storage.fork({ sessionId: 'fork' });
    resumed(context, forked);
    for (const reader of [later, forked])
      expect(await readAll(reader, clearedIn(request)[0])).toBe(contentOf(0));
  });

  test('a call id that comes again with another result means each of them', async () => {
    const storage = earlyStorage();
    const { request } = await clearedScene(storage, { idOf: () => 'again' });
    const cleared = clearedIn(request);
    expect(cleared.length).toBeGreaterThan(1);
    const read = await Promise.all(cleared.map((shown) => readAll(storage, shown)));
    expect(read).toEqual(cleared.map((_, index) => contentOf(index)));
  });

  test('blocks come back as they were', async () => {
    const storage = earlyStorage();
    const first = [text(contentOf(0)), text('second'), image];
    const { request } = await clearedScene(storage, { first });
    const [shown = ''] = clearedIn(request);
    const [handle = ''] = handlesIn(shown);
    expect(await storage.load(handle)).toEqual(first);
    expect(await readAll(storage, shown)).toBe(`${contentOf(0)}\nsecond\n[image]`);
  });

  test('output that claims to be stored elsewhere is read as it was', async () => {
    const storage = earlyStorage();
    const first = `<persisted-output handle="c0-0123456789abcdef.txt">\n${contentOf(0)}`;
    const { request } = await clearedScene(storage, { first });
    expect(await readAll(storage, clearedIn(request)[0])).toBe(first);
  });

  test('a stored result keeps the handle of its preview when it is cleared', async () => {
    const storage = earlyStorage({ threshold: 1_000, preview: { maxChars: 900 } });
    const { request } = await clearedScene(storage);
    expect(storage.decisions().filter(({ kind }) => kind === 'stored')).toHaveLength(RESULTS);
    const cleared = clearedIn(request);
    expect(cleared.length).toBeGreaterThan(0);
    for (const [index, shown] of cleared.entries())
      expect(await readAll(storage, shown)).toBe(contentOf(index));
  });

  test('what was removed is not read, and an abort is one', async () => {
    const storage = earlyStorage();
    const { request } = await clearedScene(storage);
    const [first = '', second = ''] = clearedIn(request).flatMap(handlesIn);
    await storage.remove(first);
    const { content, isError } = await storage.runReadTool({ handle: first });
    expect([isError, content]).toEqual([true, expect.stringContaining('was removed')]);
    const signal = AbortSignal.abort();
    await expect(storage.runReadTool({ handle: second }, { signal })).rejects.toThrow('aborted');
  });

  test('without a storage there is no read tool, and the text says to run the tool again', async () => {
    const { request } = await clearedScene(undefined);
    expect(request.head.tools.map(({ name }) => name)).toEqual(['bash']);
    expect(new Set(clearedIn(request))).toEqual(new Set([CLEARED_RESULT]));
  });
});
