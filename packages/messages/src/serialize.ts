import { checkEntry } from './entry-shape.ts';
import { MessagesError } from './error.ts';
import { orRefuse } from './stable-json.ts';
import type { Entry } from './types.ts';

/**
 * An entry as one line of JSON without its line break, valid UTF-8 whatever it holds. Keys keep their order, because a
 * provider renders the input of a call in it; so a log that was written and read again sends the same bytes.
 *
 * @throws MessagesError `not-serializable` for what JSON cannot hold, or what is too long or too deep for the engine
 */
export function serializeEntry(entry: Entry): string {
  const line = orRefuse(() => JSON.stringify(entry));
  return SEPARATORS.test(line) ? line.replaceAll(SEPARATORS_ALL, escapeUnit) : line;
}

// JSON leaves these two in strings, and some readers of lines break at them.
const SEPARATORS = /[\u2028\u2029]/;
const SEPARATORS_ALL = /[\u2028\u2029]/g;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16)}`;

/**
 * Reads a line that `serializeEntry` wrote, with or without its line break. What stands in the line beyond the fields
 * of an `Entry` is kept. The reverse of `serializeEntry`: same value, same order of keys.
 *
 * @throws MessagesError `invalid-json`, or `invalid-entry` with the place of the first wrong field in its message
 */
export function parseEntry(line: string): Entry {
  const value = parseJson(line);
  checkEntry(value);
  return value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new MessagesError('invalid-json', `The line of ${line.length} characters is not JSON.`, {
      cause,
    });
  }
}
