import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, openLog } from '../src/node/index.ts';

test.skipIf(process.platform !== 'linux')(
  'a folder in one that takes none is refused, where `mkdir` with `recursive` never ends',
  async () => {
    await expect(makeFolder('/proc/nope/a')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(openLog('/proc/nope/a/x.jsonl')).rejects.toMatchObject({
      ...{ name: 'TranscriptError', code: 'write-failed' },
    });
  },
);

test('folders on the way are made for their owner only; what is there already stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'varve-'));
  await Promise.all([makeFolder(join(root, 'a/b/c')), makeFolder(join(root, 'a/b/c'))]);
  await makeFolder(join(root, 'a/b'));
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(root, 'file/x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
