import { listOf, recordOf } from '@varve/guards';

/** One simple command of a shell line. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files that its output goes to. */
  readonly writes: readonly string[];
}

/**
 * The command that a tool input carries, in its fields or in those of its `action` (the local shell of OpenAI). A list of
 * words stands as one would type it, with what a shell would take apart in quotation marks; of a list that runs a shell its
 * script, and of a list of command lines (`commands`) one a line.
 */
export function commandIn(input: Readonly<Record<string, unknown>>): string | undefined {
  for (const fields of [input, recordOf(input.action)]) {
    const found = commandOf(fields.command ?? fields.cmd ?? fields.script, fields.args);
    const command = found ?? linesOf(fields.commands);
    if (command !== undefined) return command;
  }
  return undefined;
}

function commandOf(given: unknown, args: unknown): string | undefined {
  if (typeof given === 'string') {
    const words = textsIn(args);
    if (given.trim() === '') return undefined;
    return words.length === 0 ? given : [given, ...words.map(quoted)].join(' ');
  }
  const words = textsIn(given);
  if (words.length === 0) return undefined;
  const [script] = words.slice(-1);
  return /^-\w*c$/.test(words.at(-2) ?? '') ? script : words.map(quoted).join(' ');
}

function linesOf(given: unknown): string | undefined {
  const lines = textsIn(given).filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines.join('\n');
}

const textsIn = (value: unknown): readonly string[] =>
  listOf(value).filter((word) => typeof word === 'string');

/** A word as it has to stand on a command line. What runs a command through a list has signs of a shell in it as words. */
function quoted(word: string): string {
  if (word !== '' && !/[\s"'\\]/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
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
  const start = line.slice(0, MAX_READ);
  if (!HAS_SYNTAX.test(start)) return plainCommand(start);
  const text = withoutHereDocuments(start).replace(COMMENT_LINE, '');
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

/** What most commands are: a program and its words. */
function plainCommand(text: string): SimpleCommand[] {
  const words = text.match(/\S+/g);
  return words === null ? [] : [{ words, writes: [] }];
}

/** Quotes, comments, and whatever ends a command or sends its output elsewhere. */
const HAS_SYNTAX = /[;&|<>"'\\\n#]/;
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
    isInPlace ||= last === 'i' || last === 'I' || /^--in-place(?:=|$)/.test(word);
    isQuiet ||= flags.includes('n') || /^--(?:quiet|silent)$/.test(word);
    hasScript ||= last === 'e' || last === 'f' || /^--(?:expression|file)(?:=|$)/.test(word);
    const takesNext = /^--(?:expression|file|line-length)$/.test(word);
    if (takesNext || (value === '' && /[efl]/.test(last))) at++;
  }
  return { isInPlace, isQuiet, files: hasScript ? operands : operands.slice(1) };
}

const SHORT_OPTIONS = /^-([a-zA-Z]*?)(?:([efliI])(.*))?$/s;
