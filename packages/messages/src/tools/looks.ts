import { MAX_READ, readSed, type SimpleCommand, simpleCommands } from './shell.ts';

/** What a shell command is about: it prints files, searches or lists, only shows something else, or runs something. */
export type CommandUse = 'read' | 'search' | 'look' | 'run';

/** What a command is about, by its first program; a change of folder in front of it aside. */
export function commandUse(command: string): CommandUse {
  const first = simpleCommands(command).find(({ words: [program] }) => !isFolderChange(program));
  return first === undefined ? 'run' : useOf(first);
}

/**
 * Whether a command only looks: each of its programs does, nothing is written to a file, and nothing is substituted that
 * could run. What is not known to be harmless counts as not.
 */
export function onlyLooks(command: string): boolean {
  if (command.length > MAX_READ || SUBSTITUTES.test(command.replace(/'[^']*'/g, ''))) return false;
  const commands = simpleCommands(command);
  return (
    commands.length > 0 &&
    commands.every((one) => one.writes.every(isNowhere) && useOf(one) !== 'run')
  );
}

const isFolderChange = (program: string | undefined): boolean =>
  program === 'cd' || program === 'pushd';

const SUBSTITUTES = /\$\(|`|<\(|>\(/;
const isNowhere = (path: string): boolean => path.startsWith('/dev/');

function useOf({ words: given }: SimpleCommand): CommandUse {
  const words = given.slice(programAt(given));
  const [program = '', ...rest] = words;
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^\(+/, '');
  if (name === '') return 'look';
  if (name === 'git') return gitUse(rest);
  if (name === 'sed') return sedUse(rest);
  if ((name === 'find' || name === 'fd') && rest.some((word) => ACTS.has(word))) return 'run';
  if (name === 'xargs') return useOf({ words: rest.slice(operandAt(rest)), writes: [] });
  return USES.get(name) ?? 'run';
}

/** Words that stand before a program without being one: assignments, keywords of the shell, programs that run another. */
const BEFORE = /^(?:\w+=.*|do|then|else|elif|if|while|until|!|\{|\(|time|sudo|command|env|nohup)$/s;

function programAt(words: readonly string[]): number {
  const at = words.findIndex((word) => !BEFORE.test(word));
  return at < 0 ? words.length : at;
}

/** Where the program of `xargs` stands: behind its options and the values of those that take one. */
function operandAt(words: readonly string[]): number {
  let at = 0;
  while (words[at]?.startsWith('-')) at += /^-[InLPds]$/.test(words[at] ?? '') ? 2 : 1;
  return at;
}

const ACTS: ReadonlySet<string> = new Set([
  ...[
    '-delete',
    '-exec',
    '-execdir',
    '-ok',
    '-okdir',
    '-fprint',
    '-x',
    '-X',
    '--exec',
    '--exec-batch',
  ],
]);

function sedUse(words: readonly string[]): CommandUse {
  const { isInPlace, isQuiet } = readSed(words);
  if (isInPlace) return 'run';
  return isQuiet ? 'read' : 'look';
}

const GIT_SEARCHES: ReadonlySet<string> = new Set(['grep', 'log', 'ls-files', 'status']);
const GIT_LOOKS: ReadonlySet<string> = new Set(['blame', 'diff', 'rev-parse', 'shortlog', 'show']);
/** Looks without an operand, or with one that asks for a list; they change something with any other. */
const GIT_LISTS: ReadonlySet<string> = new Set(['branch', 'remote', 'stash', 'tag', 'worktree']);
const LISTS =
  /^(?:-(?:[arvl]+|-all|-list|-remotes|-show-current|-verbose|-contains|-merged)|list|show)$/;

function gitUse(given: readonly string[]): CommandUse {
  let at = 0;
  while (given[at]?.startsWith('-')) at += given[at] === '-C' || given[at] === '-c' ? 2 : 1;
  const [verb = '', ...rest] = given.slice(at);
  if (GIT_SEARCHES.has(verb)) return 'search';
  if (GIT_LOOKS.has(verb)) return 'look';
  if (!GIT_LISTS.has(verb)) return 'run';
  const lists = rest.length === 0 ? verb !== 'stash' : LISTS.test(rest[0] ?? '');
  return lists ? 'look' : 'run';
}

const USES: ReadonlyMap<string, CommandUse> = new Map([
  ...words('read', 'awk bat cat head less more nl tail'),
  ...words('search', 'egrep fd fgrep find grep ls rg tree wc'),
  ...words(
    'look',
    '[ basename cd cmp column comm cut date df diff dirname done du echo env false fi file for hexdump jq md5sum od pgrep printf ps pushd popd pwd readlink realpath sha256sum sleep sort stat test tr true type uniq which whoami xxd',
  ),
]);

function words(use: CommandUse, names: string): [string, CommandUse][] {
  return names.split(' ').map((name) => [name, use]);
}
