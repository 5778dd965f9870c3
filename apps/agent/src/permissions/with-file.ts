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
    const before = await files.read(path).catch(() => undefined); // it is new, or Write says what is wrong
    return ask({ ...question, before }, signal);
  };
