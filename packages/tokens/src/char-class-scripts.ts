/**
 * A script or a kind of symbol beyond ASCII and accented Latin. `first` and `rest` are hundredths of a token that a code
 * unit adds after one of another class, and after one of the same.
 */
export interface Script {
  readonly name: string;
  readonly content: 'text' | 'cjk' | 'script';
  /** The row of the weight table that holds for a Latin character after it. */
  readonly row: 'after-script' | 'after-symbol' | 'after-cjk' | 'after-hangul';
  readonly first: number;
  readonly rest: number;
  /** Inclusive; a later script overrides an earlier one. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

export const SCRIPTS: readonly Script[] = [
  {
    name: 'combining',
    content: 'script',
    row: 'after-script',
    first: 123,
    rest: 86,
    ranges: [[0x0300, 0x036f]],
  },
  {
    name: 'phonetic',
    content: 'script',
    row: 'after-script',
    first: 110,
    rest: 110,
    ranges: [[0x0250, 0x02ff]],
  },
  {
    name: 'greek',
    content: 'script',
    row: 'after-script',
    first: 17,
    rest: 28,
    ranges: [
      [0x0370, 0x03ff],
      [0x1f00, 0x1fff],
    ],
  },
  {
    name: 'cyrillic',
    content: 'script',
    row: 'after-script',
    first: 16,
    rest: 16,
    ranges: [[0x0400, 0x052f]],
  },
  {
    name: 'armenian',
    content: 'script',
    row: 'after-script',
    first: 28,
    rest: 24,
    ranges: [[0x0530, 0x058f]],
  },
  {
    name: 'hebrew',
    content: 'script',
    row: 'after-script',
    first: 25,
    rest: 24,
    ranges: [[0x0590, 0x05ff]],
  },
  {
    name: 'arabic',
    content: 'script',
    row: 'after-script',
    first: 15,
    rest: 20,
    ranges: [[0x0600, 0x077f]],
  },
  {
    name: 'devanagari',
    content: 'script',
    row: 'after-script',
    first: 0,
    rest: 28,
    ranges: [[0x0900, 0x097f]],
  },
  {
    name: 'indic',
    content: 'script',
    row: 'after-script',
    first: 43,
    rest: 28,
    ranges: [[0x0980, 0x0dff]],
  },
  {
    name: 'thai',
    content: 'script',
    row: 'after-script',
    first: 43,
    rest: 37,
    ranges: [[0x0e00, 0x0e7f]],
  },
  {
    name: 'south-east-asian',
    content: 'script',
    row: 'after-script',
    first: 42,
    rest: 48,
    ranges: [
      [0x0e80, 0x109f],
      [0x1780, 0x17ff],
    ],
  },
  {
    name: 'georgian',
    content: 'script',
    row: 'after-script',
    first: 25,
    rest: 27,
    ranges: [[0x10a0, 0x10ff]],
  },
  { name: 'other', content: 'script', row: 'after-symbol', first: 210, rest: 205, ranges: [] },
  {
    name: 'punctuation',
    content: 'text',
    row: 'after-symbol',
    first: 110,
    rest: 60,
    ranges: [
      [0x00a0, 0x00bf],
      [0x2000, 0x206f],
      [0x20a0, 0x20cf],
    ],
  },
  {
    name: 'symbol',
    content: 'script',
    row: 'after-symbol',
    first: 130,
    rest: 167,
    ranges: [
      [0x2070, 0x209f],
      [0x20d0, 0x24ff],
      [0x2580, 0x2bff],
      [0xfe00, 0xfe0f],
    ],
  },
  {
    name: 'box-drawing',
    content: 'text',
    row: 'after-symbol',
    first: 66,
    rest: 12,
    ranges: [[0x2500, 0x257f]],
  },
  {
    name: 'cjk-punctuation',
    content: 'cjk',
    row: 'after-cjk',
    first: 93,
    rest: 60,
    ranges: [
      [0x2e80, 0x303f],
      [0xfe10, 0xfe6f],
      [0xff00, 0xffef],
    ],
  },
  {
    name: 'hiragana',
    content: 'cjk',
    row: 'after-cjk',
    first: 80,
    rest: 34,
    ranges: [[0x3040, 0x309f]],
  },
  {
    name: 'katakana',
    content: 'cjk',
    row: 'after-cjk',
    first: 73,
    rest: 66,
    ranges: [[0x30a0, 0x30ff]],
  },
  { name: 'han-simplified', content: 'cjk', row: 'after-cjk', first: 84, rest: 68, ranges: [] },
  { name: 'han-listed', content: 'cjk', row: 'after-cjk', first: 130, rest: 114, ranges: [] },
  {
    name: 'han-rare',
    content: 'cjk',
    row: 'after-cjk',
    first: 205,
    rest: 200,
    ranges: [
      [0x3100, 0x4dbf],
      [0x4e00, 0x9fff],
      [0xf900, 0xfaff],
    ],
  },
  {
    name: 'hangul',
    content: 'cjk',
    row: 'after-hangul',
    first: 22,
    rest: 55,
    ranges: [[0xac00, 0xd7ff]],
  },
  {
    name: 'jamo',
    content: 'cjk',
    row: 'after-hangul',
    first: 302,
    rest: 302,
    ranges: [[0x1100, 0x11ff]],
  },
  {
    name: 'emoji',
    content: 'script',
    row: 'after-symbol',
    first: 163,
    rest: 210,
    ranges: [[0xd83c, 0xd83e]],
  },
  {
    name: 'astral',
    content: 'script',
    row: 'after-symbol',
    first: 299,
    rest: 299,
    ranges: [
      [0xd800, 0xd83b],
      [0xd83f, 0xdbff],
    ],
  },
  {
    name: 'low-surrogate',
    content: 'script',
    row: 'after-symbol',
    first: 102,
    rest: 100,
    ranges: [[0xdc00, 0xdfff]],
  },
];
