import { isRecord } from '@varve/guards';
import { pathsIn, replacementsIn } from '@varve/messages/tools';

export interface NoteEdit {
  readonly path: string;
  readonly replacements: NonNullable<ReturnType<typeof replacementsIn>>;
}

/**
 * What a call of an edit tool asks for, in the words of the edit tools in use: a path, and old and new text, alone or as a
 * list (`edits`). Undefined for anything else, creating and viewing files included.
 */
export function readNoteEdit(input: unknown): NoteEdit | undefined {
  if (!isRecord(input)) return undefined;
  const [path] = pathsIn(input);
  const { command = 'str_replace' } = input;
  const replacements = replacementsIn(input);
  if (path === undefined || command !== 'str_replace' || replacements === undefined)
    return undefined;
  return { path, replacements };
}
