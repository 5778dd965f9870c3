import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isWhole, seed } from '../../../internal/src/share.ts';
import { randomNumbers, sent, use, workbench } from './support.ts';

/** 200 are for `pnpm soak`. */
const KILLS = process.env.VARVE_SOAK ? 200 : isWhole ? 24 : 6;
/** So small that a session of a few rounds is compacted. */
const SMALL = { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '27' };
const FLAGS = ['--permission-mode', 'bypassPermissions'];
const SUMMARY = `<summary>${'Files were written, read and listed one by one, and numbers were counted. '.repeat(12)}</summary>`;

test(
  `A6: ${KILLS} SIGKILLs at random moments; -c goes on each time, nothing written is lost, no request is refused`,
  async () => {
    let calls = 0;
    let summaries = 0;
    const next = () => {
      calls += 1;
      const id = `call_${calls}`;
      const path = `file-${calls % 7}.txt`;
      switch (calls % 5) {
        case 0:
          return use(id, 'Bash', {
            command: `echo begun ${calls}; sleep 0.05; seq ${calls % 9} 500`,
          });
        case 1:
          return use(id, 'Write', { file_path: `new-${calls}.txt`, content: `text ${calls}\n` });
        case 2:
          return use(id, 'Bash', { command: `seq 1 300 > ${path}; echo ${calls}` });
        case 3:
          return use(id, 'Read', { file_path: path });
        default:
          return use(id, 'Grep', { pattern: `^${calls % 9}$`, output_mode: 'content' });
      }
    };
    const { run, emulator, bodies } = await workbench({
      replies: ({ request }) => {
        const last = sent(request.messages.at(-1));
        if (last.includes('<summary>')) {
          summaries += 1;
          return SUMMARY;
        }
        const all = JSON.stringify(request.messages);
        return all.lastIndexOf('Finish.') > all.lastIndexOf('Work ') ? 'Finished.' : next();
      },
    });
    await run(['-p', 'Finish.', ...FLAGS], { env: SMALL });
    const random = randomNumbers(seed);
    let underWay = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const until = emulator.requests.length + 1 + Math.floor(random() * 8);
      const killed = await run(['-p', '-c', `Work ${kill}.`, ...FLAGS], {
        env: SMALL,
        onStart: async (child: ChildProcess) => {
          while (emulator.requests.length < until && child.exitCode === null) await wait(1);
          await wait(random() * 60);
          child.kill('SIGKILL');
        },
      });
      expect(killed.signal, killed.stderr).toBe('SIGKILL');
      const before = bodies().at(-1)?.messages.map(sent) ?? [];
      const results = before.filter((message) => message.includes('"tool_result"'));
      const resumed = await run(['-p', '-c', 'Finish.', ...FLAGS], { env: SMALL });
      expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: 'Finished.\n' });
      const after = bodies().at(-1)?.messages.map(sent) ?? [];
      // A compaction may replace what came before; else the request goes on from the bytes of the one that was killed.
      const isCompacted = !after[0]?.includes('Finish.') || after[0] !== before[0];
      if (isCompacted) continue;
      underWay += 1;
      expect(after.slice(0, before.length)).toEqual(before);
      expect(results.filter((message) => !after.includes(message))).toEqual([]);
    }
    expect(underWay).toBeGreaterThan(0);
    if (KILLS >= 24) expect(summaries).toBeGreaterThan(0);
  },
  KILLS * 20_000,
);
