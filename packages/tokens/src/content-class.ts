/**
 * What an estimate is made of. Tokenizers of two families differ by a different ratio in each, so that calibration learns
 * one factor a class.
 *
 * `text`: words, punctuation and white space in Latin letters (prose, code, JSON). `dense`: digits and runs of mixed
 * letters and digits (hashes, ids, base64, timestamps). `cjk`: Chinese, Japanese and Korean. `script`: other scripts and
 * emoji. `media`: images and documents. `framing`: what the provider wraps around messages, tools and blocks.
 */
export type ContentClass = 'text' | 'dense' | 'cjk' | 'script' | 'media' | 'framing';

/** Tokens in each class, not rounded. */
export type ClassTokens = Readonly<Record<ContentClass, number>>;

/** The classes in a fixed order. */
export const CONTENT_CLASSES: readonly ContentClass[] = [
  'text',
  'dense',
  'cjk',
  'script',
  'media',
  'framing',
];

/** Tokens of all classes together, rounded up. */
export function totalTokens(classes: ClassTokens): number {
  return Math.ceil(sum(classes));
}

/** The same classes with each multiplied by its factor; a class without a factor stays as it is. */
export function scaleClasses(
  classes: ClassTokens,
  factors: Partial<Readonly<Record<ContentClass, number>>>,
): ClassTokens {
  return {
    text: classes.text * (factors.text ?? 1),
    dense: classes.dense * (factors.dense ?? 1),
    cjk: classes.cjk * (factors.cjk ?? 1),
    script: classes.script * (factors.script ?? 1),
    media: classes.media * (factors.media ?? 1),
    framing: classes.framing * (factors.framing ?? 1),
  };
}

/** Class by class sum. */
export function addClasses(a: ClassTokens, b: ClassTokens): ClassTokens {
  return {
    text: a.text + b.text,
    dense: a.dense + b.dense,
    cjk: a.cjk + b.cjk,
    script: a.script + b.script,
    media: a.media + b.media,
    framing: a.framing + b.framing,
  };
}

/** Nothing in any class. */
export const NO_TOKENS: ClassTokens = Object.freeze({
  text: 0,
  dense: 0,
  cjk: 0,
  script: 0,
  media: 0,
  framing: 0,
});

// Floating-point sums of exact thirds and tenths may land a hair above a whole number; that hair is not a token.
const HAIR = 1e-6;

function sum(classes: ClassTokens): number {
  const total =
    classes.text + classes.dense + classes.cjk + classes.script + classes.media + classes.framing;
  return Math.max(total - HAIR, 0);
}
