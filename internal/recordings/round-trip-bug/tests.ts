const js = String.raw;

/** `test/round-trip.test.js`, as first written. */
export const QUARTZ_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

function survives (value, options) {
  const text = yaml.dump(value, options)
  assert.deepEqual(yaml.load(text), value, 'written as ' + JSON.stringify(text))
}

const dots = [
  ['three dots at the root', '...'],
  ['three dots and a word at the root', '... a'],
  ['three dots as a key of the top mapping', { '...': 1 }],
  ['three dots and a word as a key of the top mapping', { a: 0, '... b': 1 }],
  ['four dots at the root', '....'],
  ['three dots as an item', ['...']],
  ['three dots as a value', { a: '...' }],
  ['three dots as a nested key', { a: { '...': 1 } }]
]

for (const [title, value] of dots) {
  test('quartz-17: ' + title, () => survives(value))
}

const newlines = [
  ['one newline at the root', '\n'],
  ['two newlines at the root', '\n\n'],
  ['three newlines at the root', '\n\n\n'],
  ['one newline as an item', ['\n']],
  ['one newline as a value', { a: '\n' }],
  ['a line that ends in two newlines', 'a\n\n']
]

for (const [title, value] of newlines) {
  test('quartz-17: ' + title, () => survives(value))
}
`;

/** Values for which the output of dump() must stay what it is. */
export const VALUES = js`'use strict'

// Values that dump() and load() handle today. Their text must not change.
module.exports = [
  'plain', 'two words', 'colon: inside', 'ends with colon:', '# not a comment', 'a # comment-like',
  '- not an item', '? not a key', '', ' ', '  leading', 'trailing ', 'it\'s', 'say "hi"', '\ttab',
  'null', 'true', 'no', '~', '12', '1.5', '0x1f', '1e3', '.5', '.', '..', '....', '.dot', '...dots',
  '<<', '=', '!tag', '&anchor', '*alias', '%percent', '@at', '\u0060tick', '{flow}', '[flow]', 'a,b',
  'line one\nline two', 'line one\nline two\n', 'ends in two\n\n', '\nstarts with one', 'tab\tinside\nand a line',
  'word '.repeat(30).trim(), 'x'.repeat(120), 'caf\u00e9', '\u{1f600} smile', 'nul \u0000 byte', '\u0085next line',
  0, -1, 1.5, 1e21, 1e-7, true, false, null,
  [], [[]], [1, [2, [3, [4]]]], ['...', '. ..', '---', '-'], [null, true, '12'],
  {}, { a: {} }, { a: [] }, { a: '...' }, { a: ['...'] }, { a: { '...': 1, '... b': 2 } }, [{ '...': 1 }], { '...': 1 }, { '...': { a: '... b' } },
  { 'key with spaces': 1, 'key: colon': 2, '#key': 3, '-key': 4, '': 5, null: 6, 12: 7 },
  { list: ['a', { b: 'c' }, ['d']], text: 'one\ntwo\n', deep: { deeper: { deepest: '...' } } }
]
`;

export const MAKE_GOLDEN = js`'use strict'

// Writes golden.json: the text of every sample value under every set of options.
// Run it only when the output is meant to change.
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const yaml = require('../../index.js')
const values = require('./values.js')
const options = require('./options.js')

const rows = []
for (const value of values) {
  for (const option of options) rows.push(yaml.dump(value, option))
}
writeFileSync(join(__dirname, 'golden.json'), JSON.stringify(rows, null, 1) + '\n')
console.log(rows.length + ' texts')
`;

export const OPTIONS = js`'use strict'

module.exports = [
  {},
  { indent: 4 },
  { lineWidth: 20 },
  { flowLevel: 1 },
  { noArrayIndent: true },
  { quotingType: '"' }
]
`;

export const OUTPUT_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')
const values = require('./support/values.js')
const options = require('./support/options.js')
const golden = require('./support/golden.json')

for (const [column, option] of options.entries()) {
  test('the output of dump() stays the same with ' + JSON.stringify(option), () => {
    for (const [row, value] of values.entries()) {
      const expected = golden[row * options.length + column]
      assert.equal(yaml.dump(value, option), expected, 'for ' + JSON.stringify(value))
    }
  })
}
`;
