import { randomBytes } from 'node:crypto';
import { lstat, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, expected } from '@varve/guards';
import { TranscriptError } from '@varve/transcript';
import { type Lock, makeFolder, PRIVATE_FILE, takeLock } from '@varve/transcript/node';
import { ForkError } from '../error.ts';
import type { Mail } from '../mail/mail.ts';
import type { Inbox, MailRoute } from '../mail/mailbox.ts';
import { mailJson } from '../mail/parse-mail.ts';
import { isMissing, mailFiles, namesIn } from './mail-files.ts';

/** The agents of a team, each perhaps in a process of its own. */
export interface FileMailboxes extends MailRoute {
  /**
   * Delivers a mail: it is in the inbox whole, or not at all.
   *
   * @throws ForkError `mailbox-failed` where the system refuses, on a full disk say, or where the inbox is a symbolic link;
   * `bad-mail` for what `parseMail` would not read back
   */
  deliver(mail: Mail): Promise<boolean>;
  /**
   * Opens the inbox of an agent, for one process at a time. An inbox whose process died is taken over, with its mail. Where
   * it fails, the folders it made are gone again.
   *
   * @throws ForkError `inbox-locked` where another process has it, or had it less than 60 minutes ago and cannot be asked;
   * `mailbox-failed` as `deliver`
   * @throws RangeError for a name that could lead out of the folder
   */
  open(name: string): Promise<FileInbox>;
}

/**
 * Its functions throw `mailbox-failed` as well, and `inbox-lost` once it is closed or another process has taken it over;
 * mail that was not acknowledged stays.
 */
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
      const json = mailJson(mail);
      if (!NAME.test(mail.to)) return false;
      sent += 1;
      lastMs = Math.max(lastMs, Date.now()); // a clock that is set back must not turn the order round
      return typed(write(join(folder, mail.to), json, { ms: lastMs, count: sent }));
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
    const code = codeOf(TranscriptError.is(cause) ? cause.cause : cause) ?? 'unknown';
    const text = `The file system refused the mailbox (${code}). No mail was changed by half; free the disk or the folder, and try again.`;
    throw new ForkError('mailbox-failed', text, { cause });
  }
}

const PARTS = ['tmp', 'new', 'bad'];

/** What stands in an inbox is made, and swept, under its lock. */
async function openInbox(place: string): Promise<FileInbox> {
  const onTheWay = await missingFolders(place);
  const parts: string[] = [];
  let lock: Lock | undefined;
  try {
    await makeOwnFolder(place);
    lock = await lockInbox(place);
    for (const part of PARTS) {
      const path = join(place, part);
      parts.push(...(await missingFolders(path)));
      await makeOwnFolder(path);
    }
    await sweep(place);
    return inboxOf(place, lock);
  } catch (error) {
    await removeEmpty(parts);
    await lock?.release().catch(() => undefined); // the first error says more
    await removeEmpty(onTheWay);
    throw error;
  }
}

/** The folders up to a path that are not there yet, the last one first. */
async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  return missing;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return dirname(path) === path;
    throw error;
  }
}

/** One that holds something by now is another's and stays. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

async function makeOwnFolder(path: string): Promise<void> {
  await makeFolder(path);
  await refuseLink(path);
}

async function lockInbox(place: string): Promise<Lock> {
  return takeLock(join(place, 'lock')).catch((cause: unknown) => {
    if (!TranscriptError.is(cause) || cause.code !== 'locked') throw cause;
    const text = `Another process has this inbox open: ${cause.message}`;
    throw new ForkError('inbox-locked', text, { cause });
  });
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
  json: string,
  { ms, count }: { readonly ms: number; readonly count: number },
): Promise<boolean> {
  const digits = `${String(ms).padStart(15, '0')}-${String(count).padStart(9, '0')}`;
  const name = `${digits}-${randomBytes(6).toString('hex')}.json`;
  const draft = join(place, 'tmp', name);
  try {
    for (const path of [place, join(place, 'tmp'), join(place, 'new')]) await refuseLink(path);
    await writeFlushed(draft, json);
    await rename(draft, join(place, 'new', name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined); // the next opening sweeps it
    if (isMissing(error)) return false; // nobody has opened an inbox of this name
    throw error;
  }
  await flushFolder(join(place, 'new'));
  return true;
}

function inboxOf(place: string, lock: Lock): FileInbox {
  const read = mailFiles(join(place, 'new'));
  const held = <Value>(work: () => Promise<Value>): Promise<Value> =>
    typed(
      (async () => {
        ensureHeld(lock);
        return work();
      })(),
    );
  return {
    receive: () => held(() => receive(place, lock, read)),
    acknowledge: (ids) => held(() => acknowledge(place, lock, { ids: new Set(ids), read })),
    problems: () => held(() => namesIn(join(place, 'bad'))),
    close: () => typed(lock.release()),
  };
}

/** Asked before each change: a process that was suspended for an hour must not take the mail of the next owner. */
function ensureHeld(lock: Lock): void {
  if (lock.isHeld()) return;
  const text =
    'This inbox is no longer held: it was closed, or its lock was removed or taken over after an hour without a heartbeat. No more mail was handed out or taken out; open the inbox again.';
  throw new ForkError('inbox-lost', text);
}

async function acknowledge(
  place: string,
  lock: Lock,
  { ids, read }: { readonly ids: ReadonlySet<string>; readonly read: ReadMail },
): Promise<void> {
  for (const { path, mail } of await read()) {
    if (!mail || !ids.has(mail.id)) continue;
    ensureHeld(lock);
    await rm(path, { force: true });
  }
  await flushFolder(join(place, 'new'));
}

type ReadMail = ReturnType<typeof mailFiles>;

/** A mail whose delivery was tried twice is handed out once. */
async function receive(place: string, lock: Lock, read: ReadMail): Promise<readonly Mail[]> {
  const byId = new Map<string, Mail>();
  for (const { name, path, mail } of await read()) {
    if (mail) {
      if (!byId.has(mail.id)) byId.set(mail.id, mail);
      continue;
    }
    ensureHeld(lock);
    await putAside(path, join(place, 'bad', name));
  }
  ensureHeld(lock);
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
