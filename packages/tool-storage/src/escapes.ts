// ESC and the eight-bit C1 control characters, by number: they cannot be read in a source file.
const [ESC, BEL, ST] = ['\\x1b', '\\x07', '\\x9c'];
// Strings end at BEL or ST; one that never ends takes no more than this, so that a stray start costs little.
const STRING = `(?:${ESC}[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^${BEL}${ST}${ESC}\\n]{0,4096}(?:${BEL}|${ST}|${ESC}\\\\)?`;
const SEQUENCE = `(?:${ESC}\\[|\\x9b)[0-?]{0,64}[ -/]{0,16}[@-~]?`;
const SHORT = `${ESC}[ -/]{0,4}[0-~]?`;
const ESCAPES = new RegExp(`${STRING}|${SEQUENCE}|${SHORT}|[\\x80-\\x9f]`, 'g');
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/**
 * A text without terminal escapes: colours, cursor moves, titles and links go, what they wrap stays; other control
 * characters go too, tabs stay. A carriage return inside a line becomes a space, so that lines keep their numbers. The
 * same string comes back when there is nothing to do.
 */
export function stripEscapes(text: string): string {
  if (text.search(CONTROLS) === -1) return text;
  return text
    .replace(ESCAPES, '')
    .replace(/\r+\n?/g, (returns) => (returns.endsWith('\n') ? '\n' : ' '))
    .replace(CONTROLS, '');
}
