import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { diskFolder } from '@varve/memdir/node';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';
import { someUpTo } from '../../../internal/src/share.ts';
import { child, fileText, quote, temporaryFolder, testDream } from './support.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'programs', 'change.ts');
const A = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');
const B = fileText('Gate', 'The gate of Brno opens at noon.');

/** Every file of a folder that is memory or that writers need. */
const stateOf = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !/^\.(?:archive|dream|consolidate|memdir|lock)|\.tmp$/.test(name))
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');

test.each(['apply', 'undo', 'tidy'] as const)(
  'E6 SIGKILL at any call of the file system of %s leaves all of before or all of after',
  async (action) => {
    const base = temporaryFolder();
    const start = join(base, 'start');
    mkdirSync(start);
    for (const [name, text] of Object.entries({
      'a.md': A,
      'b.md': B,
      'twin.md': A,
      'link.md': fileText('Site', 'See [[twin]] and [[Gate]].'),
      'MEMORY.md': '# Memory\n',
    }))
      writeFileSync(join(start, name), text);
    const { runFork } = child([
      {
        name: 'merge_memories',
        input: {
          ...{ into: 'site.md', from: ['b.md'], name: 'Gate of Brno', reason: 'one topic' },
          ...{ body: 'The gate of Brno opens at noon.', description: 'The Gate of Brno' },
          quotes: [quote('b.md', 'opens at noon')],
        },
      },
    ]);
    const { dream } = testDream(diskFolder(start), { runFork, isReviewed: true });
    const result = await dream.dreamNow();
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(result.patch.steps.map(({ kind }) => kind)).toEqual(['fold', 'merge']);
    const patch = join(base, 'patch.json');
    writeFileSync(patch, JSON.stringify(result.patch));
    const program = await bundleProgram(PROGRAM);
    const act = (folder: string, at: number) =>
      run(process.execPath, [program, folder, patch, action, String(at)]);
    if (action === 'undo') await run(process.execPath, [program, start, patch, 'apply', '0']);
    const fresh = (name: string): string => {
      cpSync(start, join(base, name), { recursive: true });
      return join(base, name);
    };
    const after = fresh('after');
    const { stdout: calls } = await act(after, 0);
    const wanted = [stateOf(start), stateOf(after)];
    expect(wanted[0]).not.toBe(wanted[1]);
    expect(Number(calls)).toBeGreaterThan(40);
    const seen = new Set<number>();
    for (const at of someUpTo(Number(calls), 48)) {
      const folder = fresh(`killed-at-${at}`);
      await expect(act(folder, at)).rejects.toMatchObject({ signal: 'SIGKILL' });
      const { memory } = testDream(diskFolder(folder));
      await memory.undo({ id: 'none' }); // the next writer
      const state = wanted.indexOf(stateOf(folder));
      expect([at, state]).not.toEqual([at, -1]);
      seen.add(state);
    }
    expect(seen.has(0)).toBe(true);
    expect(seen.has(1)).toBe(true);
  },
);
