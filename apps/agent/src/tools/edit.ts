import { z } from 'zod';
import { pathIn } from './files.ts';
import { defineTool } from './tool.ts';

export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces a text in a file by another one. The file has to be read first. `old_string` stands in it exactly so, without line numbers, and once: give lines around it until it does, or set `replace_all`.',
  input: z.object({
    file_path: z.string().min(1).describe('The path of the file, best absolute'),
    old_string: z.string().min(1).describe('What is there now'),
    new_string: z.string().describe('What is to be there'),
    replace_all: z.boolean().optional().describe('Replace every occurrence'),
  }),
  reads: false,
  risk: 'edits',
  async run(
    { file_path, old_string, new_string, replace_all = false },
    { cwd, files, callId, emit },
  ) {
    const path = pathIn(cwd, file_path);
    if (old_string === new_string) throw new Error('old_string and new_string are the same.');
    await files.requireSeen(path);
    const text = await files.read(path);
    const [from, to] = inLineEndingsOf(text, old_string, new_string);
    const count = text.split(from).length - 1;
    if (count === 0) throw new Error(`old_string is not in ${path}; read the lines again.`);
    if (count > 1 && !replace_all)
      throw new Error(
        `old_string is in ${path} ${count} times: give more of the lines around it, or set replace_all.`,
      );
    const after = text.split(from).join(to);
    await files.write(path, after);
    await files.seeEdited(path);
    emit({ kind: 'call-change', id: callId, path, before: text, after });
    return `Edited ${path}${count > 1 ? `, in ${count} places` : ''}.`;
  },
});

/** A model writes line feeds; a file that has carriage returns keeps them. */
function inLineEndingsOf(text: string, from: string, to: string): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n')) return [from, to];
  const withReturns = (part: string) => part.replace(/\r?\n/g, '\r\n');
  return [withReturns(from), withReturns(to)];
}
