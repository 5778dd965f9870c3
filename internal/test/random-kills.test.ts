import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileMailboxes } from '@varve/fork-agent/node';
import { openLog, readLog } from '@varve/transcript/node';
import { expect, onTestFinished, test } from 'vitest';
import { isWhole, seed } from '../src/share.ts';

/** 300 are for `pnpm soak`. */
const KILLS = process.env.VARVE_SOAK ? 300 : isWhole ? 24 : 6;
/** A kill, a new process and its first entries take up to two seconds where the machine is busy. */
const TIMEOUT_MS = KILLS * 6_000;
const WRITERS = ['a', 'b', 'c'];

const program = join(import.meta.dirname, 'programs', 'three-stores.ts');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function startWriter(folder: string, name: string) {
  const args = [program, folder, name, 'reader'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    /** Lines that came whole. */
    acknowledged: () => printed.split('\n').slice(0, -1),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(
  `${KILLS} random kills with three writers lose nothing acknowledged and leave no lock behind`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-kills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await (await fileMailboxes(join(folder, 'mail')).open('reader')).close();
    const random = randomNumbers(seed);
    const acknowledged: string[] = [];
    const writers = WRITERS.map((name) => startWriter(folder, name));
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = Math.floor(random() * WRITERS.length);
      const writer = writers[victim] as (typeof writers)[number];
      const before = writer.acknowledged().length;
      while (writer.isRunning() && writer.acknowledged().length === before) await pause(2);
      expect(writer.isRunning()).toBe(true); // none ends by itself: nothing is refused for a reason of its own
      await pause(random() * 15);
      await writer.kill();
      acknowledged.push(...writer.acknowledged());
      writers[victim] = startWriter(folder, `${WRITERS[victim]}${kill}`);
    }
    for (const writer of writers) {
      await writer.kill();
      acknowledged.push(...writer.acknowledged());
    }
    const of = (kind: string) =>
      acknowledged
        .filter((line) => line.startsWith(`${kind} `))
        .map((line) => line.slice(kind.length + 1));

    const path = join(folder, 'logs', 'log.jsonl');
    await (await openLog(path)).close(); // repairs the end, and no lock of the dead is in the way
    const logged = new Set<string>();
    for await (const { entry } of readLog(path)) logged.add(entry.id);
    expect(of('log').filter((id) => !logged.has(id))).toEqual([]);

    const noted = new Set(readFileSync(join(folder, 'notes', 'summary.md'), 'utf8').split('\n'));
    expect(of('note').filter((id) => !noted.has(id))).toEqual([]);

    const inbox = await fileMailboxes(join(folder, 'mail')).open('reader');
    const received = new Set((await inbox.receive()).map(({ id }) => id));
    expect(of('mail').filter((id) => !received.has(id))).toEqual([]);
    expect(await inbox.problems()).toEqual([]);
    await inbox.close();

    expect(Math.min(of('log').length, of('note').length, of('mail').length)).toBeGreaterThan(
      KILLS / 3,
    );
    expect(readdirSync(join(folder, 'logs')).filter((name) => !name.includes('.torn-'))).toEqual([
      'log.jsonl',
    ]);
  },
  TIMEOUT_MS,
);
