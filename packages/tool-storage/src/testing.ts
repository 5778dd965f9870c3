import type { ToolResultStore } from './store.ts';

/** One promise of a store. `run` rejects with what was found instead. */
export interface StoreCheck {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * What every `ToolResultStore` has to do, as plain functions for any test runner. `createStore` gives an empty store each
 * time.
 */
export function storeConformance(
  createStore: () => ToolResultStore | Promise<ToolResultStore>,
): StoreCheck[] {
  return CHECKS.map(([name, check]) => ({ name, run: async () => check(await createStore()) }));
}

const CHECKS: readonly (readonly [string, (store: ToolResultStore) => Promise<void>])[] = [
  ['gives back the bytes that were put', givesBack],
  ['gives back a part, and what there is of a part beyond the end', givesParts],
  ['keeps its own copy of the bytes', keepsACopy],
  ['takes empty and large results', takesAllSizes],
  ['says nothing is there, and removes nothing, without an error', knowsNothing],
  ['puts the same bytes again without harm', putsAgain],
  ['removes one result and no other', removesOne],
  ['lists by prefix with size and time', lists],
  ['an aborted call rejects and changes nothing', abortsClean],
  ['many puts at once all arrive', putsAtOnce],
];

const A = 'session-a/one-0123456789abcdef.txt';
const B = 'session-a/two-0123456789abcdef.json';
const C = 'session-ab/one-0123456789abcdef.bin';
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);

async function givesBack(store: ToolResultStore): Promise<void> {
  await store.put(A, ALL_BYTES);
  await store.put(C, ALL_BYTES.slice(9));
  await expectBytes(store, A, ALL_BYTES);
  await expectBytes(store, C, ALL_BYTES.slice(9));
}

async function givesParts(store: ToolResultStore): Promise<void> {
  await store.put(A, ALL_BYTES);
  for (const [start, end] of [
    [0, 1],
    [10, 20],
    [250, 999],
  ] as const) {
    const found = await store.get(A, { range: { start, end } });
    const isPart = found !== undefined && equal(found, ALL_BYTES.slice(start, end));
    if (!isPart && !(found && equal(found, ALL_BYTES)))
      fail(`bytes ${start} to ${end} were not given`);
  }
}

async function keepsACopy(store: ToolResultStore): Promise<void> {
  const bytes = ALL_BYTES.slice();
  await store.put(A, bytes);
  bytes.fill(0);
  (await store.get(A))?.fill(1);
  await expectBytes(store, A, ALL_BYTES);
}

async function takesAllSizes(store: ToolResultStore): Promise<void> {
  const large = new Uint8Array(3_000_001).fill(7);
  await store.put(A, new Uint8Array());
  await store.put(B, large);
  await expectBytes(store, A, new Uint8Array());
  await expectBytes(store, B, large);
}

async function knowsNothing(store: ToolResultStore): Promise<void> {
  if ((await store.get(A)) !== undefined) fail('something was there in an empty store');
  await store.delete(A);
  if ((await store.list('')).length > 0) fail('an empty store listed something');
}

async function putsAgain(store: ToolResultStore): Promise<void> {
  await store.put(A, ALL_BYTES);
  await store.put(A, ALL_BYTES);
  await expectBytes(store, A, ALL_BYTES);
  if ((await store.list('')).length !== 1) fail('one key was listed more than once');
}

async function removesOne(store: ToolResultStore): Promise<void> {
  await store.put(A, ALL_BYTES);
  await store.put(B, ALL_BYTES);
  await store.delete(A);
  if ((await store.get(A)) !== undefined) fail('a removed result was still there');
  await expectBytes(store, B, ALL_BYTES);
}

async function lists(store: ToolResultStore): Promise<void> {
  for (const key of [A, B, C]) await store.put(key, ALL_BYTES);
  const all = await store.list('');
  expectKeys(all, [A, B, C]);
  expectKeys(await store.list('session-a/'), [A, B]);
  expectKeys(await store.list('session-none/'), []);
  const isSound = all.every(
    ({ bytes, modifiedMs }) => bytes === 256 && Number.isFinite(modifiedMs),
  );
  if (!isSound) fail('a size or time was wrong');
}

async function abortsClean(store: ToolResultStore): Promise<void> {
  await store.put(B, ALL_BYTES);
  const signal = AbortSignal.abort();
  const options = { signal };
  const calls = [
    store.put(A, ALL_BYTES, options),
    store.delete(B, options),
    store.list('', options),
  ];
  for (const { status } of await Promise.allSettled([...calls, store.get(B, options)])) {
    if (status === 'fulfilled') fail('an aborted call resolved');
  }
  expectKeys(await store.list(''), [B]);
}

async function putsAtOnce(store: ToolResultStore): Promise<void> {
  const keys = Array.from({ length: 20 }, (_, index) => `session-a/r${index}-0123456789abcdef.txt`);
  await Promise.all(keys.map((key, index) => store.put(key, ALL_BYTES.slice(index))));
  for (const [index, key] of keys.entries()) await expectBytes(store, key, ALL_BYTES.slice(index));
}

async function expectBytes(
  store: ToolResultStore,
  key: string,
  expected: Uint8Array,
): Promise<void> {
  const found = await store.get(key);
  if (found === undefined) fail(`nothing was there under ${key}`);
  if (!equal(found, expected)) fail(`other bytes were there under ${key}`);
}

function expectKeys(items: readonly { readonly key: string }[], expected: readonly string[]): void {
  const found = items.map(({ key }) => key).sort();
  if (found.join() !== [...expected].sort().join()) fail(`listed ${found.join() || 'nothing'}`);
}

const equal = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index]);

function fail(message: string): never {
  throw new Error(message);
}
