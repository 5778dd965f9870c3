import { strict as assert } from 'node:assert';
import { pathToFileURL } from 'node:url';

const { retry } = await import(pathToFileURL('retry.mjs'));
const times = [];
const failing = async (attempt) => {
  times.push({ attempt, at: performance.now() });
  throw new Error(`no ${attempt}`);
};
await assert.rejects(retry(failing, { times: 3, waitMs: 30 }), /no 3/);
assert.deepEqual(
  times.map(({ attempt }) => attempt),
  [1, 2, 3],
);
assert.ok(times[2].at - times[1].at > 50);
assert.equal(await retry(async () => 7, { times: 1, waitMs: 1 }), 7);
const stop = new AbortController();
setTimeout(() => stop.abort(new Error('stopped')), 20);
const start = performance.now();
await assert.rejects(retry(failing, { times: 9, waitMs: 5_000, signal: stop.signal }), /stopped/);
assert.ok(performance.now() - start < 2_000);
await assert.rejects(
  retry(async () => 1, { times: 1, signal: stop.signal }),
  /stopped/,
);
