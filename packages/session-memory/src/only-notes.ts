import { readNoteEdit } from './note-edit.ts';
import type { ToolCall, ToolPermission } from './run-fork.ts';

/** Which tool may be used. */
export interface OnlyNotesOptions {
  /** Name of the edit tool. @default 'Edit' */
  readonly editTool?: string | undefined;
}

/** A gate that lets a child edit one file with one tool, and nothing else. The path has to be the very same text. */
export function onlyNotes(
  path: string,
  { editTool = 'Edit' }: OnlyNotesOptions = {},
): (call: ToolCall) => ToolPermission {
  const reason = `only ${editTool} may be used here, and only on ${path}, with the old and the new text`;
  return ({ name, input }) =>
    name === editTool && readNoteEdit(input)?.path === path
      ? { allow: true }
      : { allow: false, reason };
}
