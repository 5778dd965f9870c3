/**
 * What can be read of a value, as JSON would write it, in pieces: also of one that JSON cannot write. What holds itself stands
 * once, a BigInt as its digits, and what throws when it is read is left out, which `onUnreadable` is told. Nesting costs no
 * stack.
 */
export function* looseJson(root: unknown, onUnreadable: () => void = () => {}): Generator<string> {
  const path = new Set<object>();
  const known = new Set<object>();
  const pending: unknown[] = [root];
  for (let seen = 0; pending.length > 0; seen++) {
    const item = pending.pop();
    if (item instanceof Piece) {
      if (item.ends) path.delete(item.ends);
      yield item.text;
      continue;
    }
    const value = asWritten(item, onUnreadable);
    if (typeof value !== 'object' || value === null) {
      yield typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
      continue;
    }
    if (path.has(value) || (seen > MANY && known.has(value))) {
      yield 'null';
      continue;
    }
    path.add(value);
    known.add(value);
    const isList = attempt(() => Array.isArray(value), onUnreadable) === true;
    yield isList ? '[' : '{';
    pending.push(new Piece(isList ? ']' : '}', value));
    const members = membersOf(value, onUnreadable).filter(
      ([, inner]) => isList || JSON_HAS.has(typeof inner),
    );
    for (const [index, [key, inner]] of [...members.entries()].reverse()) {
      pending.push(inner);
      const name = isList ? '' : `${JSON.stringify(key)}:`;
      pending.push(new Piece(index === 0 ? name : `,${name}`));
    }
  }
}

/** Kinds of values that a field of an object is written with. */
const JSON_HAS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'bigint']);

function membersOf(value: object, onUnreadable: () => void): (readonly [string, unknown])[] {
  const keys = attempt(() => Object.keys(value), onUnreadable) ?? [];
  return keys.map((key) => [
    key,
    attempt(() => (value as Record<string, unknown>)[key], onUnreadable),
  ]);
}

/** Values; of a larger one what stands in several places is written once, since a small object may say it a million times. */
const MANY = 1_000_000;

/** Text between values, and the object that ends with it. */
class Piece {
  readonly text: string;
  readonly ends: object | undefined;
  constructor(text: string, ends?: object) {
    this.text = text;
    this.ends = ends;
  }
}

function asWritten(value: unknown, onUnreadable: () => void): unknown {
  const own = value as { readonly toJSON?: unknown } | null;
  if (typeof value !== 'object' || own === null) return value;
  const written = attempt(
    () => (typeof own.toJSON === 'function' ? { value: own.toJSON() } : undefined),
    onUnreadable,
  );
  return written === undefined ? value : written.value;
}

function attempt<Value>(read: () => Value, onUnreadable: () => void): Value | undefined {
  try {
    return read();
  } catch {
    onUnreadable();
    return undefined;
  }
}
