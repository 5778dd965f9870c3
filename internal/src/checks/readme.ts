import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startEmulator } from '@varve/emulator';
import { onAllCores, runCommand } from '../run-command.ts';
import { publicPackages, root } from '../workspace.ts';
import type { Check } from './check.ts';
import { instrumented, looseComments, showsOutput, statedProblems } from './stated-output.ts';

/**
 * The first `ts` block of every README is an example file, byte for byte; that file runs, prints what the `text` block
 * behind it shows, and does what its comments say. `pnpm readme` writes both blocks. Every later block stands in another
 * example of the package, or of `internal/examples`, and these run to their end.
 */
export const readmeCheck: Check = {
  name: 'README examples',
  async run() {
    const pages = readmePages();
    const shared = examplesIn('internal/examples');
    const found = await onAllCores(pages, pageProblems);
    const later = pages.map(({ readme, example }) => {
      const examples = [...examplesIn(dirname(example)), ...shared];
      return laterProblems(
        readFileSync(join(root, readme), 'utf8'),
        examples.map(({ source }) => source),
      ).map((problem) => `${readme}: ${problem}`);
    });
    const first = new Set(pages.map(({ example }) => example));
    const others = [...new Set(pages.map(({ example }) => dirname(example)))]
      .flatMap(examplesIn)
      .filter(({ file }) => !first.has(file));
    const ran = await onAllCores(others, exampleProblem);
    return [...found, ...later, ...ran].flat();
  },
};

/** A README and the example in it, relative to the root. */
interface Page {
  readonly readme: string;
  readonly example: string;
}

export const readmePages = (): readonly Page[] => [
  { readme: 'README.md', example: 'internal/examples/readme.ts' },
  ...publicPackages().map(({ path }) => ({
    readme: `${path}/README.md`,
    example: `${path}/examples/${isApp(path) ? 'mini' : 'readme'}.ts`,
  })),
];

const isApp = (path: string): boolean => path.startsWith('apps/');

async function pageProblems({ readme, example }: Page): Promise<string[]> {
  const missing = [readme, example].filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) return missing.map((file) => `${file} is missing`);
  const page = readFileSync(join(root, readme), 'utf8');
  const source = readFileSync(join(root, example), 'utf8');
  const ran = await runExample(example, source);
  if (ran.code !== 0 || ran.stdout.trim() === '')
    return [`${example} failed or printed nothing: ${ran.output}`];
  return exampleProblems(page, source, ran).map((problem) => `${readme}: ${problem}`);
}

interface Example {
  readonly file: string;
  readonly source: string;
}

/** Examples of a folder but for the one at the start of the README. */
const examplesIn = (folder: string): readonly Example[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts') && name !== 'readme.ts' && !name.startsWith('.'))
    .map((name) => ({
      file: join(folder, name),
      source: readFileSync(join(root, folder, name), 'utf8'),
    }));

async function exampleProblem({ file }: Example): Promise<string[]> {
  const { code, output } = await runCommand('node', [file]);
  return code === 0 ? [] : [`${file} failed: ${output}`];
}

/** `ts` blocks behind the first that stand in no example, whatever their indentation. */
export function laterProblems(page: string, examples: readonly string[]): string[] {
  const [, ...later] = [...page.matchAll(/^```(?:ts|typescript)\n(.*?)^```$/gms)];
  const flat = (source: string) => source.replaceAll(/^ +/gm, '').trim();
  const sources = examples.map(flat);
  return later.flatMap(([, block = '']) =>
    sources.some((source) => source.includes(flat(block)))
      ? []
      : [`no example runs the block that begins with \`${block.split('\n', 1)[0]}\``],
  );
}

/** Runs an example so that it also tells what its values are; that of an app is given a provider and a folder. */
export async function runExample(example: string, source: string) {
  const probe = join(dirname(example), '.probe.ts');
  writeFileSync(join(root, probe), instrumented(source));
  try {
    return isApp(example) ? await runApp(probe) : await runCommand('node', [probe]);
  } finally {
    rmSync(join(root, probe));
  }
}

/** An agent with a prompt, before a provider that asks for one command and then says what it printed. */
async function runApp(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'varve-readme-'));
  const input = { command: 'seq 1 40000 | wc -l' };
  const replies = [
    { content: [{ type: 'tool_use', id: 'call_1', name: 'shell', input }] },
    'There are 40,000 lines.\n',
  ];
  const emulator = await startEmulator({ replies });
  try {
    const env = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: 'any' };
    return await runCommand('node', [program, 'How many lines are there?', folder], { env });
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a page says of an example that a run of it does not bear out. */
export function exampleProblems(
  page: string,
  source: string,
  ran: { readonly stdout: string; readonly stderr: string },
): string[] {
  const { code, output } = exampleBlocks(page);
  const problems = [...statedProblems(source, ran), ...looseComments(source)];
  if (code !== source)
    problems.push('the first ts block is not the example file: run `pnpm readme`');
  if (output === undefined)
    problems.push('no text block behind the example shows what it prints: run `pnpm readme`');
  else if (!showsOutput(output, ran.stdout))
    problems.push(`the example prints something else than the text block shows:\n${ran.stdout}`);
  return problems;
}

interface Blocks {
  readonly code: string | undefined;
  readonly output: string | undefined;
}

const BLOCKS = /^```ts\n(.*?)^```\n(?:\n(?:[^\n`#]*:\n\n)?```text\n(.*?)^```\n)?/ms;

/** The first fenced `ts` block of a Markdown page, and the `text` block behind it. */
export function exampleBlocks(page: string): Blocks {
  const [, code, output] = BLOCKS.exec(page) ?? [];
  return { code, output };
}

/** Longer outputs are cut. */
const MAX_LINES = 26;
const SHOWN_LINES = 12;

/** The page with the example and what it prints. An output that is shown already stays as it is cut. */
export function withExample(page: string, source: string, printed: string): string {
  const { output } = exampleBlocks(page);
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  const cut = lines.length > MAX_LINES ? [...lines.slice(0, SHOWN_LINES), '…'] : lines;
  const shown =
    output !== undefined && showsOutput(output, printed) ? output : `${cut.join('\n')}\n`;
  const blocks = `\`\`\`ts\n${source}\`\`\`\n\nprints:\n\n\`\`\`text\n${shown}\`\`\`\n`;
  return page.replace(BLOCKS, () => blocks);
}
