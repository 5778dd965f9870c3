/** Marks what retells a message. */
export const RETOLD = '(not word for word)';

/** Marks what only the result of a refused call holds. */
export const REFUSING = '(unverified: said when a call was refused)';

/** Stands where a quote was, so that the rest of the line is not read as if it were whole. */
export const REMOVED = '[a quote nobody said was removed]';

/** Marks a rule that stands in no message of the user. */
export const NOT_FOUND = '(not found in what the user said)';

/** Whether an earlier check has marked the words already. */
export const isMarked = (words: string): boolean =>
  [RETOLD, REFUSING, REMOVED, NOT_FOUND].some((mark) => words.includes(mark));
