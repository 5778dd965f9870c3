import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { answers, bash, factsOf, ledgerOf, runs, says } from './session.ts';

const edit = (path: string, before = 'old();', after = 'fresh();') =>
  runs('Edit', { file_path: path, old_string: before, new_string: after });
const read = (path: string, ran = {}) => runs('Read', { file_path: path }, ran);
const failing = { result: 'Error: no', isError: true };

type Session = readonly (Message | readonly Message[])[];

describe('what was done since a step was announced', () => {
  const since = (...calls: readonly ReturnType<typeof runs>[]): string | undefined =>
    factsOf(ledgerOf(says('Go.'), answers('Next I will mend it.'), ...calls), 'standing')
      .find((each) => each.startsWith('since then: '))
      ?.slice('since then: '.length);
  const reads = (count: number) => Array.from({ length: count }, (_, at) => read(`f${at}.ts`));
  const makes = (count: number) => Array.from({ length: count }, (_, at) => bash(`make p${at}`));

  test.each<[string, readonly ReturnType<typeof runs>[], string | undefined]>([
    ['nothing', [], undefined],
    ['a look', reads(1), 'looked at f0.ts'],
    ['three looks', reads(3), 'looked at f0.ts, f1.ts, f2.ts'],
    ['four looks', reads(4), 'looked at f1.ts, f2.ts, f3.ts and 1 more'],
    ['one look twice', [...reads(1), ...reads(1)], 'looked at f0.ts'],
    [
      'looks around a change',
      [read('a.ts'), edit('b.ts'), read('c.ts')],
      'looked at a.ts; edited b.ts; looked at c.ts',
    ],
    ['a look that failed', [read('a.ts', failing)], 'a.ts: failed'],
    [
      'a search without a hit',
      [bash('grep x a.ts', { result: 'Exit code 1', isError: true })],
      '`grep x a.ts`: found nothing',
    ],
    [
      'a refused command',
      [bash('rm a', { result: 'Tool use was rejected', isError: true })],
      '`rm a`: refused, not run',
    ],
    [
      'a command in the background',
      [bash('make', { result: 'running in background with ID: t' })],
      '`make`: running',
    ],
    ['a command with a backtick', [bash('echo `date`> a')], "`echo 'date'> a`: ok"],
    ['a new file', [runs('Write', { file_path: '/w/a.ts', content: 'a' })], 'wrote a.ts'],
    [
      'ten commands',
      makes(10),
      makes(10)
        .map((_, at) => `\`make p${at}\`: ok`)
        .join('; '),
    ],
    [
      'eleven commands',
      makes(11),
      `1 more before; ${makes(10)
        .map((_, at) => `\`make p${at + 1}\`: ok`)
        .join('; ')}`,
    ],
    [
      'a command again, at its last time',
      [...makes(2), ...makes(1)],
      '`make p1`: ok; `make p0`: ok (2 times)',
    ],
    [
      'the plan of the agent',
      [runs('TodoWrite', { todos: [{ content: 'a', status: 'pending' }] })],
      undefined,
    ],
    ['a skill', [runs('Skill', { skill: 'a' })], undefined],
  ])('%s', (_, calls, told) => {
    expect(since(...calls)).toBe(told);
  });

  test('counts all of 399 calls, of 400 the newest 200', () => {
    const same = (count: number) => Array.from({ length: count }, () => bash('make'));
    expect(since(...same(399))).toBe('`make`: ok (399 times)');
    expect(since(...same(400))).toBe('`make`: ok (at least 200 times)');
  });
});

describe('where the work stands', () => {
  const standing = (...messages: Session) => factsOf(ledgerOf(...messages), 'standing');

  test.each<[string, Session, readonly string[]]>([
    ['the only request is not told again', [says('Go.'), answers('It is.')], []],
    ['a request that nothing was done for', [says('One.'), says('Two.')], []],
    [
      'one that is worked on',
      [says('One.'), says('Two.'), ...bash('make')],
      ['open request: [1] Two.'],
    ],
    [
      'one that was answered',
      [says('One.'), says('Two.'), answers('It is.')],
      ['last request: [1] Two. (answered; no reply since)'],
    ],
    [
      'one that is worked on after an answer',
      [says('One.'), says('Two.'), answers('It is.'), ...bash('make')],
      ['open request: [1] Two.'],
    ],
    [
      'a step that was announced before the request',
      [answers('Next I will mend it.'), says('Two.')],
      [],
    ],
  ])('%s', (_, messages, told) => {
    expect(standing(...messages)).toEqual(told);
  });

  test('the newest sentence of the newest four texts says what comes next', () => {
    const told = (later: number) =>
      standing(
        says('Go.'),
        answers('Next I will mend it. Then I will test it. Next I will push it. That is all.'),
        ...Array.from({ length: later }, () => answers('It is.')),
      );
    expect(told(0)).toEqual(['next step, as the assistant put it: Next I will push it.']);
    expect(told(3)).toEqual(['next step, as the assistant put it: Next I will push it.']);
    expect(told(4)).toEqual([]);
  });

  test('the newest six aims are told, in their order, one that is said again at its last place', () => {
    const aim = (at: number) => `It must be under ${at} ms.`;
    const told = standing(...[1, 2, 3, 4, 5, 6, 7, 2].map((at) => says(aim(at))));
    expect(told.map((each) => each.replace(/^aim \d+: /, ''))).toEqual([3, 4, 5, 6, 7, 2].map(aim));
    const before = Array.from({ length: 400 }, () => says('Go on.'));
    expect(standing(says(aim(1)), ...before.slice(1))).toEqual([`aim 0: ${aim(1)}`]);
    expect(standing(says(aim(1)), ...before)).toEqual([]);
  });
});

describe('what edits did', () => {
  const gist = (before: string, after: string, path = 'a.ts'): string =>
    factsOf(ledgerOf(edit(path, before, after)), 'edit')[0]?.replace(/^.*?: /, '') ?? '';

  test.each([
    ['a line in the middle', 'aa\nbb\ncc', 'aa\nxx\ncc', '`xx` (+1 -1)'],
    ['a line that is put before one like it', 'aa\nbb', 'aa\naa\nbb', '`aa` (+1 -0)'],
    ['a line that moves', 'aa\nbb\ncc', 'bb\ncc\naa', '`bb` (+3 -3)'],
    ['a line that moves behind the only other', 'aa\nbb', 'bb\naa', '`bb` (+2 -2)'],
    ['a line that moves, and one that goes', 'aa\nbb\ncc', 'bb\naa', 'without `cc` (+2 -3)'],
    ['a line that goes from two alike', 'aa\naa\nbb', 'aa\nbb', 'without `aa` (+0 -1)'],
    ['the first line', 'aa\nbb', 'xx\nbb', '`xx` (+1 -1)'],
    ['the last line', 'aa\nbb', 'aa\nxx', '`xx` (+1 -1)'],
    ['more lines than there were', 'aa', 'aa\nbb\ncc', '`bb` (+2 -0)'],
    ['an import and a line', 'aa', "import b from 'b';\ncc", '`cc` (+2 -1)'],
    ['only an import', 'aa', "aa\nimport b from 'b';", "`import b from 'b';` (+1 -0)"],
    [
      'two imports',
      'aa',
      "aa\nimport b from 'b';\nimport c from 'c';",
      "`import b from 'b';` (+2 -0)",
    ],
    [
      'above another symbol',
      'function one() {\n  aa;\nfunction two() {',
      'function one() {\n  bb;\nfunction two() {',
      'in one `bb;` (+1 -1)',
    ],
    ['a new text of one line', '', 'aa', '`aa` (1 line)'],
    ['a new text of two lines', '', 'aa\nbb', '`aa` (2 lines)'],
    ['brackets and letters', 'aa', 'aa\n}\nb', ''],
    [
      'in the nearest symbol above',
      'function one() {\n}\nfunction two() {\n  aa;\n}',
      'function one() {\n}\nfunction two() {\n  bb;\n}',
      'in two `bb;` (+1 -1)',
    ],
    [
      'a symbol that went',
      'function one() { return 1; }\naa',
      'aa',
      'without `function one() { return 1; }` (+0 -1)',
    ],
    ['a binding', 'const limit = 1;', 'const limit = 2;', '`const limit = 2;` (+1 -1)'],
  ])('%s', (_, before, after, told) => {
    expect(gist(before, after)).toBe(told);
  });

  test('other tools that are given a path and a text edit nothing, nor does an edit of no file', () => {
    const search = runs('Grep', { path: 'a.ts', pattern: 'aa', text: 'aa bb' });
    const nowhere = runs('Edit', { old_string: 'aa', new_string: 'bb' });
    expect(factsOf(ledgerOf(says('Go.'), search, nowhere), 'edit')).toEqual([]);
  });

  test('a text without symbols has none', () => {
    const [before, after] = ['function one() {\n  aa;\n}', 'function one() {\n  bb;\n}'];
    expect(gist(before, after, 'a.md')).toBe('`bb;` (+1 -1)');
    expect(gist(before, after, 'a.js')).toBe('in one `bb;` (+1 -1)');
  });

  test('of several places of one edit two, and how many more', () => {
    const edits = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        old_string: `old${at}();`,
        new_string: `new${at}();`,
      }));
    const told = (count: number) =>
      factsOf(ledgerOf(runs('MultiEdit', { file_path: 'a.ts', edits: edits(count) })), 'edit');
    expect(told(2)).toEqual(['a.ts: `new0();` (+1 -1); `new1();` (+1 -1)']);
    expect(told(3)).toEqual(['a.ts: `new0();` (+1 -1); `new1();` (+1 -1); and 1 more places']);
  });

  test('of 400 files, the one that was edited longest ago goes', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => edit(`f${at}.ts`));
    const told = (...messages: Session) =>
      factsOf(ledgerOf(...messages), 'edit').map((each) => each.split(':')[0]);
    expect(told(...many(400))).toContain('f0.ts');
    expect(told(...many(401))).not.toContain('f0.ts');
    expect(told(...many(400), edit('f0.ts'), edit('g.ts'))).toContain('f0.ts');
  });
});
