import { basename } from 'node:path';
import { isSecret } from './paths.ts';
import type { SimpleCommand, Word } from './shell-line.ts';

/** Whether a path, or all that a pattern of files stands for, may be read without asking: what is in it, or only its name and facts. */
export type MayRead = (
  path: string,
  what: 'contents' | 'names',
  kind?: 'path' | 'pattern',
) => boolean;

interface Reader {
  /** What is read of the operands. */
  readonly operands: 'contents' | 'names' | 'none';
  /** Fits a flag that changes and runs nothing. @default any */
  readonly flags?: RegExp;
  /** Operands at the beginning that are no paths, such as a pattern. */
  readonly skip?: number;
  readonly most?: number;
  /** @default 0 */
  readonly least?: number;
  /** Fits an operand that is no path. @default any */
  readonly operand?: RegExp;
  /** Whether operands may come from a substitution that is a reader itself. */
  readonly takesSubstitution?: true;
}

const contents: Reader = { operands: 'contents' };
const names: Reader = { operands: 'names' };
/** With other flags they read the files that a file lists. */
const sums: Reader = { operands: 'contents', flags: /^-[bt]$/ };
const nothing: Reader = { operands: 'none' };
const says: Reader = { operands: 'none', takesSubstitution: true };
const grep: Reader = {
  operands: 'contents',
  flags:
    /^-(?:[abcEFGhHilLnoqsTvwxyZzP]*|[ABCm]?\d+)$|^--(?:count|ignore-case|line-number|invert-match|word-regexp|files-with(?:out)?-matches?|only-matching|extended-regexp|fixed-strings|perl-regexp|no-filename|with-filename|color=never|context=\d+|max-count=\d+)$/,
  skip: 1,
};

/** Commands that change nothing, with the flags with which that is so. */
const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    'cat head tail nl tac cut comm diff cmp od fold rev paste join expand unexpand'
      .split(' ')
      .map((name) => [name, contents]),
  ),
  ...Object.fromEntries(
    'md5sum sha1sum sha256sum sha512sum cksum'.split(' ').map((name) => [name, sums]),
  ),
  ...Object.fromEntries(
    'stat realpath readlink basename dirname df'.split(' ').map((name) => [name, names]),
  ),
  ...Object.fromEntries(
    'true false pwd uname whoami id seq sleep nproc uptime arch which type groups'
      .split(' ')
      .map((name) => [name, nothing]),
  ),
  wc: { operands: 'contents', flags: /^-[clmwL]+$|^--(?:lines|words|bytes|chars)$/ },
  // Neither follows links.
  ls: {
    operands: 'names',
    flags:
      /^-[1aAbBcCdfFgGhiklmnNopqQrRsStTuUvwxXZ]+$|^--(?:all|almost-all|human-readable|recursive|reverse|size|inode|classify|group-directories-first|(?:color|sort|time|format|time-style)=[\w+%:-]+)$/,
  },
  du: {
    operands: 'names',
    flags:
      /^-(?:[abchkmsSx]+|d\d*)$|^--(?:all|total|summarize|human-readable|apparent-size|max-depth=\d+)$/,
  },
  '[': nothing,
  test: { operands: 'names', flags: /^-[abcdefghkLnNOGpSrstuwxz]$/ },
  echo: says,
  printf: { ...says, flags: /^(?!-v)/ },
  grep,
  egrep: grep,
  fgrep: grep,
  uniq: { ...contents, most: 1 },
  tr: nothing,
  date: { operands: 'none', operand: /^\+/, flags: /^(?:-u|-I\w*|--iso-8601(?:=\w+)?|--utc|-R)$/ },
  hostname: { operands: 'none', most: 0, flags: /^-[fisdAI]+$/ },
  sort: {
    operands: 'contents',
    flags:
      /^-(?:[nrufhVbdsczgM]+|k[\d.,nrbfdhV]+|k|t.?)$|^--(?:reverse|unique|numeric-sort|human-numeric-sort|version-sort)$/,
  },
  tree: {
    operands: 'names',
    flags: /^-(?:[adfisphDF]+|L|I|P)$|^--(?:noreport|dirsfirst|gitignore)$/,
  },
  find: {
    operands: 'names',
    flags:
      /^-(?:i?name|i?path|i?regex|type|(?:max|min)depth|not|o|or|a|and|size|[acm]time|[acm]min|newer|print0?|empty|prune|xdev|perm|user|group|links|readable|writable|executable|true|false|ls)$/,
  },
  cd: { operands: 'names', flags: /^-[LP]$/, least: 1, most: 1 },
};

const GIT_FLAGS =
  /^(?:-(?:\d+|[pnszvwbuaM]+|[nU]\d+|[SG].*|i|--)|--|--(?:(?:num|short)?stat|name-only|name-status|oneline|graph|all|decorate|short|branch|porcelain|cached|staged|no-color|color=never|patch|no-patch|abbrev-commit|follow|no-merges|merges|first-parent|reverse|summary|word-diff|ignore-all-space|ignore-space-change|show-toplevel|abbrev-ref|is-inside-work-tree|show-prefix|verify|others|exclude-standard|modified|deleted|tags|always|dirty|minimal|histogram|patience|no-pager|count|merge-base|no-ext-diff|no-textconv)|--(?:format|pretty|since|until|after|before|author|committer|grep|max-count|date|unified|diff-filter|untracked-files|sort|find-renames|abbrev|skip)(?:=.*))$/s;
