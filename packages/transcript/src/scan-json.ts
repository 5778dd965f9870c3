/** Where a scan stands between two pieces of one text. */
export interface ScanState {
  readonly depth: number;
  readonly inString: boolean;
}

/** Half open. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Top-level JSON values found in a text and the state at its end. */
export interface Scan extends ScanState {
  readonly values: readonly Range[];
  /** Where the value begins that the text does not close. */
  readonly openStart: number | undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Finds objects and arrays by their brackets alone, strings skipped; what stands between them is the caller's concern. */
export function scanJson(text: string, from: ScanState = { depth: 0, inString: false }): Scan {
  let { depth, inString } = from;
  let openStart = depth > 0 || inString ? 0 : undefined;
  const values: Range[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE && depth > 0) {
      inString = true;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth === 0) openStart = index;
      depth += 1;
    } else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && depth > 0) {
      depth -= 1;
      if (depth === 0 && openStart !== undefined) {
        values.push({ start: openStart, end: index + 1 });
        openStart = undefined;
      }
    }
  }
  return { depth, inString, values, openStart };
}
