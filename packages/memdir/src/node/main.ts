import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '@varve/guards';
import type { CheckReport, Finding, FindingKind } from '../check.ts';
import { type Output, readCommandLine } from '../command-line.ts';
import { MemdirError } from '../error.ts';
import { createMemdir } from '../memdir.ts';
import { printable } from '../printable.ts';
import type { UndoResult } from '../undo.ts';
import { diskFolder } from './disk-folder.ts';

const HELP = `varve-memdir check <folder> [--json] [--all]
varve-memdir undo <folder> [<id>] [--json]

check says what is wrong with a folder of Markdown memory, and changes nothing in it. undo takes back
the last change that was made by a program, or the one with this id.

  --json      all of the answer as JSON, and of a failure {"ok":false,"error":"…"}
  --all       every finding, where the text names the first ones of each kind
  -h, --help  this text
  --          what follows is no option

Exit code: 0 sound, a folder without memory, or taken back; 1 faults, or nothing was taken back;
2 not done, as where there is no folder.
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

/** Runs a command line and returns its exit code. */
export async function main(args: readonly string[], output: Output): Promise<number> {
  const { flags, words, isJson, fail } = readCommandLine('varve-memdir', args, output);
  const { out } = output;
  const [command, folder, ...more] = words;
  if (flags.includes('--help') || flags.includes('-h') || args.length === 0) {
    out(HELP);
    return args.length === 0 ? 2 : 0;
  }
  const unknown = flags.find((flag) => !['--json', '--all'].includes(flag));
  const isUndo = command === 'undo';
  const isCommand = (isUndo || command === 'check') && more.length <= (isUndo ? 1 : 0);
  if (!isCommand || folder === undefined || unknown !== undefined) {
    return fail(
      `Expected \`check <folder>\` or \`undo <folder> [<id>]\`${unknown === undefined ? '' : `, got \`${unknown}\``}; see --help.`,
    );
  }
  if (folder.trim() === '') return fail('Expected the path of a folder, got an empty one.');
  try {
    const place = resolve(folder);
    const kind = kindOf(place);
    if (kind === 'none') return fail(`There is no folder ${folder}.`);
    if (kind === 'file') return fail(`${folder} is no folder: give the one that the files are in.`);
    const memory = createMemdir({ folder: diskFolder(place), now: Date.now });
    if (isUndo) {
      const result = await memory.undo({ id: more[0] });
      out(isJson ? `${JSON.stringify(result, undefined, 2)}\n` : `${undoText(result)}\n`);
      return result.kind === 'undone' ? 0 : 1;
    }
    const report = await memory.check();
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

function undoText(result: UndoResult): string {
  switch (result.kind) {
    case 'undone': {
      const { id, kind, reason, files } = result.record;
      const paths = files.map(({ path }) => printable(path)).join(', ');
      return `taken back: ${id} (${kind}: ${printable(reason)}): ${paths}`;
    }
    case 'conflict':
      return `nothing was done, for these were changed or forgotten since: ${result.paths.map(printable).join(', ')}`;
    default:
      return NOT_UNDONE[result.reason];
  }
}

const NOT_UNDONE = {
  'nothing-to-undo': 'there is nothing to take back',
  'no-such-change': 'there is no change with this id',
  'already-undone': 'this change is taken back already',
} as const;

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
