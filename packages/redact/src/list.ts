import { QUOTE, quotedAt } from './value.ts';

/** A part of a text. */
export interface Stretch {
  start: number;
  end: number;
}

/** What a command may begin with in a list of its arguments. */
const COMMAND = /^[^\s"'`]{1,128}$/;
const PLAIN = /^[^\s"'`;&|<>(){}]+$/;

/** A list of arguments as the line that a shell would be given, and where each argument stands in it. */
export function commandLine(
  list: readonly string[],
  program: string | undefined,
): { readonly text: string; readonly places: Stretch[] } | undefined {
  const first = program ?? list[0];
  if (first === undefined || !COMMAND.test(first)) return undefined;
  let text = program ?? '';
  const places = list.map((argument) => {
    if (text !== '') text += ' ';
    const quote = quoteFor(argument);
    const start = text.length + quote.length;
    text += quote + argument + quote;
    return { start, end: start + argument.length };
  });
  return { text, places };
}

/** A flag and what is glued to it have to be seen as they are. */
function quoteFor(argument: string): string {
  if (PLAIN.test(argument) || argument.startsWith('-')) return '';
  return ["'", '"', '`'].find((quote) => !argument.includes(quote)) ?? '';
}

const BLANKS = '(?:\\s|\\\\{1,15}[nrt]){0,40}';
const BEGIN = new RegExp(`\\[${BLANKS}(?<quote>\\\\{0,15}["'])`, 'g');
const NEXT = new RegExp(`${BLANKS}(?:,${BLANKS}(?<quote>\\\\{0,15}["'])|,?${BLANKS}\\])`, 'y');
const PROGRAM = new RegExp(
  `${QUOTE}(?<program>[\\w./-]{1,64})${QUOTE}\\s{0,4},${BLANKS}(?:${QUOTE}?(?:args?|arguments|argv)${QUOTE}?\\s{0,4}[:=]\\s{0,4})?$`,
);
const LEAD = 160;

export interface ListInText {
  readonly places: readonly Stretch[];
  /** The name of the program, where it stands in front of the list. */
  readonly program: string | undefined;
}

export const mayHaveLists = (text: string): boolean => text.search(BEGIN) !== -1;

/** Lists of strings, as JSON and most languages write them. */
export function* listsIn(text: string): Generator<ListInText> {
  let from = 0;
  for (;;) {
    BEGIN.lastIndex = from;
    const begin = BEGIN.exec(text);
    if (begin === null) return;
    const places: Stretch[] = [];
    let quote = begin.groups?.quote;
    let at = begin.index + begin[0].length;
    from = at;
    while (quote !== undefined) {
      const content = text.startsWith(quote, at) ? '' : quotedAt(text, at, quote);
      if (content === undefined) break;
      places.push({ start: at, end: at + content.length });
      at += content.length + quote.length;
      NEXT.lastIndex = at;
      const next = NEXT.exec(text);
      if (next === null) break;
      from = at = NEXT.lastIndex;
      quote = next.groups?.quote;
      if (quote !== undefined) continue;
      const lead = text.slice(0, begin.index).slice(-LEAD);
      yield { places, program: PROGRAM.exec(lead)?.groups?.program };
    }
  }
}
