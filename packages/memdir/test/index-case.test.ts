import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemdir } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { NOW, newMemory, temporaryFolder } from './support.ts';

const LINE = '- [Port](project_port.md) — About Port';

test.each(['memory.md', 'MEMORY.MD', 'Memory.md', 'MEMORY.md'])(
  'an index that is spelled %s is loaded where lines are written to it',
  async (name) => {
    const path = join(temporaryFolder(), 'memory');
    mkdirSync(path);
    writeFileSync(join(path, name), '# Notes\n');
    const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
    const saved = await memory.save(newMemory('Port', 'It is 5432.'));
    expect(saved).toMatchObject({ kind: 'saved', isIndexed: true, index: { path: name } });
    expect(readFileSync(join(path, name), 'utf8')).toBe(`# Notes\n${LINE}\n`);
    expect((await memory.loadIndex()).text).toBe(`# Notes\n${LINE}`);
    expect((await memory.loadIndex({ path: 'MEMORY.md' })).text).toBe(`# Notes\n${LINE}`);
    expect((await memory.check()).findings).toEqual([]);
    expect(await memory.forget('project_port.md', { reason: 'x' })).toMatchObject({
      kind: 'forgotten',
    });
    expect((await memory.loadIndex()).text).toBe('# Notes');
  },
);

test('of two that differ in case one is written and loaded, MEMORY.md before others, and check names the other', async () => {
  const path = join(temporaryFolder(), 'memory');
  mkdirSync(path);
  for (const name of ['MEMORY.MD', 'memory.md', 'MEMORY.md'])
    writeFileSync(join(path, name), `# ${name}\n`);
  if (readdirSync(path).length === 1) return; // a disk that does not tell cases apart
  const memory = createMemdir({ folder: diskFolder(path), now: () => NOW });
  await memory.save(newMemory('Port', 'It is 5432.'));
  expect((await memory.loadIndex()).text).toBe(`# MEMORY.md\n${LINE}`);
  const { ok, findings } = await memory.check();
  expect([ok, findings.map(({ kind, path: at }) => [kind, at])]).toEqual([
    false,
    [
      ['second-index', 'MEMORY.MD'],
      ['second-index', 'memory.md'],
    ],
  ]);
});
