/** A file taken apart: what stands between two lines of dashes at its beginning, and the rest. */
export function splitFrontMatter(whole: string): {
  readonly front?: string | undefined;
  readonly text: string;
} {
  const [all, front = ''] = /^---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)/s.exec(whole) ?? [];
  return all === undefined ? { text: whole } : { front, text: whole.slice(all.length) };
}
