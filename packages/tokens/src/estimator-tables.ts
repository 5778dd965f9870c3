import { CHAR_CLASSES, createClassTable, LATIN_CLASSES, markEverydayHan } from './char-class.ts';
import { SCRIPTS, type Script } from './char-class-scripts.ts';
import type { ContentClass } from './content-class.ts';
import { LATIN_STATES, latinAfter, type Run } from './estimator-states.ts';
import { WEIGHTS } from './estimator-weights.ts';

/** The content classes that text falls into. */
export const GROUPS = ['text', 'dense', 'cjk', 'script'] as const satisfies readonly ContentClass[];

/** A row of cells for each state, a cell for each character class in it. */
export interface Tables {
  /** Class of each code unit. */
  readonly classes: Uint8Array;
  /** The first cell of the state that follows. */
  readonly next: Uint16Array;
  /** Hundredths of a token. */
  readonly weights: Uint16Array;
  /** Index into `GROUPS`. */
  readonly groups: Uint8Array;
  /** Tells everyday Han characters from rare ones, from then on; false where that was done before. */
  learnHan(): boolean;
}

/** Creates the tables. Han characters wait until a text has some: to know them costs more than all the rest. */
export function createTables(): Tables {
  const rows = SCRIPTS.reduce((sum, { weights }) => sum + weights.length, LATIN_STATES.length);
  const cells = rows * COLUMNS;
  const classes = createClassTable();
  const tables = {
    classes,
    next: new Uint16Array(cells),
    weights: new Uint16Array(cells),
    groups: new Uint8Array(cells),
    learnHan: createOnce(() => markEverydayHan(classes)),
  };
  for (const [row, state] of LATIN_STATES.entries()) {
    const latin = WEIGHTS[`${state.run}-${state.length}`] as readonly number[];
    fillRow(tables, row, { latin, states: latinAfter(state) });
  }
  for (const [index, script] of SCRIPTS.entries()) fillScript(tables, index, script);
  return tables;
}

const COLUMNS = CHAR_CLASSES.length;
const LATIN_COLUMNS = LATIN_CLASSES.length;

// Where the rows of each script begin: one for each weight, after those of Latin text.
const FIRST_ROWS: readonly number[] = SCRIPTS.map((_, index) =>
  SCRIPTS.slice(0, index).reduce((sum, { weights }) => sum + weights.length, LATIN_STATES.length),
);

// What a script's first character does is the same in nearly all states.
const FIRST_CELLS = Uint16Array.from(FIRST_ROWS, (row) => row * COLUMNS);
const FIRST_WEIGHTS = Uint16Array.from(SCRIPTS, ({ weights }) => weights[0] as number);
const SCRIPT_GROUPS = Uint8Array.from(SCRIPTS, ({ content }) => GROUPS.indexOf(content));

const DENSE: ReadonlySet<Run> = new Set(['digit', 'mixed-digit', 'mixed-lower', 'mixed-upper']);
// A Latin character belongs to what it becomes a part of.
const STATE_GROUPS = LATIN_STATES.map(({ run }) =>
  GROUPS.indexOf(DENSE.has(run) ? 'dense' : 'text'),
);

interface LatinCells {
  readonly latin: readonly number[];
  /** Indices into `LATIN_STATES`. */
  readonly states: readonly number[];
}

function fillRow({ next, weights, groups }: Tables, row: number, cells: LatinCells): void {
  const first = row * COLUMNS;
  weights.set(cells.latin, first);
  weights.set(FIRST_WEIGHTS, first + LATIN_COLUMNS);
  next.set(
    cells.states.map((state) => state * COLUMNS),
    first,
  );
  next.set(FIRST_CELLS, first + LATIN_COLUMNS);
  groups.set(
    cells.states.map((state) => STATE_GROUPS[state] as number),
    first,
  );
  groups.set(SCRIPT_GROUPS, first + LATIN_COLUMNS);
}

// Code units that a low surrogate completes; they pay for both.
const PAIR_STARTS: ReadonlySet<string> = new Set(['emoji', 'astral']);
const LOW_COLUMN = CHAR_CLASSES.indexOf('low-surrogate');

function fillScript(tables: Tables, index: number, script: Script): void {
  const states = latinAfter();
  const last = script.weights.length - 1;
  for (let length = 0; length <= last; length++) {
    const row = (FIRST_ROWS[index] as number) + length;
    fillRow(tables, row, { latin: WEIGHTS[script.row] as readonly number[], states });
    const own = row * COLUMNS + LATIN_COLUMNS + index;
    tables.weights[own] = script.weights[Math.min(length + 1, last)] as number;
    tables.next[own] = (length < last ? row + 1 : row) * COLUMNS;
    if (!PAIR_STARTS.has(script.name)) continue;
    tables.weights[row * COLUMNS + LOW_COLUMN] = 0;
    tables.next[row * COLUMNS + LOW_COLUMN] = row * COLUMNS;
  }
}

/** Does something the first time it is called, and says whether this was the first time. */
function createOnce(work: () => void): () => boolean {
  let isDone = false;
  return () => {
    if (isDone) return false;
    work();
    isDone = true;
    return true;
  };
}
