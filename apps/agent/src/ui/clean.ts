/** Sequences that tell a terminal to do something: CSI, OSC and other strings, and those of two characters. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\n\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

/** What is left of control characters, and characters that turn the direction of what follows or are not seen. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u180e\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * A text that cannot steer a terminal: without escape sequences and control characters. Of a line that was written over, as
 * progress bars do, the last state stays. Line feeds stay, tabs are spaces.
 */
export const clean = (text: string): string =>
  text
    .replace(SEQUENCES, '')
    .replace(/(?<!\r)\r+\n/g, '\n')
    .replace(/[^\n]+/g, (line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .replace(CONTROLS, '')
    .replaceAll('\t', '    ');

/** The same on one line, cut to a length. */
export function oneLine(text: string, most = 120): string {
  const line = clean(text.slice(0, most * 8))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
