import type { ClassTokens } from './content-class.ts';
import { createTables, GROUPS } from './estimator-tables.ts';

const HUNDREDTHS = 100;
const CJK = GROUPS.indexOf('cjk');

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

  const walk = (text: string): void => {
    sums.fill(0);
    let row = 0;
    for (let index = 0; index < text.length; index++) {
      const cell = row + (classes[text.charCodeAt(index)] as number);
      (sums[groups[cell] as number] as number) += weights[cell] as number;
      row = next[cell] as number;
    }
  };

  return (text) => {
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
  };
}
