import { mkdtempSync, rmSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileMailboxes } from '../src/node/index.ts';

/** What was flushed and moved or removed below a folder, in order, until the test ends; names of mails as `mail`. */
async function recordCalls(folder: string): Promise<string[]> {
  const calls: string[] = [];
  const real = { ...promises };
  const paths = new WeakMap<FileHandle, string>();
  const nameOf = (path: unknown) => relative(folder, String(path)).replace(/[^/]+\.json$/, 'mail');
  promises.open = async (...args) => {
    const handle = await real.open(...args);
    paths.set(handle, nameOf(args[0]));
    return handle;
  };
  promises.rename = async (from, to) => {
    await real.rename(from, to);
    calls.push(`rename ${nameOf(to)}`);
  };
  promises.rm = async (path, options) => {
    await real.rm(path, options);
    calls.push(`rm ${nameOf(path)}`);
  };
  const probe = await real.open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(probe) as { sync: FileHandle['sync'] };
  await probe.close();
  const { sync } = prototype;
  prototype.sync = async function (this: FileHandle) {
    await sync.call(this);
    calls.push(`sync ${paths.get(this)}`);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(promises, real);
    prototype.sync = sync;
    syncBuiltinESMExports();
  });
  return calls;
}

test('O358: a mail is flushed before it is moved into the inbox, and the folder after every change', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const boxes = fileMailboxes(folder);
  const inbox = await boxes.open('worker');
  const calls = await recordCalls(folder);
  const body = { kind: 'text', text: 't', summary: 's' } as const;
  await boxes.deliver({ id: 'm', from: 'lead', to: 'worker', body });
  const delivered = ['sync worker/tmp/mail', 'rename worker/new/mail', 'sync worker/new'];
  expect(calls).toEqual(delivered);
  await inbox.acknowledge(['m']);
  expect(calls).toEqual([...delivered, 'rm worker/new/mail', 'sync worker/new']);
  await inbox.close();
});
