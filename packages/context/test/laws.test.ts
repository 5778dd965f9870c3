import { parseEntry } from '@varve/messages';
import { handlesIn } from '@varve/tool-storage/retention';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContext } from '../src/index.ts';
import {
  type Action,
  linesOf,
  model,
  nextRequest,
  play,
  playOn,
  type Run,
  resume,
  type Sent,
  script,
  sentBytes,
  smallClearing,
} from './script.ts';
import { expectGrown, violationsOf } from './support.ts';

/** What comes between: processes that end, a model that fails so often, and a fork that goes its own way. */
const troubles = fc.record({
  ends: fc.infiniteStream(fc.nat(3)),
  failures: fc.nat(1),
  forkedAt: fc.nat(),
  forkScript: script,
});

// Conversations are dear to play, so that each law is asked of one conversation together with others.
describe('createContext (laws)', () => {
  test('every request is valid at every provider of its model, and begins with the one before but for announced edits; a process that ends, a model that fails and a fork, at any moment, leave no trace: the same bytes, markers and log, and every handle can be read', async () => {
    await fc.assert(
      fc.asyncProperty(model, script, troubles, async (id, actions, trouble) => {
        const { ends, failures, forkedAt, forkScript } = trouble;
        const plain = await play(actions, { model: id });
        const other = await play(actions, {
          model: id,
          resumesAt: () => ends.next().value === 0,
          failures: () => failures,
          async before(run, index) {
            if (index === forkedAt % actions.length) await expectForkApart(run, forkScript);
          },
        });
        const answered = other.sent.filter((_, index) => index % (failures + 1) === failures);
        expect(sentBytes(answered)).toEqual(sentBytes(plain.sent));
        const last = [await nextRequest(plain), await nextRequest(other)];
        expect(last.map(violationsOf)).toEqual([[], []]);
        expectSound(plain.sent);
        expectSame(other, plain);
        await expectReadable(other);
      }),
    );
  });
});

test('a conversation that goes on with another model, at any moment and as often as one likes, stays valid', async () => {
  const models = fc.infiniteStream(model);
  const ends = fc.infiniteStream(fc.nat(2));
  await fc.assert(
    fc.asyncProperty(models, ends, script, async (ids, switches, actions) => {
      const run = await play(actions, {
        model: ids.next().value,
        async before(current) {
          if (switches.next().value !== 0) return;
          resume(Object.assign(current, { model: ids.next().value }));
        },
      });
      const sent = [...run.sent.map(({ request }) => request), await nextRequest(run)];
      expect(sent.flatMap(violationsOf)).toEqual([]);
    }),
  );
});

function expectSound(sent: readonly Sent[]): void {
  expect(sent.flatMap(({ request }) => violationsOf(request))).toEqual([]);
  for (const [index, { request, changedFrom }] of sent.entries()) {
    const before = sent[index - 1];
    if (before) expectGrown(before.request, request, changedFrom);
  }
}

function expectSame(run: Run, other: Run): void {
  expect(sentBytes(run.sent.slice(-1))).toEqual(sentBytes(other.sent.slice(-1)));
  expect(linesOf(run)).toEqual(linesOf(other));
  expect(JSON.stringify(run.context.view())).toBe(JSON.stringify(other.context.view()));
  expect(run.context.size()).toEqual(other.context.size());
}

/** By a process that begins now. */
async function expectReadable(run: Run): Promise<void> {
  resume(run);
  for (const handle of new Set(linesOf(run).flatMap(handlesIn))) {
    expect(await run.storage.load(handle)).toBeTypeOf('string');
  }
}

/** A fork begins with what its parent has, can read what it stored, and is valid whatever comes next. */
async function expectForkApart(run: Run, actions: readonly Action[]): Promise<void> {
  const fork = forkOf(run);
  const stored = [...run.storage.handles()];
  expect(JSON.stringify(fork.context.view())).toBe(JSON.stringify(run.context.view()));
  await playOn(fork, actions);
  expect(violationsOf(await nextRequest(fork))).toEqual([]);
  for (const handle of stored) await fork.storage.load(handle);
}

function forkOf(run: Run): Run {
  const storage = run.storage.fork({ sessionId: 'fork' });
  const context = createContext({
    model: run.model,
    system: 'You fix tests.',
    storage,
    entries: linesOf(run).map(parseEntry),
    layers: [smallClearing()],
    now: run.clock.now,
  });
  const clock = { now: run.clock.now, pass: () => {} };
  return { ...run, context, storage, clock, sent: [] } as Run;
}

test('the scripts of these laws reach stored results, clearings, closed rounds and bound thinking', async () => {
  const reached = { stored: 0, edited: 0, closed: 0, bound: 0 };
  await fc.assert(
    fc.asyncProperty(model, script, async (id, actions) => {
      const run = await play(actions, { model: id });
      const log = linesOf(run).join('\n');
      if (run.storage.handles().length > 0) reached.stored++;
      if (run.sent.some(({ changedFrom }) => changedFrom < Infinity)) reached.edited++;
      if (log.includes('"closed:')) reached.closed++;
      if (log.includes('"signature"')) reached.bound++;
    }),
    { numRuns: 100 }, // counts how often, which more runs do not change
  );

  expect(Math.min(...Object.values(reached))).toBeGreaterThan(15);
});
