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

/** How `sed` is called. */
export interface SedCall {
  /** It edits its files: `-i`, `-ni.bak`, `--in-place=.bak`. */
  readonly isInPlace: boolean;
  /** It prints only what its script says: `-n`, `-ne`. */
  readonly isQuiet: boolean;
  readonly files: readonly string[];
}

/** Reads the words behind `sed`. What follows `e`, `f`, `i` and `l` in a word is their value. */
export function readSed(words: readonly string[]): SedCall {
  // on macOS an empty suffix stands behind -i
  const given = words.filter((word) => word !== '');
  const operands: string[] = [];
  let [isInPlace, isQuiet, hasScript] = [false, false, false];
  for (let at = 0; at < given.length; at++) {
    const word = given[at] as string;
    if (word === '--') {
      operands.push(...given.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const [, flags = '', last = '', value = ''] = SHORT_OPTIONS.exec(word) ?? [];
    const long = word.startsWith('--') ? word : '';
    isInPlace ||= last === 'i' || last === 'I' || /^--in-place(?:=|$)/.test(long);
    isQuiet ||= flags.includes('n') || /^--(?:quiet|silent)$/.test(long);
    hasScript ||= last === 'e' || last === 'f' || /^--(?:expression|file)(?:=|$)/.test(long);
    const takesNext = /^--(?:expression|file|line-length)$/.test(long);
    if (takesNext || (value === '' && /[efl]/.test(last))) at++;
  }
  return { isInPlace, isQuiet, files: hasScript ? operands : operands.slice(1) };
}

const SHORT_OPTIONS = /^-([a-zA-Z]*?)(?:([efliI])(.*))?$/s;
