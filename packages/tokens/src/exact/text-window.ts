import type { Window } from './walk.ts';

/** A text as UTF-8, a window of it at a time. */
export interface TextWindow extends Window {
  /** True where the window reaches to the end of the text. */
  readonly isLast: boolean;
  /** Turns to another text. */
  open(text: string): void;
  /** Drops the bytes before `start`, which becomes 0, and takes in more of the text. */
  advance(start: number): void;
}

const WINDOW_UNITS = 16_384;
const BYTES_PER_UNIT = 3;
const INITIAL_BYTES = 2 * WINDOW_UNITS * BYTES_PER_UNIT;

/**
 * Creates a window. It holds some 50 KB, and grows only for a piece longer than that, so that a text of any length takes
 * little memory. Half surrogates become U+FFFD.
 */
export function createTextWindow(): TextWindow {
  const encoder = new TextEncoder();
  let text = '';
  let read = 0;

  const advance = (start: number): void => {
    const { bytes, end } = window;
    const kept = end - start;
    // A piece that fills the window is looked at again each time: take in twice as much, so that this stays linear.
    const units = Math.max(WINDOW_UNITS, kept);
    const needed = kept + units * BYTES_PER_UNIT;
    if (needed > bytes.length) window.bytes = new Uint8Array(needed);
    window.bytes.set(bytes.subarray(start, end));
    const to = boundary(text, read + units);
    const target = window.bytes.subarray(kept);
    window.end = kept + encoder.encodeInto(text.slice(read, to), target).written;
    read = to;
    window.isLast = to === text.length;
  };
  const open = (newText: string): void => {
    if (window.bytes.length > INITIAL_BYTES) window.bytes = new Uint8Array(INITIAL_BYTES);
    text = newText;
    read = 0;
    window.end = 0;
    advance(0);
  };
  const window = { bytes: new Uint8Array(INITIAL_BYTES), end: 0, isLast: true, open, advance };
  return window;
}

/** The index itself, or the one before it where it would cut a surrogate pair. */
function boundary(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return (text.codePointAt(index - 1) as number) > 0xff_ff ? index - 1 : index;
}
