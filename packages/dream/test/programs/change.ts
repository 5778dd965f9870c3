// Changes a folder and kills itself at the n-th call of the file system that changes something: <folder> <patch> <action> <n>
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', patchPath = '', action = '', at = '0'] = process.argv.slice(2);
const patch = JSON.parse(fs.readFileSync(patchPath, 'utf8'));
let calls = 0;

type Table = Record<string, (...args: unknown[]) => unknown>;

function count(table: Table, names: readonly string[]): void {
  for (const name of names) {
    const real = table[name];
    if (real === undefined) continue;
    table[name] = function (this: unknown, ...args: unknown[]) {
      if (++calls === Number(at)) process.kill(process.pid, 'SIGKILL');
      return real.apply(this, args);
    };
  }
}

const SYNC = [
  'openSync',
  'writeSync',
  'renameSync',
  'futimesSync',
  'closeSync',
  'mkdirSync',
  'write',
  'fsync',
];
const ASYNC = ['open', 'link', 'rename', 'rm', 'rmdir', 'unlink', 'mkdir', 'utimes', 'copyFile'];
const { createMemdir } = await import('@varve/memdir');
const { diskFolder } = await import('@varve/memdir/node');
const { createDream } = await import('../../src/index.ts');
const { consolidateLock } = await import('../../src/node/index.ts');
count(fs as unknown as Table, SYNC);
count(promises as unknown as Table, ASYNC);
syncBuiltinESMExports();

const now = () => Date.parse('2026-11-30T12:00:00Z');
const memory = createMemdir({ folder: diskFolder(folder), now });
const dream = createDream({ memory, now, lock: consolidateLock(folder) });
if (action === 'apply') await dream.apply(patch);
else if (action === 'undo') await dream.undo();
else await dream.dreamNow();
process.stdout.write(String(calls));
