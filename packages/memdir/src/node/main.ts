import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '@varve/guards';
import type { CheckReport, Finding, FindingKind } from '../check.ts';
import { MemdirError } from '../error.ts';
import { createMemdir } from '../memdir.ts';
import { printable } from '../printable.ts';
import { diskFolder } from './disk-folder.ts';

const HELP = `varve-memdir check <folder> [--json] [--all]

Says what is wrong with a folder of Markdown memory. Nothing in it is changed.

  --json      the whole report as JSON, and of a failure {"ok":false,"error":"…"}
  --all       every finding, where the text names the first ones of each kind
  -h, --help  this text
  --          what follows is no option

Exit code: 0 sound, 1 faults, 2 not checked.
`;

/** How findings are counted: of one, of more. */
const WORDS: Readonly<Record<FindingKind, readonly [one: string, more: string]>> = {
  dangling: ['index line that points to no file', 'index lines that point to no file'],
  orphan: ['file that stands in no index', 'files that stand in no index'],
  outside: ['index line that leads out of the folder', 'index lines that lead out of the folder'],
  'pointed-twice': [
    'index line for a file that has one already',
    'index lines for files that have one already',
  ],
  'long-line': ['index line over 150 characters', 'index lines over 150 characters'],
  'store-like-index': [
    'index that holds memories instead of pointing to them',
    'indexes that hold memories instead of pointing to them',
  ],
  'content-in-index': [
    'index with content beside pointers',
    'indexes with content beside pointers',
  ],
  'index-too-long': [
    'index over 200 lines or 25,000 bytes',
    'indexes over 200 lines or 25,000 bytes',
  ],
  'second-index': [
    'index beside another one of its folder, which is not loaded',
    'indexes beside another one of their folder, which are not loaded',
  ],
  header: ['header that is missing or incomplete', 'headers that are missing or incomplete'],
  'equal-files': ['file with the text of another one', 'files with the text of another one'],
  'equal-names': ['file with the name of another one', 'files with the name of another one'],
  'dead-link': ['link to a memory that is not there', 'links to a memory that is not there'],
  'user-in-shared': [
    'memory about a person in a shared folder',
    'memories about a person in a shared folder',
  ],
  'not-opened': [
    'link, special file or file that could not be read, which is not opened',
    'links, special files and files that could not be read, which are not opened',
  ],
  interrupted: ['interrupted change', 'interrupted changes'],
  'relative-date': [
    'file with a date that only its day explains',
    'files with a date that only its day explains',
  ],
  'long-file': ['file of which recall shows a part', 'files of which recall shows a part'],
};

const MOST_NAMED = 5;

/** Where the command writes. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs a command line and returns its exit code. */
export async function main(args: readonly string[], { out, err }: Output): Promise<number> {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const flags = options.filter((arg) => arg.startsWith('-'));
  const words = options.filter((arg) => !arg.startsWith('-'));
  const [command, folder, ...more] = end === -1 ? words : [...words, ...args.slice(end + 1)];
  const isJson = flags.includes('--json');
  const fail = (message: string): number => {
    err(`varve-memdir: ${printable(message)}\n`);
    if (isJson) out(`${JSON.stringify({ ok: false, error: message })}\n`);
    return 2;
  };
  if (flags.includes('--help') || flags.includes('-h') || args.length === 0) {
    out(HELP);
    return args.length === 0 ? 2 : 0;
  }
  const unknown = flags.find((flag) => !['--json', '--all'].includes(flag));
  if (command !== 'check' || folder === undefined || more.length > 0 || unknown !== undefined) {
    return fail(
      `Expected \`check <folder>\`${unknown === undefined ? '' : `, got \`${unknown}\``}; see --help.`,
    );
  }
  if (folder.trim() === '') return fail('Expected the path of a folder, got an empty one.');
  try {
    const place = resolve(folder);
    const kind = kindOf(place);
    if (kind === 'none') return fail(`There is no folder ${folder}.`);
    if (kind === 'file') return fail(`${folder} is no folder: give the one that the files are in.`);
    const report = await createMemdir({ folder: diskFolder(place), now: Date.now }).check();
    out(
      isJson
        ? `${JSON.stringify(report, undefined, 2)}\n`
        : textOf(report, folder, flags.includes('--all')),
    );
    return report.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const cause =
      MemdirError.is(error) && error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return fail(`${error.message}${cause}`);
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

/** The verdict, then faults, then notes, by kind. */
function textOf(report: CheckReport, folder: string, isAll: boolean): string {
  const { ok, files, indexes, pointers, findings, leftOut } = report;
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const isEmpty = files + indexes === 0 && ok;
  const verdict = isEmpty ? 'no memory' : ok ? 'sound' : count(faults, 'fault');
  const unread = leftOut === 0 ? '' : `, ${count(leftOut, 'file')} not read`;
  const lines = [
    `${verdict}: ${printable(folder)} (${count(files, 'file')}, ${count(indexes, 'index', 'indexes')}, ${count(pointers, 'pointer')}${unread})`,
  ];
  for (const level of ['fault', 'note'] as const) {
    const ofLevel = findings.filter((finding) => finding.level === level);
    for (const kind of new Set(ofLevel.map((finding) => finding.kind))) {
      const found = ofLevel.filter((finding) => finding.kind === kind);
      lines.push('', `${level}: ${count(found.length, ...WORDS[kind])}`);
      const named = isAll ? found : found.slice(0, MOST_NAMED);
      lines.push(...named.map((finding) => `  ${lineOf(finding)}`));
      if (named.length < found.length)
        lines.push(`  … ${found.length - named.length} more (--all)`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

const lineOf = ({ path, line, detail }: Finding): string =>
  printable(`${path}${line === undefined ? '' : `:${line}`}  ${detail}`);
