import { ownText } from '@varve/guards';
import { checkEntry } from './entry-shape.ts';
import { isThinking } from './guards.ts';
import { parseEntry, serializeEntry } from './serialize.ts';
import type { Entry } from './types.ts';

/**
 * An entry as a reader of the log gets it: what JSON cannot hold is gone or refused, later changes to the caller's objects
 * do not reach it, and half surrogates, which no provider takes, are U+FFFD. It is written and read again only where it is
 * not plain JSON already.
 *
 * @throws MessagesError `not-serializable`, `invalid-entry`
 */
export function writtenForm<E extends Entry>(entry: E): E {
  const copy = plainCopy(entry);
  if (copy === NOT_PLAIN) return readBack(entry) as E;
  checkEntry(copy);
  return copy as E;
}

function readBack(entry: Entry): unknown {
  const line = serializeEntry(entry);
  const written = parseEntry(line);
  return MAYBE_HALF_SURROGATE.test(line) ? wellFormed(written) : written;
}

// JSON writes only half surrogates as escapes of this range; the text of a program may hold the same letters.
const MAYBE_HALF_SURROGATE = /\\ud[89a-f]/i;

const NOT_PLAIN = Symbol('not plain');

/** A copy of a value that JSON writes and reads back as it is, half surrogates aside; `NOT_PLAIN` for any other. */
function plainCopy(value: unknown): unknown {
  try {
    return copyOf(value, 0);
  } catch {
    return NOT_PLAIN; // a getter that throws: whoever writes it says so
  }
}

/** Levels; what is deeper is for an engine to write. */
const MAX_DEPTH = 200;

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? ownText(value) : NOT_PLAIN;
  if (typeof value === 'number') return isPlainNumber(value) ? value : NOT_PLAIN;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object' || depth > MAX_DEPTH || 'toJSON' in value) return NOT_PLAIN;
  if (Array.isArray(value)) return listCopy(value, depth + 1);
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN;
  return fieldsCopy(value as Readonly<Record<string, unknown>>, depth + 1);
}

function listCopy(list: readonly unknown[], depth: number): unknown {
  const copy: unknown[] = [];
  for (let at = 0; at < list.length; at++) {
    const inner = copyOf(list[at], depth);
    if (inner === NOT_PLAIN) return NOT_PLAIN;
    copy.push(inner);
  }
  return copy;
}

function fieldsCopy(fields: Readonly<Record<string, unknown>>, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value === undefined) continue; // as JSON does
    const inner = copyOf(value, depth);
    if (inner === NOT_PLAIN || key === '__proto__' || !key.isWellFormed()) return NOT_PLAIN;
    copy[key] = inner;
  }
  return copy;
}

const isPlainNumber = (value: number): boolean => Number.isFinite(value) && !Object.is(value, -0);

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (isThinking(value as { type: string })) return value; // signed as it is
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  );
}
