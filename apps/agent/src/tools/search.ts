import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, matchesGlob, relative } from 'node:path';
import { z } from 'zod';
import { SECRET_GLOBS } from '../permissions/paths.ts';
import { pathIn } from './files.ts';
import { ripgrep } from './ripgrep.ts';
import { defineTool } from './tool.ts';

const MOST_FILES = 100;
const MOST_GREP_LINES = 250;
const MOST_NAMES = 1_000;
/** Of those that a pattern fits, so many that were changed last are put in order. */
const MOST_ORDERED = 1_000;

export const globTool = defineTool({
  name: 'Glob',
  description: `Finds files by a pattern such as \`src/**/*.ts\`, the one changed last first, up to ${MOST_FILES}. What git ignores is left out.`,
  input: z.object({
    pattern: z.string().min(1).describe('The pattern; one without a slash fits in every folder'),
    path: z.string().optional().describe('The folder to look in'),
  }),
  reads: true,
  async run({ pattern, path = '.' }, { cwd, signal }) {
    const folder = pathIn(cwd, path);
    const wanted = isAbsolute(pattern) ? relative(folder, pattern) : pattern;
    const glob = wanted.includes('/') ? wanted : `**/${wanted}`;
    const args = ['--files', '--hidden', '--glob=!.git', '--sortr=modified'];
    const { lines, isCut } = await ripgrep(args, { cwd: folder, signal });
    const found = lines.filter((name) => matchesGlob(name, glob));
    if (found.length === 0) return isCut ? `No file fits of ${TOO_MANY}.` : 'No file fits.';
    const dated = await Promise.all(
      found
        .slice(0, MOST_ORDERED)
        .map(async (name) => ({ name, changedMs: await changedMs(join(folder, name)) })),
    );
    dated.sort((one, other) => other.changedMs - one.changedMs || (one.name < other.name ? -1 : 1));
    const names = [...dated.map(({ name }) => name), ...found.slice(MOST_ORDERED)];
    const text = listed(
      names.map((name) => join(folder, name)),
      MOST_FILES,
    );
    return isCut ? `${text}\n(This is of ${TOO_MANY}.)` : text;
  },
});

const TOO_MANY = 'the files changed last: there are too many to look through; give a folder';

const changedMs = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

export const grepTool = defineTool({
  name: 'Grep',
  description:
    'Searches files for a regular expression, as ripgrep reads it. What git ignores is left out. Gives names of files, or with `output_mode` the lines or how many there are.',
  input: z.object({
    pattern: z.string().min(1).describe('The regular expression'),
    path: z.string().optional().describe('The file or folder to search'),
    glob: z.string().optional().describe('Only files that fit, e.g. `*.ts`'),
    type: z.string().optional().describe('Only files of a kind, e.g. `js`, `py`, `rust`'),
    output_mode: z.enum(['files_with_matches', 'content', 'count']).optional(),
    '-i': z.boolean().optional().describe('Upper and lower case alike'),
    '-A': z.int().min(0).optional().describe('Lines to show behind each'),
    '-B': z.int().min(0).optional().describe('Lines to show before each'),
    '-C': z.int().min(0).optional().describe('Lines to show around each'),
    multiline: z.boolean().optional().describe('A match may go over lines'),
    head_limit: z
      .int()
      .min(1)
      .optional()
      .describe(`Lines at most; ${MOST_GREP_LINES} if not given`),
  }),
  reads: true,
  async run({ pattern, path = '.', output_mode: mode = 'files_with_matches', ...given }, options) {
    const { glob, type, multiline, head_limit = MOST_GREP_LINES } = given;
    const searched = pathIn(options.cwd, path);
    const found = await stat(searched);
    if (!found.isFile() && !found.isDirectory())
      throw new Error(`${searched} is no regular file, and searching it might never end.`);
    const around = (['-A', '-B', '-C'] as const).flatMap((flag) =>
      given[flag] === undefined ? [] : [`${flag}${given[flag]}`],
    );
    const { lines, problem } = await ripgrep(
      [
        ...['--hidden', '--glob=!.git', '--max-columns=1000', '--max-columns-preview'],
        ...(mode === 'content'
          ? ['--line-number', '--with-filename', '--no-heading', ...around]
          : []),
        ...(mode === 'count' ? ['--count-matches', '--with-filename'] : []),
        ...(mode === 'files_with_matches' ? ['--files-with-matches'] : []),
        ...(given['-i'] ? ['--ignore-case'] : []),
        ...(multiline ? ['--multiline', '--multiline-dotall'] : []),
        ...(glob === undefined ? [] : [`--glob=${glob}`]),
        ...(type === undefined ? [] : [`--type=${type}`]),
        // The last glob wins: no pattern of a call brings these back.
        ...[...SECRET_GLOBS, ...(options.hidden ?? [])].map((each) => `--iglob=!${each}`),
        ...['--sort=path', '--regexp', pattern, '--', searched],
      ],
      options,
    );
    if (lines.length > 0) return listed(lines, head_limit);
    if (problem !== '') throw new Error(problem);
    return 'Nothing fits.';
  },
});

export const lsTool = defineTool({
  name: 'LS',
  description: 'Lists a folder, with a slash behind the names of folders.',
  input: z.object({
    path: z.string().optional().describe('The folder; that of the session if not given'),
  }),
  reads: true,
  async run({ path = '.' }, { cwd }) {
    const found = await readdir(pathIn(cwd, path), { withFileTypes: true });
    if (found.length === 0) return 'The folder is empty.';
    const names = found.map((each) => `${each.name}${each.isDirectory() ? '/' : ''}`);
    return listed(names.sort(), MOST_NAMES);
  },
});

const listed = (lines: readonly string[], most: number): string =>
  lines.length <= most
    ? lines.join('\n')
    : `${lines.slice(0, most).join('\n')}\n(${lines.length - most} more)`;
