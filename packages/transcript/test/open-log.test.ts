import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { TranscriptError } from '../src/index.ts';
import { openLog, readLog } from '../src/node/index.ts';
import { collect, FORMAT_LINE, temporaryFolder, userEntry } from './support.ts';

const entries = ['1', '2', '3', '4', '5', '6'].map((id) => userEntry(id, `text ${id} 🦊`));
const lines = entries.map((entry) => `${serializeEntry(entry)}\n`);

async function idsIn(path: string): Promise<string> {
  return (await collect(readLog(path))).map(({ entry }) => entry.id).join('');
}

describe('openLog', () => {
  test('begins a log, appends, and reads it back', async () => {
    const path = join(temporaryFolder(), 'deep', 'log.jsonl');
    const log = await openLog(path);
    expect(await log.append(entries[0] as Entry)).toEqual({ kind: 'written' });
    expect(await log.append(...entries.slice(1, 3))).toEqual({ kind: 'written' });
    await log.close();
    expect(readFileSync(path, 'utf8')).toBe(FORMAT_LINE + lines.slice(0, 3).join(''));
    expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  });

  test('gives the entries that are there to onEntry, in order', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(path, lines.slice(0, 4).join(''));
    const seen: string[] = [];
    const log = await openLog(path, { onEntry: ({ id }) => seen.push(id) });
    await log.close();
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  test('case 82: repairs any torn last record, keeps its bytes aside, and appends after it', async () => {
    const folder = temporaryFolder();
    const whole = Buffer.from(lines.slice(0, 5).join(''));
    const start = Buffer.byteLength(lines.slice(0, 4).join(''));
    const ends = Array.from({ length: whole.length - start - 1 }, (_, at) => start + 1 + at);
    for (const end of new Set([...oneIn(6, ends), whole.length - 1])) {
      const path = join(folder, `log-${end}.jsonl`);
      writeFileSync(path, whole.subarray(0, end));
      const log = await openLog(path);
      await log.append(entries[5] as Entry);
      await log.close();
      const isWhole = end === whole.length - 1;
      expect(await idsIn(path)).toBe(isWhole ? '123456' : '12346');
      expect(log.repair).toMatchObject({ kind: isWhole ? 'missing-line-end' : 'torn-tail', start });
      if (!isWhole) {
        expect(readFileSync(log.repair?.keptAt as string)).toEqual(whole.subarray(start, end));
      }
    }
  });

  test('cuts only the torn end of a glued line', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const glued = `${lines[0]?.trimEnd()}${lines[1]?.trimEnd()}{"id":"3"`;
    writeFileSync(path, glued);
    const log = await openLog(path);
    await log.append(entries[3] as Entry);
    await log.close();
    expect(await idsIn(path)).toBe('124');
    expect(readFileSync(log.repair?.keptAt as string, 'utf8')).toBe('{"id":"3"');
  });

  test('never writes over bytes that were kept aside before', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const kept: (string | undefined)[] = [];
    for (const torn of ['{"first', '{"other']) {
      writeFileSync(path, torn);
      const log = await openLog(path);
      kept.push(log.repair?.keptAt);
      await log.close();
    }
    expect(kept.map((file) => readFileSync(file as string, 'utf8'))).toEqual([
      '{"first',
      '{"other',
    ]);
  });

  test('refuses a log that is damaged in the middle and leaves it as it is', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const text = `${lines[0]}broken\n${lines[1]}{"torn`;
    writeFileSync(path, text);
    await expect(openLog(path)).rejects.toMatchObject({
      code: 'damaged-line',
      line: 2,
      file: path,
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(join(path, '..'))).toEqual(['log.jsonl']);
  });

  test('case 87: tells an unreadable file from a missing one', async () => {
    const folder = temporaryFolder();
    await expect(collect(readLog(join(folder, 'nothing.jsonl')))).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(collect(readLog(folder))).rejects.toMatchObject({ code: 'not-a-file' });
    const through = join(folder, 'file', 'log.jsonl');
    writeFileSync(join(folder, 'file'), '');
    await expect(collect(readLog(through))).rejects.toMatchObject({ code: 'unreadable' });
    await expect(openLog(folder)).rejects.toSatisfy(TranscriptError.is);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('throws closed after close, and closes twice without harm', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'));
    await log.close();
    await log.close();
    await expect(log.append(entries[0] as Entry)).rejects.toMatchObject({ code: 'closed' });
  });

  test('does nothing when it was aborted', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    await expect(openLog(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(existsSync(path)).toBe(false);
  });

  test('writes to a real full device end as buffered, not as a crash', async () => {
    const log = await openLog(join(temporaryFolder(), 'log.jsonl'), {
      openFile: async () => {
        const { open } = await import('node:fs/promises');
        const handle = await open('/dev/full', 'a');
        return {
          write: async (bytes) => (await handle.write(bytes)).bytesWritten,
          sync: () => handle.datasync(),
          close: () => handle.close(),
        };
      },
    });
    expect(await log.append(entries[0] as Entry)).toMatchObject({
      kind: 'buffered',
      reason: 'ENOSPC',
    });
    await expect(log.close()).rejects.toMatchObject({ code: 'write-failed' });
  });
});

describe('readLog', () => {
  test('case 87: reads a file far larger than its memory', () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const program = join(import.meta.dirname, 'programs', 'read-large.ts');
    const output = execFileSync('node', [program, path, '300'], { encoding: 'utf8' });
    const { entries: count, grownMiB } = JSON.parse(output) as {
      entries: number;
      grownMiB: number;
    };
    expect(count).toBe(300);
    expect(grownMiB).toBeLessThan(105); // 150 MB less the 45 MB that node itself takes
  });
});
