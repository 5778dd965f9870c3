/** A text on one line for a person or a model, in which no sign is hidden: escapes and marks of direction are written out. */
export const shown = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\P{C}]|[^\P{Z} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** The same of several lines, for a person who is to decide: all that is there is seen, and nothing hides what stands before it. */
export const visible = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[^\P{Z} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

/** What was thrown, in words. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
