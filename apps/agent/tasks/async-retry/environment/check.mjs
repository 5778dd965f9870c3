import { retry } from './retry.mjs';

let calls = 0;
const value = await retry(
  async () => {
    calls += 1;
    if (calls < 3) throw new Error(`no ${calls}`);
    return calls;
  },
  { times: 5, waitMs: 1 },
);
console.log(value === 3 ? 'good' : 'bad');
const stop = new AbortController();
setTimeout(() => stop.abort(new Error('stopped')), 20);
const start = Date.now();
const reason = await retry(() => Promise.reject(new Error('no')), {
  times: 2,
  waitMs: 10_000,
  signal: stop.signal,
}).catch((error) => error.message);
console.log(reason === 'stopped' && Date.now() - start < 5_000 ? 'good' : `bad: ${reason}`);
