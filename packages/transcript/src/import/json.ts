// Hand-written guards: every field of a foreign file may be missing or of another type.

export type JsonRecord = { readonly [key: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; an empty one stands for anything else. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : EMPTY);

/** The value as an array; an empty one stands for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE);

/** The objects among the values of an array. */
export const recordsOf = (value: unknown): readonly JsonRecord[] => listOf(value).filter(isRecord);

/** The value if it is a string with something in it. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value if it is a count: finite and not negative. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Without a zone a time is taken for UTC: what it says must not depend on where it is read. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT[\d:.]+$/;

/** The value as an ISO 8601 time in UTC; epoch milliseconds and other ISO forms are converted. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(
    typeof value === 'string' && WITHOUT_ZONE.test(value) ? `${value}Z` : value,
  );
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
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

const EMPTY: JsonRecord = {};
const NONE: readonly unknown[] = [];
