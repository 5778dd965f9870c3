/** A text on one line for a person or a model, in which no sign is hidden: escapes and marks of direction are written out. */
export const shown = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\P{C}]|[^\P{Z} ]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
