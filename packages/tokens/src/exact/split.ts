import { CASELESS, LOWER, MARK, NEWLINE, NUMBER, SIGN, SPACE, UPPER } from './char-kind.ts';
import { contractionLength, LONGEST_CONTRACTION, startsContraction } from './contraction.ts';
import { createReader, type Reader, widthAt } from './reader.ts';

// An encoding first splits text into pieces by a regular expression. These functions find the same pieces by hand, in UTF-8:
// a regular expression engine is slower, and goes quadratic on some texts. Each piece costs a bounded number of walks over it.

/** The bytes that are known so far. */
export interface Window {
  readonly bytes: Uint8Array;
  /** Where the known bytes end. */
  readonly end: number;
}

export interface Split {
  /** The end of the piece that starts at `start`, if no text follows the window. */
  pieceEnd(window: Window, start: number): number;
  /** How far the last call looked: where that is the end of the window, text that follows may change its answer. */
  looked(): number;
}

const LOWER_WORD = LOWER | CASELESS | MARK;
const UPPER_WORD = UPPER | CASELESS | MARK;
const LETTER = UPPER | LOWER | CASELESS;
const BLANK = SPACE | NEWLINE;
/** `[^\s\p{L}\p{N}]` */
const SIGNS = SIGN | MARK;
/** `[^\r\n\p{L}\p{N}]`, which may lead a word. */
const LEADER = SPACE | SIGN | MARK;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE_BYTE = 0x20;
const SLASH = 0x2f;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

/** Pieces of `o200k_base`. */
export function createO200kSplit(): Split {
  const walk = createWalk();
  const rest = createRest(walk, SLASH);

  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+, or -1
  const lowerWord = (window: Window, start: number): number => {
    let end = start;
    let afterCaseless = -1;
    while (end < window.end) {
      const kind = walk.kindAt(window.bytes, end);
      if (kind === LOWER) return walk.skip(window, end, LOWER_WORD);
      if ((kind & UPPER_WORD) === 0) break;
      end += widthAt(window.bytes, end);
      if (kind !== UPPER) afterCaseless = end;
    }
    walk.look(end);
    return afterCaseless;
  };
  const wideWord = (window: Window, start: number, led: number): number => {
    let end = lowerWord(window, led);
    if (end < 0 && led > start && walk.kindAt(window.bytes, start) === MARK) {
      end = lowerWord(window, start);
    }
    if (end >= 0) return end;
    // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ with nothing small after it
    const upperEnd = walk.skip(window, led, UPPER);
    return upperEnd > led ? upperEnd : -1;
  };
  const word = (window: Window, start: number, kind: number): number => {
    const led = (kind & LEADER) === 0 ? start : start + widthAt(window.bytes, start);
    const end = asciiWordEnd(window, led);
    if (end < window.end && (window.bytes[end] as number) < 0x80 && kind !== MARK) {
      return end > led ? end : -1;
    }
    return wideWord(window, start, led);
  };

  return {
    pieceEnd: (window, start) => {
      walk.begin(start);
      const kind = walk.kindAt(window.bytes, start);
      if (kind === NUMBER) return walk.digits(window, start);
      if (kind !== NEWLINE) {
        const end = word(window, start, kind);
        if (end >= 0) return end + walk.contraction(window, end);
      }
      return rest(window, start, kind);
    },
    looked: walk.looked,
  };
}

/** Pieces of `cl100k_base`. */
export function createCl100kSplit(): Split {
  const walk = createWalk();
  const rest = createRest(walk, LINE_FEED);

  return {
    pieceEnd: (window, start) => {
      walk.begin(start);
      const short = walk.contraction(window, start);
      if (short > 0) return start + short;
      const kind = walk.kindAt(window.bytes, start);
      if (kind === NUMBER) return walk.digits(window, start);
      if (kind !== NEWLINE) {
        const led = (kind & LETTER) === 0 ? start + widthAt(window.bytes, start) : start;
        const end = walk.skip(window, led, LETTER);
        if (end > led) return end;
      }
      return rest(window, start, kind);
    },
    looked: walk.looked,
  };
}

/** The end of `[A-Z]*[a-z]*`, which is a whole word where another ASCII character follows. */
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

interface Walk extends Pick<Reader, 'kindAt'> {
  begin(start: number): void;
  looked(): number;
  look(at: number): void;
  /** The end of the characters of these kinds from `start` on. */
  skip(window: Window, start: number, kinds: number): number;
  /** The end of `\p{N}{1,3}`. */
  digits(window: Window, start: number): number;
  /** Length of the contraction at `start`, or 0. */
  contraction(window: Window, start: number): number;
}

function createWalk(): Walk {
  const { kindAt, skip } = createReader();
  let farthest = 0;
  const look = (at: number): void => {
    if (at > farthest) farthest = at;
  };
  return {
    kindAt,
    look,
    begin: (start) => {
      farthest = start;
    },
    looked: () => farthest,
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

/** ` ?[^\s\p{L}\p{N}]+` with what may trail it, `\s*[\r\n]+`, `\s+(?!\S)` and `\s+`, in this order. */
function createRest(walk: Walk, alsoTrails: number) {
  const signs = (window: Window, start: number): number => {
    let end = walk.skip(window, start, SIGNS);
    if (end === start) return -1;
    for (; end < window.end; end++) {
      const byte = window.bytes[end];
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== alsoTrails) break;
    }
    walk.look(end);
    return end;
  };
  const blanks = ({ bytes, end: limit }: Window, start: number, end: number): number => {
    for (let index = end - 1; index >= start; index--) {
      if (bytes[index] === LINE_FEED || bytes[index] === CARRIAGE_RETURN) return index + 1;
    }
    // The last blank before a word belongs to the word.
    let last = end - 1;
    while (((bytes[last] as number) & 0xc0) === 0x80) last--;
    return end < limit && last > start ? last : end;
  };
  return (window: Window, start: number, kind: number): number => {
    const led = window.bytes[start] === SPACE_BYTE ? start + 1 : start;
    const end = (kind & SIGNS) !== 0 || led > start ? signs(window, led) : -1;
    return end < 0 ? blanks(window, start, walk.skip(window, start, BLANK)) : end;
  };
}
