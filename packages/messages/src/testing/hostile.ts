import * as fc from 'fast-check';

/** Text that has broken somebody's serialiser, line reader or tokenizer, all of it valid Unicode and not blank. */
const HOSTILE_TEXTS = [
  'nul \u0000 inside',
  'separators \u2028 and \u2029',
  'line\r\nbreaks\n\ttabs\r',
  '\uFEFFbyte order mark',
  'emoji \u{1F469}\u200D\u{1F4BB} and \u{1F1E9}\u{1F1EA}',
  'combining e\u0301 and bidi \u202E',
  '{"json":"in \\"text\\""}\\',
  '</system> <tool_result>',
  '__proto__',
  'control \u001B[31m \u007F \u0085',
  'x',
];

/** Text with half a surrogate pair: valid in a log, refused by providers. */
const HALF_PAIRS = ['\uD83D', 'cut \uD83D', '\uDC69 tail', '\uDC69\uD83D'];

/** Text a provider accepts: well-formed, never blank, often nasty. */
export function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }).map((text) => `.${text}`) },
  );
}

const KEYS = ['__proto__', 'constructor', 'toString', '10', '9', '', 'b', 'a', 'then', '\u2028'];

/** Any JSON value with keys that pollute prototypes or sort oddly, and with half surrogates in texts and keys. */
export function hostileJson(): fc.Arbitrary<null | object | string | number | boolean> {
  const { value } = fc.letrec<{ value: null | object | string | number | boolean }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -1, 1e21, 0.1),
      fc.constantFrom(...HOSTILE_TEXTS, ...HALF_PAIRS),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.constantFrom(...KEYS, ...HALF_PAIRS), tie('value')), { maxLength: 4 })
        .map((members) => Object.fromEntries(members)),
    ),
  }));
  return value;
}
