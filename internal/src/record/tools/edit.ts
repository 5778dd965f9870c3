import type { Workspace } from '../workspace.ts';
import { numbered } from './numbered.ts';
import { failed, type RecorderTool, succeeded } from './tool.ts';

const CONTEXT_LINES = 3;
const MOST_SHOWN_LINES = 40;

export interface EditInput {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export const editTool: RecorderTool<EditInput> = {
  definition: {
    name: 'edit',
    description:
      'Replace a piece of text in a file that was read before. old_string must occur exactly once, character for character, unless replace_all is set.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute path of the file.' },
        old_string: { type: 'string' },
        new_string: { type: 'string' },
        replace_all: { type: 'boolean' },
      },
      required: ['path', 'old_string', 'new_string'],
      additionalProperties: false,
    },
  },
  tookMs: 50,
  run(workspace, input) {
    const problem = refusal(workspace, input);
    if (problem !== undefined) return failed(problem);
    const { path, old_string: before, new_string: after } = input;
    const text = workspace.read(path);
    const at = text.indexOf(before);
    const count = text.split(before).length - 1;
    workspace.write(path, text.split(before).join(after));
    workspace.noteSeen(path);
    const places = count === 1 ? '1 place' : `${count} places`;
    return succeeded(`Edited ${path} in ${places}.\n${excerpt(workspace.read(path), at, after)}`);
  },
};

/** Why an edit of a file is refused, if it is. `write` asks the first half too. */
export function unseen(workspace: Workspace, path: string): string | undefined {
  const seen = workspace.seen(path);
  if (seen === 'never') return `${path} was not read yet. Read it first.`;
  return seen === 'stale'
    ? `${path} changed on disk since it was read. Read it again first.`
    : undefined;
}

function refusal(workspace: Workspace, input: EditInput): string | undefined {
  const { path, old_string: before, new_string: after, replace_all: all = false } = input;
  if (!workspace.exists(path)) return `There is no file ${path}.`;
  if (before === '') return 'old_string is empty. Use write to create a file.';
  if (before === after) return 'old_string and new_string are the same.';
  const reason = unseen(workspace, path);
  if (reason !== undefined) return reason;
  const count = workspace.read(path).split(before).length - 1;
  if (count === 0) return `old_string does not occur in ${path}.`;
  return count > 1 && !all
    ? `old_string occurs ${count} times in ${path}. Add surrounding lines or set replace_all.`
    : undefined;
}

function excerpt(text: string, at: number, inserted: string): string {
  const firstLine = text.slice(0, at).split('\n').length;
  const lineCount = inserted.split('\n').length;
  const start = Math.max(1, firstLine - CONTEXT_LINES);
  const end = firstLine + Math.min(lineCount, MOST_SHOWN_LINES) + CONTEXT_LINES;
  return numbered(
    text
      .replace(/\n$/, '')
      .split('\n')
      .slice(start - 1, end - 1),
    start,
  );
}
