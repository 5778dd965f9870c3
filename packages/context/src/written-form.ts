import { type Entry, isThinking, parseEntry, serializeEntry, toWellFormed } from '@varve/messages';

/**
 * An entry as a reader of the log gets it: what JSON cannot hold is gone or refused, later changes to the caller's objects
 * do not reach it, and half surrogates, which no provider takes, are U+FFFD.
 *
 * @throws MessagesError `not-serializable`, `invalid-entry`
 */
export function writtenForm<E extends Entry>(entry: E): E {
  const line = serializeEntry(entry);
  const written = parseEntry(line) as E;
  return MAYBE_HALF_SURROGATE.test(line) ? (wellFormed(written) as E) : written;
}

// JSON writes only half surrogates as escapes of this range; the text of a program may hold the same letters.
const MAYBE_HALF_SURROGATE = /\\ud[89a-f]/i;

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (isThinking(value as { type: string })) return value; // signed as it is
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toWellFormed(key), wellFormed(inner)]),
  );
}
