import { ownText } from './own-text.ts';

/**
 * A function of a text that remembers what it gave for the last eight texts of 256 to 65,536 UTF-16 units: a result is read
 * by several packages, one after the other, on its way into a conversation. Only time tells the difference.
 */
export function rememberLately<Value>(compute: (text: string) => Value): (text: string) => Value {
  const texts: string[] = [];
  const values: Value[] = [];
  let oldest = 0;
  return (text) => {
    if (text.length < LEAST_UNITS || text.length > MOST_UNITS) return compute(text);
    const found = texts.indexOf(text);
    if (found !== -1) return values[found] as Value;
    const value = compute(text);
    texts[oldest] = ownText(text); // a piece of a larger text would keep all of it
    values[oldest] = value;
    oldest = (oldest + 1) % TEXTS;
    return value;
  };
}

const TEXTS = 8;
const LEAST_UNITS = 256;
/** All that is kept is at most a megabyte. */
const MOST_UNITS = 65_536;
