import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';
import { isWhole, seed } from '../../../internal/src/share.ts';
import { randomNumbers, sent, use, workbench } from './support.ts';

const MINI = join(import.meta.dirname, '..', 'examples', 'mini.ts');
const KILLS = isWhole || process.env.VARVE_SOAK ? 25 : 8;

test(`A6: examples/mini.ts, killed with SIGKILL at ${KILLS} moments, resumes and answers each time`, async () => {
  let calls = 0;
  const { run, emulator, bodies } = await workbench(
    {
      replies: ({ request }) => {
        const last = JSON.stringify(request.messages.at(-1));
        if (last.includes('Finish')) return 'Finished.';
        calls += 1;
        const big = calls % 4 === 0 ? `seq 1 ${20_000 + calls}` : `echo ${calls}; sleep 0.02`;
        return use(`call_${calls}`, 'shell', { command: big });
      },
    },
    await bundleProgram(MINI),
  );
  const random = randomNumbers(seed);
  const folder = '.mini';
  let before: readonly unknown[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const requests = emulator.requests.length + 1 + Math.floor(random() * 4);
    const killLater = async (child: ChildProcess) => {
      while (emulator.requests.length < requests && child.exitCode === null) await wait(1);
      await wait(random() * 40);
      child.kill('SIGKILL');
    };
    const killed = await run([`Work ${kill}.`, folder], {
      onStart: killLater,
    });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    const resumed = await run(['Finish.', folder]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Finished.' });
    const now = bodies().at(-1)?.messages.map(sent) ?? [];
    expect(now.slice(0, before.length)).toEqual(before);
    before = now;
  }
  expect(calls).toBeGreaterThan(KILLS);
}, 180_000);
