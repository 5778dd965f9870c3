/** A text that may hold names of files, for one line of a terminal: without what ends the line, colours it or turns it round. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '');
