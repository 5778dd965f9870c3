import {
  CASELESS,
  createKindAt,
  type KindAt,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  SIGN,
  SPACE,
  UPPER,
} from './char-kind.ts';

// An encoding first splits text into pieces by a regular expression. These functions find the same pieces by hand: a
// regular expression engine is slower, and goes quadratic on some texts. Every piece costs a bounded number of walks over it.

/** The end of the piece that starts at `start`, which must lie before the text's end. */
export type PieceEnd = (text: string, start: number) => number;

/** Pieces of `o200k_base`. */
export function createO200kSplit(): PieceEnd {
  const kindAt = createKindAt();
  const rest = createRest(kindAt, isLineBreakOrSlash);

  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+, or -1
  const lowerWord = (text: string, start: number): number => {
    let end = start;
    let afterCaseless = -1;
    let kind = SIGN;
    for (; end < text.length; end++) {
      kind = kindAt(text, end);
      if (kind === CASELESS || kind === MARK) afterCaseless = end + 1;
      else if (kind !== UPPER) break;
    }
    return end < text.length && kind === LOWER ? lowerEnd(text, end) : afterCaseless;
  };
  const lowerEnd = (text: string, start: number): number => {
    let end = start;
    while (end < text.length && isLower(kindAt(text, end))) end++;
    return end;
  };
  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+ where nothing small follows, or -1
  const upperWord = (text: string, start: number): number => {
    let end = start;
    while (end < text.length && kindAt(text, end) === UPPER) end++;
    return end === start ? -1 : end;
  };
  const word = (text: string, start: number, kind: number): number => {
    const mayLead = kind === SPACE || kind === SIGN || kind === MARK;
    const led = mayLead ? start + widthAt(text, start) : start;
    let end = lowerWord(text, led);
    if (end < 0 && kind === MARK) end = lowerWord(text, start);
    return end < 0 ? upperWord(text, led) : end;
  };

  return (text, start) => {
    const kind = kindAt(text, start);
    if (kind === NUMBER) return numberEnd(kindAt, text, start);
    if (kind !== NEWLINE) {
      const end = word(text, start, kind);
      if (end >= 0) return end + contraction(text, end);
    }
    return rest(text, start, kind);
  };
}

/** Pieces of `cl100k_base`. */
export function createCl100kSplit(): PieceEnd {
  const kindAt = createKindAt();
  const rest = createRest(kindAt, isLineBreak);
  const lettersEnd = (text: string, start: number): number => {
    let end = start;
    while (end < text.length && isLetter(kindAt(text, end))) end++;
    return end;
  };

  return (text, start) => {
    const short = contraction(text, start);
    if (short > 0) return start + short;
    const kind = kindAt(text, start);
    if (kind === NUMBER) return numberEnd(kindAt, text, start);
    if (kind !== NEWLINE) {
      const led = isLetter(kind) ? start : start + widthAt(text, start);
      const end = lettersEnd(text, led);
      if (end > led) return end;
    }
    return rest(text, start, kind);
  };
}

const isLower = (kind: number): boolean => kind === LOWER || kind === CASELESS || kind === MARK;
const isLetter = (kind: number): boolean => kind === LOWER || kind === UPPER || kind === CASELESS;
const isSign = (kind: number): boolean => kind === SIGN || kind === MARK;
const isBlank = (kind: number): boolean => kind === SPACE || kind === NEWLINE;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

const isLineBreak = (code: number): boolean => code === LINE_FEED || code === CARRIAGE_RETURN;
const isLineBreakOrSlash = (code: number): boolean => isLineBreak(code) || code === SLASH;

const widthAt = (text: string, index: number): number =>
  (text.codePointAt(index) as number) > 0xff_ff ? 2 : 1;

// \p{N}{1,3}
function numberEnd(kindAt: KindAt, text: string, start: number): number {
  let end = start;
  for (let digits = 0; digits < 3 && end < text.length; digits++) {
    if (kindAt(text, end) !== NUMBER) break;
    end += widthAt(text, end);
  }
  return end;
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d); the long s folds to s as well
const CONTRACTION = /'(?:[sſtmd]|re|ve|ll)/iy;

function contraction(text: string, index: number): number {
  if (text.charCodeAt(index) !== APOSTROPHE) return 0;
  CONTRACTION.lastIndex = index;
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex - index : 0;
}

/** ` ?[^\s\p{L}\p{N}]+` with what may trail it, `\s*[\r\n]+`, `\s+(?!\S)` and `\s+`, in this order. */
function createRest(kindAt: KindAt, mayTrail: (code: number) => boolean) {
  const signs = (text: string, start: number): number => {
    let end = start;
    while (end < text.length && isSign(kindAt(text, end))) end++;
    if (end === start) return -1;
    while (end < text.length && mayTrail(text.charCodeAt(end))) end++;
    return end;
  };
  const blanks = (text: string, start: number): number => {
    let end = start;
    let afterLineBreak = -1;
    for (; end < text.length; end++) {
      const kind = kindAt(text, end);
      if (!isBlank(kind)) break;
      if (kind === NEWLINE) afterLineBreak = end + 1;
    }
    if (afterLineBreak >= 0) return afterLineBreak;
    // The last blank before a word belongs to the word.
    return end < text.length && end - start > 1 ? end - 1 : end;
  };
  return (text: string, start: number, kind: number): number => {
    const led = text.charCodeAt(start) === BLANK ? start + 1 : start;
    const end = kind === SIGN || kind === MARK || led > start ? signs(text, led) : -1;
    return end < 0 ? blanks(text, start) : end;
  };
}
