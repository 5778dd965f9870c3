const js = String.raw;

export const LOADER_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

function survives (value) {
  const text = yaml.dump(value)
  assert.deepEqual(yaml.load(text), value, 'written as ' + JSON.stringify(text))
}

const newlines = [
  ['one newline at the root', '\n'],
  ['two newlines at the root', '\n\n'],
  ['three newlines at the root', '\n\n\n'],
  ['one newline as an item', ['\n']],
  ['one newline as a value', { a: '\n' }]
]

for (const [title, value] of newlines) {
  test('quartz-17: ' + title, () => survives(value))
}

const streams = [
  ['keep, then a new document', '--- |+\n\n---\nb\n', ['\n', 'b']],
  ['keep, then an end marker', '--- |+\n\n...\n--- c\n', ['\n', 'c']],
  ['clip, then a new document', '--- |\n\n---\nb\n', ['', 'b']],
  ['strip, then the end marker', '--- >-\n\n...\n', ['']],
  ['keep with Windows line ends, then a new document', '--- |+\r\n\r\n---\r\nb\r\n', ['\n', 'b']],
  ['keep with Windows line ends at the end', '|+\r\n\r\n', ['\n']],
  ['a nested scalar, then a new document', 'a: |+\n\n---\nb\n', [{ a: '\n' }, 'b']],
  ['a scalar with content, then a new document', '--- |\n  a\n---\nb\n', ['a\n', 'b']],
  ['indented dashes are content', '--- |\n  ---\n', ['---\n']]
]

for (const [title, text, documents] of streams) {
  test('quartz-17: ' + title, () => assert.deepEqual(yaml.loadAll(text), documents))
}

const indicators = [
  ['|2\n   x\n', ' x\n'],
  ['|1\n  x\n', ' x\n'],
  ['|4-\n      x\n    y\n', '  x\ny'],
  ['>2\n   x\n', ' x\n'],
  ['--- |2\n   x\n---\n', ' x\n'],
  ['- |2\n   x\n', [' x\n']],
  ['a: |2\n   x\n', { a: ' x\n' }]
]

for (const [text, value] of indicators) {
  test('heron-4: ' + JSON.stringify(text) + ' counts the indicator from the margin', () => {
    assert.deepEqual(yaml.loadAll(text)[0], value)
  })
}

test('heron-4: a root string that starts with spaces survives', () => {
  for (const value of [' x\n', '\n  ', '  a\nb', '   \n\n']) survives(value)
})
`;

export const DUMPER_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

function survives (value, options) {
  const text = yaml.dump(value, options)
  assert.deepEqual(yaml.load(text), value, 'written as ' + JSON.stringify(text))
}

const strings = [
  ['three dots at the root', '...'],
  ['three dots and a word at the root', '... a'],
  ['three dots as a key of the top mapping', { '...': 1 }],
  ['three dots and a word as a key of the top mapping', { a: 0, '... b': 1 }],
  ['four dots at the root', '....'],
  ['three dots as an item', ['...']],
  ['three dots as a value', { a: '...' }],
  ['three dots as a nested key', { a: { '...': 1 } }],
  ['a line that ends in two newlines', 'a\n\n']
]

for (const [title, value] of strings) {
  test('quartz-17: ' + title, () => survives(value))
}

const colons = [
  ['a colon before a bracket in a list', ['a:]']],
  ['a colon before a brace in a mapping', { a: 'b:}' }],
  ['a colon before a comma', ['a:,b']],
  ['a key with a colon before a bracket', { 'a:[': 1 }],
  ['a colon before a letter', ['a:b']],
  ['a colon before a number sign', ['a:#b']]
]

test('quartz-17: three dots in a flow list keep their text', () => {
  assert.equal(yaml.dump(['...'], { flowLevel: 0 }), '[...]\n')
  assert.equal(yaml.dump('...', { flowLevel: 0 }), "'...'\n")
})

for (const [title, value] of colons) {
  test('marble-9: ' + title + ' survives in flow style', () => survives(value, { flowLevel: 0 }))
}
`;

export const RANDOM_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const options = require('./support/options.js')
const { findFailures } = require('./support/random-values.js')

const VALUES_PER_OPTION_SET = 500
const SEED = 17

for (const entry of [...options, { flowLevel: 0 }]) {
  test('random values survive with ' + JSON.stringify(entry), () => {
    const option = JSON.parse(entry)
    const [{ shortest }] = findFailures(VALUES_PER_OPTION_SET, SEED, [option])
    assert.deepEqual(shortest, [])
  })
}
`;

export const CHANGELOG = `# Changelog

## Unreleased

- quartz-17: three dots at the start of a line are quoted by dump(), so that they are not read as the end of the document.
- quartz-17: load() reads a block scalar of empty lines at the top of a document, also before a document marker.
- heron-4: load() counts the indentation indicator of a block scalar at the top of a document from the margin.
- marble-9: dump() quotes strings with a colon before a bracket, a brace or a comma in flow style.
`;
