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
  const longTexts = new Map<string, string>();
  let size = 0;
  // a long text is looked up instead of being written once more: most of a prompt is long texts that were there before
  const shorten = (_name: string, value: unknown): unknown => {
    if (typeof value !== 'string' || !(value.length > LONG || value.startsWith(MARK))) return value;
    const found = longTexts.get(value) ?? `${MARK}${longTexts.size}`;
    if (!longTexts.has(value)) size += value.length;
    longTexts.set(value, found);
    return found;
  };
  return {
    intern<Value extends object>(value: Value): Value {
      const key = JSON.stringify(value, shorten);
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

/** UTF-16 units. */
const LONG = 256;

/** Begins what stands for a text; a text that begins with it is stood for as well. */
const MARK = '\u0001';
