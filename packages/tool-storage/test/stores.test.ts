import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tableStore } from '../examples/custom-store.ts';
import { createToolStorage, memoryStore, type ToolResultStore } from '../src/index.ts';
import { sessionKey } from '../src/keys.ts';
import { fileStore } from '../src/node/index.ts';
import { keyOf, sweep } from '../src/retention.ts';
import { storeConformance } from '../src/testing.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output, temporaryFolder } from './support.ts';

type SweepOptions = Parameters<typeof sweep>[1];

const STORES: readonly (readonly [string, () => ToolResultStore])[] = [
  ['memoryStore', () => memoryStore()],
  ['fileStore', () => fileStore(join(temporaryFolder(), 'a', 'b'))],
  ['fileStore without flushes', () => fileStore(temporaryFolder(), { durable: false })],
  ['the store of the example', () => tableStore()],
];

describe.each(STORES)('%s (S6)', (_name, createStore) => {
  test.each(storeConformance(createStore))('$name', ({ run }) => run());
});

describe('storeConformance', () => {
  const broken: readonly (readonly [
    string,
    (store: ToolResultStore) => Partial<ToolResultStore>,
  ])[] = [
    ['gives back the bytes that were put', () => ({ get: async () => undefined })],
    ['removes one result and no other', () => ({ delete: async () => undefined })],
    ['lists by prefix with size and time', (store) => ({ list: () => store.list('') })],
    [
      'an aborted call rejects and changes nothing',
      (store) => ({ put: (key, bytes) => store.put(key, bytes) }),
    ],
    [
      'keeps its own copy of the bytes',
      (store) => ({
        get: async (key) => keptBytes.get(key),
        put: async (key, bytes) => {
          keptBytes.set(key, bytes);
          await store.put(key, bytes);
        },
      }),
    ],
    [
      'takes empty and large results',
      (store) => ({ put: (key, bytes) => store.put(key, bytes.subarray(0, 1_000)) }),
    ],
  ];
  const keptBytes = new Map<string, Uint8Array>();

  test.each(broken)('notices a store that breaks: %s', async (name, breakIt) => {
    const create = () => {
      const store = memoryStore();
      return { ...store, ...breakIt(store) };
    };
    const check = storeConformance(create).find((candidate) => candidate.name === name);
    await expect(check?.run()).rejects.toThrow(Error);
  });
});

