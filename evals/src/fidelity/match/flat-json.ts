/** A JSON text as lines, an object of plain values in one; any other text as it is. */
export function flatJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return linesOf(JSON.parse(text)).join('\n');
  } catch {
    return text;
  }
}

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(linesOf);
  if (typeof value !== 'object' || value === null) return String(value).split('\n');
  const entries = Object.entries(value);
  if (entries.every(([, each]) => typeof each !== 'object' || each === null))
    return [`- ${entries.map(([key, each]) => `${key}: ${each}`).join(', ')}`];
  return entries.flatMap(([key, each]) => [`# ${key}`, ...linesOf(each)]);
}