const GIT_READERS = new Set(
  'status diff log show rev-parse ls-files blame shortlog describe rev-list ls-tree merge-base'.split(
    ' ',
  ),
);
/** Of those the ones that search for a text behind `-S` and `-G`; with others it is a file. */
const GIT_SEARCHES = new Set('diff log show'.split(' '));
/** Of commands that change something with operands: how they list. `remote -v` is none: an address may hold a password. */
const GIT_LISTS =
  /^(?:branch(?: (?:-a|-r|-v|-vv|-av|-avv|--list|--all|--remotes|--show-current|--no-color))*|tag(?: (?:-l|--list|-n\d*))*|remote|stash list|worktree list|reflog)$/;

/** Programs that are what the system has: others run, or fetch and run, the version that a file of the folder names. */
const VERSIONS =
  /^(?:node|npm|bun|deno|python3?|pip3?|java|php|perl|git|gcc|clang|make|cmake|docker|uv) (?:--version|-v|-V)$/;

/** Whether a command reads, and nothing but what may be read. `line` is all of the line that it is of. */
export function isReader(
  { words, assigned, redirects }: SimpleCommand,
  line: readonly SimpleCommand[],
  mayRead: MayRead,
): boolean {
  const harmless = redirects.every(({ operator, target }) => {
    if (!target.isFixed) return false;
    if (/^[<>]&$/.test(operator)) return /^\d+$/.test(target.text);
    return operator === '<' ? mayRead(target.text, 'contents') : target.text === '/dev/null';
  });
  if (!harmless) return false;
  if (words.length === 0) return assigned.every((name) => /^[a-z_][a-z0-9_]*$/.test(name));
  if (assigned.length > 0) return false;
  const [name, ...rest] = withoutTimers(words);
  if (name === undefined || !name.isFixed) return false;
  if (words.every(({ isFixed }) => isFixed) && VERSIONS.test(textOf(words))) return true;
  if (name.text === 'git') return isGitReader(rest, line, mayRead);
  if (name.text === 'sed') return isSedReader(rest, mayRead);
  if (name.text === 'command')
    return rest[0]?.text === '-v' && rest.every(({ isFixed }) => isFixed);
  const reader = Object.hasOwn(READERS, name.text) ? READERS[name.text] : undefined;
  return reader !== undefined && fitsReader(reader, rest, mayRead);
}

const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

function fitsReader(
  { operands, flags, skip = 0, least = 0, most, operand, takesSubstitution }: Reader,
  words: readonly Word[],
  mayRead: MayRead,
): boolean {
  let [skipped, count, isEnded] = [0, 0, false];
  for (const word of words) {
    const { text, isFixed } = word;
    if (!isEnded && text === '--') {
      isEnded = true;
      continue;
    }
    if (!isEnded && isFixed && /^-./.test(text)) {
      if (flags !== undefined && !flags.test(text)) return false;
      if (operands !== 'none' && !mayBeInFlag(text, operands, mayRead)) return false;
      continue;
    }
    if (skipped < skip) {
      if (!isFixed) return false;
      skipped += 1;
      continue;
    }
    count += 1;
    if (most !== undefined && count > most) return false;
    if (operands === 'none') {
      if (operand !== undefined && !operand.test(text)) return false;
      if (!isFixed && !(takesSubstitution && word.isSubstitution)) return false;
      continue;
    }
    if (!mayReadWord(word, operands, mayRead)) return false;
  }
  return count >= least;
}

/** A path may stand in a flag, behind `=` or at once. */
function mayBeInFlag(flag: string, what: 'contents' | 'names', mayRead: MayRead): boolean {
  const at = flag.indexOf('=');
  if (at >= 0) return mayRead(flag.slice(at + 1), what);
  return !/[/~]/.test(flag);
}

function mayReadWord(
  { text, isFixed, isPattern }: Word,
  what: 'contents' | 'names',
  mayRead: MayRead,
) {
  return isFixed ? mayRead(text, what) : isPattern && mayRead(text, what, 'pattern');
}

function isGitReader(
  words: readonly Word[],
  line: readonly SimpleCommand[],
  mayRead: MayRead,
): boolean {
  // A folder may be made so that git runs what its configuration says.
  if (line.some((command) => command.words[0]?.text === 'cd')) return false;
  if (!words.every(({ isFixed }) => isFixed)) return false;
  const [first, ...rest] = words[0]?.text === '--no-pager' ? words.slice(1) : words;
  if (first === undefined) return false;
  if (GIT_LISTS.test(textOf([first, ...rest]))) return true;
  if (!GIT_READERS.has(first.text)) return false;
  return rest.every(({ text }) => {
    if (/^-[SG]/.test(text) && !GIT_SEARCHES.has(first.text)) return false;
    if (text.startsWith('-')) return GIT_FLAGS.test(text);
    return pathsOfRevision(text).every((path) => mayRead(path, 'names') && !isSecret(path));
  });
}

