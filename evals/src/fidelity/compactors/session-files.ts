import { recordOf } from '@varve/guards';
import { type Message, type ToolResultBlock, toolResults, toolUses } from '@varve/messages';
import { kindOf } from '../facts/calls.ts';
import { outcomeOf } from '../facts/outcome.ts';
import { applyWriting, writingsIn } from './writings.ts';

/** The files of a session as far as its own reads and writes show them. */
export interface SessionFiles {
  add(message: Message): void;
  /** Paths that were read or written, the oldest first. */
  readonly paths: readonly string[];
  /** As the session left it, from its first line on; undefined where it never showed that. */
  textOf(path: string): string | undefined;
}

export function createSessionFiles(): SessionFiles {
  const texts = new Map<string, string | undefined>();
  const calls = new Map<string, ReturnType<typeof toolUses>[number]>();
  const put = (path: string, text: string | undefined): void => {
    texts.delete(path);
    texts.set(path, text);
  };
  const take = (result: ToolResultBlock): void => {
    const call = calls.get(result.tool_use_id);
    if (call === undefined) return;
    const { text, failed } = outcomeOf(result);
    if (failed) return;
    const kind = kindOf(call);
    if (kind.kind === 'read') {
      const { path } = kind;
      const shown = shownFromTheStart(call.input, text);
      const before = texts.get(path);
      put(path, shown === undefined ? before : afterLook(shown, lastLineOf(call.input), before));
    }
    const shown = kind.kind === 'command' ? SHOWS.exec(kind.command.trim())?.groups : undefined;
    if (shown?.path !== undefined) {
      const last = shown.last ?? shown.count;
      const limit = last === undefined ? undefined : Number(last);
      put(shown.path, afterLook(text.replace(WRAPPING, ''), limit, texts.get(shown.path)));
    }
    if (kind.kind !== 'change') return;
    for (const { path, op } of kind.changes) {
      const before = texts.get(path);
      if (op === 'deleted') texts.delete(path);
      else
        put(path, applyWriting(writingsIn(call.input, path), { before, isNew: op === 'created' }));
    }
  };
  return {
    add(message) {
      for (const call of toolUses(message)) calls.set(call.id, call);
      for (const result of toolResults(message)) take(result);
    },
    get paths() {
      return [...texts.keys()];
    },
    textOf: (path) => texts.get(path),
  };
}

/** A file after a look at it from its first line to the `limit`th, or to its end; undefined where they do not go together. */
function afterLook(
  shown: string,
  limit: number | undefined,
  before: string | undefined,
): string | undefined {
  const lines = linesOf(shown);
  if (limit === undefined || before === undefined || lines.length < limit) return shown;
  const known = linesOf(before);
  if (known.length <= lines.length) return shown;
  return lines.every((line, at) => line === known[at]) ? before : undefined;
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

const LINE_NUMBER = /^ *(\d+)(?:→|\t|\| ?)/gm;

/** A command that prints a file from its first line on, and nothing else. */
const SHOWS =
  /^(?:cat|sed -n ['"]?1,(?<last>\d+)p['"]?|head -(?:n ?)?(?<count>\d+)) ['"]?(?<path>[\w@%+:,./-]+\.\w+)['"]?$/;
/** What an agent prints in front of the output of a command. */
const WRAPPING = /^(?:(?:Chunk ID|Wall time|Process exited|Original token count)\b.*\n)+Output:\n/;

/** What a read gave without numbers of lines; undefined where it is not known to begin with the first line. */
function shownFromTheStart(input: unknown, text: string): string | undefined {
  const numbers = [...text.matchAll(LINE_NUMBER)].map(([, number]) => Number(number));
  const [first] = numbers;
  const isNumbered = first !== undefined && numbers.every((each, at) => each === first + at);
  if (isNumbered) return first === 1 ? text.replace(LINE_NUMBER, '') : undefined;
  const { offset, ...fields } = recordOf(input);
  // some count an offset from zero
  const firsts = [...FIRST_LINE.map((name) => fields[name]), rangeOf(fields)?.[0]];
  const starts = firsts.every((each) => !isGiven(each) || [0, 1].includes(Number(each)));
  return starts && (!isGiven(offset) || Number(offset) === 0) ? text : undefined;
}

/** The last line a read asks for, or how many from the first on. */
function lastLineOf(input: unknown): number | undefined {
  const fields = recordOf(input);
  const [, to] = rangeOf(fields) ?? [];
  const given = [...LAST_LINE.map((name) => fields[name]), to].find(isGiven);
  const last = Number(given);
  return last > 0 ? last : undefined;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The two lines of a range; something that is no number where it cannot be read. */
function rangeOf(fields: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const range = fields.view_range ?? fields.viewRange ?? fields.range;
  if (!isGiven(range)) return undefined;
  return Array.isArray(range) ? range : [Number.NaN];
}

const FIRST_LINE = ['start_line', 'startLine', 'lineStart', 'line_start', 'line_number', 'start'];
const LAST_LINE = ['limit', 'end_line', 'endLine', 'lineEnd', 'line_end', 'end'];
