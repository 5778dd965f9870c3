import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMailboxes, createMailRouter } from '../src/mail.ts';
import { fileMailboxes } from '../src/node/index.ts';

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

describe('the lock of an inbox (F7)', () => {
  test.each(['', '{"tok', '{"pid":0}', '{"pid":-1,"host":"elsewhere"}', '4711'])(
    'O352: one that holds %j is left alone for now, and is no living process',
    async (text) => {
      const path = folder();
      const boxes = fileMailboxes(path);
      await (await boxes.open('worker')).close();
      writeFileSync(join(path, 'worker', 'lock'), text);
      const error = await boxes.open('worker').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'inbox-locked' });
      expect((error as Error).message).toContain('taken over 60 minutes after');
      expect(readFileSync(join(path, 'worker', 'lock'), 'utf8')).toBe(text);
    },
  );

  test('the refusal names the process that has it', async () => {
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    await expect(boxes.open('worker')).rejects.toThrow(`process ${process.pid} `);
    await inbox.close();
  });
});

// siblings looked for: logs, salvaging and notes (`takeLock`)
describe('O351: an inbox whose lock was taken over', () => {
  /** As if its process lived in another container and had been asleep for two hours. */
  function asleep(path: string) {
    const lock = join(path, 'worker', 'lock');
    const heartbeatAt = new Date(Date.now() - 7_200_000).toISOString();
    const body = {
      ...JSON.parse(readFileSync(lock, 'utf8')),
      pidNamespace: 'pid:[1]',
      heartbeatAt,
    };
    writeFileSync(lock, `${JSON.stringify(body)}\n`);
  }

  test('hands out nothing more, and takes nothing out of that of the next owner', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    const first = await boxes.open('worker');
    await boxes.deliver(mail('m', 'worker'));
    writeFileSync(join(path, 'worker', 'new', '0-bad.json'), 'no mail');
    asleep(path);
    const second = await boxes.open('worker');
    const before = readdirSync(path, { recursive: true });
    const lost = { name: 'ForkError', code: 'inbox-lost' };
    await expect(first.receive()).rejects.toMatchObject(lost);
    await expect(first.acknowledge(['m'])).rejects.toMatchObject(lost);
    await expect(first.problems()).rejects.toMatchObject(lost);
    await first.close();
    expect(readdirSync(path, { recursive: true })).toEqual(before);
    expect(await second.receive()).toEqual([mail('m', 'worker')]);
    await second.close();
  });

  test.each(['receive', 'acknowledge'] as const)(
    'also where it is lost in the midst of `%s`',
    async (name) => {
      const path = folder();
      const boxes = fileMailboxes(path);
      const inbox = await boxes.open('worker');
      await boxes.deliver(mail('m', 'worker'));
      writeFileSync(join(path, 'worker', 'new', '0-bad.json'), 'no mail');
      const before = readdirSync(join(path, 'worker', 'new'));
      const call = name === 'receive' ? inbox.receive() : inbox.acknowledge(['m']);
      rmSync(join(path, 'worker', 'lock')); // it has been looked at once by now
      await expect(call).rejects.toMatchObject({ code: 'inbox-lost' });
      expect(readdirSync(join(path, 'worker', 'new'))).toEqual(before);
      await inbox.close();
    },
  );

  test('nor one that was closed', async () => {
    const boxes = fileMailboxes(folder());
    const inbox = await boxes.open('worker');
    await boxes.deliver(mail('m', 'worker'));
    await inbox.close();
    await expect(inbox.acknowledge(['m'])).rejects.toMatchObject({ code: 'inbox-lost' });
    await expect(inbox.receive()).rejects.toMatchObject({ code: 'inbox-lost' });
  });
});

describe('O351: what is no mail is not delivered', () => {
  const whole = mail('m', 'worker');
  const loop: Record<string, unknown> = { ...whole };
  loop.self = loop;
  test.each([
    ['no sender', { ...whole, from: undefined }],
    ['a number as id', { ...whole, id: 7 }],
    ['a kind that is none', { ...whole, body: { kind: 'note', text: 'x' } }],
    ['no summary', { ...whole, body: { kind: 'text', text: 'x' } }],
    ['no body', { ...whole, body: undefined }],
    ['no object', null],
    ['a loop', loop],
  ])('%s', async (_what, given) => {
    const path = folder();
    const boxes = fileMailboxes(path);
    const inbox = await boxes.open('worker');
    const inMemory = createMailboxes();
    const other = inMemory.open('worker');
    for (const route of [boxes, inMemory]) {
      await expect(route.deliver(given as never)).rejects.toMatchObject({ code: 'bad-mail' });
    }
    expect(await inbox.receive()).toEqual([]);
    expect(await other.receive()).toEqual([]);
    expect(await inbox.problems()).toEqual([]);
    const router = createMailRouter({ from: 'lead', routes: [boxes], newId: () => 'm' });
    const body = { kind: 'text', text: 5 } as never;
    await expect(router.send('worker', body)).rejects.toMatchObject({ code: 'bad-mail' });
    await inbox.close();
  });
});

