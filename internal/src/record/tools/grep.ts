import { matchesPattern, projectFiles, textLines } from './files.ts';
import { failed, type RecorderTool, succeeded, type ToolOutcome } from './tool.ts';

const DEFAULT_LIMIT_LINES = 250;
const LONGEST_LINE_CHARACTERS = 300;

export interface GrepInput {
  readonly pattern: string;
  /** File or folder. */
  readonly path?: string;
  readonly glob?: string;
  readonly ignore_case?: boolean;
  /** Lines of context before and after each match. */
  readonly context?: number;
  readonly mode?: 'lines' | 'files' | 'count';
  readonly limit?: number;
}

export const grepTool: RecorderTool<GrepInput> = {
  definition: {
    name: 'grep',
    description:
      'Search file contents with a JavaScript regular expression. Prints path:line:text for each match, path-line-text for context lines, sorted by path; mode "files" prints paths only, mode "count" prints path:count.',
    input_schema: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        path: {
          type: 'string',
          description: 'File or folder to search; the whole project by default.',
        },
        glob: {
          type: 'string',
          description: 'Only files that match, for example *.js or lib/**/*.js.',
        },
        ignore_case: { type: 'boolean' },
        context: { type: 'integer', minimum: 0 },
        mode: { type: 'string', enum: ['lines', 'files', 'count'] },
        limit: { type: 'integer', minimum: 1, description: 'Most lines to print, 250 by default.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
  },
  tookMs: 120,
  run(workspace, { path = '.', limit = DEFAULT_LIMIT_LINES, ...input }) {
    if (!workspace.exists(path)) return failed(`There is no file or folder ${path}.`);
    const pattern = compile(input.pattern, input.ignore_case ?? false);
    if (pattern === undefined) return failed(`${input.pattern} is not a regular expression.`);
    const files = projectFiles(workspace, path).filter(
      (file) => input.glob === undefined || matchesPattern(file, input.glob),
    );
    const lines = files.flatMap((file) =>
      matchesIn(file, textLines(workspace.absolute(file)) ?? [], { ...input, pattern }),
    );
    return summary(lines, limit);
  },
};

function compile(pattern: string, ignoreCase: boolean): RegExp | undefined {
  try {
    return new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface MatchOptions {
  readonly pattern: RegExp;
  readonly context?: number;
  readonly mode?: GrepInput['mode'];
}

function matchesIn(file: string, lines: readonly string[], options: MatchOptions): string[] {
  const { pattern, context = 0, mode = 'lines' } = options;
  const matched = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  if (matched.length === 0) return [];
  if (mode === 'files') return [file];
  if (mode === 'count') return [`${file}:${matched.length}`];
  const hits = new Set(matched);
  const near = (index: number) => matched.some((hit) => Math.abs(hit - index) <= context);
  return lines.flatMap((line, index) => {
    if (!near(index)) return [];
    const mark = hits.has(index) ? ':' : '-';
    return [`${file}${mark}${index + 1}${mark}${line.slice(0, LONGEST_LINE_CHARACTERS)}`];
  });
}

function summary(lines: readonly string[], limit: number): ToolOutcome {
  if (lines.length === 0) return succeeded('No matches.');
  const cut = lines.length - limit;
  const shown = lines.slice(0, limit).join('\n');
  return succeeded(
    cut > 0 ? `${shown}\n[${cut} more lines; narrow the search to see them]` : shown,
  );
}
