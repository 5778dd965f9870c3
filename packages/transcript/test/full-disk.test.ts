import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLog } from '../src/node/index.ts';
import { FORMAT_LINE, temporaryFolder, userEntry } from './support.ts';

type Fault = 'ok' | 'full' | number;

/** A real file behind a disk that refuses or takes only so many bytes, write by write. */
function failingFile(faults: readonly Fault[]) {
  let call = 0;
  return async (path: string) => {
    const handle = await open(path, 'a');
    return {
      async write(bytes: Uint8Array) {
        const fault = faults[call++] ?? 'ok';
        if (fault === 'full') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        const part = fault === 'ok' ? bytes : bytes.subarray(0, fault);
        return part.length === 0 ? 0 : (await handle.write(part)).bytesWritten;
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  };
}

/** A real file whose flush or close fails the first so many times. */
function brokenFile(failures: { sync?: number; close?: number }) {
  const left = { sync: 0, close: 0, ...failures };
  const failFirst = async (what: 'sync' | 'close') => {
    left[what] -= 1;
    if (left[what] >= 0) throw Object.assign(new Error('broken'), { code: 'EIO' });
  };
  return async (path: string) => {
    const handle = await open(path, 'a');
    return {
      write: async (bytes: Uint8Array) => (await handle.write(bytes)).bytesWritten,
      sync: () => failFirst('sync'),
      close: () => handle.close().then(() => failFirst('close')),
    };
  };
}

const entries = Array.from({ length: 12 }, (_, index) => userEntry(String(index), `text ${index}`));
const text = FORMAT_LINE + entries.map((entry) => `${serializeEntry(entry)}\n`).join('');

describe('append on a full disk', () => {
  test('case 91: buffers in order while writes 5 to 9 fail, one of them by half, then writes everything', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const faults: Fault[] = ['ok', 'ok', 'ok', 'ok', 'full', 7, 'full', 'full', 'full'];
    const log = await openLog(path, { openFile: failingFile(faults) });
    const kinds: string[] = [];
    for (const entry of entries) kinds.push((await log.append(entry)).kind);
    await log.close();
    expect(kinds.slice(0, 5)).toEqual(['written', 'written', 'written', 'written', 'buffered']);
    expect(kinds.at(-1)).toBe('written');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('appending nothing is written at once, also behind a full disk that has taken all', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path, { openFile: failingFile(['full']) });
    expect(await log.append()).toEqual({ kind: 'written' });
    expect(await log.append(entries[0] as Entry)).toMatchObject({ kind: 'buffered' });
    expect(await log.append()).toEqual({ kind: 'written' });
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(
      `${FORMAT_LINE}${serializeEntry(entries[0] as Entry)}\n`,
    );
  });

  test('a flush that failed once is never called written again', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'), {
      durability: 'disk',
      openFile: brokenFile({ sync: 1 }),
    });
    expect(await log.append(entries[0] as Entry)).toEqual({ kind: 'unsynced', reason: 'EIO' });
    expect(await log.append(entries[1] as Entry)).toEqual({ kind: 'unsynced', reason: 'EIO' });
    await expect(log.close()).rejects.toMatchObject({ code: 'write-failed' });
  });

  test('a file that cannot be closed is an error and leaves the log free', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path, { openFile: brokenFile({ close: 1 }) });
    await log.append(entries[0] as Entry);
    await expect(log.close()).rejects.toMatchObject({ code: 'write-failed', file: path });
    await (await openLog(path)).close();
  });

  test('a file that cannot be opened for writing is an error and leaves the log free', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const openFile = () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }));
    const refused = { code: 'write-failed', file: path };
    await expect(openLog(path, { openFile })).rejects.toMatchObject(refused);
    await (await openLog(path)).close();
  });

  test('two calls of close end alike, and the second not before the first', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'), {
      openFile: failingFile(Array(9).fill('full')),
    });
    await log.append(entries[0] as Entry);
    const ends = await Promise.allSettled([log.close(), log.close()]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(log.close()).rejects.toMatchObject({ code: 'write-failed' });
  });

  test('any sequence of refusals and short writes that ends leaves every entry on disk in order', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const fault = fc.oneof(fc.constant<Fault>('ok'), fc.constant<Fault>('full'), fc.nat(80));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 40 }), async (faults) => {
        const file = `${path}-${run++}`;
        const log = await openLog(file, { openFile: failingFile(faults) });
        for (const entry of entries) await log.append(entry as Entry);
        for (let tries = 0; (await log.flush()).kind === 'buffered' && tries < 100; tries++);
        await log.close();
        expect(readFileSync(file, 'utf8')).toBe(text);
      }),
      { numRuns: 200 }, // each run opens, writes and closes real files
    );
  });
});
