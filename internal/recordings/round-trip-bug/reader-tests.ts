const js = String.raw;

export const STREAM_TEST = js`'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const yaml = require('../index.js')

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
`;

export const RANDOM_VALUES = js`'use strict'

// Random values that lean towards what YAML treats specially, the same for the same seed.
const assert = require('node:assert/strict')
const yaml = require('../../index.js')
const options = require('./options.js')

const ATOMS = ['a', 'b', ' ', '  ', '\n', '\n\n', '#', ':', '- ', '? ', '"', "'", '|', '>', '%', '@', '&', '*', '!',
  '{', '}', '[', ']', ',', '\t', '\r', '\u0085', '\u2028', '\ufeff', '0', '1', '.', '_', 'e', 'x', '-', '~', 'null',
  'true', '---', '...', '<<', '=', '\u00e9', '\u{1f600}', '\u0000', '\\', 'word', 'long word ']
const SCALARS = [0, 1, 1.5, -1e21, 1e-7, Infinity, -Infinity, 123456789012, true, false, null]

function generator (seed) {
  let state = seed
  const next = (count) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return Math.floor(state / 0x80000000 * count)
  }
  const string = () => Array.from({ length: next(9) }, () => ATOMS[next(ATOMS.length)]).join('')
  const value = (depth) => {
    const choice = next(20)
    if (depth > 3 || choice < 12) return string()
    if (choice < 14) return SCALARS[next(SCALARS.length)]
    if (choice < 17) return Array.from({ length: next(4) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: next(4) }, () => [string(), value(depth + 1)]))
  }
  return () => value(0)
}

function failure (value, option) {
  try {
    assert.deepEqual(yaml.load(yaml.dump(value, option)), value)
  } catch (error) {
    return error.reason || 'another value'
  }
}

// The shortest few failures under each option set, as [value, text, what happens].
function findFailures (count, seed, optionSets = options) {
  return optionSets.map((option) => {
    const value = generator(seed)
    const found = []
    for (let index = 0; index < count; index++) {
      const sample = value()
      const reason = failure(sample, option)
      if (reason) found.push([JSON.stringify(sample), JSON.stringify(yaml.dump(sample, option)), reason])
    }
    return { option, count: found.length, shortest: found.sort((a, b) => a[0].length - b[0].length).slice(0, 5) }
  })
}

module.exports = { findFailures }

if (require.main === module) {
  const [count, seed] = process.argv.slice(2).map(Number)
  for (const { option, count: failed, shortest } of findFailures(count, seed, [...options, { flowLevel: 0 }])) {
    console.log(JSON.stringify(option) + ': ' + failed + ' of ' + count + ' fail')
    for (const row of shortest) console.log('  ' + row.join('   '))
  }
}
`;
