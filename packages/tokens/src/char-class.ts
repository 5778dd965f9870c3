import { JAPANESE, markHan, SIMPLIFIED, TRADITIONAL } from './char-class-han.ts';
import { SCRIPTS } from './char-class-scripts.ts';

/** Classes of the characters that code and Latin prose are made of; the columns of the weight table. */
export const LATIN_CLASSES = [
  'space',
  'newline',
  'control',
  'lower',
  'upper',
  'digit',
  'dot',
  'slash',
  'underscore',
  'dash',
  'quote',
  'open',
  'close',
  'comma',
  'rule',
  'sign',
  'accented',
] as const;

export type LatinClass = (typeof LATIN_CLASSES)[number];

const MEMBERS: Partial<Record<LatinClass, string>> = {
  space: ' ',
  newline: '\r\n',
  dot: '.',
  slash: '/',
  underscore: '_',
  dash: '-',
  quote: '"\'`',
  open: '([{<',
  close: ')]}>',
  comma: ',;:',
  rule: '=*#~',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digit: '0123456789',
};

const ACCENTED = [
  [0xaa, 0xaa],
  [0xb5, 0xb5],
  [0xba, 0xba],
  [0xc0, 0x24f],
  [0x1e00, 0x1eff],
] as const;

/** Every class: the Latin ones, then one for each script. */
export const CHAR_CLASSES: readonly string[] = [
  ...LATIN_CLASSES,
  ...SCRIPTS.map((script) => script.name),
];

const CODE_UNITS = 0x1_0000;

/** The class of each UTF-16 code unit, as an index into `CHAR_CLASSES`; of Han characters all are rare. */
export function createClassTable(): Uint8Array {
  const table = new Uint8Array(CODE_UNITS).fill(indexOf('other'));
  const fill = (name: string, [from, to]: readonly [number, number]) =>
    table.fill(indexOf(name), from, to + 1);
  fill('control', [0x00, 0x9f]);
  fill('sign', [0x21, 0x7e]);
  for (const { name, ranges } of SCRIPTS) for (const range of ranges) fill(name, range);
  for (const range of ACCENTED) fill('accented', range);
  for (const [name, members] of Object.entries(MEMBERS)) {
    const value = indexOf(name);
    for (const member of members) table[member.charCodeAt(0)] = value;
  }
  return table;
}

/** Tells the everyday Han characters apart from the rare ones. */
export function markEverydayHan(table: Uint8Array): void {
  markHan(table, indexOf('han-listed'), TRADITIONAL);
  markHan(table, indexOf('han-listed'), JAPANESE);
  markHan(table, indexOf('han-simplified'), SIMPLIFIED);
}

const indexOf = (name: string): number => CHAR_CLASSES.indexOf(name);