describe('fileStore', () => {
  test.each([
    '',
    '/',
    'a',
    'a/',
    '../a.txt',
    'a/../b.txt',
    'a/b',
    'a/.b.txt',
    '/etc/passwd',
    'a/b/c.txt',
    'a\\b/c.txt',
    'a/b.tmp',
    'a/b\0.txt',
    '~/-x.txt',
  ])('refuses the key %j', async (key) => {
    const store = fileStore(temporaryFolder());
    const calls = [
      () => store.put(key, new Uint8Array()),
      () => store.get(key),
      () => store.delete(key),
    ];
    for (const call of calls) await expect((async () => call())()).rejects.toThrow(RangeError);
  });

  test('follows no link in place of a result, and replaces one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret'), 'secret');
    const store = fileStore(join(folder, 'results'));
    mkdirSync(join(folder, 'results', 's'), { recursive: true });
    const key = 's/t-0123456789abcdef.txt';
    symlinkSync(join(folder, 'secret'), join(folder, 'results', key));
    const refused = { name: 'ToolStorageError', code: 'symbolic-link' };
    await expect(store.get(key), 'O355').rejects.toMatchObject(refused);
    await expect(store.get(key, { range: { start: 0, end: 1 } })).rejects.toMatchObject(refused);
    expect(await store.list('')).toEqual([]);
    await store.put(key, Buffer.from('own'));
    expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe('own');
    expect(existsSync(join(folder, 'secret'))).toBe(true);
  });

  test('O355: a folder of a session that is a link is refused to write, to read, to list and to remove', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const store = fileStore(folder);
    const key = 's/t-0123456789abcdef.txt';
    await store.put(key, Buffer.from('own')); // the folder is known from then on
    rmSync(join(folder, 's'), { recursive: true });
    writeFileSync(join(outside, 't-0123456789abcdef.txt'), 'theirs');
    const old = `t-0123456789abcdef.txt.0123456789ab.tmp`;
    writeFileSync(join(outside, old), 'theirs');
    utimesSync(join(outside, old), 1, 1);
    symlinkSync(outside, join(folder, 's'));
    const refused = { code: 'symbolic-link' };
    await expect(store.put(key, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(fileStore(folder).put(key, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.get(key)).rejects.toMatchObject(refused);
    await expect(store.get(key, { range: { start: 0, end: 1 } })).rejects.toMatchObject(refused);
    await expect(store.delete(key)).rejects.toMatchObject(refused);
    await expect(store.list('s/')).rejects.toMatchObject(refused);
    expect(await store.list('')).toEqual([]);
    await store.tidy?.({ nowMs: Date.now() });
    expect(readdirSync(outside).toSorted()).toEqual(['t-0123456789abcdef.txt', old]);
    expect(readFileSync(join(outside, 't-0123456789abcdef.txt'), 'utf8')).toBe('theirs');
  });

  test('O355: so is one that leads nowhere; nothing is made there', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const store = fileStore(folder);
    const key = 's/t-0123456789abcdef.txt';
    symlinkSync(join(outside, 'nowhere'), join(folder, 's'));
    const refused = { name: 'ToolStorageError', code: 'symbolic-link' };
    await expect(store.put(key, Buffer.from('x'))).rejects.toMatchObject(refused);
    await expect(store.get(key)).rejects.toMatchObject(refused);
    await expect(store.delete(key)).rejects.toMatchObject(refused);
    await expect(store.list('s/')).rejects.toMatchObject(refused);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('O355: a result behind such a link stays in the context, and reading one back is a typed error', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const storage = createToolStorage({ store: fileStore(folder), sessionId: 's1' });
    const stored = await storage.offload(output('t1', longText(60_000)));
    rmSync(join(folder, 's1'), { recursive: true });
    symlinkSync(outside, join(folder, 's1'));
    const outcome = await storage.offload(output('t2', longText(60_000)));
    expect(outcome).toMatchObject({ cause: { code: 'symbolic-link' } });
    const handle = stored.kind === 'stored' ? stored.handle : '';
    await expect(storage.load(handle)).rejects.toMatchObject({ cause: { code: 'symbolic-link' } });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('O355: the folder of the store itself may be a link', async () => {
    const [folder, link] = [temporaryFolder(), join(temporaryFolder(), 'link')];
    symlinkSync(folder, link);
    await fileStore(link).put('s/t-0123456789abcdef.txt', Buffer.from('own'));
    expect(readdirSync(join(folder, 's'))).toEqual(['t-0123456789abcdef.txt']);
  });

  test('tidy removes what old interrupted writes left and empty folders, nothing else', async () => {
    const folder = temporaryFolder();
    const store = fileStore(folder);
    await store.put('s/a-0123456789abcdef.txt', Buffer.from('a'));
    for (const name of ['old.tmp', 'new.tmp', 'foreign'])
      writeFileSync(join(folder, 's', name), '');
    utimesSync(join(folder, 's', 'old.tmp'), 1, 1);
    utimesSync(join(folder, 's', 'foreign'), 1, 1);
    mkdirSync(join(folder, 'empty'));
    await store.tidy?.({ nowMs: Date.now() });
    expect(readdirSync(join(folder, 's')).sort()).toEqual([
      'a-0123456789abcdef.txt',
      'foreign',
      'new.tmp',
    ]);
    expect(readdirSync(folder)).toEqual(['s']);
  });
});

describe('sessionKey and keyOf', () => {
  test.each([
    ['s1', 's1'],
    ['0b5c7c1e-7b1f-4d5e-9c50-1a2b3c4d5e6f', '0b5c7c1e-7b1f-4d5e-9c50-1a2b3c4d5e6f'],
  ])('%s stays', (id, key) => {
    expect(sessionKey(id)).toBe(key);
  });

  test('any two ids have two safe names, also where case is ignored', () => {
    const ids = [
      '',
      '.',
      '..',
      '../x',
      'A',
      'a',
      'con',
      'NUL',
      'a/b',
      'a_b',
      'a\\b',
      'x'.repeat(99),
      'x'.repeat(98),
      '-a',
      'ä',
      'a\0',
    ];
    const keys = ids.map((id) => sessionKey(id).toLowerCase());
    expect(new Set(keys).size).toBe(ids.length);
    for (const key of keys) expect(keyOf('x', 'h').length + key.length).toBeLessThan(100);
    for (const key of keys) expect(key).toMatch(/^[a-z0-9_][a-z0-9_~-]*$/);
  });
});

describe('sweep (S6)', () => {
  const day = 86_400_000;

  /** Results `a` to `e` of two sessions, one day apart each, 10 bytes each. */
  async function filled() {
    let nowMs = 0;
    const store = memoryStore({ now: () => nowMs });
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      nowMs = index * day;
      await store.put(`s${index % 2}/${name}-0123456789abcdef.txt`, new Uint8Array(10));
    }
    return store;
  }
  const names = (items: readonly { readonly handle: string }[]) =>
    items.map(({ handle }) => handle[0]).join('');
  const base = { keep: [], nowMs: 5 * day } as const;

  test.each<[string, Omit<SweepOptions, 'keep' | 'nowMs'> & Partial<SweepOptions>, string, string]>(
    [
      ['no limit', {}, '', 'abcde'],
      ['an age', { maxAgeMs: 2.5 * day }, 'abc', 'de'],
      ['exactly an age', { maxAgeMs: 3 * day }, 'ab', 'cde'],
      ['a size', { maxTotalBytes: 25 }, 'abc', 'de'],
      ['no room at all', { maxTotalBytes: 0 }, 'abcde', ''],
      ['what is young stays', { maxTotalBytes: 0, minAgeMs: 1.5 * day }, 'abcd', 'e'],
      [
        'what is named stays',
        { maxTotalBytes: 20, keep: ['s0/a-0123456789abcdef.txt'] },
        'bcd',
        'ae',
      ],
      [
        'what a function keeps',
        { maxAgeMs: 0, keep: ({ session }) => session === 's1' },
        'ace',
        'bd',
      ],
      ['a dry run', { maxAgeMs: 0, dryRun: true }, 'abcde', 'abcde'],
    ],
  )('%s: removes %j', async (_name, options, removed, left) => {
    const store = await filled();
    const result = await sweep(store, { ...base, ...options });
    expect(names(result.removed)).toBe(removed);
    expect(
      (await store.list(''))
        .map(({ key }) => key[3])
        .sort()
        .join(''),
    ).toBe(left);
    expect(result.bytes).toBe((5 - removed.length) * 10);
  });

  test('what the store refuses to remove is reported and the rest goes on', async () => {
    const store = await filled();
    const remove: typeof store.delete = (key) =>
      key.includes('b-') ? Promise.reject(new Error('no')) : store.delete(key);
    const result = await sweep({ ...store, delete: remove }, { ...base, maxAgeMs: 0 });
    expect(names(result.removed)).toBe('acde');
    expect(result).toMatchObject({
      failed: [{ item: { session: 's1' }, cause: { message: 'no' } }],
      bytes: 10,
    });
  });

  test('a session keeps what it refers to: its decisions, and whatever the log it observed names', async () => {
    const store = memoryStore();
    const results = createToolStorage({ store, sessionId: 's' });
    const one = await results.offload(output('one', longText(60_000)));
    const two = await createToolStorage({ store, sessionId: 's' }).offload(
      output('two', longText(60_000)),
    );
    const three = await createToolStorage({ store, sessionId: 's' }).offload(
      output('three', longText(60_000)),
    );
    const name = (outcome: typeof one) => (outcome.kind === 'stored' ? outcome.handle : '');
    const at = '2026-01-02T03:04:05.000Z';
    const summary = {
      id: 'm',
      role: 'user',
      content: [{ type: 'text', text: `The log is in ${name(two)}, see there.` }],
    } as const;
    results.observe({
      id: 'e',
      at,
      type: 'edit',
      by: 'compact',
      reason: 'full',
      edit: { kind: 'replace-span', fromId: 'a', toId: 'b', with: [summary], then: [] },
    });
    expect(results.handles().sort()).toEqual([name(one), name(two)].sort());
    const { removed } = await results.sweep({ keep: [], nowMs: 1e15, maxAgeMs: 0 });
    expect(removed.map(({ handle }) => handle)).toEqual([name(three)]);
    expect(await results.load(name(two))).toBe(longText(60_000));
    const fork = results.fork({ sessionId: 'fork' });
    expect(
      (await fork.sweep({ keep: [], nowMs: 1e15, maxAgeMs: 0 })).removed.map(
        ({ handle }) => handle,
      ),
    ).toEqual([name(two)]);
    expect(await fork.load(name(one))).toBe(longText(60_000));
  });

  test('room that a sweep makes can be used', async () => {
    const store = memoryStore();
    await createToolStorage({ store, sessionId: 'old' }).offload(output('a', longText(60_000)));
    const results = createToolStorage({ store, sessionId: 's', maxTotalBytes: 130_000 });
    expect((await results.offload(output('b', longText(60_000)))).kind).toBe('stored');
    expect((await results.offload(output('c', longText(61_000)))).kind).toBe('truncated');
    await results.sweep({ keep: [], nowMs: 1e15, maxAgeMs: 0 });
    expect((await results.offload(output('d', longText(62_000)))).kind).toBe('stored');
  });

  test('aborted it stops between two results', async () => {
    const { signal } = { signal: AbortSignal.abort() };
    await expect(sweep(await filled(), { ...base, maxAgeMs: 0, signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});

describe('remove', () => {
  test('removes one result for good; reading it says so', async () => {
    const results = memoryStorage();
    const outcome = await results.offload(output('t', longText(60_000)));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    await results.remove(handle);
    await expect(results.read(handle)).rejects.toThrow('was removed');
    expect(await results.runReadTool({ handle })).toMatchObject({ isError: true });
    await results.remove(handle);
    await expect(results.remove('../x')).rejects.toMatchObject({ code: 'unknown-handle' });
  });
});
