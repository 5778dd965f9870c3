import { stat } from 'node:fs/promises';
import { codeOf } from '@varve/guards';
import { z } from 'zod';
import { pathIn } from './files.ts';
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
  async run({ file_path, content }, { cwd, files, callId, emit }) {
    const path = pathIn(cwd, file_path);
    const isThere = await exists(path);
    if (isThere) await files.requireSeen(path, 'whole');
    const before = isThere ? await files.read(path) : undefined;
    await files.write(path, content);
    await files.see(path);
    emit({ kind: 'call-change', id: callId, path, before, after: content });
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
