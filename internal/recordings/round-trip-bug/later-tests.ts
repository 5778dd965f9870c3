const js = String.raw;

export const HERON_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

const texts = [
  ['|2\n   x\n', ' x\n'],
  ['|1\n  x\n', ' x\n'],
  ['|4-\n      x\n    y\n', '  x\ny'],
  ['>2\n   x\n', ' x\n'],
  ['--- |2\n   x\n---\n', ' x\n'],
  ['- |2\n   x\n', [' x\n']],
  ['a: |2\n   x\n', { a: ' x\n' }]
]

for (const [text, value] of texts) {
  test('heron-4: ' + JSON.stringify(text) + ' counts the indicator from the margin', () => {
    assert.deepEqual(yaml.loadAll(text)[0], value)
  })
}

test('heron-4: a root string that starts with spaces survives', () => {
  for (const value of [' x\n', '\n  ', '  a\nb', '   \n\n']) {
    assert.deepEqual(yaml.load(yaml.dump(value)), value)
  }
})
`;

export const MARBLE_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

const values = [
  ['a colon before a bracket in a list', ['a:]']],
  ['a colon before a brace in a mapping', { a: 'b:}' }],
  ['a colon before a comma', ['a:,b']],
  ['a key with a colon before a bracket', { 'a:[': 1 }],
  ['a colon before a letter', ['a:b']],
  ['a colon before a number sign', ['a:#b']]
]

for (const [title, value] of values) {
  test('marble-9: ' + title + ' survives in flow style', () => {
    assert.deepEqual(yaml.load(yaml.dump(value, { flowLevel: 0 })), value)
  })
}
`;

export const COMPARE = js`'use strict'

// Every text that the changed writer writes differently must be one that the old reader could not read back.
const { isDeepStrictEqual } = require('node:util')
const now = require('../../lib/dumper.js').dump
const before = require('../../.before/lib/dumper.js').dump
const { load } = require('../../.before/lib/loader.js')

const PARTS = ['a', 'b', ':', '#', ']', '}', ',', '[', '{', ' ', '...', 'x']
let state = 99
const next = (count) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return Math.floor(state / 0x80000000 * count)
}

function loadsBack (text, value) {
  try {
    return isDeepStrictEqual(load(text), value)
  } catch (error) {
    return false
  }
}

let changed = 0
let wronglyChanged = 0
for (let index = 0; index < 60000; index++) {
  const text = Array.from({ length: 1 + next(6) }, () => PARTS[next(PARTS.length)]).join('')
  for (const value of [text, [text], { [text]: text }]) {
    for (const flowLevel of [-1, 0, 1]) {
      const old = before(value, { flowLevel })
      if (now(value, { flowLevel }) === old) continue
      changed++
      if (!loadsBack(old, value)) continue
      wronglyChanged++
      if (wronglyChanged < 6) console.log(JSON.stringify(value), flowLevel, old.trimEnd())
    }
  }
}
console.log({ changed, wronglyChanged })
`;
