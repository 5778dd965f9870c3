import { checkText, checkTexts } from '../check-text.ts';
/** A longer quote is no quote of one statement. */
export const MOST_QUOTE_CHARS = 200;

export type QuoteProblem = 'no-quote' | 'quote-too-long' | 'quote-not-found';

/**
 * What is wrong with a quote; undefined where it stands word for word in one of the texts. Forms of characters (NFKC) and blanks
 * do not count, nor do quotation marks around it; case does.
 */
export function quoteProblem(quote: string, texts: readonly string[]): QuoteProblem | undefined {
  checkText('quote', quote);
  checkTexts('texts', texts);
  const wanted = foldQuote(quote);
  if (!/[\p{L}\p{N}]/u.test(wanted)) return 'no-quote';
  if ([...wanted].length > MOST_QUOTE_CHARS) return 'quote-too-long';
  return texts.some((text) => stands(wanted, foldBlanks(text))) ? undefined : 'quote-not-found';
}

/** Whole words: `5433` does not stand in `15433`. Languages without blanks have no ends of words. */
function stands(wanted: string, text: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (!isInWord(text, at) && !isInWord(text, at + wanted.length)) return true;
  }
  return false;
}

const isInWord = (text: string, at: number): boolean =>
  /^[a-z\d]$/i.test(text[at - 1] ?? '') && /^[a-z\d]$/i.test(text[at] ?? '');

const foldBlanks = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

const foldQuote = (quote: string): string =>
  foldBlanks(quote)
    .replace(/^["'«»]+(?=[^"'«»]+["'«»]+$)/, '')
    .replace(/(?<=^[^"'«»]+)["'«»]+$/, '')
    .trim();
