/** One object for each distinct JSON value: equal requests become the same references, which the simulator knows again. */
export interface Interner {
  intern<Value extends object>(value: Value): Value;
  /** Number of an interned object, from 1; 0 for any other. */
  numberOf(value: object): number;
  /** UTF-16 units kept. */
  readonly size: number;
}

export function createInterner(): Interner {
  const known = new Map<string, object>();
  const numbers = new WeakMap<object, number>();
  let size = 0;
  return {
    intern<Value extends object>(value: Value): Value {
      const key = JSON.stringify(value);
      const found = known.get(key);
      if (found !== undefined) return found as Value;
      known.set(key, value);
      numbers.set(value, known.size);
      size += key.length;
      return value;
    },
    numberOf: (value) => numbers.get(value) ?? 0,
    get size() {
      return size;
    },
  };
}
