import type { PatchedFile } from './patch.ts';
import { readSed, type SimpleCommand, simpleCommands } from './shell.ts';

/** What a shell command does to files, and which ones it prints. */
export interface ShellFiles {
  readonly changes: readonly PatchedFile[];
  readonly reads: readonly string[];
}

/** Reads a command for well-known programs that change or print files. */
export function shellFiles(command: string): ShellFiles {
  const found = simpleCommands(command).map(filesOf);
  return {
    changes: found.flatMap(({ changes }) => changes),
    reads: found.flatMap(({ reads }) => reads),
  };
}

function filesOf({ words: given, writes }: SimpleCommand): ShellFiles {
  const words = given[0] === 'sudo' || given[0] === 'git' ? given.slice(1) : given;
  const program = words[0] ?? '';
  const operands = words.slice(1).filter((word) => !word.startsWith('-'));
  const written: PatchedFile[] = writes.map((path) => ({ path, change: 'edited' }));
  const changes = (given[0] === 'git' ? GIT_CHANGES : CHANGES)[program]?.(operands, words) ?? [];
  const reads = given[0] === 'git' ? [] : (READS[program]?.(operands, words) ?? []);
  return {
    changes: [...changes, ...written].filter(({ path, to }) => isPath(path) && isPath(to ?? path)),
    reads: reads.filter(isPath),
  };
}

type Changes = (operands: readonly string[], words: readonly string[]) => PatchedFile[];
type Reads = (operands: readonly string[], words: readonly string[]) => readonly string[];

const moved: Changes = (operands) =>
  operands.slice(0, -1).map((path) => ({ path, change: 'moved', to: target(path, operands) }));
const removed: Changes = (operands) => operands.map((path) => ({ path, change: 'deleted' }));
const edited: Changes = (operands) => operands.map((path) => ({ path, change: 'edited' }));

const CHANGES: Readonly<Record<string, Changes | undefined>> = {
  rm: removed,
  unlink: removed,
  mv: moved,
  touch: (operands) => operands.map((path) => ({ path, change: 'created' })),
  tee: edited,
  cp: (operands) =>
    operands.slice(0, -1).map((path) => ({ path: target(path, operands), change: 'created' })),
  sed: (_, [, ...words]) => {
    const { isInPlace, files } = readSed(words);
    return isInPlace ? edited(files, words) : [];
  },
};

const GIT_CHANGES: Readonly<Record<string, Changes | undefined>> = { rm: removed, mv: moved };

const READS: Readonly<Record<string, Reads | undefined>> = {
  cat: (operands) => operands,
  bat: (operands) => operands,
  nl: (operands) => operands,
  head: (operands) => operands.filter((word) => !/^\d+$/.test(word)),
  tail: (operands) => operands.filter((word) => !/^\d+$/.test(word)),
  sed: (_, [, ...words]) => {
    const { isInPlace, isQuiet, files } = readSed(words);
    return isQuiet && !isInPlace ? files : [];
  },
};

/** Where a file goes: to the last operand, or into it where that is a folder. */
function target(from: string, operands: readonly string[]): string {
  const to = operands.at(-1) ?? '';
  return to.endsWith('/') ? `${to}${from.slice(from.lastIndexOf('/') + 1)}` : to;
}

/** A name that stands for one file: nothing that the shell or a script would still expand. */
function isPath(word: string): boolean {
  return (
    word.length < 300 &&
    !/[*?[\]{}$`()!\s=:@^|\\]/.test(word.replace(/^[A-Za-z]:/, '')) &&
    !/^\/dev\//.test(word) &&
    /[\p{L}\d]/u.test(word)
  );
}
