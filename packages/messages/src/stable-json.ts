import { MessagesError } from './error.ts';

/**
 * JSON with object keys in code-unit order at every depth (`"10"` before `"9"`), so that equal values have equal bytes.
 * Everything else is as in `JSON.stringify`: `undefined`, functions and symbols are left out, and half surrogates are
 * escaped, so the output is valid UTF-8. One pass to see whether keys are in order, and one to write.
 *
 * @throws MessagesError `not-serializable` for a cycle, a BigInt, a depth or a length the engine cannot write
 */
export function stableStringify(value: unknown): string {
  return orRefuse(() => (inOrder(value) ? JSON.stringify(value) : write(value, '')) ?? 'null');
}

/** Turns what `JSON.stringify` throws into the package's own error. */
export function orRefuse(stringify: () => string): string {
  try {
    return stringify();
  } catch (cause) {
    throw new MessagesError('not-serializable', 'The value cannot be written as JSON.', { cause });
  }
}

function inOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(inOrder);
  if (hasToJson(value)) return false;
  const keys = Object.keys(value);
  const record = value as Record<string, unknown>;
  return keys.every(
    (key, index) => (index === 0 || (keys[index - 1] as string) < key) && inOrder(record[key]),
  );
}

/** Undefined for what JSON leaves out. */
function write(value: unknown, key: string): string | undefined {
  const plain = hasToJson(value) ? value.toJSON(key) : value;
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain);
  if (Array.isArray(plain)) {
    return `[${Array.from(plain, (item, index) => write(item, String(index)) ?? 'null').join()}]`;
  }
  const record = plain as Record<string, unknown>;
  let members = '';
  for (const name of Object.keys(plain).sort()) {
    const member = write(record[name], name);
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `{${members}}`;
}

const hasToJson = (value: unknown): value is { toJSON(key: string): unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'toJSON' in value &&
  typeof value.toJSON === 'function';
