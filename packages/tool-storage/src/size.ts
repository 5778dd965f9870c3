import type { Material } from './content.ts';
import type { Settings } from './options.ts';
import { lookAt } from './text-look.ts';

type SizeOf = Settings['sizeOf'];

/** Looked at first of a long text: it is enough to see that a preview is smaller. In UTF-16 units. */
const SAMPLE_CHARS = 100_000;
/** More units than that make a token nowhere but in blanks. */
const CHARS_PER_TOKEN = 16;
/** A UTF-16 unit is never more tokens than that, whatever the vocabulary. */
const TOKENS_PER_CHAR = 8;
/** In the estimate of the most talkative vocabulary; never more than one in `o200k`. */
const TOKENS_PER_ASCII_CHAR = 2;

/** What a text can be at most. */
const mostTokens = ({ length }: string, beyondAscii: number): number =>
  length * TOKENS_PER_ASCII_CHAR + beyondAscii * (TOKENS_PER_CHAR - TOKENS_PER_ASCII_CHAR);

/** Whether a text is over a number of characters or of tokens; it is counted only where that may be so. */
export function isOver(
  material: Pick<Material, 'text' | 'beyondAscii'>,
  limits: { chars: number; tokens: number },
  sizeOf: SizeOf,
): boolean {
  const { text } = material;
  const { chars, tokens } = limits;
  if (text.length > chars) return true;
  if (text.length * TOKENS_PER_CHAR <= tokens) return false;
  const { beyondAscii = lookAt(text).beyondAscii } = material;
  if (mostTokens(text, beyondAscii) <= tokens) return false;
  const sample = text.slice(0, Math.ceil(tokens) * CHARS_PER_TOKEN);
  return sizeOf(sample) > tokens || (sample.length < text.length && sizeOf(text) > tokens);
}

/** Whether what would be shown is fewer tokens than the text. */
export function isSmaller(shown: string, text: string, sizeOf: SizeOf): boolean {
  const size = sizeOf(shown);
  const sample = text.slice(0, SAMPLE_CHARS);
  return size < sizeOf(sample) || (sample.length < text.length && size < sizeOf(text));
}
