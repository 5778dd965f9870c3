/** The input of a call as a record. */
export type Input = Readonly<Record<string, unknown>>;

/** The first of some fields that holds a text. */
export function stringIn(input: Input, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = input[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
