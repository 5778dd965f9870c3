import type { Block, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { lowerBounds } from '../src/demand/lower-bounds.ts';
import { createSessionDemand } from '../src/demand/session-demand.ts';
import { edit, read, type Step, threadOf } from './sessions.ts';

const LINE = 'const total = priceWithTaxes(basket);';
const rates = { read: 1, write: 10, output: 50 };

function boundsOf(steps: readonly Step[], sizeOfResult: number) {
  const entries = threadOf(steps).entries;
  const history = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const replies = history.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  const sizeOf = (part: (typeof history)[number] | Block) =>
    ('role' in part ? (part as Message).content[0] : part)?.type === 'tool_result'
      ? sizeOfResult
      : 5;
  const demand = createSessionDemand(history);
  return lowerBounds({ history, replies, demand, sizeOf, headTokens: 100, rates });
}

describe('lowerBounds', () => {
  test('is nothing without a request', () => {
    expect(boundsOf([{ user: 'Go.' }], 1)).toEqual({ writeOnce: 0, perObject: 0 });
  });

  test('writes the head and the prompt once for one request', () => {
    expect(boundsOf([{ user: 'Go.' }, { say: 'Yes.' }], 1)).toEqual({
      writeOnce: 105 * 10,
      perObject: 105 * 10,
    });
  });

  // requests 0 to 3; messages: 5 user, 5 call, result, 5 say, 5 user, 5 edit, result, 5 say
  const steps = [
    { user: 'Go.' },
    read('src/bill.ts', LINE),
    { say: 'Seen.' },
    { user: 'Now change it.' },
    edit('src/bill.ts', LINE),
    { say: 'Done.' },
  ];
  // written: head 100, user 5, call 5, result, say 5, user 5, edit 5, result
  const written = (result: number) => (125 + 2 * result) * 10;
  // the head is read 3 times; the first user text stays for 3 more requests, the call for 2, then for 1 the next two,
  // of which the second request's reply comes with the third
  const resident = 100 * 3 + 5 * 3 + 5 * 2 + 5 * 1 + 5 * 1 + 0;

  test('keeps a small result over the gap until it is needed', () => {
    // seen first by request 1, needed by request 2: one read of 20 tokens
    expect(boundsOf(steps, 20).perObject).toBe(written(20) + resident + 20);
  });

  test('fetches a large result again when that is cheaper', () => {
    const size = 100_000;
    const padding = Array.from({ length: 20 }, (_, at) => [
      { user: `Wait ${at}.` },
      { say: 'Yes.' },
    ]);
    const long = [...steps.slice(0, 3), ...padding.flat(), ...steps.slice(3)];
    const kept = boundsOf(long, size).perObject;
    const writtenOnce = boundsOf(long, size).writeOnce;
    // 21 requests of keeping cost 2,100,000; fetching writes 1,000,000, reads what stays and puts out 100 tokens
    expect(kept - writtenOnce).toBeLessThan(1_020_000);
    expect(kept - writtenOnce).toBeGreaterThan(1_005_000);
  });

  test('charges nothing for a result that other text shows as well', () => {
    const twice = [...steps.slice(0, 3), { user: `Now change \n${LINE}` }, ...steps.slice(4)];
    const once = boundsOf(steps, 20).perObject;
    // the path src/bill.ts still stands in the call, so only the line was a sole source
    expect(boundsOf(twice, 20).perObject).toBe(once - 20);
  });
});
