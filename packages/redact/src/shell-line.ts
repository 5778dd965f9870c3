/** A line that goes on in the next, as a shell reads it and as JSON writes it. */
const GOES_ON = '\\\\{1,15}\\r?\\n|\\\\{3,15}n';

/** What stands between two words of a command. */
export const SPACE = `(?:[ \\t\\u00a0]{1,4}(?:(?:${GOES_ON})[ \\t]{0,16})?)`;

/** Up to so many characters of one command, over all of its lines. */
export const within = (most: number): string => `(?:[^\\n|;]|(?<=\\\\\\r?)\\n){0,${most}}`;

const BETWEEN_WORDS = new RegExp(`(?:${GOES_ON}|[ \\t\\u00a0]){1,64}`, 'g');

/** A command as if it were written in one line, with a blank between its words. */
export const inOneLine = (command: string): string => command.replaceAll(BETWEEN_WORDS, ' ');
