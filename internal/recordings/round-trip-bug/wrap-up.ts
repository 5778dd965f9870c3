import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  fails,
  glob,
  grep,
  read,
  say,
  seconds,
  shell,
  shows,
  thinking,
  user,
  write,
} from '../../src/record/steps.ts';
import { CHANGELOG, DUMPER_TEST, LOADER_TEST, RANDOM_TEST } from './final-tests.ts';
import { laterTodo } from './more-faults.ts';

export const wrapUp: readonly Step[] = [
  thinking(
    'No text that loads was changed any more. Now split the tests: loader.test.js gets newlines (values at root through load), streams, heron; dumper.test.js gets dots, marble. The newline values are about the reader. Re-read what I have so that no case is lost: 14 + 9 + 8 + 7 = 38 cases, plus 6 output.',
    say(
      'Now every text that changed is one that did not load before. On to the tests by module, as you want them. I read the four files again so that no case gets lost on the way.',
      read('test/round-trip.test.js'),
      read('test/stream.test.js'),
      read('test/heron.test.js'),
      read('test/marble.test.js'),
    ),
  ),
  say(
    '14, 9, 8 and 7 cases: 38 in all, 22 of them about the reader.',
    write('test/loader.test.js', LOADER_TEST),
    write('test/dumper.test.js', DUMPER_TEST),
    shell('rm test/round-trip.test.js test/stream.test.js test/heron.test.js test/marble.test.js'),
  ),
  say(
    'Same number of tests as before the split: 38 and the 6 of the golden output.',
    shows(shell('node --test "test/*.test.js"'), 'tests 44', 'pass 44', 'fail 0'),
  ),
  say(
    'The random run as a test: 500 values per option set, seed 17, flowLevel 0 included. The generator still has the command line part from before; the option sets move into a parameter.',
    read('test/support/random-values.js', 38, 23),
    write('test/random.test.js', RANDOM_TEST),
    fails(shell('node --test test/random.test.js'), 'is not valid JSON'),
  ),
  thinking(
    'My own test was wrong: The failure says not valid JSON, and there is one JSON.parse in it: on the option set, which is an object already. Fix.',
    say(
      'My mistake, and not a finding: the test parses the option sets although they are objects already.',
      edit('test/random.test.js', 'const option = JSON.parse(entry)', 'const option = entry'),
      shows(shell('node --test test/random.test.js'), 'pass 7', 'fail 0'),
      laterTodo(5),
    ),
  ),
  say(
    'Now the note. Is there a changelog in the package, or a format for one?',
    glob('CHANGELOG*'),
    grep('changelog|release notes', { ignore_case: true, glob: '*.md' }),
  ),
  say(
    'Neither, so I start the file in the plain form: newest on top, one line per ticket.',
    write('CHANGELOG.md', CHANGELOG),
  ),
  say(
    'Last check: everything that changed in lib/, against the copy from the start, and that bin/ and dist/ are untouched.',
    fails(shell('diff -ru .before/lib lib'), 'DOCUMENT_END_RE', 'Math.max(nodeIndent, 1)'),
    shows(
      shell('diff -r .before/bin bin && diff -r .before/dist dist && echo untouched'),
      'untouched',
    ),
  ),
  say(
    'Six small places in two files, nothing else. I remove my copy and the comparison and run everything one last time.',
    shell('rm -r .before test/support/compare.js'),
    shows(shell('node --test "test/*.test.js"'), 'tests 51', 'pass 51', 'fail 0'),
    laterTodo(6),
  ),
  say(`All three tickets are fixed, and \`node --test "test/*.test.js"\` passes with 51 tests.

- quartz-17, writer: three dots at the start of a line are quoted (lib/dumper.js, writeScalar). Only root strings and keys of the top mapping are affected; nested dots, dots in flow lists, the key \`...\` itself and keys over 1024 characters keep their text.
- quartz-17, reader: the end of the input and a document marker end a block scalar at any indentation (lib/loader.js, readBlockScalar), with CRLF and in streams too.
- heron-4, reader: an indentation indicator at the root counts from the margin, as the python loader has it.
- marble-9, writer: a plain string in flow style no longer lets a bracket, brace or comma through after a colon.

Tests: test/loader.test.js (22 cases), test/dumper.test.js (16), test/output.test.js (today's output, 450 texts) and test/random.test.js (500 values per option set, seed 17). CHANGELOG.md has one line per ticket; quartz-17 has one for each side.

bin/ and dist/ are untouched, so dist/js-yaml.mjs still has the faults until the next build. What dump() writes for values that loaded back is unchanged in the golden file and in 60,000 random strings. One thing to tell customers: with heron-4, existing files with an indicator at the root are read with one space less than before, which is what they meant.`),
  user('Great. In one sentence for the release mail: what was wrong?', { after: seconds(52) }),
  say(
    'Some strings (three dots or a lone newline at the top of a file, texts that begin with spaces, and strings with a colon before a bracket in flow style) were written or read in a way that changed them or made the file unreadable; version 4.3.1 reads and writes all of them back exactly.',
  ),
  user(
    'We have not decided on the version number yet, so never put one in writing before I do. Same sentence without it, please.',
    { after: seconds(30) },
  ),
  say(
    'Some strings (three dots or a lone newline at the top of a file, texts that begin with spaces, and strings with a colon before a bracket in flow style) were written or read in a way that changed them or made the file unreadable; the next release reads and writes all of them back exactly. CHANGELOG.md has no number either: its heading says "unreleased".',
  ),
];
