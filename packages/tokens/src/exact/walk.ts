import { MARK, NEWLINE, NUMBER, SIGN, SPACE } from './char-kind.ts';
import { contractionLength, LONGEST_CONTRACTION, startsContraction } from './contraction.ts';
import { createReader, widthAt } from './reader.ts';

/** The bytes that are known so far. */
export interface Window {
  readonly bytes: Uint8Array;
  /** Where the known bytes end. */
  readonly end: number;
}

/** The steps that the split patterns have in common. A walk keeps in mind how far it had to look. */
export interface Walk {
  begin(start: number): void;
  looked(): number;
  look(at: number): void;
  kindAt(bytes: Uint8Array, index: number): number;
  /** The end of the characters of these kinds from `start` on. */
  skip(window: Window, start: number, kinds: number): number;
  /** The end of `\p{N}{1,3}`. */
  digits(window: Window, start: number): number;
  /** Length of the contraction at `start`, or 0. */
  contraction(window: Window, start: number): number;
}

/** Creates a walk, which learns kinds of characters as it meets them. */
export function createWalk(): Walk {
  const { kindAt, skip } = createReader();
  let farthest = 0;
  const look = (at: number): void => {
    if (at > farthest) farthest = at;
  };
  return {
    kindAt,
    look,
    looked: () => farthest,
    begin: (start) => {
      farthest = start;
    },
    skip: (window, start, kinds) => {
      const end = skip(window.bytes, start, window.end, kinds);
      look(end);
      return end;
    },
    digits: (window, start) => {
      let end = start;
      for (let count = 0; count < 3 && end < window.end; count++) {
        if (kindAt(window.bytes, end) !== NUMBER) break;
        end += widthAt(window.bytes, end);
      }
      look(end);
      return end;
    },
    contraction: (window, start) => {
      look(start);
      if (start >= window.end || !startsContraction(window.bytes[start])) return 0;
      look(start + LONGEST_CONTRACTION);
      const length = contractionLength(window.bytes, start);
      return start + length <= window.end ? length : 0;
    },
  };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE_BYTE = 0x20;
/** `[^\s\p{L}\p{N}]` */
const SIGNS = SIGN | MARK;
const BLANK = SPACE | NEWLINE;

/**
 * The end of what is neither word nor number: ` ?[^\s\p{L}\p{N}]+` with the bytes that may trail it, `\s*[\r\n]+`,
 * `\s+(?!\S)` and `\s+`, in this order.
 */
export function restEnd(walk: Walk, window: Window, start: number, slashTrails: boolean): number {
  const signsStart = window.bytes[start] === SPACE_BYTE ? start + 1 : start;
  const signsEnd = walk.skip(window, signsStart, SIGNS);
  return signsEnd > signsStart
    ? trailEnd(walk, window, signsEnd, slashTrails)
    : blanksEnd(window, start, walk.skip(window, start, BLANK));
}

const SLASH = 0x2f;

function trailEnd(walk: Walk, window: Window, start: number, slashTrails: boolean): number {
  let end = start;
  for (; end < window.end; end++) {
    const byte = window.bytes[end];
    const trails =
      byte === LINE_FEED || byte === CARRIAGE_RETURN || (slashTrails && byte === SLASH);
    if (!trails) break;
  }
  walk.look(end);
  return end;
}

function blanksEnd({ bytes, end: limit }: Window, start: number, end: number): number {
  for (let index = end - 1; index >= start; index--) {
    if (bytes[index] === LINE_FEED || bytes[index] === CARRIAGE_RETURN) return index + 1;
  }
  // The last blank before a word belongs to the word.
  let last = end - 1;
  while (((bytes[last] as number) & 0xc0) === 0x80) last--;
  return end < limit && last > start ? last : end;
}
