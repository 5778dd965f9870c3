import { decodeText, trimLine } from '../line-text.ts';
import type { Line } from '../lines.ts';
import { type ScanState, scanJson } from '../scan-json.ts';
import type { ImportContext } from './context.ts';
import { createOpenings } from './openings.ts';
import { type FileRecord, finishValue, readDamaged, tryParse } from './recover-records.ts';

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
 * reported. Holds one value at a time, up to `maxBytes`.
 */
export function createRecordReader(context: ImportContext, maxBytes: number) {
  const openings = createOpenings();
  const damage = { context, openings };
  let held: Held | undefined;

  function pushText(text: string, line: number): FileRecord[] {
    if (text.trim() === '') return [];
    const value = tryParse(text);
    if (value !== undefined) {
      openings.add(text);
      return [finishValue(value, { text, line, context })];
    }
    const scan = scanJson(text);
    if (scan.values.length > 0 || !isOpenEnded(text, scan)) return readDamaged(text, line, damage);
    held = { line, lines: [text], joints: [], size: text.length, state: scan };
    return [];
  }

  function pushHeld(current: Held, text: string, line: number): FileRecord[] {
    if (openings.isSibling(text, current.lines[0]) && tryParse(text) !== undefined) {
      return [...release(), ...pushText(text, line)];
    }
    const scan = scanJson(text, current.state);
    const end = scan.values[0]?.end ?? text.length;
    current.joints.push(current.state.inString ? '\\n' : '\n');
    current.lines.push(text.slice(0, end));
    current.size += text.length + 2;
    current.state = scan;
    if (current.size > maxBytes) return release();
    if (scan.values.length === 0) return [];
    held = undefined;
    return [...closeHeld(current), ...pushText(text.slice(end), line)];
  }

  function release(): FileRecord[] {
    const current = held;
    held = undefined;
    return current === undefined ? [] : giveUp(current);
  }

  function closeHeld({ lines, joints, line, ...rest }: Held): FileRecord[] {
    const text = lines.map((part, index) => part + (joints[index] ?? '')).join('');
    const value = tryParse(text);
    if (value === undefined) return giveUp({ lines, joints, line, ...rest });
    if (joints.includes('\\n')) {
      const note = `raw line ends inside a string were read as \\n (${lines.length} lines)`;
      context.problem('raw-newline', line, note);
    }
    return [finishValue(value, { text, line, context })];
  }

  function giveUp({ lines, line }: Held): FileRecord[] {
    if (isDocument(lines)) {
      const text = `the value that starts here is damaged or cut off (${lines.length} lines dropped)`;
      context.problem('torn-record', line, text);
      return [];
    }
    return lines.flatMap((text, index) => {
      const value = tryParse(text);
      if (value !== undefined) return [finishValue(value, { text, line: line + index, context })];
      return text.trim() === '' ? [] : readDamaged(text, line + index, damage);
    });
  }

  return {
    /** The values that this line completes. */
    push(line: Line): FileRecord[] {
      const { number, bytes, size, isCut } = line;
      if (isCut) {
        const text = `a line of ${size} bytes is longer than ${maxBytes} and was dropped`;
        context.problem('line-too-long', number, text);
        return release();
      }
      const report = (kind: Parameters<typeof context.problem>[0], text: string) =>
        context.problem(kind, number, text);
      const text = decodeText(trimLine(bytes, report), report);
      return held === undefined ? pushText(text, number) : pushHeld(held, text, number);
    },
    /** What is left when the file has ended. */
    end: release,
  };
}

/** A value may go on over the next line: it ends inside a string (a raw line end) or after `{`, `[` or `,`. */
function isOpenEnded(text: string, scan: ScanState): boolean {
  return scan.depth > 0 && (scan.inString || /[{[,]\s*$/.test(text));
}

/** One value over many lines, not records of which the first is cut off after its bracket. */
const isDocument = ([first = '', second]: readonly string[]): boolean =>
  /^\s*[{[]\s*$/.test(first) && second !== undefined && tryParse(second) === undefined;