/** The paths that a word may be about where git reads it, such as `HEAD:a.txt` and `:0:a.txt`. */
export const pathsOfRevision = (text: string): string[] =>
  text
    .split(':')
    .map((_, index, parts) => parts.slice(index).join(':'))
    .filter((path, index) => path !== '' && (index > 0 || !text.includes(':')));

/** Whether a line of the list has git in it. */
export const usesGit = (line: readonly SimpleCommand[]): boolean =>
  line.some(({ words }) => words.some(({ text }) => basename(text) === 'git'));

function isSedReader([flag, script, ...files]: readonly Word[], mayRead: MayRead): boolean {
  if (flag?.text !== '-n' || !flag.isFixed || !script?.isFixed) return false;
  if (!/^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script.text)) return false;
  return files.every(
    (file) => !file.text.startsWith('-') && mayReadWord(file, 'contents', mayRead),
  );
}

/** A command without what only measures it, limits its time or keeps it alive. */
export function withoutTimers(words: readonly Word[]): readonly Word[] {
  const [name, second, third] = words;
  if (!name?.isFixed || !second?.isFixed || second.text.startsWith('-')) return words;
  if (name.text === 'time' || name.text === 'nohup') return withoutTimers(words.slice(1));
  if (name.text === 'timeout' && /^[\d.]+[smhd]?$/.test(second.text) && third !== undefined)
    return withoutTimers(words.slice(2));
  return words;
}

/** Whether a command reads folders to their bottom, or files that its input names. */
export function readsFolders(words: readonly Word[]): boolean {
  const [name, ...rest] = words.map(({ text }, index) => (index === 0 ? basename(text) : text));
  if (/^(?:rg|ag|ack|rgrep|tar|zip|7z|rsync|scp|xargs|parallel)$/.test(name ?? '')) return true;
  if (name === 'git') return rest.some((text) => /^(?:grep|archive|bundle)$/.test(text));
  if (name === 'find') return rest.some((text) => /^-(?:exec|ok)/.test(text));
  return (
    /^(?:[ef]?grep|cp|diff)$/.test(name ?? '') &&
    rest.some((text) => /^-\w*[rRad]|^--(?:rec|arch|dir|deref)/.test(text))
  );
}

/** Programs that run what their words say. */
const RUNNERS = new Set(
  'sudo doas env nice nohup time timeout stdbuf command builtin exec xargs coproc setsid ionice watch find eval source . parallel chroot unshare strace ltrace script flock bash sh zsh dash ksh fish busybox'.split(
    ' ',
  ),
);
const SHELLS = new Set('bash sh zsh dash ksh fish eval'.split(' '));

/** Whether a program runs what its words say, so that a rule for it would allow anything. */
export const isRunner = (name: string): boolean =>
  RUNNERS.has(name) ||
  /^(?:node|deno|bun|python[\d.]*|ruby|perl|php|awk|ssh|docker|npx|bunx|uvx|pnpx)$/.test(name);

/** What a command runs in another form, for rules that forbid: behind `sudo`, by its whole path, in the text of `sh -c`. */
export function formsOf(command: SimpleCommand): {
  readonly commands: readonly SimpleCommand[];
  readonly scripts: readonly string[];
  /** Whether it runs a text that is not written in it. */
  readonly isBlind: boolean;
} {
  const commands: SimpleCommand[] = [];
  const scripts: string[] = [];
  let isBlind = false;
  const add = (words: readonly Word[]): void => {
    const [name, ...rest] = words;
    if (name === undefined) return;
    const plain = [{ ...name, text: basename(name.text) }, ...rest];
    commands.push({ ...command, words: plain });
    if (plain[0]?.text === 'git') commands.push({ ...command, words: withoutGitOptions(plain) });
    const program = plain[0]?.text ?? '';
    if (SHELLS.has(program)) scripts.push(...rest.map(({ text }) => text), textOf(rest));
    if (SHELLS.has(program) || /^(?:source|\.)$/.test(program)) isBlind ||= runsUnknown(rest);
  };
  add(command.words);
  const first = basename(command.words[0]?.text ?? '');
  if (RUNNERS.has(first))
    for (let at = 1; at < command.words.length; at++) add(command.words.slice(at));
  return { commands, scripts, isBlind };
}

/** Whether a shell runs what comes on its standard input, or what is not known before it runs. */
function runsUnknown(words: readonly Word[]): boolean {
  const isInput = ({ text }: Word) => /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/.test(text);
  const operands = words.filter(({ text }) => !/^[-+]./.test(text));
  return operands.length === 0 || words.some((word) => !word.isFixed || isInput(word));
}

function withoutGitOptions([git, ...rest]: readonly Word[]): Word[] {
  let at = 0;
  while (rest[at]?.text.startsWith('-'))
    at += /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(rest[at]?.text ?? '') ? 2 : 1;
  return [...(git === undefined ? [] : [git]), ...rest.slice(at)];
}
