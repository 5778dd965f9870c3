import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CheckReport, Finding } from '../check.ts';
import { MemdirError } from '../error.ts';
import { createMemdir } from '../memdir.ts';
import { diskFolder } from './disk-folder.ts';

const HELP = `varve-memdir check <folder> [--json] [--all]

Says what is wrong with a folder of Markdown memory. Nothing in it is changed.

  --json   the whole report as JSON
  --all    every finding, where the text names the first ones of each kind

Exit code: 0 sound, 1 faults, 2 not checked.
`;

const WORDS: Readonly<Record<string, string>> = {
  dangling: 'index lines that point to no file',
  orphan: 'files that stand in no index',
  outside: 'index lines that lead out of the folder',
  'pointed-twice': 'index lines for a file that has one already',
  'long-line': 'index lines over 150 characters',
  'store-like-index': 'indexes that hold memories instead of pointing to them',
  'content-in-index': 'indexes with content beside pointers',
  'index-too-long': 'indexes over 200 lines or 25,000 bytes',
  header: 'headers that are missing or incomplete',
  'equal-files': 'files with the text of another one',
  'equal-names': 'files with the name of another one',
  'dead-link': 'links to a memory that is not there',
  'user-in-shared': 'memories about a person in a shared folder',
  'not-opened': 'links and special files, which are not opened',
  interrupted: 'interrupted changes',
  'relative-date': 'files with a date that only its day explains',
  'long-file': 'files of which recall shows a part',
};

const MOST_NAMED = 5;

/** Where the command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line and returns its exit code. */
export async function main(args: readonly string[], { out, err }: Output): Promise<number> {
  const fail = (message: string): number => {
    err(`varve-memdir: ${message}\n`);
    return 2;
  };
  const flags = args.filter((arg) => arg.startsWith('-'));
  const [command, folder, ...more] = args.filter((arg) => !arg.startsWith('-'));
  if (flags.includes('--help') || args.length === 0) {
    out(HELP);
    return args.length === 0 ? 2 : 0;
  }
  const unknown = flags.find((flag) => !['--json', '--all'].includes(flag));
  if (command !== 'check' || folder === undefined || more.length > 0 || unknown !== undefined) {
    return fail(
      `Expected \`check <folder>\`${unknown === undefined ? '' : `, got \`${unknown}\``}; see --help.`,
    );
  }
  try {
    const place = resolve(folder);
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
      return fail(`There is no folder ${folder}.`);
    const report = await createMemdir({ folder: diskFolder(place), now: Date.now }).check();
    const text = flags.includes('--json')
      ? `${JSON.stringify(report, undefined, 2)}\n`
      : textOf(report, folder, flags.includes('--all'));
    out(text);
    return report.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause =
      MemdirError.is(error) && error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return fail(`${error.message}${cause}`);
  }
}

/** The verdict, then faults, then notes, by kind. */
function textOf(report: CheckReport, folder: string, isAll: boolean): string {
  const { ok, files, indexes, pointers, findings, leftOut } = report;
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const verdict = ok ? 'sound' : count(faults, 'fault');
  const unread = leftOut === 0 ? '' : `, ${leftOut} files not read`;
  const lines = [
    `${verdict}: ${folder} (${count(files, 'file')}, ${count(indexes, 'index', 'indexes')}, ${count(pointers, 'pointer')}${unread})`,
  ];
  for (const level of ['fault', 'note'] as const) {
    const ofLevel = findings.filter((finding) => finding.level === level);
    for (const kind of new Set(ofLevel.map((finding) => finding.kind))) {
      const found = ofLevel.filter((finding) => finding.kind === kind);
      lines.push('', `${level}: ${found.length} ${WORDS[kind] ?? kind}`);
      const named = isAll ? found : found.slice(0, MOST_NAMED);
      lines.push(...named.map((finding) => `  ${lineOf(finding)}`));
      if (named.length < found.length)
        lines.push(`  … ${found.length - named.length} more (--all)`);
    }
  }
  return `${lines.join('\n').replace(CONTROL, '')}\n`;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const lineOf = ({ path, line, detail }: Finding): string =>
  `${path}${line === undefined ? '' : `:${line}`}  ${detail}`;

/** Names of files may hold what a terminal obeys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g;
