import { describe, expect, test } from 'vitest';
import {
  CompactError,
  type CompactionWork,
  compact,
  createCompaction,
  createProviderCompaction,
} from '../../src/index.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import { deepFreeze, turns } from './histories.ts';
import { fakeModel, GOOD, noWait, reply } from './models.ts';

const HISTORY = deepFreeze(turns(6));
const model = () => ({ ...fakeModel(reply(GOOD)), wait: noWait });
const BLOCK = { type: 'compaction', content: 'What was done.', signature: 's' };

interface Given {
  readonly attach: () => never;
  readonly signal?: AbortSignal;
}

/** A log that no door may touch, whatever becomes of it. */
async function onLog(
  run: (work: CompactionWork, planner: ReturnType<typeof createCompaction>) => Promise<unknown>,
) {
  const planner = createCompaction(model());
  const log = watchedLog(planner);
  log.append(HEAD);
  for (const { role, content } of HISTORY) {
    log.say({
      role,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    });
  }
  const plan = planner.planNow(contextFor(log.view, { windowTokens: 200_000 }), {
    trigger: 'manual',
  });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  const { view } = log;
  const entries = log.entries.length;
  try {
    return await run(plan.work, planner);
  } finally {
    expect(log.view).toBe(view);
    expect(log.entries).toHaveLength(entries);
  }
}

const DOORS: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  compact: (given) => compact(HISTORY, { ...model(), ...given }),
  'compact around a pivot': (given) =>
    compact(HISTORY, { ...model(), ...given, direction: 'up-to', pivot: 12 }),
  'run of a compactor': (given) => onLog((work, planner) => planner.run(work, given)),
  'run of a compactor around a pivot': (given) =>
    onLog((work, planner) => {
      const pivot = work.messages[12]?.id as string;
      return planner.run({ ...work, around: { direction: 'from', pivot } }, given);
    }),
  'the engine of a provider': (given) =>
    onLog((work) => {
      const call = async () => ({ content: [BLOCK], stopReason: 'compaction' as const });
      return createProviderCompaction({ provider: 'anthropic', call })(work, given);
    }),
};

const CAUSES: readonly (readonly [string, unknown])[] = [
  ['an error', new Error('disk')],
  ['a text', 'disk'],
  ['nothing', undefined],
  ['an abort of somebody else', new DOMException('Gone.', 'AbortError')],
];

// siblings looked for: every door that takes `attach`, at once and later, and the stored results that a context lists
describe.each(Object.entries(DOORS))('%s: an `attach` that fails', (_, door) => {
  describe.each(CAUSES)('throws %s', (_name, cause) => {
    test.each([
      [
        'at once',
        () => {
          throw cause;
        },
      ],
      ['later', () => Promise.reject(cause) as never],
    ])('%s: the error says so and keeps the cause, nothing has changed', async (_when, attach) => {
      const before = JSON.stringify(HISTORY);
      const error = await door({ attach: attach as Given['attach'] }).catch(
        (thrown: unknown) => thrown,
      );
      expect(CompactError.is(error) && error.code).toBe('attach-threw');
      expect((error as Error).message).toContain('`attach` threw');
      expect((error as Error).cause).toBe(cause);
      expect(JSON.stringify(HISTORY)).toBe(before);
    });
  });

  test('stalls: an abort ends it with its reason, deaf as it is', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const attach = () => {
      setTimeout(() => controller.abort(reason), 5);
      return new Promise(() => {}) as never;
    };
    const error = await door({ attach, signal: controller.signal }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBe(reason);
  });
});
