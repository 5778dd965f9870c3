import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { acquireLock, fileMailboxes } from '../src/node/index.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'mail-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts a program of the folder `programs`; `said` settles once it has written the text. */
function startProgram(program: string, ...args: string[]) {
  return startCommand('node', join(import.meta.dirname, 'programs', program), ...args);
}

function startCommand(command: string, ...args: string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    for (const listener of listeners) listener();
  });
  const said = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found) resolve(found[0]);
      };
      listeners.add(look);
      look();
    });
  return { child, said };
}

const killed = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const mail = (id: string, to: string) =>
  ({ id, from: 'lead', to, body: { kind: 'text', text: id, summary: 's' } }) as const;

describe('fileMailboxes (F7)', () => {
  test('delivers in the order of one sender, keeps mail until it is acknowledged, each id once', async () => {
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    for (const id of [...ids, 'm0']) expect(await boxes.deliver(mail(id, 'worker'))).toBe(true);
    expect((await inbox.receive()).map(({ id }) => id)).toEqual(ids);
    await inbox.acknowledge(ids.slice(0, 19));
    expect(await inbox.receive()).toEqual([mail('m19', 'worker')]);
    await inbox.close();
    const again = await boxes.open('worker');
    expect(await again.receive()).toEqual([mail('m19', 'worker')]);
    await again.close();
  });

  test('does not reach who has no inbox, nor leave the folder', async () => {
    const boxes = fileMailboxes(folder());
    expect(await boxes.names()).toEqual([]);
    expect(await boxes.deliver(mail('m', 'nobody'))).toBe(false);
    expect(await boxes.deliver(mail('m', '../up'))).toBe(false);
    await expect(boxes.open('../up')).rejects.toThrow(RangeError);
  });

  test('refuses an inbox that is open, and opens it once it is closed', async () => {
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    await expect(boxes.open('worker')).rejects.toMatchObject({ code: 'inbox-locked' });
    await inbox.close();
    await (await boxes.open('worker')).close();
  });

  test('puts aside what is no mail, and hands out the rest', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    const inbox = await boxes.open('worker');
    writeFileSync(join(path, 'worker', 'new', '0-bad.json'), '{"id":');
    await boxes.deliver(mail('m', 'worker'));
    expect((await inbox.receive()).map(({ id }) => id)).toEqual(['m']);
    expect(await inbox.problems()).toEqual(['0-bad.json']);
    await inbox.close();
  });

  test('loses no mail and leaves no stuck lock when its process is killed at any moment', async () => {
    const path = folder();
    const log = join(path, 'handled.log');
    writeFileSync(log, '');
    const boxes = fileMailboxes(join(path, 'boxes'));
    const lead = await boxes.open('lead');
    await (await boxes.open('worker')).close();
    const ids: string[] = [];
    for (let round = 0; round < 8; round++) {
      const { child, said } = startProgram('worker.ts', join(path, 'boxes'), 'worker', log);
      await said(/open/);
      for (let count = 0; count < 15; count++) {
        ids.push(`r${round}-${count}`);
        await boxes.deliver(mail(ids.at(-1) as string, 'worker'));
      }
      await sleep((round * 7) % 23);
      await killed(child);
    }
    const inbox = await boxes.open('worker'); // takes over from the dead
    const waiting = (await inbox.receive()).map(({ id }) => id);
    const handled = new Set(readFileSync(log, 'utf8').split('\n'));
    expect(handled.size).toBeGreaterThan(1);
    for (const id of ids) expect(handled.has(id) || waiting.includes(id)).toBe(true);
    const answers = (await lead.receive()).map(({ id }) => id);
    expect(new Set(answers).size).toBe(answers.length);
    for (const id of ids) expect(answers.includes(`re-${id}`) || waiting.includes(id)).toBe(true);
    await Promise.all([inbox.close(), lead.close()]);
    for (const name of ['worker', 'lead']) {
      const left = readdirSync(join(path, 'boxes', name)).filter((file) => file === 'lock');
      expect(left).toEqual([]);
    }
  }, 60_000);
});

