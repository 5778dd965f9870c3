import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../src/node/main.ts';
import { fileText, temporaryFolder } from './support.ts';

async function run(...args: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), 'memory');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const PUMP = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');

test('tidy says what it would do and changes nothing; with --write it does, and there is nothing left', async () => {
  const folder = folderOf({
    'a.md': PUMP,
    'b.md': PUMP,
    'link.md': fileText('Site', 'See [[b]].'),
  });
  const before = readdirSync(folder);
  const dry = await run('tidy', folder);
  expect(dry).toEqual({
    ...{ code: 1, err: '' },
    out: 'b.md: says what a.md says\nNothing was changed: --write does it.\n',
  });
  expect(JSON.parse((await run('tidy', folder, '--json')).out)).toMatchObject({
    steps: [{ kind: 'fold' }],
  });
  expect(readdirSync(folder)).toEqual(before);
  const done = await run('tidy', '--write', folder);
  expect(done).toMatchObject({
    code: 0,
    out: expect.stringContaining('without a model: 2 improved'),
  });
  expect(readdirSync(folder).filter((name) => name.endsWith('.md'))).toEqual([
    'MEMORY.md',
    'a.md',
    'link.md',
  ]);
  expect(readFileSync(join(folder, 'link.md'), 'utf8')).toContain('See [[a]].');
  expect(await run('tidy', folder)).toMatchObject({
    code: 0,
    out: 'Nothing to tidy without a model.\n',
  });
});

test.each([
  [[], /Expected `tidy <folder>`/],
  [['tidy'], /Expected/],
  [['tidy', '/nowhere/at/all'], /There is no folder/],
  [['tidy', '/tmp', '--force'], /Expected/],
  [['check', '/tmp'], /Expected/],
  [['tidy', tmpdir()], /root/],
] as const)('%j is not looked at', async (args, message) => {
  const { code, out, err } = await run(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

test('--help says how', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Exit code') });
});
