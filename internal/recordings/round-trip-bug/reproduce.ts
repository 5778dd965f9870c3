import type { Step } from '../../src/record/recording.ts';
import {
  fails,
  glob,
  grep,
  read,
  say,
  shell,
  shows,
  thinking,
  todo,
  user,
  write,
} from '../../src/record/steps.ts';
import { QUARTZ_TEST } from './tests.ts';

const STEPS = [
  'reproduce both values of quartz-17',
  'failing tests for both',
  'record what dump() writes today',
  'fix the writer (three dots)',
  'fix the reader (only a newline)',
  'note in CHANGELOG.md',
];

/** The todo list of the first request. */
export const quartzTodo = (done: number) => todo(STEPS, done);

export const reproduce: readonly Step[] = [
  user(`This folder is js-yaml 4.3.0 as we ship it inside our config store. The store writes every value with dump() and reads it back with load(). Ticket quartz-17: two values do not survive that trip. The string of three dots comes back as null, and the string that is only a newline makes load() throw "missing indentation for block scalar".

Please do three things, in this order:
1. Failing tests first, in test/, with node's own test runner. Name the ticket in the titles.
2. Then fix both. The cause, not the symptom.
3. A note for users in CHANGELOG.md.

Rules for as long as you work here:
- Never touch dist/ or bin/, they are built at release time.
- Always run node --test test/ before you tell me that something is done.
- What dump() writes today for a value that loads back correctly must stay the same, byte for byte. Customers diff these files.`),

  thinking(
    'Start with the layout, then reproduce before reading too much. The three rules matter: no dist/bin, run the tests before claiming, output of dump unchanged for good values.',
    say(
      'I will look at the layout first and then reproduce both values.',
      glob('**/*'),
      read('package.json'),
    ),
  ),
  thinking(
    'There is no test folder in the package, so I create one. index.js shows which modules are behind load and dump.',
    say(
      'There is no test folder yet. The entry points and the small helpers come first.',
      read('index.js'),
      read('lib/common.js'),
      read('lib/exception.js'),
    ),
  ),
  say(
    'Reproducing both values from the ticket, with the text in between.',
    shows(
      shell(`node -e '
const yaml = require("./index.js")
for (const value of ["...", "\\n"]) {
  const text = yaml.dump(value)
  try { console.log(JSON.stringify(value), "->", JSON.stringify(text), "->", JSON.stringify(yaml.load(text))) }
  catch (error) { console.log(JSON.stringify(value), "->", JSON.stringify(text), "-> throws:", error.reason) }
}'`),
      'throws: missing indentation',
    ),
  ),
  thinking(
    'Both reproduced. "..." is written as a plain scalar at the start of a line: in YAML that is the document end marker, so the text itself is wrong: a fault of the writer. "|+\\n\\n" on the other hand is right: a literal block with keep chomping and one empty line is "\\n". So that one is a fault of the reader. Two causes in two files.',
    say(
      'Both fail as reported, and on different sides: `...` at the start of a line is the document end marker, so the text that dump() writes is wrong; `|+` with one empty line is a correct way to write a newline, so there load() is wrong. I look for both places.',
      grep('missing indentation|testDocumentSeparator', { path: 'lib' }),
      grep('STYLE_PLAIN|STYLE_SINGLE', { path: 'lib' }),
    ),
  ),
  thinking(
    'dumper.js has 937 lines. I need most of it: style choice, scalar writing, and how levels are passed. Read it in two parts.',
    say(
      'The writer first, all of it, because the choice of style depends on who calls it.',
      read('lib/dumper.js', 1, 420),
    ),
  ),
  say('And the rest: block headers, mappings, writeNode.', read('lib/dumper.js', 421, 520)),
  thinking(
    'chooseScalarStyle decides for plain if isPlainSafeFirst, isPlainSafe per character, isPlainSafeLast and not ambiguous. "." is a plain-safe first character, so "..." goes out plain. "---" cannot happen because "-" is excluded as a first character. writeNode(level, ..., iskey) is called with level 0 for the root and level + 1 for keys. So a key of the top mapping has level 1 and iskey: "... a" as a top-level key also stands at the start of a line.\n\nNow the reader.',
    say(
      'In the writer, `...` passes all three plain checks; `---` cannot, because a minus is never allowed first. A key of the top mapping also stands at the start of a line, so `... x` as a key should fail too. Now the reader: separator, plain and block scalars, and who calls them.',
      read('lib/loader.js', 440, 205),
      read('lib/loader.js', 869, 142),
      read('lib/loader.js', 1410, 120),
    ),
  ),
  thinking(
    'readBlockScalar: the loop runs until ch === 0. For "|+\\n\\n" at the root, nodeIndent is 0, textIndent 0. The header line break is read, then an empty line, then ch is the terminating NUL: not an end of line, textIndent still 0 -> throws before it notices that the input is over. Inside a mapping textIndent is at least 1, so lineIndent 0 < textIndent ends the scalar normally. That is why only the root is affected. I should check a table of variants rather than believe this.',
    say(
      'At the root the reader asks for indentation (loader.js:947) before it notices that the input is over; deeper down textIndent is at least 1 and the scalar ends normally. I check that reading with a table of variants for both faults.',
      shows(
        shell(`node -e '
const yaml = require("./index.js")
const values = ["...", "... a", "....", "...a", ["..."], { a: "..." }, { "...": 1 }, { "... a": 1 }, { a: { "...": 1 } }, "\\n", "\\n\\n", ["\\n"], { a: "\\n" }, "a\\n\\n"]
for (const value of values) {
  const text = yaml.dump(value)
  let back
  try { back = JSON.stringify(yaml.load(text)) } catch (error) { back = "throws: " + error.reason }
  const same = back === JSON.stringify(value) ? "ok  " : "BAD "
  console.log(same, JSON.stringify(value).padEnd(16), JSON.stringify(text).padEnd(22), back)
}'`),
        'BAD  "..."',
        'BAD  {"... a":1}',
        'ok   {"...":1}',
        'ok   {"a":{"...":1}}',
      ),
    ),
  ),
  thinking(
    'Start of line only, and root only for newlines, as expected. One thing I had not seen: {"...": 1} survives, because the colon that follows keeps `...:` from being a marker; {"... a": 1} does not. Write the plan down and then the tests.',
    say(
      'The table confirms it, with one surprise: `...` alone as a key survives, because `...:` is not a marker, while `... a` as a key does not. Newlines fail at the root only. I write the plan down and then the failing tests.',
      quartzTodo(1),
      write('test/round-trip.test.js', QUARTZ_TEST),
    ),
  ),
  say(
    'Running them the way you asked for.',
    fails(shell('node --test test/'), "Cannot find module '/workspace/test'"),
  ),
  thinking(
    'node --test with a folder: since node 22 a positional argument is a file or a glob, a folder is tried as a module. So the command of the rule cannot work with node 24. I run the glob form to see the real result, and ask about the rule instead of silently replacing it.',
    say(
      'That failure is not about our tests: this version of node takes a folder name as a module to run. With a glob the tests themselves run:',
      fails(shell('node --test "test/*.test.js"'), 'tests 14', 'pass 8', 'fail 6'),
    ),
  ),
  say(`The failing tests are in test/round-trip.test.js: 14 cases, 6 of them fail, and all 6 for the reasons in the ticket (three dots at the start of a line in three cases, a root scalar without content in three). The other 8 hold neighbouring values that work today, so that the fix does not break them.

One thing I need from you before I go on: your rule says to run \`node --test test/\`, and node 24 cannot do that; it looks for a module called test. \`node --test "test/*.test.js"\` does what you mean. I would use that from now on. Nothing in lib/ has been changed yet.`),
];
