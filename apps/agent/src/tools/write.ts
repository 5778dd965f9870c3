import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '@varve/guards';
import { z } from 'zod';
import { pathIn, realPath } from './files.ts';
import { defineTool } from './tool.ts';

export const writeTool = defineTool({
  name: 'Write',
  description:
    'Writes a whole file, and makes its folders. A file that is there already has to be read first; to change a part of one, use Edit.',
  input: z.object({
    file_path: z.string().min(1).describe('The path of the file, best absolute'),
    content: z.string().describe('All of its content'),
  }),
  reads: false,
  risk: 'edits',
  async run({ file_path, content }, { cwd, files }) {
    const path = pathIn(cwd, file_path);
    const isThere = await exists(path);
    if (isThere) await files.requireSeen(path, 'whole');
    await replaceFile(path, content);
    await files.see(path);
    return `${isThere ? 'Written anew' : 'Written'}: ${path}`;
  },
});

async function exists(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isFile()) return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  throw new Error(`${path} is no regular file.`);
}

/** Puts the content in place at once, through links and with the rights of the file: a kill leaves the old or the new one. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const path = await realPath(file);
  await mkdir(dirname(path), { recursive: true });
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(beside, content, mode === undefined ? {} : { mode });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
