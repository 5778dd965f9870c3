import { type Scan, scanJson } from '../scan-json.ts';
import type { ImportContext } from './context.ts';
import { detect } from './detect.ts';
import { mendValue } from './mend-value.ts';
import type { Openings } from './openings.ts';
import { isDeeper, MAX_DEPTH, mayHoldSurrogates } from './well-formed.ts';

/** A JSON value of the file and the line it starts on (1-based). */
export interface FileRecord {
  readonly value: unknown;
  readonly line: number;
  /** As it stands in the file. */
  readonly text: string;
}

export interface Damage {
  readonly context: ImportContext;
  readonly openings: Openings;
}

/** Reads the whole values of a line that is not one value. */
export function readDamaged(text: string, line: number, damage: Damage): FileRecord[] {
  const { context } = damage;
  const scan = scanJson(text);
  const slices = scan.values.map(({ start, end }) => text.slice(start, end));
  const values = slices.map(tryParse);
  if (values.length === 0 || values.includes(undefined)) return readTorn(text, line, damage);
  const records = slices.map((slice, index) =>
    finishValue(values[index], { text: slice, line, context }),
  );
  const rest = text.slice(scan.openStart ?? scan.values.at(-1)?.end);
  const isTorn = rest.trim() !== '';
  const what = isTorn ? 'records stand before half of one' : 'records on one line were taken apart';
  context.problem('glued-records', line, `${records.length} ${what}`);
  const between = textBetween(text, scan);
  if (between.trim() !== '') {
    context.problem('bad-json', line, `${between.length} characters between them were dropped`);
  }
  return isTorn ? [...records, ...readTorn(rest, line, damage)] : records;
}

/** What stands before and between the values of a text. */
function textBetween(text: string, { values }: Scan): string {
  return values.map(({ start }, index) => text.slice(values[index - 1]?.end ?? 0, start)).join('');
}

/** Half a record, perhaps with a whole one after it: the writer of the first was cut off and the next began on its line. */
function readTorn(text: string, line: number, { context, openings }: Damage): FileRecord[] {
  const opened = /^\s*[{[]/.test(text);
  const whole = findWhole(text, openings);
  const after = whole === undefined ? '' : '; a whole record after it was read';
  const what = opened ? 'a record is cut off or damaged' : 'not JSON';
  const dropped = text.length - (whole?.text.length ?? 0);
  context.problem(
    opened ? 'torn-record' : 'bad-json',
    line,
    `${what} (${dropped} characters dropped)${after}`,
  );
  return whole === undefined ? [] : [finishValue(whole.value, { ...whole, line, context })];
}

/** How many places of a damaged line are tried as the start of a whole record. */
const MAX_TRIES = 64;

function findWhole(text: string, openings: Openings) {
  let tries = 0;
  for (const at of openings.placesIn(text)) {
    const rest = text.slice(at);
    const value = tryParse(rest);
    if (value !== undefined) return { value, text: rest };
    tries += 1;
    if (tries === MAX_TRIES) return undefined;
  }
  return undefined;
}

/** Each level takes two characters: short records are not looked through. */
const mayBeDeep = (text: string, value: unknown): boolean =>
  text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH);

/** A value as a record, its halves of surrogate pairs and its depth mended. */
export function finishValue(
  value: unknown,
  { text, line, context }: { text: string; line: number; context: ImportContext },
): FileRecord {
  if (!mayHoldSurrogates(text) && !mayBeDeep(text, value)) return { value, line, text };
  // what an import made of a foreign record holds its values some levels deeper, and comes through a second time
  const maxDepth = detect(value) === 'varve' ? 2 * MAX_DEPTH : MAX_DEPTH;
  return { value: mendValue(value, { line, context, maxDepth }), line, text };
}

/** The value, or undefined where the text is no JSON (JSON has no undefined). */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
