import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { createMemdir } from '@varve/memdir';
import { diskFolder } from '@varve/memdir/node';
import { expect, test } from 'vitest';
import { isWhole } from '../src/share.ts';
import { filesOf, NOW, temporaryFolder } from './memory-support.ts';

const PROGRAM = new URL('programs/extract-once.ts', import.meta.url).pathname;

/** Runs the program and kills it so long after it began to write; false where it had ended before. */
async function killed(path: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      if (data.toString().includes('writing')) resolve();
    });
  });
  if (afterMs > 0) await wait(afterMs);
  const wasKilled = child.kill('SIGKILL');
  await ended;
  return wasKilled && child.signalCode === 'SIGKILL';
}

test('D8, case 224: a kill while an extraction writes leaves all of it or nothing', async () => {
  const states = new Set<string>();
  for (let afterMs = 0; afterMs <= 900; afterMs += isWhole ? 5 : 20) {
    const path = temporaryFolder();
    const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
    const old = 'The port of staging is 5433.';
    await memory.save({ name: 'Ports', description: 'Of staging', type: 'project', body: old });
    const before = filesOf(path);
    const wasKilled = await killed(path, afterMs);
    await memory.rebuild(); // the next writer mends what was interrupted
    const after = filesOf(path);
    const isWritten = Object.keys(after).length === 5;
    states.add(isWritten ? 'all' : 'nothing');
    if (isWritten) {
      expect(after['project_ports.md']).toContain('6432');
      expect(after['project_ports.md']).not.toContain('5433');
    } else expect(after).toEqual(before);
    expect((await memory.check()).ok).toBe(true);
    if (!wasKilled) break;
  }
  expect([...states].sort()).toEqual(['all', 'nothing']);
}, 60_000);
