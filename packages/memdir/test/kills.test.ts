import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';
import { isWhole, seed, someUpTo } from '../../../internal/src/share.ts';
import { createMemdir } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { fileText, NOW, newMemory, temporaryFolder } from './support.ts';

const PROGRAM = await bundleProgram(join(import.meta.dirname, 'programs', 'change-and-die.ts'));
const ACTS = ['save', 'edit', 'supersede', 'forget', 'change', 'rebuild', 'undo'] as const;
type Act = (typeof ACTS)[number] | 'recover';

const open = (root: string) => createMemdir({ folder: diskFolder(root), now: () => NOW });

/** Runs an act in a process of its own, which is killed before a change of the file system. Returns what it printed. */
async function runTo(at: number, root: string, act: Act): Promise<string> {
  const ran = promisify(execFile)(process.execPath, [PROGRAM, root, act, String(at)]);
  return ran.then(
    ({ stdout }) => stdout,
    ({ signal, stderr }: { readonly signal: string; readonly stderr: string }) => {
      expect([signal, stderr]).toEqual(['SIGKILL', '']);
      return 'killed';
    },
  );
}

const namesBelow = (root: string): readonly string[] =>
  (readdirSync(root, { recursive: true }) as string[]).sort();

/** Memories, indexes and what is kept beside them, with their bytes. */
function stateOf(root: string): string {
  const isOfMemory = (name: string) => name.endsWith('.md') && !name.startsWith('.');
  const names = [...namesBelow(root).filter(isOfMemory), '.tombstones.jsonl', '.index-lines.json'];
  return names
    .map((name) => join(root, name))
    .map((path, at) => `${names[at]}\n${existsSync(path) ? readFileSync(path, 'utf8') : ''}`)
    .join('\n');
}

/** What a killed process may leave for a while: no name of it is there for ever. */
const leftoversOf = (root: string): readonly string[] =>
  namesBelow(root).filter((name) => /\.tmp$|lock|draft|pending/.test(name));

async function makeBefore(root: string, act: Act): Promise<void> {
  const memory = open(root);
  await memory.save(newMemory('One', 'First text here.'));
  await memory.save(newMemory('Two', 'Second text here.'));
  if (act === 'rebuild') writeFileSync(join(root, 'three.md'), fileText('Three', 'By hand here.'));
}

/** Every change of the file system is a point: what only reads leaves what stood before it. */
async function killEverywhere(act: Act, base: string, states: readonly string[]): Promise<void> {
  const whole = join(base, '..', 'whole');
  cpSync(base, whole, { recursive: true });
  const [kind, changes] = (await runTo(0, whole, act)).trim().split(' ');
  expect([act, kind]).not.toEqual([act, 'refused']);
  expect(Number(changes)).toBeGreaterThan(20);
  const seen = new Set<number>();
  for (const at of someUpTo(Number(changes), 80)) {
    const root = join(base, '..', `killed-${at}`);
    cpSync(base, root, { recursive: true });
    expect([at, await runTo(at, root, act)]).toEqual([at, 'killed']);
    await open(root).undo({ id: 'none' }); // the next writer
    const state = states.indexOf(stateOf(root));
    expect([act, at, state]).not.toEqual([act, at, -1]);
    seen.add(state);
    const memory = open(root);
    if (state === 1 && act !== 'undo' && act !== 'recover') {
      expect([act, at, (await memory.undo()).kind]).toEqual([act, at, 'undone']);
      expect(stateOf(root).replace(/\.tombstones.*/s, '')).toBe(
        (states[0] as string).replace(/\.tombstones.*/s, ''),
      );
    }
    expect((await memory.save(newMemory('Next', 'Next text here.'))).kind).toBe('saved');
    expect([at, leftoversOf(root)]).toEqual([at, []]);
    const { counts } = await memory.check();
    expect([counts.dangling, counts.interrupted]).toEqual([undefined, undefined]);
    rmSync(root, { recursive: true });
  }
  expect(seen.has(0) || act === 'recover').toBe(true);
}

