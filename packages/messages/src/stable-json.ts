/**
 * JSON with object keys in code-unit order at every depth, so that equal values have equal bytes. `undefined`, functions
 * and symbols are treated as `JSON.stringify` treats them; half surrogates are escaped, so the output is valid UTF-8.
 */
export function stableStringify(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  if (isSorted(keys)) return value;
  const record = value as Record<string, unknown>;
  return Object.fromEntries(keys.sort().map((key) => [key, record[key]]));
}

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) <= key);
}
