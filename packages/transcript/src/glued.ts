/**
 * Cuts a line into the JSON objects that stand on it one after the other, as two writers without a lock leave them. What
 * follows the last whole object begins at `restStart`: nothing, or half a record.
 */
export function splitGlued(text: string): {
  readonly records: readonly string[];
  readonly restStart: number;
} {
  const records: string[] = [];
  let restStart = 0;
  for (let end = objectEnd(text, 0); end !== undefined; end = objectEnd(text, restStart)) {
    records.push(text.slice(restStart, end));
    restStart = end;
  }
  return { records, restStart };
}

/** Index after the object that begins at `start` (white space before it allowed), if it is closed. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}') {
      depth--;
      if (depth === 0) return index + 1;
    }
    if (depth < 1 && !/\s/.test(char as string)) return undefined;
  }
  return undefined;
}
