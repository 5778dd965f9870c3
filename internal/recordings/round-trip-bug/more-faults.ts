import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  fails,
  grep,
  minutes,
  read,
  say,
  shell,
  shows,
  thinking,
  todo,
  user,
  write,
} from '../../src/record/steps.ts';
import { COMPARE, HERON_TEST, MARBLE_TEST } from './later-tests.ts';

const STEPS = [
  'heron-4: failing tests',
  'heron-4: fix in the reader',
  'marble-9: failing tests',
  'marble-9: fix in the writer',
  'tests split by module, random test with 500 values',
  'note in CHANGELOG.md for all three tickets',
];

/** The todo list of the second request. */
export const laterTodo = (done: number) => todo(STEPS, done);

export const moreFaults: readonly Step[] = [
  say(
    'Two thousand per option set then.',
    shows(shell('node test/support/random-values.js 2000 1'), '4 of 2000 fail', '|2-'),
  ),
  thinking(
    'None of the quartz-17 kind, but another: root literal with an indentation indicator. "|2-\\n\\n    \\n" should have content indented by 2, so "\\n  ". What comes back? textIndent = nodeIndent + tmp - 1 with nodeIndent 0 at the root gives 1: one column too few, so one space too many comes back. Silent corruption! Check with a small case, and the nested one for comparison. Try a second seed as well for other kinds.',
    say(
      'Nothing of the quartz-17 kind is left, but there is something worse: root strings that start with spaces come back as *another value*, silently. I look at what exactly comes back, compared with the same string one level down, and I try a second seed.',
      shows(
        shell(`node -e '
const { dump, load } = require("./index.js")
for (const value of ["  a\\nb", "\\n  ", " x\\n"]) {
  console.log(JSON.stringify(value), "root:", JSON.stringify(dump(value)), JSON.stringify(load(dump(value))))
  console.log(JSON.stringify(value), "item:", JSON.stringify(dump([value])), JSON.stringify(load(dump([value]))))
}'`),
        'root: "|2\\n   x\\n" "  x\\n"',
        'item: "- |2\\n   x\\n" [" x\\n"]',
      ),
      shows(
        shell('node test/support/random-values.js 2000 5'),
        '{"flowLevel":0}: 2 of 2000 fail',
        'é:]: []',
      ),
    ),
  ),
  say(
    'One space too many at the root, none inside an item. The second seed shows another fault, in flow collections: `é:]` is written without quotes and the bracket then closes the list. Both places in the code:',
    read('lib/loader.js', 895, 30),
    grep('readBlockScalar ?\\(|flowIndent = ', { path: 'lib/loader.js' }),
    grep('isPlainSafe ?\\(|CHAR_COLON', { path: 'lib/dumper.js' }),
  ),
  thinking(
    'loader.js:905: textIndent = nodeIndent + tmp - 1. At the root nodeIndent is 0 (flowIndent = parentIndent + 1 = 0), in a mapping at column 0 it is 1. So at the root the indicator counts from -1. That is either a wrong reader or a wrong writer; which one is a decision about compatibility, so ask. dumper.js isPlainSafe: last alternative (prev === CHAR_COLON && cIsNsChar) lets ":]" through although flow indicators are excluded above: it is an "or" of the whole condition. Report both and stop: they are outside of the ticket.',
    say(`quartz-17 is fixed and tested: all 29 tests passed on the last run of \`node --test "test/*.test.js"\`, with CRLF and several documents included. The note in CHANGELOG.md is not written yet, because the random run found two more faults that are not in the ticket. I have not touched either:

1. A root string that starts with spaces comes back with one space too many, without an error. dump(" x\\n") writes \`|2\` and indents by two; load() counts the indicator from one column less at the root (lib/loader.js:905, \`nodeIndent + tmp - 1\` with nodeIndent 0). One level down it is right. Either side could be changed; files that exist already would be read differently if it is the reader.
2. With flowLevel 0, a plain string in a list or mapping with a colon before a bracket, such as \`é:]\`, is written without quotes and does not load (lib/dumper.js, last line of isPlainSafe).

Should I fix them, and on which side for the first? I would change the reader, because what dump() writes today looks right to me.`),
  ),
  user(
    `Good catch, both. I was in meetings, so all at once:

- The spaces are now ticket heron-4. I asked in the python team: their loader takes "|2" at the root as two columns. So the reader is wrong, fix it there.
- The colon is ticket marble-9, fix it in the writer. Quoting those strings is fine, they do not load today.
- Failing tests first again, ticket name in the title.
- I changed my mind about one test file per story: please split by module in the end, test/loader.test.js for what the reader does and test/dumper.test.js for what the writer does. test/output.test.js stays.
- Keep the random run as a test, but not with two thousand. Correction: 500 values per option set, seed 17, flowLevel 0 included. It has to stay quick.
- Then the note, one line per ticket.`,
    { after: minutes(70) + 8_000 },
  ),
  say(
    'Six parts; I put them on the list and start with failing tests for heron-4 and marble-9.',
    laterTodo(0),
    write('test/heron.test.js', HERON_TEST),
    write('test/marble.test.js', MARBLE_TEST),
  ),
  say(
    'Both have to fail before anything is changed.',
    fails(
      shell('node --test test/heron.test.js test/marble.test.js'),
      'heron-4',
      'marble-9',
      'pass 4',
      'fail 10',
    ),
  ),
  thinking(
    'heron: textIndent = Math.max(nodeIndent, 1) + tmp - 1. At the root nodeIndent 0 -> 1. Nested unaffected since >= 1. Does a root scalar with explicit "|1" and a document marker behave? textIndent 1, the marker at column 0 ends it.',
    say(
      'heron-4: at the root the indicator has to count like one level down, so the parent column is at least the one that nodeIndent 1 stands for.',
      edit(
        'lib/loader.js',
        '        textIndent = nodeIndent + tmp - 1',
        '        // The root has no parent to count from: the indicator is the number of columns.\n        textIndent = Math.max(nodeIndent, 1) + tmp - 1',
      ),
      fails(shell('node --test "test/*.test.js"'), 'marble-9', 'pass 39', 'fail 4'),
      laterTodo(2),
    ),
  ),
  say(
    'heron-4 is green and nothing else moved; the four that are left are marble-9. The condition in the writer, once more in full:',
    read('lib/dumper.js', 205, 36),
  ),
  thinking(
    'isPlainSafe = (A && notSharp && !(prev colon && !nsChar)) || (prev nsChar && c === "#") || (prev === COLON && cIsNsChar). The third alternative is meant to allow "a:b". But A already allows ns chars after a colon: !(prev === COLON && !cIsNsChar) is true when c is ns char. So the third alternative only adds: c is ns char and excluded by A (flow indicators in flow) or c === "#" after a colon (":#"). ":#" in plain: "a:#b" allowed as # is preceded by a non-space; second alternative covers it too, because prev ":" is ns char. So the third alternative adds only flow indicators in flow, which is the fault. But wait, there is also the rule that in flow, ":" followed by a flow indicator is itself a mapping indicator: the pair ":]"... c = "]" is excluded so plain is false. And ":" as last character is excluded by isPlainSafeLast. Good: remove the alternative when not inblock. Simplest: (prev === CHAR_COLON && cIsNsChar && inblock)? In block it adds nothing beyond A. So delete it? The smallest and clearest: delete the line; verify with golden and random that nothing else changes. Is there anything in block it adds: c ns char in block: A first part true (cIsNsCharOrWhitespace). c === "#": covered by second. So yes, nothing. Delete.',
    say(
      'The last alternative, `prev === CHAR_COLON && cIsNsChar`, can only add what the lines above it exclude on purpose: in block context it adds nothing, in flow context it lets `]`, `}` and `,` through after a colon. So it is the fault itself, and I remove it.',
      edit(
        'lib/dumper.js',
        `  ) || // false on ': '
  (isNsCharOrWhitespace(prev) && !isWhitespace(prev) && c === CHAR_SHARP) || // change to true on '[^ ]#'
  (prev === CHAR_COLON && cIsNsChar) // change to true on ':[^ ]'
}`,
        `  ) || // false on ': '
  (isNsCharOrWhitespace(prev) && !isWhitespace(prev) && c === CHAR_SHARP) // change to true on '[^ ]#'
}`,
      ),
      shows(shell('node --test "test/*.test.js"'), 'pass 43', 'fail 0'),
      laterTodo(4),
    ),
  ),
  say(
    'Green. "Adds nothing in block context" was an argument, so I also compare old and new writer on many random values: every text that changed must be one that did not load before.',
    write('test/support/compare.js', COMPARE),
    shows(shell('node test/support/compare.js'), '["..."] 0 [...]', 'wronglyChanged: 1704'),
  ),
  thinking(
    'Not zero! ["..."] with flowLevel 0 was `[...]`, loads fine, and is now quoted. That is my quartz-17 fix: in flow style the level is not counted up, so an item of a root flow list has level 0 too, and I take level 0 for the root. The golden sets have flowLevel 1 but not 0, so it slipped through. inblock is false inside flow collections and true at the root, also with flowLevel 0 (inblock is taken before block is narrowed). So: atLineStart = inblock && (...). Say honestly that it is my own mistake.',
    say(
      'That is not marble-9, that is a mistake in my quartz-17 fix: inside a flow collection the level is not counted up, so with flowLevel 0 every item has level 0 and I took it for the root. `[...]` loads fine and must keep its text. The golden sets have no flowLevel 0, so they could not see it. `inblock` tells the two apart; a test for it first.',
      edit(
        'test/marble.test.js',
        `for (const [title, value] of values) {`,
        `test('quartz-17: three dots in a flow list keep their text', () => {
  assert.equal(yaml.dump(['...'], { flowLevel: 0 }), '[...]\\n')
  assert.equal(yaml.dump('...', { flowLevel: 0 }), "'...'\\n")
})

for (const [title, value] of values) {`,
      ),
      fails(shell('node --test test/marble.test.js'), 'pass 6', 'fail 1'),
    ),
  ),
  say(
    'The condition as it should have been:',
    edit(
      'lib/dumper.js',
      `const atLineStart = level === 0 || (level === 1 && iskey && string.length <= 1024)`,
      `const atLineStart = inblock &&
      (level === 0 || (level === 1 && iskey && string.length <= 1024))`,
    ),
    shows(shell('node --test "test/*.test.js"'), 'pass 44', 'fail 0'),
    shows(shell('node test/support/compare.js'), 'wronglyChanged: 0'),
  ),
];
