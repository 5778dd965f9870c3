import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '@varve/guards';
import { createMemdir, MemdirError } from '@varve/memdir';
import { printable, readCommandLine } from '@varve/memdir/files';
import { diskFolder } from '@varve/memdir/node';
import { createDream, type DreamResult } from '../dream.ts';
import { reportText, secretText } from '../report.ts';
import { consolidateLock } from './consolidate-lock.ts';

type Output = Parameters<typeof readCommandLine>[2];

const HELP = `varve-dream tidy <folder> [--write] [--json]

Says what can be tidied in a folder of Markdown memory without a model: files that say to the letter the same, index
lines that were written here, and links. Nothing is changed without --write, and what is can be undone. Secrets
are masked; those in files that may not be changed are named.

  --write     does it
  --json      what is, or would be, done as JSON, and of a failure {"ok":false,"error":"…"}
  -h, --help  this text
  --          what follows is no option

Exit code: 0 nothing to do or done, 1 there is something to do, 2 not looked at.
`;

/** Runs a command line and returns its exit code. */
export async function main(args: readonly string[], output: Output): Promise<number> {
  const { flags, words, isJson, fail } = readCommandLine('varve-dream', args, output);
  const { out } = output;
  const [command, folder, ...more] = words;
  if (flags.includes('--help') || flags.includes('-h')) {
    out(HELP);
    return 0;
  }
  const unknown = flags.find((flag) => !['--write', '--json'].includes(flag));
  if (command !== 'tidy' || folder === undefined || more.length > 0 || unknown !== undefined)
    return fail(
      `Expected \`tidy <folder>\`${unknown === undefined ? '' : `, got \`${unknown}\``}; see --help.`,
    );
  if (folder.trim() === '') return fail('Expected the path of a folder, got an empty one.');
  const isReviewed = !flags.includes('--write');
  try {
    const place = resolve(folder);
    const kind = kindOf(place);
    if (kind === 'none') return fail(`There is no folder ${folder}.`);
    if (kind === 'file') return fail(`${folder} is no folder: give the one that the files are in.`);
    const memory = createMemdir({ folder: diskFolder(place), now: Date.now });
    // Looking takes no lock, because a lock is a file in the folder.
    const lock = isReviewed ? undefined : consolidateLock(place);
    const dream = createDream({ memory, now: Date.now, lock, isReviewed });
    const result = await dream.dreamNow();
    if (result.kind === 'failed') return fail(wordsOf(result.cause) ?? result.reason);
    if (result.kind === 'none' && result.reason === 'locked')
      return fail('Another process consolidates this folder; try again later.');
    out(isJson ? jsonOf(result) : textOf(result));
    return isReviewed && isToDo(result) ? 1 : 0;
  } catch (error) {
    const words = wordsOf(error);
    if (words === undefined) throw error;
    return fail(words);
  }
}

function kindOf(place: string): 'folder' | 'file' | 'none' {
  try {
    return statSync(place).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return 'none';
    throw error;
  }
}

/** What went wrong, with what the system said where the message does not say it. */
function wordsOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const isShort = MemdirError.is(thrown) && thrown.cause instanceof Error;
  return isShort ? `${thrown.message} ${(thrown.cause as Error).message}` : thrown.message;
}

/** Whether something would be changed. */
const isToDo = (result: DreamResult): boolean =>
  result.kind === 'completed' && result.report.paths.length + result.report.indexes.length > 0;

function jsonOf(result: DreamResult): string {
  const { steps, paths, indexes, secrets } =
    result.kind === 'completed'
      ? { ...result.report, steps: result.patch.steps }
      : { steps: [], paths: [], indexes: [], secrets: [] };
  return `${JSON.stringify({ ok: true, steps, paths, indexes, secrets }, undefined, 2)}\n`;
}

function textOf(result: DreamResult): string {
  if (result.kind !== 'completed') return 'Nothing to tidy without a model.\n';
  const { report, patch } = result;
  if (!report.isReviewed) return reportText(report);
  const left = new Set(report.skipped.map(({ id }) => id));
  const steps = patch.steps.filter(({ id }) => !left.has(id));
  const ofSteps = steps.flatMap(({ files, reason }) => files.map(({ path }) => ({ path, reason })));
  const others = report.paths.filter((path) => ofSteps.every((each) => each.path !== path));
  const lines = [
    ...ofSteps.map(({ path, reason }) => `${path}: ${reason}`),
    ...others.map((path) => `${path}: links to repair`),
    ...report.indexes.map((path) => `${path}: index to repair`),
    ...report.secrets.map(secretText),
    isToDo(result)
      ? 'Nothing was changed: --write does it.'
      : 'There is nothing else to tidy without a model.',
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
