/** An object whose fields are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array: what JSON writes in braces. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is a record, else an empty one. */
export const recordOf = (value: unknown): Fields => (isRecord(value) ? value : NO_FIELDS);

/** The value if it is an array, else an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NONE);

/** The value if it is a string, else an empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value if it is a finite number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The code of something that was thrown, e.g. `ENOENT` of the file system, where it has one that is text. */
export function codeOf(thrown: unknown): string | undefined {
  const { code } = recordOf(thrown);
  return typeof code === 'string' ? code : undefined;
}

const NO_FIELDS: Fields = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);
