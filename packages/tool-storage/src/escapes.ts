import { stringEnd } from './preview/json-scan.ts';

// ESC and the eight-bit C1 control characters, by number: they cannot be read in a source file.
const ESC = '\\x1b';
const BEL = '\\x07';
const ST = '\\x9c';
// Strings end at BEL or ST; one that never ends takes no more than this, so that a stray start costs little.
const STRING = `(?:${ESC}[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^${BEL}${ST}${ESC}\\n]{0,4096}(?:${BEL}|${ST}|${ESC}\\\\)?`;
const SEQUENCE = `(?:${ESC}\\[|\\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?`;
const SHORT = `${ESC}[ -/]{0,4}[0-~]?`;
const ESCAPES = new RegExp(`${STRING}|${SEQUENCE}|${SHORT}|[\\x80-\\x9f]`, 'g');
const CONTROL = '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]';
const ANY_CONTROL = new RegExp(CONTROL);
const CONTROLS = new RegExp(CONTROL, 'g');
const NULS = new RegExp(`${String.fromCharCode(0)}+`, 'g');
const CELL = '[^\\x00-\\x1f\\x7f]';
const BACK = '\\x08';
/** Bold and underlined as `man` and `nroff` print it: a letter over itself, an underscore below one or over one. */
const OVERSTRIKE = new RegExp(
  `(${CELL})${BACK}(?=\\1)|_${BACK}(?=${CELL})|(?<=${CELL})${BACK}_`,
  'gu',
);
/** Longer runs of NULs are counted. */
const MOST_NULS_SHOWN = 3;

/**
 * A text as a model reads it: without terminal escapes, and NULs as `␀`, a longer run with its count; in the strings of JSON
 * too. One that is nothing but escapes stays, since no provider takes an empty text.
 */
export function readableForm(text: string): string {
  return readable(text) || text;
}

/** The same, empty for one that is nothing but escapes. */
export function readable(text: string): string {
  return readableJson(stripPlain(text.includes('\0') ? showNuls(text) : text));
}

/** The same for a text without control characters: only as JSON writes them can it hold any. */
export const readableJson = (text: string): string => inJson(text, readable);

const showNuls = (text: string): string =>
  text.replace(NULS, ({ length }) =>
    length <= MOST_NULS_SHOWN ? '␀'.repeat(length) : `␀(×${length})`,
  );

/**
 * A text without terminal escapes: colours, cursor moves, titles and links go, what they wrap stays; other control
 * characters go too, tabs stay. A carriage return inside a line becomes a space, so that lines keep their numbers. The
 * same goes for the strings of JSON, which stays JSON; keys stay. The same string comes back when there is nothing to do.
 */
export function stripEscapes(text: string): string {
  return inJson(stripPlain(text), stripEscapes);
}

function stripPlain(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(OVERSTRIKE, '')
    .replace(/\r+\n?/g, (returns) => (returns.endsWith('\n') ? '\n' : ' '))
    .replace(CONTROLS, '');
}

/** A control character as JSON writes it; tabs and line ends are none. */
const IN_JSON = /\\(?:[bfr]|u00(?:0[0-8b-f]|1[\da-f]|7f|[89][\da-f]))/i;

/** Cleans the strings of a text that is JSON, or of those of its lines that are records; no text that only quotes some. */
function inJson(text: string, clean: (text: string) => string): string {
  if (!text.includes('\\') || !IN_JSON.test(text)) return text;
  if (JSON_START.test(text) && isJson(text)) return cleanStrings(text, clean);
  if (!text.includes('{')) return text;
  const lines = text.split('\n').map((line) => {
    const isRecord = IN_JSON.test(line) && RECORD_START.test(line) && isJson(line);
    return isRecord ? cleanStrings(line, clean) : line;
  });
  return lines.join('\n');
}

const JSON_START = /^[ \t\r\n]*[{["]/;
const RECORD_START = /^[ \t]*\{/;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}

/** All else stays as it is written, also the keys: two of them might become one. */
function cleanStrings(json: string, clean: (text: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at)) {
    const end = stringEnd(json, at + 1);
    const literal = json.slice(at, end);
    if (IN_JSON.test(literal) && !isKey(json, end)) {
      const value = JSON.parse(literal) as string;
      const cleaned = clean(value);
      if (cleaned !== value) {
        pieces.push(json.slice(from, at), JSON.stringify(cleaned));
        from = end;
      }
    }
    at = end;
  }
  return pieces.length === 0 ? json : pieces.join('') + json.slice(from);
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(json[at] ?? '-')) at++;
  return json[at] === ':';
}
