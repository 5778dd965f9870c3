import { CHAR_CLASSES, createClassTable, LATIN_CLASSES } from './char-class.ts';
import { SCRIPTS } from './char-class-scripts.ts';
import type { ClassTokens, ContentClass } from './content-class.ts';
import { createTransitions, PAIR_STARTS, STATES, type State } from './estimator-states.ts';
import { WEIGHTS } from './estimator-weights.ts';

const GROUPS = ['text', 'dense', 'cjk', 'script'] as const satisfies readonly ContentClass[];
const HUNDREDTHS = 100;

// Constant, but 80 KB and a few milliseconds: made when the first text is estimated.
let tables: Tables | undefined;

/**
 * Tokens of a plain string in the o200k vocabulary, by class. One pass over the code units by table, without allocating
 * anything that grows with the text.
 */
export function estimateText(text: string): ClassTokens {
  tables ??= createTables();
  const { classes, next, weights, groups } = tables;
  const sums = new Float64Array(GROUPS.length);
  let row = 0;
  for (let index = 0; index < text.length; index++) {
    const cell = row + (classes[text.charCodeAt(index)] as number);
    (sums[groups[cell] as number] as number) += weights[cell] as number;
    row = next[cell] as number;
  }
  const [latin = 0, dense = 0, cjk = 0, script = 0] = sums;
  return {
    text: latin / HUNDREDTHS,
    dense: dense / HUNDREDTHS,
    cjk: cjk / HUNDREDTHS,
    script: script / HUNDREDTHS,
    media: 0,
    framing: 0,
  };
}

/** One cell for each state and character class; `next` holds the first cell of the state that follows. */
interface Tables {
  readonly classes: Uint8Array;
  readonly next: Uint16Array;
  readonly weights: Uint16Array;
  readonly groups: Uint8Array;
}

function createTables(): Tables {
  const columns = CHAR_CLASSES.length;
  const cells = STATES.length * columns;
  const next = new Uint16Array(cells);
  const weights = new Uint16Array(cells);
  const groups = new Uint8Array(cells);
  for (const [row, states] of createTransitions().entries()) {
    weights.set(rowWeights(STATES[row] as State), row * columns);
    for (const [column, state] of states.entries()) {
      const cell = row * columns + column;
      next[cell] = state * columns;
      groups[cell] = GROUPS.indexOf(groupOf(STATES[state] as State, column));
    }
  }
  return { classes: createClassTable(), next, weights, groups };
}

function rowWeights({ run, length }: State): number[] {
  const latinRow = SCRIPTS.find((script) => script.name === run)?.row ?? `${run}-${length}`;
  const scripts = SCRIPTS.map(({ name, weights }) => {
    if (name === 'low-surrogate' && PAIR_STARTS.has(run)) return 0;
    const index = name === run ? Math.min(length, weights.length - 1) : 0;
    return weights[index] as number;
  });
  return [...(WEIGHTS[latinRow] ?? []), ...scripts];
}

const DENSE: ReadonlySet<string> = new Set(['digit', 'mixed-digit', 'mixed-lower', 'mixed-upper']);

function groupOf(after: State, column: number): (typeof GROUPS)[number] {
  const script = SCRIPTS[column - LATIN_CLASSES.length];
  if (script !== undefined) return script.content;
  return DENSE.has(after.run) ? 'dense' : 'text';
}