async function statesOf(base: string, act: Act): Promise<readonly string[]> {
  const after = join(base, '..', 'after');
  cpSync(base, after, { recursive: true });
  await runTo(0, after, act);
  const states = [stateOf(base), stateOf(after)];
  expect(states[0]).not.toBe(states[1]);
  return states;
}

describe('108 117 E6 a process that is killed', () => {
  test.each(ACTS)(
    '%s is wholly before or after at every change of the file system, and nothing stays behind',
    async (act) => {
      const base = join(temporaryFolder(), 'before');
      await makeBefore(base, act);
      await killEverywhere(act, base, await statesOf(base, act));
    },
  );

  test('mending what was interrupted can be interrupted itself', async () => {
    const base = join(temporaryFolder(), 'before');
    await makeBefore(base, 'supersede');
    const states = await statesOf(base, 'supersede');
    const half = join(base, '..', 'half');
    // The first point at which the new file is there and the index is still the old one.
    for (let at = 60; ; at++) {
      rmSync(half, { recursive: true, force: true });
      cpSync(base, half, { recursive: true });
      expect(await runTo(at, half, 'supersede')).toBe('killed');
      if (existsSync(join(half, 'project_new.md'))) break;
    }
    expect(existsSync(join(half, '.archive', 'pending.json'))).toBe(true);
    await killEverywhere('recover', half, states);
  });
});

/** 100 are for `pnpm soak`. */
const KILLS = process.env.VARVE_SOAK ? 100 : isWhole ? 20 : 4;

test(
  `117 ${KILLS} kills at random moments of two processes that change one folder lose nothing that was acknowledged`,
  async () => {
    const root = join(temporaryFolder(), 'memory');
    const source = join(import.meta.dirname, 'programs', 'change-until-killed.ts');
    const program = await bundleProgram(source);
    const random = randomNumbers(seed);
    const lines: string[] = [];
    const start = (name: string) => {
      const child = spawn(process.execPath, [program, root, name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
      });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      const acknowledged = () => printed.split('\n').slice(0, -1);
      const isRunning = () => child.exitCode === null && child.signalCode === null;
      async function kill() {
        child.kill('SIGKILL');
        await ended;
        lines.push(...acknowledged());
      }
      return { acknowledged, isRunning, kill };
    };
    const writers = [start('a'), start('b')];
    for (let at = 0; at < KILLS; at++) {
      const victim = Math.floor(random() * writers.length);
      const writer = writers[victim] as (typeof writers)[number];
      const before = writer.acknowledged().length;
      while (writer.isRunning() && writer.acknowledged().length < before + 2) await pause(2);
      expect(writer.isRunning()).toBe(true); // none ends by itself: nothing is refused for a reason of its own
      await pause(random() * 60);
      await writer.kill();
      writers[victim] = start(`k${at}`);
    }
    for (const writer of writers) await writer.kill();
    const memory = open(root);
    expect((await memory.save(newMemory('Last', 'The last text here.'))).kind).toBe('saved');
    expect(leftoversOf(root)).toEqual([]);
    const of = (kind: string) =>
      lines.flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []));
    const forgotten = new Set(of('forgotten'));
    const there = new Set((await memory.scan({ maxFiles: 100_000 })).files.map(({ path }) => path));
    expect(
      of('saved').filter((path) => !there.has(path) && !forgotten.has(path) && !isThird(path)),
    ).toEqual([]);
    expect([...forgotten].filter((path) => there.has(path))).toEqual([]);
    expect(of('saved').length).toBeGreaterThan(KILLS);
    const { counts, pointers, files } = await memory.check();
    expect(pointers).toBe(Math.min(files, 200));
    expect({ ...counts, orphan: 0 }).toEqual({ orphan: 0 });
  },
  KILLS * 12_000,
);

/** Those are forgotten right after they were saved; the kill may have come before the line that says so. */
const isThird = (path: string): boolean => Number(/m(\d+)\.md$/.exec(path)?.[1]) % 3 === 2;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(state: number): () => number {
  let last = state;
  return () => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
    return last / 2 ** 32;
  };
}
