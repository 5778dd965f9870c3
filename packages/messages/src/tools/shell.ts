/** One simple command of a shell line. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
}

/** The command that a tool input carries; of an argument list that runs a shell, its script. */
export function commandIn(input: Readonly<Record<string, unknown>>): string | undefined {
  const given = input.command ?? input.cmd ?? input.script;
  if (Array.isArray(given)) {
    const words = given.filter((word) => typeof word === 'string');
    return /^-\w*c$/.test(words.at(-2) ?? '') ? words.at(-1) : words.join(' ');
  }
  return typeof given === 'string' && given.trim() !== '' ? given : undefined;
}

/** UTF-16 units that are read of a command line: behind them stands content. */
export const MAX_READ = 4_000;

/** A command without the change of folder in front of it, on one line: what it is known by. Its first characters only. */
export function commandKey(command: string): string {
  let key = command.slice(0, MAX_READ).trim();
  while (CHANGE_FOLDER.test(key)) key = key.replace(CHANGE_FOLDER, '');
  return key.replace(/\s+/g, ' ').trim() || command.slice(0, MAX_READ).trim();
}

const CHANGE_FOLDER = /^(?:cd|pushd)\s+(?:"[^"]*"|'[^']*'|[^\s&;|]+)\s*(?:&&|;|\n)\s*/;

/** The folder that a command changes to before it does anything. */
export function changedFolder(command: string): string | undefined {
  const found = /^\s*(?:cd|pushd)\s+("[^"]*"|'[^']*'|[^\s&;|]+)\s*(?:&&|;|\n)/.exec(command)?.[1];
  return found?.replace(/^["']|["']$/g, '');
}

/** The simple commands of a shell line. Quoting and here-documents are understood, substitution and loops are not. */
export function simpleCommands(line: string): SimpleCommand[] {
  const text = withoutHereDocuments(line.slice(0, MAX_READ)).replace(COMMENT_LINE, '');
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let redirected = false;
  const close = (): void => {
    if (words.length > 0 || writes.length > 0) commands.push({ words, writes });
    words = [];
    writes = [];
  };
  for (const [token] of text.matchAll(TOKEN)) {
    if (SEPARATOR.test(token)) close();
    else if (/^\d?>{1,2}$/.test(token)) redirected = !token.startsWith('2');
    else if (redirected) {
      writes.push(unquote(token));
      redirected = false;
    } else if (!/^\d?>&|^<|^&>/.test(token)) words.push(unquote(token));
  }
  close();
  return commands;
}

const TOKEN =
  /&&|\|\||[;\n|]|\d?>&\d?|&>|\d?>{1,2}|<{1,3}|&|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;&|<>"'\\])+|["'\\]/g;
const COMMENT_LINE = /^[ \t]*#[^\n]*/gm;
const SEPARATOR = /^(?:&&|\|\||[;\n|&])$/;

function unquote(word: string): string {
  return word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double, single) => double ?? single);
}

function withoutHereDocuments(text: string): string {
  return text.replace(/<<-?\s*["']?(\w+)["']?([^\n]*)\n[\s\S]*?(?:\n\s*\1\b|$)/g, '$2\n');
}

/** Whether `sed` edits its files with these words: `-i`, `-ni.bak`, `--in-place=.bak`. */
export const isInPlace = (words: readonly string[]): boolean =>
  words.some((word) => /^-[a-zA-Z]*i/.test(word) || word.startsWith('--in-place'));

/** The files that `sed` works on: what is left of its words without options and scripts. */
export function sedFiles(words: readonly string[]): readonly string[] {
  // on macOS an empty suffix stands behind -i
  const given = words.filter((word) => word !== '');
  const operands = given.filter(
    (word, at) => !word.startsWith('-') && !TAKES_SCRIPT.test(given[at - 1] ?? ''),
  );
  return given.some((word) => SCRIPT.test(word)) ? operands : operands.slice(1);
}

const TAKES_SCRIPT = /^-(?:[nErsuz]*[ef]|-expression|-file)$/;
const SCRIPT = /^-(?:[nErsuz]*[ef]|-(?:expression|file)(?:=|$))/;