describe('O351: an opening that fails leaves no inbox behind', () => {
  test.each([
    ['the lock', 'lock', 'write-failed'],
    ['one of its folders', 'bad', 'ENOSPC'],
  ])('at %s', async (_what, at, code) => {
    const path = join(folder(), 'a', 'boxes');
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const fails = (given: unknown) =>
      String(given).includes(`${sep}${at}`) || String(given).includes(`${sep}.${at}-`);
    const real = { ...promises };
    promises.open = async (...args) => (fails(args[0]) ? Promise.reject(full) : real.open(...args));
    promises.mkdir = (async (...args: Parameters<typeof real.mkdir>) =>
      fails(args[0]) ? Promise.reject(full) : real.mkdir(...args)) as typeof real.mkdir;
    syncBuiltinESMExports();
    const restore = () => {
      Object.assign(promises, { open: real.open, mkdir: real.mkdir });
      syncBuiltinESMExports();
    };
    onTestFinished(restore);
    const error = await fileMailboxes(path)
      .open('worker')
      .catch((reason: unknown) => reason);
    restore();
    expect(error).toMatchObject({ code: 'mailbox-failed', cause: { code } });
    expect((error as Error).message).toContain('(ENOSPC)');
    expect(readdirSync(join(path, '..', '..'))).toEqual([]);
    const boxes = fileMailboxes(path);
    await (await boxes.open('worker')).close();
    expect(await boxes.names()).toEqual(['worker']);
  });

  test('and none of another owner away', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    const inbox = await boxes.open('worker');
    await expect(boxes.open('worker')).rejects.toMatchObject({ code: 'inbox-locked' });
    expect(await boxes.deliver(mail('m', 'worker'))).toBe(true);
    expect(await inbox.receive()).toEqual([mail('m', 'worker')]);
    await inbox.close();
  });
});

describe('O356: a disk that is full (F7)', () => {
  test.skipIf(!canMount())(
    'typed, nothing half written, and mail goes in again when there is room (needs `mount`)',
    async () => {
      const disk = folder();
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
      onTestFinished(() => void spawnSync('umount', [disk]));
      const boxes = fileMailboxes(join(disk, 'boxes'));
      const inbox = await boxes.open('worker');
      const large = (id: string) => {
        const body = { kind: 'text', text: 'x'.repeat(20_000), summary: 's' } as const;
        return { id, from: 'lead', to: 'worker', body };
      };
      const sent: string[] = [];
      const full = await (async () => {
        for (;;) {
          const id = `m${sent.length}`;
          await boxes.deliver(large(id));
          sent.push(id);
        }
      })().catch((error: unknown) => error);
      expect(full).toMatchObject({ code: 'mailbox-failed', cause: { code: 'ENOSPC' } });
      expect((full as Error).message).toContain('ENOSPC');
      expect(readdirSync(join(disk, 'boxes', 'worker', 'tmp'))).toEqual([]);
      expect((await inbox.receive()).map(({ id }) => id)).toEqual(sent);
      expect(await inbox.problems()).toEqual([]);
      writeFileSync(join(disk, 'rest'), ''); // a name needs no room; its bytes take what is left
      const rest = spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'rest')}`, 'bs=4k']);
      expect(rest.status).not.toBe(0);
      const other = fileMailboxes(join(disk, 'boxes')).open('other');
      await expect(other).rejects.toMatchObject({ code: 'mailbox-failed' });
      await expect(other).rejects.toThrow('(ENOSPC)');
      expect(readdirSync(join(disk, 'boxes'))).toEqual(['worker']);
      rmSync(join(disk, 'rest'));
      await inbox.acknowledge(sent);
      expect(await boxes.deliver(large('again'))).toBe(true);
      expect((await inbox.receive()).map(({ id }) => id)).toEqual(['again']);
      await inbox.close();
      await (await fileMailboxes(join(disk, 'boxes')).open('other')).close();
    },
  );

  test('a router reports it as the failure of the route', async () => {
    const path = folder();
    const boxes = fileMailboxes(path);
    await (await boxes.open('worker')).close();
    rmSync(join(path, 'worker', 'new'), { recursive: true });
    symlinkSync(folder(), join(path, 'worker', 'new'));
    const router = createMailRouter({ from: 'lead', routes: [boxes], newId: () => 'm' });
    const report = await router.send('worker', mail('m', 'worker').body);
    expect(report.failed).toMatchObject([
      { to: 'worker', reason: 'route-failed', cause: { code: 'mailbox-failed' } },
    ]);
  });
});

describe('what mailboxes write is private and stays in their folder', () => {
  test('O354: folders 0700, files 0600', async () => {
    const path = join(folder(), 'boxes');
    const boxes = fileMailboxes(path);
    const inbox = await boxes.open('worker');
    await boxes.deliver(mail('m', 'worker'));
    const modes = readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      return `${entry.isDirectory()} ${(mode & 0o777).toString(8)}`;
    });
    expect([...new Set(modes)].toSorted()).toEqual(['false 600', 'true 700']);
    await inbox.close();
  });

  test.each(['', 'new', 'tmp', 'bad'])(
    'O355: an inbox whose folder %j is a link is neither written nor read',
    async (part) => {
      const [path, outside] = [folder(), folder()];
      const boxes = fileMailboxes(path);
      await (await boxes.open('worker')).close();
      for (const each of ['tmp', 'new', 'bad']) mkdirSync(join(outside, each));
      rmSync(join(path, 'worker', part), { recursive: true });
      symlinkSync(outside, join(path, 'worker', part));
      await expect(boxes.open('worker')).rejects.toMatchObject({ code: 'mailbox-failed' });
      if (part !== 'bad') {
        const sent = boxes.deliver(mail('m', 'worker'));
        await expect(sent).rejects.toMatchObject({ code: 'mailbox-failed' });
      }
      expect(readdirSync(outside, { recursive: true }).toSorted()).toEqual(['bad', 'new', 'tmp']);
    },
  );
});

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'));
  const isMounted =
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', probe]).status === 0;
  if (isMounted) spawnSync('umount', [probe]);
  rmSync(probe, { recursive: true });
  return isMounted;
}