describe('acquireLock (F7)', () => {
  test('is taken over from a dead owner by exactly one of many processes', async () => {
    const path = join(folder(), 'lock');
    const dead = startProgram('lock-taker.ts', path);
    await dead.said(/ready/);
    dead.child.stdin.write('go\n');
    await dead.said(/taken/);
    expect(await acquireLock(path)).toBeUndefined();
    const takers = Array.from({ length: 4 }, () => startProgram('lock-taker.ts', path));
    await Promise.all(takers.map(({ said }) => said(/ready/)));
    await killed(dead.child);
    for (const { child } of takers) child.stdin.write('go\n');
    const outcomes = await Promise.all(takers.map(({ said }) => said(/taken|refused/)));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
  }, 30_000);

  test('within one process as well, and when the one who took over died doing it', async () => {
    const path = join(folder(), 'lock');
    const owner = (token: string) =>
      JSON.stringify({ token, pid: 2 ** 22 + 1, host: process.env.HOSTNAME ?? '', started: '1' });
    const on = (token: string) => owner(token).replace(/"host":"[^"]*"/, `"host":"${hostname()}"`);
    writeFileSync(path, on('dead'));
    writeFileSync(`${path}.dead`, on('deader'));
    const locks = await Promise.all(Array.from({ length: 10 }, () => acquireLock(path)));
    const [mine, ...others] = locks.filter((lock) => lock !== undefined);
    expect(others).toEqual([]);
    expect(await mine?.isHeld()).toBe(true);
    await mine?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('is left alone where its owner is on another machine or cannot be read', async () => {
    const path = join(folder(), 'lock');
    for (const content of ['{"token":"t","pid":1,"host":"elsewhere","started":""}', '{"tok']) {
      writeFileSync(path, content);
      expect(await acquireLock(path)).toBeUndefined();
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  test('releases nothing that is not its own', async () => {
    const path = join(folder(), 'lock');
    const lock = await acquireLock(path);
    writeFileSync(path, '{"token":"other","pid":1,"host":"elsewhere","started":""}');
    expect(await lock?.isHeld()).toBe(false);
    await lock?.release();
    expect(readFileSync(path, 'utf8')).toContain('other');
  });
});

describe('what stands in an inbox besides mail (F7)', () => {
  test('folders, links and pipes are put aside, and the rest is handed out', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    const inbox = await boxes.open('worker');
    const place = join(path, 'worker', 'new');
    mkdirSync(join(place, '0-folder'));
    symlinkSync('/nowhere', join(place, '0-link'));
    execFileSync('mkfifo', [join(place, '0-pipe')]);
    await boxes.deliver(mail('m', 'worker'));
    expect((await inbox.receive()).map(({ id }) => id)).toEqual(['m']);
    expect((await inbox.problems()).toSorted()).toEqual(['0-folder', '0-link', '0-pipe']);
    await inbox.close();
  });

  test('mail that is acknowledged while it is read is no failure', async () => {
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    const ids = Array.from({ length: 30 }, (_, index) => `m${index}`);
    for (const id of ids) await boxes.deliver(mail(id, 'worker'));
    await Promise.all([inbox.receive(), inbox.acknowledge(ids), inbox.receive()]);
    expect(await inbox.receive()).toEqual([]);
    expect(await inbox.problems()).toEqual([]);
    await inbox.close();
  });

  test('keeps the order of one sender whose clock runs backwards', async () => {
    onTestFinished(() => void vi.useRealTimers());
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    vi.useFakeTimers({ toFake: ['Date'], now: 2_000_000 });
    await boxes.deliver(mail('first', 'worker'));
    vi.setSystemTime(1_000_000);
    await boxes.deliver(mail('second', 'worker'));
    expect((await inbox.receive()).map(({ id }) => id)).toEqual(['first', 'second']);
    await inbox.close();
  });

  test('more mail waits than files can be open at once', async () => {
    const path = join(folder(), 'boxes');
    const program = join(import.meta.dirname, 'programs', 'full-inbox.ts');
    const limited = 'ulimit -n 64 && exec node "$0" "$1"';
    const { said } = startCommand('sh', '-c', limited, program, path);
    expect(await said(/received \d+|failed.*/)).toBe('received 300');
  }, 30_000);

  test('an old folder among the drafts neither stops an opening nor keeps the lock', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    await (await boxes.open('worker')).close();
    const old = join(path, 'worker', 'tmp', 'old');
    mkdirSync(old);
    utimesSync(old, 1, 1);
    await (await boxes.open('worker')).close();
    expect(readdirSync(join(path, 'worker')).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  test('a file where an inbox would be reaches nobody', async () => {
    const path = folder();
    writeFileSync(join(path, 'worker'), '');
    expect(await fileMailboxes(path).deliver(mail('m', 'worker'))).toBe(false);
  });
});

describe('locks that are none (F7)', () => {
  test('a link that leads nowhere counts as held', async () => {
    const path = join(folder(), 'lock');
    symlinkSync('/nowhere', path);
    expect(await acquireLock(path)).toBeUndefined();
  });

  test('a dead owner whose token would lead out of the folder counts as held', async () => {
    const path = join(folder(), 'deep', 'lock');
    mkdirSync(join(path, '..'));
    const owner = { token: '/../../out', pid: 2 ** 22 + 1, host: hostname(), started: '1' };
    mkdirSync(`${path}.`);
    writeFileSync(path, JSON.stringify(owner));
    expect(await acquireLock(path)).toBeUndefined();
  });

  test.each([1, 12])('is taken over after %i owners died while they took over', async (count) => {
    const path = join(folder(), 'lock');
    let at = path;
    for (let index = 0; index < count; index++) {
      const token = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const owner = { token, pid: 2 ** 22 + 1, host: hostname(), started: '1' };
      writeFileSync(at, JSON.stringify(owner));
      at = `${path}.${token}`;
    }
    const lock = await acquireLock(path);
    expect(await lock?.isHeld()).toBe(true);
    await lock?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('dead owners who name each other count as held', async () => {
    const path = join(folder(), 'lock');
    const owner = (token: string) =>
      JSON.stringify({ token, pid: 2 ** 22 + 1, host: hostname(), started: '1' });
    writeFileSync(path, owner('a'));
    writeFileSync(`${path}.a`, owner('b'));
    writeFileSync(`${path}.b`, owner('a'));
    expect(await acquireLock(path)).toBeUndefined();
  });

  test('an owner whose number another process has by now is dead', async () => {
    const path = join(folder(), 'lock');
    const owner = { token: 'old', pid: process.pid, host: hostname(), started: '1' };
    writeFileSync(path, JSON.stringify(owner));
    expect(await (await acquireLock(path))?.isHeld()).toBe(true);
  });
});
