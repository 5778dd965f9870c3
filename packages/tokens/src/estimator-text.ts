import { rememberLately } from '@varve/guards';
import type { ClassTokens } from './content-class.ts';
import { createTables, GROUPS } from './estimator-tables.ts';

const HUNDREDTHS = 100;
const LATIN = GROUPS.indexOf('text');
const DENSE = GROUPS.indexOf('dense');
const CJK = GROUPS.indexOf('cjk');
const OTHER = -1;
/** In units: no sum of so many weights, of 349 at most, reaches `UPPER`. */
const STRETCH = 65_536;
const UPPER = 2 ** 26;

// Constant, but 80 KB and a few milliseconds: made when the first text is estimated.
let estimate: ((text: string) => ClassTokens) | undefined;

/**
 * Tokens of a plain string in the o200k vocabulary, by class. One pass over the code units by table, without allocating
 * anything that grows with the text.
 */
export function estimateText(text: string): ClassTokens {
  estimate ??= createEstimate();
  return estimate(text);
}

function createEstimate(): (text: string) => ClassTokens {
  // In a closure of its own the engine takes these for the constants they are, which doubles the speed.
  const { classes, next, weights, groups, learnHan } = createTables();
  const sums = new Float64Array(GROUPS.length);

  // Two sums in one number: a sum in a list costs a write and a read for each unit.
  const both = Float64Array.from(weights, (weight, cell) => {
    const group = groups[cell];
    if (group === LATIN) return weight;
    return group === DENSE ? weight * UPPER : OTHER;
  });

  const walk = (text: string): void => {
    sums.fill(0);
    let row = 0;
    for (let start = 0; start < text.length; start += STRETCH) {
      const end = Math.min(text.length, start + STRETCH);
      let sum = 0;
      for (let index = start; index < end; index++) {
        const cell = row + (classes[text.charCodeAt(index)] as number);
        const value = both[cell] as number;
        if (value >= 0) sum += value;
        else (sums[groups[cell] as number] as number) += weights[cell] as number;
        row = next[cell] as number;
      }
      const dense = Math.floor(sum / UPPER);
      (sums[LATIN] as number) += sum - dense * UPPER;
      (sums[DENSE] as number) += dense;
    }
  };

  return rememberLately((text) => {
    walk(text);
    if ((sums[CJK] as number) > 0 && learnHan()) walk(text);
    const [latin = 0, dense = 0, cjk = 0, script = 0] = sums;
    return {
      text: latin / HUNDREDTHS,
      dense: dense / HUNDREDTHS,
      cjk: cjk / HUNDREDTHS,
      script: script / HUNDREDTHS,
      media: 0,
      framing: 0,
    };
  });
}
