import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ForkError } from '../error.ts';
import type { Mail } from '../mail/mail.ts';
import type { Inbox, MailRoute } from '../mail/mailbox.ts';
import { acquireLock, type FileLock } from './file-lock.ts';
import { isMissing, type MailFile, mailFiles, namesIn } from './mail-files.ts';

/** The agents of a team, each perhaps in a process of its own. */
export interface FileMailboxes extends MailRoute {
  /**
   * Opens the inbox of an agent, for one process at a time. An inbox whose process died is taken over, with its mail.
   *
   * @throws ForkError `inbox-locked` where another process that is alive has it
   * @throws RangeError for a name that could lead out of the folder
   */
  open(name: string): Promise<FileInbox>;
}

export interface FileInbox extends Inbox {
  /** Names of files that hold no mail; they lie in the folder `bad` of the inbox. */
  problems(): Promise<readonly string[]>;
}

/**
 * Mailboxes in a folder, `<folder>/<name>/new/<mail>`. A mail is written beside its place, flushed and moved there, so it is
 * there whole or not at all, and it lies there until it is acknowledged: a kill loses none. Sending takes no lock.
 */
export function fileMailboxes(folder: string): FileMailboxes {
  let sent = 0;
  let lastMs = 0;
  return {
    name: 'file',
    names: async () => (await namesIn(folder)).filter((name) => NAME.test(name)),
    async deliver(mail) {
      if (!NAME.test(mail.to)) return false;
      sent += 1;
      lastMs = Math.max(lastMs, Date.now()); // a clock that is set back must not turn the order round
      return write(join(folder, mail.to), mail, { ms: lastMs, count: sent });
    },
    async open(name) {
      if (!NAME.test(name)) throw new RangeError('Expected `name` to be letters, digits, - and _.');
      const place = join(folder, name);
      for (const part of ['tmp', 'new', 'bad']) {
        await mkdir(join(place, part), { recursive: true, mode: 0o700 });
      }
      const lock = await acquireLock(join(place, 'lock'));
      if (lock) return tidied(place, lock);
      throw new ForkError(
        'inbox-locked',
        'A process that is alive has this inbox open; close it there.',
      );
    },
  };
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;

/** Sorted by the sender's clock, then by its own count: the order of one sender is kept. */
async function write(
  place: string,
  mail: Mail,
  { ms, count }: { readonly ms: number; readonly count: number },
): Promise<boolean> {
  const digits = `${String(ms).padStart(15, '0')}-${String(count).padStart(9, '0')}`;
  const name = `${digits}-${randomBytes(6).toString('hex')}.json`;
  const draft = join(place, 'tmp', name);
  try {
    await writeFlushed(draft, JSON.stringify(mail));
    await rename(draft, join(place, 'new', name));
  } catch (error) {
    if (isMissing(error)) return false; // nobody has opened an inbox of this name
    throw error;
  }
  await flushFolder(join(place, 'new'));
  return true;
}

async function tidied(place: string, lock: FileLock): Promise<FileInbox> {
  await sweep(place).catch(async (error: unknown) => {
    await lock.release(); // nobody would have the inbox that could close it
    throw error;
  });
  const read = mailFiles(join(place, 'new'));
  return {
    receive: async () => receive(place, await read()),
    async acknowledge(ids) {
      const done = new Set(ids);
      for (const { path, mail } of await read()) {
        if (mail && done.has(mail.id)) await rm(path, { force: true });
      }
      await flushFolder(join(place, 'new'));
    },
    problems: () => namesIn(join(place, 'bad')),
    close: () => lock.release(),
  };
}

/** A mail whose delivery was tried twice is handed out once. */
async function receive(place: string, files: readonly MailFile[]): Promise<readonly Mail[]> {
  const byId = new Map<string, Mail>();
  for (const { name, path, mail } of files) {
    if (!mail) await putAside(path, join(place, 'bad', name));
    else if (!byId.has(mail.id)) byId.set(mail.id, mail);
  }
  return [...byId.values()];
}

async function putAside(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (!isMissing(error)) throw error; // another call was first
  });
}

/** What killed senders and openers have left: drafts, and locks taken to take over a lock. */
async function sweep(place: string): Promise<void> {
  const drafts = (await namesIn(join(place, 'tmp'))).map((name) => join(place, 'tmp', name));
  const locks = (await namesIn(place)).filter((name) => name.startsWith('lock.'));
  for (const path of [...drafts, ...locks.map((name) => join(place, name))]) {
    const found = await lstat(path).catch(() => undefined); // gone meanwhile
    if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

/** No write takes that long. */
const STALE_MS = 3_600_000;

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the name survives a power loss as well. */
async function flushFolder(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}
