const js = String.raw;

export const HELPERS = js`const fs = require('node:fs');
const path = require('node:path');
const { Command } = require('../');

const folder = path.join(__dirname, 'files');

// Writes the files of a test below tests/files, runs the body, and removes them.
function withFiles(files, body) {
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    return body();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

// A program that throws instead of exiting and keeps what it would have written.
function quietProgram() {
  const program = new Command('tool');
  program.written = '';
  program.exitOverride().configureOutput({
    writeOut: (text) => (program.written += text),
    writeErr: (text) => (program.written += text),
  });
  return program;
}

const parse = (program, ...args) => program.parse(args, { from: 'user' });

module.exports = { withFiles, quietProgram, parse };
`;

export const TESTS_OF_TODAY = js`const { test } = require('node:test');
const assert = require('node:assert/strict');
const { quietProgram, parse } = require('./helpers.js');

function anyArguments() {
  return quietProgram().argument('[words...]').option('-m, --mail <to>').option('-v');
}

const cases = [
  [['@a'], ['@a'], {}],
  [['@@a'], ['@@a'], {}],
  [['@'], ['@'], {}],
  [['-v', '@a', 'b'], ['@a', 'b'], { v: true }],
  [['--mail', '@joe'], [], { mail: '@joe' }],
  [['--mail=@joe'], [], { mail: '@joe' }],
  [['--', '@a', '-v'], ['@a', '-v'], {}],
];

for (const [args, words, options] of cases) {
  test('without the switch ' + JSON.stringify(args) + ' is taken as it is', () => {
    const program = parse(anyArguments(), ...args);
    assert.deepEqual([program.args, program.opts()], [words, options]);
  });
}

test('without the switch a subcommand gets @ as it is', () => {
  const program = quietProgram();
  let got;
  program.command('send').argument('[words...]').action((words) => (got = words));
  parse(program, 'send', '@a', '@@b');
  assert.deepEqual(got, ['@a', '@@b']);
});
`;

export const FEATURE_TESTS = js`const { test } = require('node:test');
const assert = require('node:assert/strict');
const { quietProgram, parse, withFiles } = require('./helpers.js');

function anyArguments() {
  return quietProgram().argumentFiles().argument('[words...]').option('-m, --mail <to>').option('-v');
}

function words(files, ...args) {
  return withFiles(files, () => parse(anyArguments(), ...args).args);
}

function errorOf(files, ...args) {
  const program = anyArguments();
  try {
    withFiles(files, () => parse(program, ...args));
  } catch (error) {
    return { code: error.code, written: program.written };
  }
  assert.fail('no error');
}

const texts = [
  ['words and lines', 'a b\nc\n', ['a', 'b', 'c']],
  ['an empty file', '', []],
  ['single quotes', "'a b' c", ['a b', 'c']],
  ['double quotes', '"a b" c', ['a b', 'c']],
  ['an empty argument', '"" a', ['', 'a']],
  ['quotes inside a word', 'x"a b"y', ['xa by']],
  ['an escaped quote', '"a \\" b"', ['a " b']],
  ['a backslash outside of quotes', 'a\\b', ['a\\b']],
  ['a comment', 'a # b c\nd', ['a', 'd']],
  ['a hash inside a word', 'a#b', ['a#b']],
];

for (const [title, text, expected] of texts) {
  test('fern-2: ' + title, () => {
    assert.deepEqual(words({ 'a.args': text }, '@tests/files/a.args'), expected);
  });
}

test('fern-2: options in a file are options', () => {
  withFiles({ 'a.args': '-v --mail joe x' }, () => {
    const program = parse(anyArguments(), '@tests/files/a.args', 'y');
    assert.deepEqual([program.args, program.opts()], [['x', 'y'], { v: true, mail: 'joe' }]);
  });
});

test('fern-2: a missing file and an open quote are errors with a code', () => {
  assert.deepEqual(errorOf({}, '@tests/files/no.args'), {
    code: 'commander.argumentFile',
    written: "error: argument file 'tests/files/no.args' cannot be read\n",
  });
  assert.match(errorOf({ 'a.args': 'a "b' }, '@tests/files/a.args').written, /^error: argument file 'tests\/files\/a.args' has an unclosed quote\n$/);
});

test('slate-6: a nested file is relative to the file that names it', () => {
  const files = { 'a.args': 'a @sub/b.args d', 'sub/b.args': 'b @c.args', 'sub/c.args': 'c' };
  assert.deepEqual(words(files, '@tests/files/a.args'), ['a', 'b', 'c', 'd']);
});

function chain(length) {
  const names = Array.from({ length }, (_, index) => String(index + 1));
  return Object.fromEntries(names.map((name, index) => [name, names[index + 1] ? '@' + names[index + 1] : 'end']));
}

test('slate-6: 8 levels are fine, 9 are an error', () => {
  assert.deepEqual(words(chain(8), '@tests/files/1'), ['end']);
  assert.match(errorOf(chain(9), '@tests/files/1').written, /^error: argument files are nested more than 8 levels deep/);
});

test('slate-6: a cycle is an error', () => {
  assert.equal(errorOf({ a: '@b', b: '@a' }, '@tests/files/a').code, 'commander.argumentFile');
});

test('amber-3: @@ stands for @, and nothing after -- is touched', () => {
  assert.deepEqual(words({}, '@@joe', '@', '--', '@a', '@@b'), ['@joe', '@', '@a', '@@b']);
});

test('amber-3: a subcommand gets the same', () => {
  const program = quietProgram().argumentFiles();
  let got;
  program.command('send').argument('[words...]').action((args) => (got = args));
  withFiles({ 'a.args': 'x @@y' }, () => parse(program, 'send', '@tests/files/a.args', '@@joe', '--', '@@z'));
  assert.deepEqual(got, ['x', '@y', '@joe', '@@z']);
});

test('the arguments as they were given stay in rawArgs', () => {
  withFiles({ 'a.args': 'x' }, () => {
    assert.deepEqual(parse(anyArguments(), '@tests/files/a.args').rawArgs, ['@tests/files/a.args']);
  });
});
`;
