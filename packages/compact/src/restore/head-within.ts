import { cutText } from '@varve/messages/text';

/** Tokens of a text. */
export type SizeOf = (text: string) => number;

export interface TextHead {
  readonly text: string;
  /** Whether all of the text is there. */
  readonly whole: boolean;
}

/**
 * The longest head of a text that stays within a budget, cut at the end of a line, or inside of one where the first line
 * alone is over. Empty where nothing fits. Sizes O(log) heads of at most 16 characters a token of the budget.
 */
export function headWithin(text: string, budgetTokens: number, sizeOf: SizeOf): TextHead {
  const mostCharacters = Math.max(0, Math.floor(budgetTokens)) * MOST_CHARACTERS_PER_TOKEN;
  if (text.length <= mostCharacters && sizeOf(text) <= budgetTokens) return { text, whole: true };
  let fits = 0;
  let over = Math.min(text.length, mostCharacters) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (sizeOf(text.slice(0, middle)) <= budgetTokens) fits = middle;
    else over = middle;
  }
  return { text: atLineEnd(text, fits), whole: false };
}

/** More than any text has; it bounds what has to be sized. */
const MOST_CHARACTERS_PER_TOKEN = 16;

/** A line that takes more than half of what fits is cut inside. */
function atLineEnd(text: string, length: number): string {
  const lastBreak = text.lastIndexOf('\n', length - 1);
  return lastBreak > length / 2 ? text.slice(0, lastBreak + 1) : cutText(text, length);
}
