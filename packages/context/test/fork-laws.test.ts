import { parseEntry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContext } from '../src/index.ts';
import {
  linesOf,
  model,
  nextRequest,
  play,
  playOn,
  type Run,
  script,
  sentBytes,
} from './script.ts';
import { earlyClearing, violationsOf } from './support.ts';

describe('createContext forked (laws)', () => {
  test('a fork begins with what its parent has, and never affects it', async () => {
    await fc.assert(
      fc.asyncProperty(model, script, script, fc.nat(), async (id, actions, other, place) => {
        const plain = await play(actions, { model: id });
        const parent = await play(actions, {
          model: id,
          async before(run, index) {
            if (index !== place % actions.length) return;
            const fork = forkOf(run);
            const stored = [...run.storage.handles()];
            expect(fork.context.view()).toEqual(run.context.view());
            await playOn(fork, other);
            const request = await nextRequest(fork);
            expect(violationsOf(request)).toEqual([]);
            for (const handle of stored) await fork.storage.load(handle);
          },
        });
        expect(sentBytes(parent.sent)).toEqual(sentBytes(plain.sent));
        expect(linesOf(parent)).toEqual(linesOf(plain));
      }),
    );
  });
});

function forkOf(run: Run): Run {
  const storage = run.storage.fork({ sessionId: 'fork' });
  const context = createContext({
    model: run.model,
    system: 'You fix tests.',
    storage,
    entries: run.context.entries().map((entry) => parseEntry(serializeEntry(entry))),
    layers: [earlyClearing(1)],
    now: run.clock.now,
  });
  const clock = { now: run.clock.now, pass: () => {} };
  return { ...run, context, storage, clock, sent: [], events: [] } as Run;
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
