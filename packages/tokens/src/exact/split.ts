import { CASELESS, LOWER, MARK, NEWLINE, NUMBER, SIGN, SPACE, UPPER } from './char-kind.ts';
import { widthAt } from './reader.ts';
import { createWalk, restEnd, type Walk, type Window } from './walk.ts';

// An encoding first splits text into pieces by a regular expression. These functions find the same pieces by hand, in UTF-8:
// a regular expression engine is slower, and goes quadratic on some texts. Each piece costs a bounded number of walks over it.

export interface Split {
  /** The end of the piece that starts at `start`, if no text follows the window. */
  pieceEnd(window: Window, start: number): number;
  /** How far the last call looked: where that is the end of the window, text that follows may change its answer. */
  looked(): number;
}

/** Pieces of `o200k_base`. */
export function createO200kSplit(): Split {
  const walk = createWalk();
  return {
    pieceEnd: (window, start) => {
      walk.begin(start);
      const kind = walk.kindAt(window.bytes, start);
      if (kind === NUMBER) return walk.digits(window, start);
      const end = kind === NEWLINE ? -1 : casedWordEnd(walk, window, start, kind);
      if (end >= 0) return end + walk.contraction(window, end);
      return restEnd(walk, window, start, true);
    },
    looked: walk.looked,
  };
}

/** Pieces of `cl100k_base`. */
export function createCl100kSplit(): Split {
  const walk = createWalk();
  return {
    pieceEnd: (window, start) => {
      walk.begin(start);
      const contraction = walk.contraction(window, start);
      if (contraction > 0) return start + contraction;
      const kind = walk.kindAt(window.bytes, start);
      if (kind === NUMBER) return walk.digits(window, start);
      const led = (kind & LEADERS) === 0 ? start : start + widthAt(window.bytes, start);
      const end = kind === NEWLINE ? led : walk.skip(window, led, UPPER | LOWER | CASELESS);
      return end > led ? end : restEnd(walk, window, start, false);
    },
    looked: walk.looked,
  };
}

/** `[^\r\n\p{L}\p{N}]`, one of which may lead a word. */
const LEADERS = SPACE | SIGN | MARK;
/** `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` */
const LOWER_PART = LOWER | CASELESS | MARK;
/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` */
const UPPER_PART = UPPER | CASELESS | MARK;

/** The end of a word with at most one change from capitals to small letters in it, or -1. */
function casedWordEnd(walk: Walk, window: Window, start: number, kind: number): number {
  const led = (kind & LEADERS) === 0 ? start : start + widthAt(window.bytes, start);
  const asciiEnd = asciiWordEnd(window, led);
  const isAscii = asciiEnd < window.end && (window.bytes[asciiEnd] as number) < 0x80;
  if (isAscii && kind !== MARK) return asciiEnd > led ? asciiEnd : -1;
  let end = lowerWordEnd(walk, window, led);
  if (end < 0 && kind === MARK) end = lowerWordEnd(walk, window, start);
  if (end >= 0) return end;
  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ with nothing small after it
  const upperEnd = walk.skip(window, led, UPPER);
  return upperEnd > led ? upperEnd : -1;
}

/** The end of `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, or -1. */
function lowerWordEnd(walk: Walk, window: Window, start: number): number {
  let end = start;
  let afterCaseless = -1;
  while (end < window.end) {
    const kind = walk.kindAt(window.bytes, end);
    if (kind === LOWER) return walk.skip(window, end, LOWER_PART);
    if ((kind & UPPER_PART) === 0) break;
    end += widthAt(window.bytes, end);
    if (kind !== UPPER) afterCaseless = end;
  }
  walk.look(end);
  // Capitals after the last caseless letter begin the next word.
  return afterCaseless;
}

const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

/** The end of `[A-Z]*[a-z]*`: a whole word, where another ASCII character follows. */
function asciiWordEnd({ bytes, end: limit }: Window, start: number): number {
  let end = start;
  while (end < limit && (bytes[end] as number) >= UPPER_A && (bytes[end] as number) <= UPPER_Z) {
    end++;
  }
  while (end < limit && (bytes[end] as number) >= LOWER_A && (bytes[end] as number) <= LOWER_Z) {
    end++;
  }
  return end;
}
