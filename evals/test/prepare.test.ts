import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { EvalsError, runEval, type Strategy } from '../src/index.ts';
import { rowOf } from '../src/replay/metrics.ts';
import { replay, replayAndWait } from '../src/replay/replay.ts';
import keepAll from '../src/strategies/keep-all.ts';
import { sessionFolder } from './files.ts';
import { planOf, rowFor } from './replays.ts';
import { generatedSteps } from './sessions.ts';

const plan = planOf(generatedSteps({ seed: 4, calls: 8, lines: 4 }));

/** Shows only what `prepare` has taken over, some ticks later. */
function waiting(prepare: () => Promise<void> = async () => {}): Strategy {
  return {
    name: 'waiting',
    create({ head }) {
      const added: Message[] = [];
      let shown: readonly Message[] = [];
      return {
        add: (message) => void added.push(message),
        async prepare() {
          await prepare();
          await new Promise((resolve) => setImmediate(resolve));
          shown = [...added];
        },
        request: () => ({ head, messages: shown, markers: [], maxOutputTokens: 32_000 }),
      };
    },
  };
}

describe('prepare', () => {
  test('is waited for before every request, in the second run too', async () => {
    const baseline = await replayAndWait(plan, keepAll);
    const row = rowOf({ session: 'test', strategy: 'x' }, plan, {
      replay: await replayAndWait(plan, waiting()),
      baseline,
    });
    expect(row).toEqual({ ...rowFor(plan, keepAll), strategy: 'x' });
  });

  test('a replay that waits gives what one that does not gives', async () => {
    expect(await replayAndWait(plan, keepAll)).toEqual(replay(plan, keepAll));
  });

  test('works in a whole run', async () => {
    const report = await runEval({ sessions: [sessionFolder()], strategies: [waiting()] });
    expect(report.totals[1]).toMatchObject({ strategy: 'waiting', relativeToKeepAll: 1 });
  });

  test('what it rejects with names the strategy', async () => {
    const failing = waiting(async () => {
      throw new Error('no disk');
    });
    const error = await replayAndWait(plan, failing).catch((reason: unknown) => reason);
    expect(EvalsError.is(error) && error.code).toBe('strategy-failed');
    expect((error as Error).message).toMatch(/`waiting` failed in prepare\(\): no disk/);
  });

  test('a replay that cannot wait says so', () => {
    expect(() => replay(plan, waiting())).toThrow(TypeError);
  });
});
