import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { FORMAT_LINE } from '../src/log-format.ts';
import { openLog, readLog, salvageLog } from '../src/node/index.ts';
import { collect, temporaryFolder, userEntry } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'salvage.ts');
const lines = ['1', '2', '3'].map((id) => `${serializeEntry(userEntry(id, `text ${id}`))}\n`);
const damaged = `${lines[0]}broken\n${lines[1]}`;

function damagedLog(text: string | Uint8Array = damaged): string {
  const path = join(temporaryFolder(), 'log.jsonl');
  writeFileSync(path, text);
  return path;
}

const idsIn = async (path: string): Promise<string[]> =>
  (await collect(readLog(path))).map(({ entry }) => entry.id);

const filesBeside = (path: string): string[] => readdirSync(join(path, '..')).sort();

describe('salvageLog', () => {
  test('keeps the damaged file and puts a readable one in its place', async () => {
    const path = damagedLog();
    const salvage = await salvageLog(path);
    expect(salvage).toMatchObject({ entries: 2, problems: [{ kind: 'damaged-line', line: 2 }] });
    expect(readFileSync(salvage.keptAt as string, 'utf8')).toBe(damaged);
    expect(await idsIn(path)).toEqual(['1', '2']);
    expect(filesBeside(path)).toEqual(['log.jsonl', 'log.jsonl.damaged']);
  });

  test('changes nothing in a sound log', async () => {
    const path = damagedLog(lines.join(''));
    expect(await salvageLog(path)).toEqual({ entries: 3, problems: [] });
    expect(filesBeside(path)).toEqual(['log.jsonl']);
  });

  test('keeps an entry with bytes that are not UTF-8, reads them as U+FFFD, and says so', async () => {
    const bytes = Buffer.from(lines.join(''));
    bytes[bytes.indexOf('text 2')] = 0xff;
    const path = damagedLog(bytes);
    await expect(openLog(path)).rejects.toMatchObject({ code: 'damaged-line', line: 2 });
    const salvage = await salvageLog(path);
    expect(salvage).toMatchObject({ entries: 3, problems: [{ kind: 'bad-utf8', line: 2 }] });
    expect(readFileSync(path, 'utf8')).toContain('\uFFFDext 2');
    expect(readFileSync(salvage.keptAt as string)).toEqual(bytes);
  });

  test('writes over nothing: neither an earlier copy nor a file that looks like a draft', async () => {
    const path = damagedLog();
    writeFileSync(`${path}.damaged`, 'earlier');
    writeFileSync(`${path}.draft`, 'mine');
    expect((await salvageLog(path)).keptAt).toBe(`${path}.damaged-2`);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('earlier');
    expect(readFileSync(`${path}.draft`, 'utf8')).toBe('mine');
  });

  test('leaves the permissions of the file as they were', async () => {
    const path = damagedLog();
    chmodSync(path, 0o640);
    await salvageLog(path);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test('salvages the file that a link leads to and leaves the link a link', async () => {
    const path = damagedLog();
    symlinkSync('log.jsonl', `${path}-link`);
    await salvageLog(`${path}-link`);
    expect(await idsIn(path)).toEqual(['1', '2']);
    expect(await idsIn(`${path}-link`)).toEqual(['1', '2']);
  });

  test('leaves another name of the old file with the old bytes', async () => {
    const path = damagedLog();
    linkSync(path, `${path}-backup`);
    await salvageLog(path);
    expect(readFileSync(`${path}-backup`, 'utf8')).toBe(damaged);
  });

  test.each([
    ['a missing file', 'gone.jsonl', 'not-found'],
    ['a file in a missing folder', 'gone/log.jsonl', 'not-found'],
    ['a folder', '.', 'not-a-file'],
  ])('refuses %s and leaves nothing behind', async (_what, name, code) => {
    const folder = join(temporaryFolder(), 'inner');
    mkdirSync(folder);
    await expect(salvageLog(join(folder, name))).rejects.toMatchObject({ code });
    expect([readdirSync(folder), readdirSync(join(folder, '..'))]).toEqual([[], ['inner']]);
  });

  test('refuses a log that somebody writes, and does nothing when it was aborted', async () => {
    const path = damagedLog(lines[0]);
    const log = await openLog(path);
    await expect(salvageLog(path)).rejects.toMatchObject({ code: 'locked' });
    await log.close();
    const signal = AbortSignal.abort();
    await expect(salvageLog(path, { signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(filesBeside(path)).toEqual(['log.jsonl']);
  });

  test('case 92: a disk that takes only part of the new file leaves the old one', () => {
    const text = `${lines[0]}broken\n${serializeEntry(userEntry('long', 'x'.repeat(90_000)))}\n`;
    const path = damagedLog(text);
    // the shell's limit makes the system write up to 32 KiB of a file and refuse the rest, as a full disk does
    const command = `ulimit -f 32; exec "${process.execPath}" "${program}" "${path}"`;
    const output = execFileSync('bash', ['-c', command], { encoding: 'utf8' });
    expect(output).toBe('begun\nwrite-failed\n');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(filesBeside(path)).toEqual(['log.jsonl']);
  });

  test('case 92: a kill at any moment leaves the old log or the new one, whole', async () => {
    const many = Array.from({ length: 300 }, (_, at) => userEntry(`e${at}`, 'y'.repeat(9_000)));
    const sound = many.map((entry) => `${serializeEntry(entry)}\n`);
    const text = ['broken\n', ...sound].join('');
    const salvaged = [FORMAT_LINE, ...sound].join('');
    const path = damagedLog(text);
    const outcomes = new Set<string>();
    for (const ms of [...oneIn(3, [0, 6, 12, 18, 24, 30, 36, 42]), 3_000]) {
      writeFileSync(path, text);
      await killAfter(path, ms);
      const now = readFileSync(path, 'utf8');
      outcomes.add(now === text ? 'old' : now === salvaged ? 'new' : 'mixed');
    }
    expect([...outcomes].sort()).toEqual(['new', 'old']);
    await salvageLog(path); // neither the claim nor the draft of the dead is a hindrance
    expect(readdirSync(join(path, '..')).filter((name) => !name.includes('damaged'))).toEqual([
      'log.jsonl',
    ]);
  });
});

/** Starts a salvage and kills it so many ms after it has begun. */
async function killAfter(path: string, ms: number): Promise<void> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  await ended;
}
