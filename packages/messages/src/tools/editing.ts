import { isRecord } from '@varve/guards';
import type { Input } from './input.ts';

/** One replacement of text that an edit asks for. */
export interface TextReplacement {
  readonly oldText: string;
  /** Empty where the old text is to go. */
  readonly newText: string;
  /** Every place where the old text stands, not the only one. */
  readonly all: boolean;
}

/**
 * The replacements that the input of an edit tool asks for, alone or as a list (`edits`), in the words of the tools in use;
 * undefined where it is no edit, or one of its list is none.
 */
export function replacementsIn(input: Input): readonly TextReplacement[] | undefined {
  const { edits } = input;
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [input];
  const found = list.flatMap((item) => (isRecord(item) ? (replacementOf(item) ?? []) : []));
  return found.length === 0 || found.length < list.length ? undefined : found;
}

const OLD_TEXTS = ['old_string', 'old_str', 'oldText', 'oldString', 'old_text', 'search'];
const NEW_TEXTS = ['new_string', 'new_str', 'newText', 'newString', 'new_text', 'replace'];

function replacementOf(item: Input): TextReplacement | undefined {
  const oldText = textIn(item, OLD_TEXTS);
  const newText = textIn(item, NEW_TEXTS);
  if (oldText === undefined || newText === undefined) return undefined;
  return { oldText, newText, all: item.replace_all === true || item.replaceAll === true };
}

/** An empty text counts: it takes the old one away. */
function textIn(input: Input, fields: readonly string[]): string | undefined {
  const field = fields.find((name) => input[name] !== undefined);
  const value = field === undefined ? undefined : input[field];
  return typeof value === 'string' ? value : undefined;
}

/** What a call of an editor with commands (`str_replace_based_edit_tool` and its like) does; undefined for other calls. */
export function editorKind({ path, command }: Input): 'edit' | 'write' | 'read' | undefined {
  if (typeof path !== 'string' || typeof command !== 'string' || !EDITOR.test(command))
    return undefined;
  if (command === 'view') return 'read';
  return command === 'create' ? 'write' : 'edit';
}

const EDITOR = /^(?:view|create|str_replace|insert|undo_edit|delete|rename)$/;
