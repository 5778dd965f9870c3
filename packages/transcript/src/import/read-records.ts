import type { Line } from '../lines.ts';
import type { ImportContext } from './context.ts';
import { decodeLine } from './decode-line.ts';
import type { LineLimit } from './line-limit.ts';
import {
  type Damage,
  type FileRecord,
  finishValue,
  openingOf,
  readDamaged,
  tryParse,
} from './recover-records.ts';
import { type ScanState, scanJson } from './scan-json.ts';

/** A value that lines so far have not closed. */
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
      const text = decodeLine(bytes, number, context);
      if (held !== undefined) return pushHeld(held, text, number);
      return text.trim() === '' ? [] : pushText(text, number);
    },
    /** What is left when the file has ended. */
    end: release,
  };
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
