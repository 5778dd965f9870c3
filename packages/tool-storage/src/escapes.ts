// ESC and the eight-bit C1 control characters, by number: they cannot be read in a source file.
const [ESC, BEL, ST] = ['\\x1b', '\\x07', '\\x9c'];
// Strings end at BEL or ST; one that never ends takes no more than this, so that a stray start costs little.
const STRING = `(?:${ESC}[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^${BEL}${ST}${ESC}\\n]{0,4096}(?:${BEL}|${ST}|${ESC}\\\\)?`;
const SEQUENCE = `(?:${ESC}\\[|\\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?`;
const SHORT = `${ESC}[ -/]{0,4}[0-~]?`;
const ESCAPES = new RegExp(`${STRING}|${SEQUENCE}|${SHORT}|[\\x80-\\x9f]`, 'g');
const CONTROL = '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]';
const ANY_CONTROL = new RegExp(CONTROL);
const CONTROLS = new RegExp(CONTROL, 'g');
const NULS = new RegExp(`${String.fromCharCode(0)}+`, 'g');
/** Longer runs of NULs are counted. */
const MOST_NULS_SHOWN = 3;

/**
 * A text as a model reads it: without terminal escapes, and NULs as `␀`, a longer run with its count. One that is nothing but
 * escapes stays, since no provider takes an empty text.
 */
export function readableForm(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  const shown = text.replace(NULS, ({ length }) =>
    length <= MOST_NULS_SHOWN ? '␀'.repeat(length) : `␀(×${length})`,
  );
  return stripEscapes(shown) || text;
}

/**
 * A text without terminal escapes: colours, cursor moves, titles and links go, what they wrap stays; other control
 * characters go too, tabs stay. A carriage return inside a line becomes a space, so that lines keep their numbers. The
 * same string comes back when there is nothing to do.
 */
export function stripEscapes(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  return text
    .replace(ESCAPES, '')
    .replace(/\r+\n?/g, (returns) => (returns.endsWith('\n') ? '\n' : ' '))
    .replace(CONTROLS, '');
}
