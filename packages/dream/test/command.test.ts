import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
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
    out: 'b.md: says what a.md says\nlink.md: links to repair\nMEMORY.md: index to repair\nNothing was changed: --write does it.\n',
  });
  expect(JSON.parse((await run('tidy', folder, '--json')).out)).toMatchObject({
    ...{ ok: true, steps: [{ kind: 'fold' }] },
    ...{ paths: ['b.md', 'link.md'], indexes: ['MEMORY.md'] },
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

test('an index that --write repairs is told by the dry run, which changes no byte', async () => {
  const folder = folderOf({ 'a.md': PUMP });
  const dry = await run('tidy', folder);
  expect(dry.out).toBe('MEMORY.md: index to repair\nNothing was changed: --write does it.\n');
  expect(dry.code).toBe(1);
  expect(readdirSync(folder)).toEqual(['a.md']);
  expect((await run('tidy', folder, '--write')).out).toContain('index repaired: MEMORY.md\n');
  expect((await run('tidy', folder)).out).toBe('Nothing to tidy without a model.\n');
});

test('with --write and without it, the same files are named', async () => {
  const files = {
    'MEMORY.md': '# Mine\n\n- [Gone](gone.md) — by hand\n- [B](b.md) — both\n',
    ...{ 'a.md': PUMP, 'b.md': PUMP, 'c.md': `${PUMP.replace(/modified.*\n/, '')}` },
    'team/d.md': fileText('Gate', 'The gate opens at noon. See [[c]] and [[b]].'),
    'pinned.md': fileText('Bell', 'See [[b]].', { more: 'pinned: true\n' }),
  };
  const folder = folderOf(files);
  const { paths, indexes } = JSON.parse((await run('tidy', folder, '--json')).out);
  const stamp = (name: string) => readFileSync(join(folder, name), 'utf8');
  const names = () =>
    (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
      /^[^.].*md$/.test(name),
    );
  const before = new Map(names().map((name) => [name, stamp(name)]));
  const done = JSON.parse((await run('tidy', folder, '--write', '--json')).out);
  expect([paths, indexes]).toEqual([done.paths, done.indexes]);
  const all = [...new Set([...before.keys(), ...names()])];
  const changed = all.filter((name) => !names().includes(name) || before.get(name) !== stamp(name));
  expect([...paths, ...indexes].sort()).toEqual(changed.sort());
  expect(paths.length).toBeGreaterThan(2);
});

test('a change that was interrupted is what --write would mend, and the dry run leaves it', async () => {
  const folder = folderOf({ 'a.md': PUMP, 'b.md': PUMP });
  await run('tidy', folder, '--write');
  const archive = readdirSync(folder, { recursive: true }) as string[];
  const record = archive.find((name) => name.endsWith('record.json')) ?? '';
  writeFileSync(join(folder, '.archive', 'pending.json'), readFileSync(join(folder, record)));
  await run('tidy', folder);
  expect(readdirSync(join(folder, '.archive'))).toContain('pending.json');
});

describe('137 208 a secret', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const stamped = fileText('Token', `The deploy token is ${token}.`);
  const bare = stamped.replace(/modified.*\n/, '').replace('Token', 'Other');

  test('stands in no answer of the command, and one that stays is named', async () => {
    const folder = folderOf({ 'a.md': stamped, 'b.md': bare, 'c.md': bare });
    for (const args of [[], ['--json'], ['--write', '--json'], ['--write']]) {
      const { out, err } = await run('tidy', folder, ...args);
      expect(out + err).not.toContain(token);
      expect(out).toContain('b.md');
      if (!args.includes('--json'))
        expect(out).toContain('b.md holds a secret and stays as it is (writer-not-known)');
      else expect(JSON.parse(out).secrets).toEqual([{ path: 'b.md', why: 'writer-not-known' }]);
    }
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toContain('[redacted: github token]');
    expect(readFileSync(join(folder, 'b.md'), 'utf8')).toContain(token);
  });
});

test.each([
  ['--json'],
  ['tidy', '--json'],
  ['tidy', '', '--json'],
  ['tidy', '/nope', '--json'],
  ['tidy', '/tmp', '--force', '--json'],
  ['check', '/tmp', '--json'],
  ['tidy', '/tmp', '/tmp', '--json'],
  ['tidy', tmpdir(), '--json'],
  ['tidy', import.meta.filename, '--json'],
  ['tidy', join(import.meta.filename, 'below'), '--json'],
  ['tidy', 'x\0y', '--json'],
  ['tidy', '--write', '/nope', '--json'],
])('%j %j %j %j fails as JSON', async (...args) => {
  const { code, out, err } = await run(...args.filter((arg) => arg !== undefined));
  expect(code).toBe(2);
  expect(JSON.parse(out)).toEqual({ ok: false, error: expect.any(String) });
  expect(err).toContain('varve-dream: ');
});

test('what follows -- is no option', async () => {
  expect((await run('tidy', '--', '--nope')).err).toContain('There is no folder --nope');
});

test('--help says how', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Exit code') });
});
