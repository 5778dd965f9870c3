// Hand-written guards: every field of a foreign file may be missing or of another type.

import { type Fields, isRecord, listOf } from '@varve/guards';

export type JsonRecord = Fields;

/** A list as it is, nothing as an empty one, one value as a list of it. */
export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? NONE : [value];

/** The objects among the values of an array. */
export const recordsOf = (value: unknown): readonly JsonRecord[] => listOf(value).filter(isRecord);

/** The value if it is a string with something in it. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value in words: text as it is, nothing as nothing, anything else as JSON. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** The value if it is a count: not negative, and no larger than is exact (sums of counts are numbers then). */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;

/** Without a zone a time is taken for UTC: what it says must not depend on where it is read. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT[\d:.]+$/;

/** What `toISOString` would give back as it is; the last days of a month are left to it. */
const AS_WRITTEN =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** The years 0 to 9999: others have no place in the times of a log. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The value as an ISO 8601 time in UTC; epoch milliseconds and other ISO forms are converted. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof value === 'string' && AS_WRITTEN.test(value)) return value;
  const date = new Date(
    typeof value === 'string' && WITHOUT_ZONE.test(value) ? `${value}Z` : value,
  );
  const ms = date.getTime();
  return ms >= FIRST_MS && ms <= LAST_MS ? date.toISOString() : undefined;
}

/** Arguments that a provider sends as JSON text; text that is no JSON object stays what it is. */
export function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  if (!value.trimStart().startsWith('{')) return value === '' ? {} : { input: value };
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return { input: value };
    throw error;
  }
}

/** Names of fields, from one text with spaces between them. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const NONE: readonly unknown[] = [];
