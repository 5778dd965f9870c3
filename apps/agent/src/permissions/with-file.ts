import { stat } from 'node:fs/promises';
import { recordOf, textOf } from '@varve/guards';
import { type FileCache, pathIn } from '../tools/files.ts';
import type { Ask } from './permissions.ts';

/** Asks with what the file of a Write holds now, so that a person sees what changes and not the whole text. */
export const withFile =
  (ask: Ask, { cwd, files }: { readonly cwd: string; readonly files: FileCache }): Ask =>
  async (question, signal) => {
    const { name, input } = question.call;
    if (name !== 'Write') return ask(question, signal);
    const path = pathIn(cwd, textOf(recordOf(input).file_path));
    return ask({ ...question, before: await textOfSmall(path, files) }, signal);
  };

/** A larger file is not read for a question, in bytes. */
const MOST_BYTES = 4 * 2 ** 20;

/** Undefined where it is new, very large, or no file, of which Write says what is wrong. */
async function textOfSmall(path: string, files: FileCache): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= MOST_BYTES ? await files.read(path) : undefined;
  } catch {
    return undefined;
  }
}
