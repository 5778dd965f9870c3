import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expected } from '@varve/guards';
import { TranscriptError } from '@varve/transcript';
import { type Lock, PRIVATE_FILE, PRIVATE_FOLDER, takeLock } from '@varve/transcript/node';
import { ForkError } from '../error.ts';
import type { Mail } from '../mail/mail.ts';
import type { Inbox, MailRoute } from '../mail/mailbox.ts';
import { isMissing, type MailFile, mailFiles, namesIn } from './mail-files.ts';

/** The agents of a team, each perhaps in a process of its own. */
export interface FileMailboxes extends MailRoute {
  /**
   * Delivers a mail: it is in the inbox whole, or not at all.
   *
   * @throws ForkError `mailbox-failed` where the system refuses, on a full disk say, or where the inbox is a symbolic link
   */
  deliver(mail: Mail): Promise<boolean>;
  /**
   * Opens the inbox of an agent, for one process at a time. An inbox whose process died is taken over, with its mail.
   *
   * @throws ForkError `inbox-locked` where another process has it, or had it less than 60 minutes ago and cannot be asked;
   * `mailbox-failed` as `deliver`
   * @throws RangeError for a name that could lead out of the folder
   */
  open(name: string): Promise<FileInbox>;
}

/** Its functions throw `mailbox-failed` as well; mail that was not acknowledged stays. */
export interface FileInbox extends Inbox {
  /** Names of files that hold no mail; they lie in the folder `bad` of the inbox. */
  problems(): Promise<readonly string[]>;
}

/**
 * Mailboxes in a folder, `<folder>/<name>/new/<mail>`, for their owner only. A mail is written beside its place, flushed and
 * moved there, so it is there whole or not at all, and it lies there until it is acknowledged: a kill loses none. Sending
 * takes no lock.
 */
export function fileMailboxes(folder: string): FileMailboxes {
  let sent = 0;
  let lastMs = 0;
  return {
    name: 'file',
    names: async () => (await typed(namesIn(folder))).filter((name) => NAME.test(name)),
    async deliver(mail) {
      if (!NAME.test(mail.to)) return false;
      sent += 1;
      lastMs = Math.max(lastMs, Date.now()); // a clock that is set back must not turn the order round
      return typed(write(join(folder, mail.to), mail, { ms: lastMs, count: sent }));
    },
    async open(name) {
      if (!NAME.test(name)) throw expected('name', A_NAME, name);
      return typed(openInbox(join(folder, name)));
    },
  };
}

const A_NAME = { what: 'up to 100 letters, digits, - and _', error: RangeError };
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;

/** What the system refuses as `mailbox-failed`. */
async function typed<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    if (ForkError.is(cause)) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    const text = `The file system refused the mailbox (${code}). No mail was changed by half; free the disk or the folder, and try again.`;
    throw new ForkError('mailbox-failed', text, { cause });
  }
}

const PARTS = ['tmp', 'new', 'bad'];

async function openInbox(place: string): Promise<FileInbox> {
  for (const path of [place, ...PARTS.map((part) => join(place, part))]) {
    await mkdir(path, PRIVATE_FOLDER);
    await refuseLink(path);
  }
  const lock = await takeLock(join(place, 'lock')).catch((cause: unknown) => {
    if (!TranscriptError.is(cause) || cause.code !== 'locked') throw cause;
    const text = `Another process has this inbox open: ${cause.message}`;
    throw new ForkError('inbox-locked', text, { cause });
  });
  return tidied(place, lock);
}

/** A link would lead mail out of the folder, or in from elsewhere. */
async function refuseLink(path: string): Promise<void> {
  if (!(await lstat(path)).isSymbolicLink()) return;
  const text = `${path} is a symbolic link, and mail is neither written nor read through one; put a folder in its place.`;
  throw new ForkError('mailbox-failed', text);
}

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
    for (const path of [place, join(place, 'tmp'), join(place, 'new')]) await refuseLink(path);
    await writeFlushed(draft, JSON.stringify(mail));
    await rename(draft, join(place, 'new', name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined); // the next opening sweeps it
    if (isMissing(error)) return false; // nobody has opened an inbox of this name
    throw error;
  }
  await flushFolder(join(place, 'new'));
  return true;
}

async function tidied(place: string, lock: Lock): Promise<FileInbox> {
  await sweep(place).catch(async (error: unknown) => {
    await lock.release(); // nobody would have the inbox that could close it
    throw error;
  });
  const read = mailFiles(join(place, 'new'));
  return {
    receive: () => typed(read().then((files) => receive(place, files))),
    acknowledge: (ids) => typed(acknowledge(place, new Set(ids), read)),
    problems: () => typed(namesIn(join(place, 'bad'))),
    close: () => typed(lock.release()),
  };
}

async function acknowledge(
  place: string,
  ids: ReadonlySet<string>,
  read: () => Promise<readonly MailFile[]>,
): Promise<void> {
  for (const { path, mail } of await read()) {
    if (mail && ids.has(mail.id)) await rm(path, { force: true });
  }
  await flushFolder(join(place, 'new'));
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

/** Drafts that killed senders have left. */
async function sweep(place: string): Promise<void> {
  for (const name of await namesIn(join(place, 'tmp'))) {
    const path = join(place, 'tmp', name);
    const found = await lstat(path).catch(() => undefined); // gone meanwhile
    if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

/** No write takes that long. */
const STALE_MS = 3_600_000;

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE.mode);
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
