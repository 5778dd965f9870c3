import type { ImportContext } from './context.ts';
import { scanJson } from './scan-json.ts';
import { mayHoldSurrogates, wellFormed } from './well-formed.ts';

/** A JSON value of the file and the line it starts on (1-based). */
export interface FileRecord {
  readonly value: unknown;
  readonly line: number;
}

export interface Damage {
  readonly context: ImportContext;
  readonly openings: ReadonlySet<string>;
}

/** Reads the whole values of a line that is not one value. */
export function readDamaged(text: string, line: number, damage: Damage): FileRecord[] {
  const { context } = damage;
  const scan = scanJson(text);
  const slices = scan.values.map(({ start, end }) => text.slice(start, end));
  const parsed = slices.flatMap((slice) => {
    const value = tryParse(slice);
    return value === undefined ? [] : [finishValue(value, slice, line, context)];
  });
  if (parsed.length > 0 && parsed.length === slices.length && scan.openStart === undefined) {
    context.problem('glued-records', line, `${parsed.length} records on one line were taken apart`);
    return parsed;
  }
  if (parsed.length === slices.length && parsed.length > 0) {
    const rest = text.slice(scan.openStart);
    context.problem(
      'glued-records',
      line,
      `${parsed.length} whole records stand before half of one`,
    );
    return [...parsed, ...readTorn(rest, line, damage)];
  }
  return readTorn(text, line, damage);
}

/** Half a record, perhaps with a whole one after it: the writer of the first was cut off and the next began on its line. */
function readTorn(text: string, line: number, { context, openings }: Damage): FileRecord[] {
  const opened = /^\s*[{[]/.test(text);
  const kind = opened ? 'torn-record' : 'bad-json';
  const rest = findWhole(text, openings);
  const after = rest === undefined ? '' : '; a whole record after it was read';
  const what = opened ? 'a record is cut off or damaged' : 'not JSON';
  context.problem(kind, line, `${what} (${text.length} characters dropped)${after}`);
  if (rest === undefined) return [];
  return [finishValue(rest.value, rest.text, line, context)];
}

/** How many places of a damaged line are tried as the start of a whole record. */
const MAX_TRIES = 64;

function findWhole(text: string, openings: ReadonlySet<string>) {
  let tries = 0;
  for (const opening of new Set([openingOf(text), ...openings])) {
    for (let at = text.indexOf(opening, 1); at > 0; at = text.indexOf(opening, at + 1)) {
      tries += 1;
      if (tries > MAX_TRIES || opening === '') return undefined;
      const value = tryParse(text.slice(at));
      if (value !== undefined) return { value, text: text.slice(at) };
    }
  }
  return undefined;
}

/** How a record begins, up to the end of its first key. */
export const openingOf = (text: string): string =>
  /^\s*(\{\s*"[^"\\]{1,40}")/.exec(text)?.[1] ?? '';

/** A value as a record; halves of surrogate pairs in it are repaired. */
export function finishValue(
  value: unknown,
  text: string,
  line: number,
  context: ImportContext,
): FileRecord {
  if (!mayHoldSurrogates(text)) return { value, line };
  const repaired = wellFormed(value);
  if (repaired.replaced > 0) {
    const note = `${repaired.replaced} halves of surrogate pairs were replaced by U+FFFD`;
    context.problem('lone-surrogate', line, note);
  }
  return { value: repaired.value, line };
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
