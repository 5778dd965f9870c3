import type { Found } from './kind.ts';

/** A quote as it stands in source, and inside of JSON inside of JSON. */
export const QUOTE = `\\\\{0,15}["'\`]`;

/** UTF-16 units of a value without quotes that a pattern reads. */
const LONGEST_BARE = 4_096;
const BARE = `[^\\s"'\`;,&|<>(){}\\\\]`;

/** A value without quotes up to what ends it, or the quote that a value in quotes begins with; `quotedAt` reads on from there. */
export const VALUE = `(?:(?<quote>${QUOTE})|(?<bare>${BARE}{1,${LONGEST_BARE}}))`;

export const valueIn = ({ groups }: Found): string => groups.quoted ?? groups.bare ?? '';

/** Whether its pattern ended a value in the middle. */
export const isCutOff = (bare: string | undefined): boolean =>
  bare !== undefined && bare.length >= LONGEST_BARE;

const GOES_ON = new RegExp(`${BARE}*`, 'y');

/** Where a value that was cut off at `end` is over. */
export function endOfBare(text: string, end: number): number {
  GOES_ON.lastIndex = end;
  GOES_ON.test(text);
  return GOES_ON.lastIndex;
}

const LONGEST_QUOTED = 4_096;

/**
 * What stands in quotes from `start` on, in one line; undefined where no quote closes it. In JSON inside of JSON a quote has
 * a backslash more for each text around it, twice as many and one: one with fewer ends a text around the value.
 */
export function quotedAt(text: string, start: number, quote: string): string | undefined {
  const mark = quote.slice(-1);
  const slashes = quote.length - 1;
  const read = text.slice(start, start + LONGEST_QUOTED + quote.length);
  let run = 0;
  for (let at = 0; at < read.length; at++) {
    const character = read[at] as string;
    if (character === '\n' || character === '\r') return undefined;
    // a line break of a text around the value
    if (run > 0 && run < quote.length && /[nr]/.test(character)) return undefined;
    if (character === mark) {
      const isClosing =
        mark === '"' || slashes === 0 ? ((run + 1) / quote.length) % 2 === 1 : run === slashes;
      if (isClosing) return contentOf(read.slice(0, at - slashes), mark);
      if (mark === '"' ? (run + 1) % quote.length !== 0 : run < slashes) return undefined;
    }
    run = character === '\\' ? run + 1 : 0;
  }
  return undefined;
}

/** The quote that closes a text, without the backslashes which the text itself ends with. */
export const closingQuote = (quote: string): string =>
  quote.endsWith('"') ? quote.slice(-(quote.length & -quote.length)) : quote;

/** Between quotes of another kind a field of JSON may end and the next begin: then the quotes are of two texts. */
function contentOf(content: string, mark: string): string | undefined {
  if (content === '' || content.length > LONGEST_QUOTED) return undefined;
  return mark !== '"' && /"\s{0,64}[,:}\]]/.test(content) ? undefined : content;
}

/** What follows a quote that ends a text: the quote is no beginning of a value. */
export const isBetweenTexts = (quoted: string): boolean =>
  /^\s{0,64}[,:}\]]/.test(quoted) || /^\s{0,8}\+.*\+\s{0,8}$/.test(quoted);

/** A value, and not a reference to one or a placeholder. */
export function isValue(value: string): boolean {
  if (/^(?:[$%<{]|\[|\.\.\.|…|@|#\{|\\\()/.test(value) || /\$\{|\{\{|\$\(|<[a-z_ -]+>/i.test(value))
    return isGluedToReference(value);
  if (/^(.)\1*$/.test(value) && /^[*x.•_#?X-]/.test(value)) return false;
  if (/^(?:process\.env|os\.environ|import\.meta|secrets\.|env\.|vars\.)/.test(value)) return false;
  return !NO_VALUES.has(value.toLowerCase());
}

const REFERENCE =
  /\$\{[^}]*\}|\{\{[^}]*\}\}|\$\([^)]*\)|<[a-z_ -]+>|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|\[[a-z _-]*\]|^(?:\.{3}|…)/gi;

/** What is left without references and placeholders looks made: those in front of it or behind it hide nothing. */
function isGluedToReference(value: string): boolean {
  const left = value.replace(REFERENCE, '');
  return (
    left !== value &&
    /^[\w!@#%^&*+=?~.:/-]+$/.test(left) &&
    left.split(/[^A-Za-z0-9]+/).some(isMixed)
  );
}

/** Turns from letters to digits and back, and no words of a name between them. */
export function isMixed(part: string): boolean {
  const turns = part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z0-9]+/g) ?? [];
  return turns.length >= 5 && part.length <= 3.2 * turns.length && /\d/.test(part);
}

const NO_VALUES: ReadonlySet<string> = new Set(
  (
    'true false null none nil undefined yes no on off string str text number int integer bool boolean bytes any ' +
    'unknown object optional required password passwd secret token input output hidden prompt file stdin env ' +
    'environment inherit value void never default self this redacted'
  ).split(' '),
);
