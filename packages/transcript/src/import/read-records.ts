import type { Line } from '../lines.ts';
import type { ImportContext } from './context.ts';
import type { LineLimit } from './line-limit.ts';
import { type ScanState, scanJson } from './scan-json.ts';
import { mayHoldSurrogates, wellFormed } from './well-formed.ts';

/** A JSON value of the file and the line it starts on (1-based). */
export interface FileRecord {
  readonly value: unknown;
  readonly line: number;
}

/** A value that lines so far have not closed. `openStart`: its first character within the first line. */
interface Held {
  readonly line: number;
  readonly lines: string[];
  readonly joints: string[];
  size: number;
  state: ScanState;
}

/**
 * Turns lines into JSON values. A line is one value as a rule; where it is not, what can be read is read (records glued
 * together, a value over several lines, raw line ends inside a string, a record after half of another) and what cannot is
 * reported. Holds one value at a time.
 */
export function createRecordReader(context: ImportContext, options: { readonly limit: LineLimit }) {
  let held: Held | undefined;
  const openings = new Set<string>();

  function pushText(text: string, line: number): FileRecord[] {
    const value = tryParse(text);
    if (value !== undefined) {
      openings.add(openingOf(text));
      return [finishValue(value, text, line, context)];
    }
    const scan = scanJson(text);
    if (scan.values.length === 0 && isOpenEnded(text, scan)) {
      held = { line, lines: [text], joints: [], size: text.length, state: scan };
      return [];
    }
    return readDamaged(text, line, { context, openings });
  }

  function pushHeld(current: Held, text: string, line: number): FileRecord[] {
    if (current.state.inString && tryParse(text) !== undefined) {
      return [...release(), ...pushText(text, line)];
    }
    const scan = scanJson(text, current.state);
    current.joints.push(current.state.inString ? '\\n' : '\n');
    current.lines.push(text);
    current.size += text.length + 2;
    current.state = scan;
    if (current.size > options.limit.maxBytes) return release();
    if (scan.values.length === 0) return [];
    held = undefined;
    return closeHeld(current, { context, openings });
  }

  function release(): FileRecord[] {
    const current = held;
    held = undefined;
    return current === undefined ? [] : giveUp(current, { context, openings });
  }

  return {
    /** The values that this line completes. */
    push(line: Line): FileRecord[] {
      const { number, bytes } = line;
      const size = options.limit.sizeOf(line);
      if (size !== undefined) {
        const text = `a line of ${size} bytes is longer than ${options.limit.maxBytes} and was dropped`;
        context.problem('line-too-long', number, text);
        return release();
      }
      const text = decode(bytes, number, context);
      if (held !== undefined) return pushHeld(held, text, number);
      return text.trim() === '' ? [] : pushText(text, number);
    },
    /** What is left when the file has ended. */
    end: release,
  };
}

interface Damage {
  readonly context: ImportContext;
  readonly openings: ReadonlySet<string>;
}

/** A value may go on over the next line: it ends inside a string (a raw line end) or after `{`, `[` or `,`. */
function isOpenEnded(text: string, scan: ScanState): boolean {
  return scan.depth > 0 && (scan.inString || /[{[,]\s*$/.test(text));
}

function closeHeld(held: Held, damage: Damage): FileRecord[] {
  const text = held.lines.map((line, index) => line + (held.joints[index] ?? '')).join('');
  const value = tryParse(text);
  if (value === undefined) return giveUp(held, damage);
  if (held.joints.includes('\\n')) {
    const note = `raw line ends inside a string were read as \\n (${held.lines.length} lines)`;
    damage.context.problem('raw-newline', held.line, note);
  }
  return [finishValue(value, text, held.line, damage.context)];
}

function giveUp(held: Held, damage: Damage): FileRecord[] {
  const opensDocument = /^\s*[{[]\s*$/.test(held.lines[0] ?? '');
  if (opensDocument && held.lines.length > 1) {
    const text = `the value that starts here is damaged or cut off (${held.lines.length} lines dropped)`;
    damage.context.problem('torn-record', held.line, text);
    return [];
  }
  return held.lines.flatMap((text, index) => {
    const line = held.line + index;
    const value = tryParse(text);
    if (value !== undefined) return [finishValue(value, text, line, damage.context)];
    return text.trim() === '' ? [] : readDamaged(text, line, damage);
  });
}

/** Reads the whole values of a line that is not one value. */
function readDamaged(text: string, line: number, damage: Damage): FileRecord[] {
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
const openingOf = (text: string): string => /^\s*(\{\s*"[^"\\]{1,40}")/.exec(text)?.[1] ?? '';

function finishValue(
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
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOOSE = new TextDecoder('utf-8', { ignoreBOM: true });
const BYTE_ORDER_MARK = '\uFEFF';

function decode(bytes: Uint8Array, line: number, context: ImportContext): string {
  const text = decodeUtf8(trimNuls(bytes, line, context), line, context);
  if (!text.startsWith(BYTE_ORDER_MARK)) return text;
  context.problem('byte-order-mark', line, 'a byte order mark was skipped');
  return text.slice(1);
}

function decodeUtf8(bytes: Uint8Array, line: number, context: ImportContext): string {
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    context.problem('bad-utf8', line, 'bytes that are not UTF-8 were replaced by U+FFFD');
    return LOOSE.decode(bytes);
  }
}

function trimNuls(bytes: Uint8Array, line: number, context: ImportContext): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && bytes[start] === 0) start += 1;
  while (end > start && bytes[end - 1] === 0) end -= 1;
  const padding = bytes.length - (end - start);
  if (padding === 0) return bytes;
  context.problem('nul-padding', line, `${padding} NUL bytes were skipped`);
  return bytes.subarray(start, end);
}
