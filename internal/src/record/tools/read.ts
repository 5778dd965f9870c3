import { statSync } from 'node:fs';
import { textLines } from './files.ts';
import { numbered } from './numbered.ts';
import { failed, type RecorderTool, succeeded } from './tool.ts';

const DEFAULT_LIMIT_LINES = 2_000;

export interface ReadInput {
  readonly path: string;
  /** First line, counted from 1. */
  readonly offset?: number;
  /** Number of lines. */
  readonly limit?: number;
}

export const readTool: RecorderTool<ReadInput> = {
  definition: {
    name: 'read',
    description:
      'Show a text file with line numbers. Without offset and limit the first 2,000 lines are shown. The numbers and the tab after them are not part of the file.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Absolute path of the file.' },
        offset: { type: 'integer', minimum: 1, description: 'First line to show.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to show.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  tookMs: 40,
  run(workspace, { path, offset = 1, limit = DEFAULT_LIMIT_LINES }) {
    if (!workspace.exists(path)) return failed(`There is no file ${path}.`);
    if (statSync(workspace.absolute(path)).isDirectory())
      return failed(`${path} is a folder. Use glob to list what is in it.`);
    const lines = textLines(workspace.absolute(path));
    if (lines === undefined) return failed(`${path} is not a text file.`);
    workspace.noteSeen(path);
    if (lines.length === 0) return succeeded(`${path} is empty.`);
    if (offset > lines.length)
      return failed(`${path} has ${lines.length} lines; there is no line ${offset}.`);
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    return succeeded(`${numbered(shown, offset)}${remainder(lines.length, offset + shown.length)}`);
  },
};

function remainder(count: number, next: number): string {
  return next > count ? '' : `\n[${count} lines in all; continue with offset ${next}]`;
}
