/** One replacement of text in the notes. */
export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
  /** Every place where the old text stands, not the only one. */
  readonly all: boolean;
}

export interface NoteEdit {
  readonly path: string;
  readonly replacements: readonly TextReplacement[];
}

/**
 * What a call of an edit tool asks for, in the words of the edit tools in use: a path, and old and new text, alone or as a
 * list (`edits`). Undefined for anything else, creating and viewing files included.
 */
export function readNoteEdit(input: unknown): NoteEdit | undefined {
  if (!isRecord(input)) return undefined;
  const path = textOf(input, PATHS);
  const { command = 'str_replace', edits } = input;
  if (path === undefined || command !== 'str_replace') return undefined;
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  const replacements = list.flatMap((item) => readReplacement(item) ?? []);
  if (replacements.length === 0 || replacements.length < list.length) return undefined;
  return { path, replacements };
}

const PATHS = ['file_path', 'path', 'filePath', 'filename'];
const OLD_TEXTS = ['old_string', 'old_str', 'oldText', 'oldString'];
const NEW_TEXTS = ['new_string', 'new_str', 'newText', 'newString'];

function readReplacement(item: unknown): TextReplacement | undefined {
  if (!isRecord(item)) return undefined;
  const oldText = textOf(item, OLD_TEXTS);
  const newText = textOf(item, NEW_TEXTS);
  if (oldText === undefined || newText === undefined) return undefined;
  return { oldText, newText, all: item.replace_all === true || item.replaceAll === true };
}

function textOf(input: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const found = names.map((name) => input[name]).find((value) => value !== undefined);
  return typeof found === 'string' ? found : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
