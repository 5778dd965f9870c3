/**
 * A script or a kind of symbol beyond ASCII and accented Latin. `weights` are hundredths of a token that the first, second
 * … code unit of a run adds; the last holds for all that follow.
 */
export interface Script {
  readonly name: string;
  readonly content: 'text' | 'cjk' | 'script';
  /** The row of the weight table that holds for a Latin character after it. */
  readonly row: 'after-script' | 'after-symbol' | 'after-cjk' | 'after-hangul';
  readonly weights: readonly number[];
  /** Inclusive; a later script overrides an earlier one. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/**
 * Fitted with the weight table (`WEIGHTS`), but for two kinds of numbers. Characters too rare to fit have the mean of the
 * exact counts of all characters of their class. And the last weight of scripts with short words is high: a run that long
 * is no sentence, and characters without sense hardly merge.
 */
export const SCRIPTS: readonly Script[] = [
  {
    name: 'phonetic',
    content: 'script',
    row: 'after-script',
    weights: [110, 110],
    ranges: [[0x0250, 0x02ff]],
  },
  {
    name: 'greek',
    content: 'script',
    row: 'after-script',
    weights: [18, 23, 25, 37, 40, 33, 31, 32, 19, 19, 22, 40],
    ranges: [
      [0x0370, 0x03ff],
      [0x1f00, 0x1fff],
    ],
  },
  {
    name: 'cyrillic',
    content: 'script',
    row: 'after-script',
    weights: [17, 14, 10, 26, 21, 22, 21, 21, 12, 7, 5, 28],
    ranges: [[0x0400, 0x052f]],
  },
  {
    name: 'armenian',
    content: 'script',
    row: 'after-script',
    weights: [23, 39, 18, 37, 28, 31, 26, 19, 27, 11, 7, 40],
    ranges: [[0x0530, 0x058f]],
  },
  {
    name: 'hebrew',
    content: 'script',
    row: 'after-script',
    weights: [22, 24],
    ranges: [[0x0590, 0x05ff]],
  },
  {
    name: 'arabic',
    content: 'script',
    row: 'after-script',
    weights: [20, 12, 15, 27, 27, 27, 32, 28, 31, 24],
    ranges: [[0x0600, 0x077f]],
  },
  {
    name: 'devanagari',
    content: 'script',
    row: 'after-script',
    weights: [8, 10, 17, 33, 32, 43, 38, 52],
    ranges: [[0x0900, 0x097f]],
  },
  {
    name: 'indic',
    content: 'script',
    row: 'after-script',
    weights: [26, 47, 33, 52, 37, 14, 5, 17],
    ranges: [[0x0980, 0x0dff]],
  },
  {
    name: 'thai',
    content: 'script',
    row: 'after-script',
    weights: [45, 20, 26, 40, 34, 41],
    ranges: [[0x0e00, 0x0e7f]],
  },
  {
    name: 'south-east-asian',
    content: 'script',
    row: 'after-script',
    weights: [41, 49],
    ranges: [
      [0x0e80, 0x109f],
      [0x1780, 0x17ff],
    ],
  },
  {
    name: 'georgian',
    content: 'script',
    row: 'after-script',
    weights: [25, 33, 15, 50, 26, 31, 26, 25, 17, 12, 10, 40],
    ranges: [[0x10a0, 0x10ff]],
  },
  { name: 'other', content: 'script', row: 'after-symbol', weights: [210, 205], ranges: [] },
  {
    name: 'punctuation',
    content: 'text',
    row: 'after-symbol',
    weights: [110, 50],
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
    weights: [96, 136],
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
    weights: [81, 17],
    ranges: [[0x2500, 0x257f]],
  },
  {
    name: 'cjk-punctuation',
    content: 'cjk',
    row: 'after-cjk',
    weights: [89, 60],
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
    weights: [77, 45, 65, 59, 55, 88, 88, 90, 92, 90, 100, 100],
    ranges: [[0x3040, 0x309f]],
  },
  {
    name: 'katakana',
    content: 'cjk',
    row: 'after-cjk',
    weights: [66, 59, 63, 45, 43, 45, 45, 45, 100],
    ranges: [[0x30a0, 0x30ff]],
  },
  {
    name: 'han-simplified',
    content: 'cjk',
    row: 'after-cjk',
    weights: [79, 49, 83, 69, 70, 73, 68, 73, 75, 75, 70, 78, 68, 61, 67, 100],
    ranges: [],
  },
  {
    name: 'han-listed',
    content: 'cjk',
    row: 'after-cjk',
    weights: [129, 113, 164, 165, 119, 112, 134, 130, 130, 130, 130, 130, 130, 130, 130, 150],
    ranges: [],
  },
  {
    name: 'han-rare',
    content: 'cjk',
    row: 'after-cjk',
    weights: [205, 200],
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
    weights: [22, 52, 76, 36, 30, 46, 60, 100],
    ranges: [[0xac00, 0xd7ff]],
  },
  {
    name: 'jamo',
    content: 'cjk',
    row: 'after-hangul',
    weights: [302, 301],
    ranges: [[0x1100, 0x11ff]],
  },
  {
    name: 'emoji',
    content: 'script',
    row: 'after-symbol',
    weights: [150, 216],
    ranges: [[0xd83c, 0xd83e]],
  },
  {
    name: 'astral',
    content: 'script',
    row: 'after-symbol',
    weights: [330, 330],
    ranges: [
      [0xd800, 0xd83b],
      [0xd83f, 0xdbff],
    ],
  },
  {
    name: 'low-surrogate',
    content: 'script',
    row: 'after-symbol',
    weights: [100, 100],
    ranges: [[0xdc00, 0xdfff]],
  },
  {
    name: 'fullwidth',
    content: 'cjk',
    row: 'after-cjk',
    weights: [100, 100],
    ranges: [
      [0xff10, 0xff19],
      [0xff21, 0xff3a],
      [0xff41, 0xff5a],
    ],
  },
  {
    name: 'halfwidth',
    content: 'cjk',
    row: 'after-cjk',
    weights: [210, 205],
    ranges: [[0xff61, 0xffdc]],
  },
  {
    name: 'combining',
    content: 'script',
    row: 'after-script',
    weights: [135, 100],
    ranges: [
      [0x0300, 0x036f],
      [0x3099, 0x309a],
    ],
  },
];
