import { handlesIn } from '@varve/tool-storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf, model, nextRequest, play, resume, script, sentBytes } from './script.ts';
import { expectGrown, violationsOf } from './support.ts';

describe('createContext (laws)', () => {
  test('every request is valid at every provider of its model, and begins with the one before but for announced edits; every handle can be read by a later process', async () => {
    await fc.assert(
      fc.asyncProperty(model, script, async (id, actions) => {
        const run = await play(actions, { model: id });
        await nextRequest(run);
        resume(run);
        const named = new Set(linesOf(run).flatMap(handlesIn));
        for (const handle of named) expect(await run.storage.load(handle)).toBeTypeOf('string');
        expect(run.sent.flatMap(({ request }) => violationsOf(request))).toEqual([]);
        for (const [index, { request, changedFrom }] of run.sent.entries()) {
          const before = run.sent[index - 1];
          if (before) expectGrown(before.request, request, changedFrom);
        }
      }),
    );
  });

  test('a process that ends and a model that fails, at any moment, leave no trace: the same bytes, markers and log', async () => {
    const moments = fc.infiniteStream(fc.nat(3));
    await fc.assert(
      fc.asyncProperty(model, script, moments, fc.nat(1), async (id, actions, moment, failures) => {
        const plain = await play(actions, { model: id });
        const other = await play(actions, {
          model: id,
          resumesAt: () => moment.next().value === 0,
          failures: () => failures,
        });
        const answered = other.sent.filter((_, index) => index % (failures + 1) === failures);
        expect(sentBytes(answered)).toEqual(sentBytes(plain.sent));
        expect(linesOf(other)).toEqual(linesOf(plain));
        expect(other.context.view()).toEqual(plain.context.view());
        expect(other.context.size()).toEqual(plain.context.size());
      }),
    );
  });
});
