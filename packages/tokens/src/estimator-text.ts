import type { ClassTokens } from './content-class.ts';
import { createTables, GROUPS, type Tables } from './estimator-tables.ts';

const HUNDREDTHS = 100;

// Constant, but 80 KB and a few milliseconds: made when the first text is estimated.
let tables: Tables | undefined;

/**
 * Tokens of a plain string in the o200k vocabulary, by class. One pass over the code units by table, without allocating
 * anything that grows with the text.
 */
export function estimateText(text: string): ClassTokens {
  tables ??= createTables();
  const sums = walk(text, tables);
  const [, , cjk = 0] = sums;
  const [latin = 0, dense = 0, east = 0, script = 0] =
    cjk > 0 && tables.learnHan() ? walk(text, tables) : sums;
  return {
    text: latin / HUNDREDTHS,
    dense: dense / HUNDREDTHS,
    cjk: east / HUNDREDTHS,
    script: script / HUNDREDTHS,
    media: 0,
    framing: 0,
  };
}

/** Hundredths of a token in each of `GROUPS`. */
function walk(text: string, { classes, next, weights, groups }: Tables): Float64Array {
  const sums = new Float64Array(GROUPS.length);
  let row = 0;
  for (let index = 0; index < text.length; index++) {
    const cell = row + (classes[text.charCodeAt(index)] as number);
    (sums[groups[cell] as number] as number) += weights[cell] as number;
    row = next[cell] as number;
  }
  return sums;
}
