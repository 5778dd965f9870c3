import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createMemdir } from '@varve/memdir';
import { printable } from '@varve/memdir/files';
import { diskFolder } from '@varve/memdir/node';
import { createDream, type DreamResult } from '../dream.ts';
import { reportText } from '../report.ts';
import { consolidateLock } from './consolidate-lock.ts';

const HELP = `varve-dream tidy <folder> [--write] [--json]

Says what can be tidied in a folder of Markdown memory without a model: files that say to the letter the same, index
lines that were written here, and links. Nothing is changed without --write, and what is can be undone.

  --write  does it
  --json   the patch as JSON

Exit code: 0 nothing to do or done, 1 there is something to do, 2 not looked at.
`;

/** Where the command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line and returns its exit code. */
export async function main(args: readonly string[], { out, err }: Output): Promise<number> {
  const fail = (message: string): number => {
    err(`varve-dream: ${printable(message)}\n`);
    return 2;
  };
  if (args.includes('--help') || args.includes('-h')) {
    out(HELP);
    return 0;
  }
  const flags = args.filter((arg) => arg.startsWith('-'));
  const [command, folder = '', ...more] = args.filter((arg) => !arg.startsWith('-'));
  const isKnown = flags.every((flag) => ['--write', '--json'].includes(flag));
  if (command !== 'tidy' || folder === '' || more.length > 0 || !isKnown)
    return fail('Expected `tidy <folder>`; see --help.');
  const place = resolve(folder);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
    return fail(`There is no folder ${folder}.`);
  const isReviewed = !flags.includes('--write');
  try {
    const memory = createMemdir({ folder: diskFolder(place), now: Date.now });
    // Looking takes no lock, because a lock is a file in the folder.
    const lock = isReviewed ? undefined : consolidateLock(place);
    const dream = createDream({ memory, now: Date.now, lock, isReviewed });
    const result = await dream.dreamNow();
    if (result.kind === 'failed') {
      return fail(result.cause instanceof Error ? result.cause.message : result.reason);
    }
    if (result.kind === 'none' && result.reason === 'locked')
      return fail('Another process consolidates this folder; try again later.');
    out(flags.includes('--json') ? jsonOf(result) : textOf(result, isReviewed));
    return isReviewed && stepsOf(result).length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail(error.message);
  }
}

const stepsOf = (result: DreamResult) => (result.kind === 'completed' ? result.patch.steps : []);

const jsonOf = (result: DreamResult): string =>
  `${JSON.stringify(result.kind === 'completed' ? result.patch : { steps: [] }, undefined, 2)}\n`;

function textOf(result: DreamResult, isReviewed: boolean): string {
  if (!isReviewed && result.kind === 'completed') return reportText(result.report);
  const steps = stepsOf(result);
  if (steps.length === 0) return 'Nothing to tidy without a model.\n';
  const lines = steps.flatMap(({ files, reason }) =>
    files.map(({ path }) => printable(`${path}: ${reason}`)),
  );
  return `${[...lines, 'Nothing was changed: --write does it.'].join('\n')}\n`;
}
