import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { checkSummary, type Ledger } from '../src/index.ts';
import { answers, bash, factsOf, ledgerOf, runs, says, sizeOf, valuesOf } from './session.ts';

const failing = { result: 'fatal: no rule', isError: true };
const check = (summary: string, ledger: Ledger) => {
  const { text, findings } = checkSummary(summary, { ledger, budgetTokens: 0, sizeOf });
  const own = findings.filter(({ kind }) => kind !== 'missing-facts');
  return {
    text: text.split('\n\n# From the record of the session')[0] ?? '',
    details: own.map(({ detail }) => detail),
    kinds: own.map(({ kind }) => kind),
  };
};

describe('findings', () => {
  const ledger = ledgerOf(says('alpha beta gamma delta epsilon'), says('go up'));

  test('stand in the order of the text', () => {
    const summary =
      'The user said "one of them" and "two of them".\nThe user said "three of them".\n## User messages\n- four of them';
    expect(check(summary, ledger).details).toEqual([
      'one of them',
      'two of them',
      'three of them',
      'four of them',
    ]);
  });

  test.each([
    [
      'The user approved the deploy; the user approved the release. The operator agreed to the merge.',
      [
        'The user approved the deploy;',
        'the user approved the release.',
        'The operator agreed to the merge.',
      ],
    ],
    [
      'All of the parser was mended and its tests were written again. The owner endorsed deploying.',
      ['The owner endorsed deploying.'],
    ],
    [
      'The user insists on signing. The user forbade squashing; the user demands tags.',
      ['The user insists on signing.', 'The user forbade squashing;', 'the user demands tags.'],
    ],
    [
      'See src/one_a.ts and src/two_b.ts, then callThree.',
      ['src/one_a.ts', 'src/two_b.ts', 'callThree'],
    ],
  ])('so do several of one line: %s', (summary, details) => {
    expect(check(summary, ledgerOf(says('Fix the parser.'))).details).toEqual(details);
  });

  test('so do those of quotes that only a refused call holds', () => {
    const refusal = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nnever remove x, keep all of y`;
    const refused = ledgerOf(says('go'), bash('rm x', { result: refusal, isError: true }));
    const summary = 'The user said "paint it", "never remove x", "ship it" and "keep all of y".';
    expect(check(summary, refused)).toMatchObject({
      details: ['paint it', 'never remove x', 'ship it', 'keep all of y'],
      kinds: ['quote-removed', 'quote-unverified', 'quote-removed', 'quote-unverified'],
    });
  });

  test.each([
    ['Rule: alpha beta gamma other another', false],
    ['Rule: alpha beta other another more', true],
    ['# Rules\n- alpha beta gamma other another', false],
    ['# Rules\n- alpha beta other another more', true],
    ['Rule: go up', false],
    ['Rule: go in', true],
    ['# Rules\n- 1, 2', false],
    ['# Rules\n- None', false],
    ['# Rules\n- (as above)', false],
    ['# Rules\n- of the linter:', false],
    ['# Rules\n- The user said "alpha beta gamma"', false],
    ['# Rules\n- "zeta eta theta"', true],
    ['# Rules\n- zeta eta theta (not word for word)', false],
    ['Zeta eta theta.', false],
  ])('%j is marked: %s', (summary, marks) => {
    expect(check(summary, ledger).kinds.length > 0).toBe(marks);
  });

  test.each([
    ['The user said "ab"', 'The user said "ab"'],
    ['The user said "abc"', ''],
    ['The user said “abc” today', 'The user said [a quote nobody said was removed] today'],
    ['The user said „abc“ today', 'The user said [a quote nobody said was removed] today'],
    ['The user said «abc» today', 'The user said [a quote nobody said was removed] today'],
    ["The user said 'abcdefg' today", "The user said 'abcdefg' today"],
    ["The user said 'abcdefgh' today", 'The user said [a quote nobody said was removed] today'],
    ["The user didn't say rock'n'roll it", "The user didn't say rock'n'roll it"],
    ['The user said "alpha beta" today', 'The user said "alpha beta" today'],
    ['The user said "alpha beta." today', 'The user said "alpha beta." today'],
    ['The user said "…alpha beta, … delta!" today', 'The user said "…alpha beta, … delta!" today'],
    ['They asked: "zeta eta"', 'They asked: [a quote nobody said was removed]'],
    [
      'As told by the user: "zeta eta" it is',
      'As told by the user: [a quote nobody said was removed] it is',
    ],
    ['The tool said "zeta eta"', 'The tool said "zeta eta"'],
  ])('%j becomes %j', (summary, text) => {
    expect(check(summary, ledger).text).toBe(text);
  });
});

describe('claims', () => {
  test('a user who approved what stands before the claim approved that', () => {
    const ledger = ledgerOf(answers('Shall I run the linter?'), says('yes'));
    expect(check('For the linter the user approved.', ledger).kinds).toEqual([]);
    expect(check('For the deploy the user approved.', ledger).kinds).toEqual(['invented-approval']);
  });

  test.each([
    ['# Rules\n- The user said: zeta eta theta', ['quote-removed']],
    ['# User messages\n- alpha beta gamma zeta', ['quote-unverified']],
    ['The user said "and that".', []],
    ['The user said "alpha … beta … beta".', ['quote-removed']],
    ['The user said "..." of it.', []],
  ])('in %j are %j', (summary, kinds) => {
    const said = ledgerOf(says('alpha beta gamma'), says('and that'));
    expect(check(summary, said).kinds).toEqual(kinds);
    if (kinds.length === 0) expect(check(summary, said).text).toBe(summary);
  });

  test('the last piece of a long line is not cut where it is as long as a piece may be', () => {
    const line = `${'word '.repeat(400)}${'word '.repeat(394)}words the user said "zeta eta"`;
    expect(line).toHaveLength(4_000);
    expect(check(line, ledgerOf(says('go'))).details).toEqual(['zeta eta']);
  });

  test('a line of the user of forty characters is no claim of the summary', () => {
    for (const [length, limit] of [
      [40, 5],
      [39, 6],
    ] as const) {
      const own = (value: number) => `the limit is ${value} as we agreed `.padEnd(length, 'x');
      const ledger = ledgerOf(says(own(5)), says('the limit is 6'));
      expect(check(`- ${own(5)}`, ledger).text).toBe(`- ${own(limit)}`);
    }
  });

  test('a long line is cut between its words', () => {
    const line = `${'word '.repeat(399)}the user said "zeta eta" ${'word '.repeat(9)}end`;
    expect(check(line, ledgerOf(says('go'))).text).toBe(
      line.replace('"zeta eta"', '[a quote nobody said was removed]'),
    );
  });
});

describe('a command that failed twice', () => {
  test('and runs on now has not passed', () => {
    const running = bash('make', { result: 'is still running after 3 s' });
    const ledger = ledgerOf(bash('make', failing), bash('make', failing), running);
    expect(factsOf(ledger, 'failed-approach')).toEqual([
      'make: failed 2 times, last: fatal: no rule',
    ]);
  });

  test('and was refused then is one that was not run', () => {
    const refused = bash('make', { result: 'Tool use was rejected', isError: true });
    const ledger = ledgerOf(bash('make', failing), bash('make', failing), refused);
    expect(factsOf(ledger, 'failed-approach')).toEqual(['make: not run: it was refused']);
  });
});

describe('names a session has shown', () => {
  const known = (shown: string, ...names: readonly string[]): readonly boolean[] => {
    const ledger = ledgerOf(answers(shown));
    return names.map((name) => ledger.mentions(name));
  };

  test.each([
    [
      'src/a/b.ts',
      ['src/a/b.ts', 'a/b.ts', 'b.ts', 'src/a', 'src', 'b', 'c.ts', 'rc/a'],
      [true, true, true, true, true, false, false, false],
    ],
    ['SRC/A_b.ts', ['src/a_b.ts'], [true]],
    ['/src/a.ts:12:3', ['/src/a.ts', 'src/a.ts', 'a.ts'], [true, true, true]],
    ['./src/a.ts,', ['src/a.ts', './src/a.ts'], [true, true]],
    ['C:\\src\\a.ts', ['src/a.ts', 'a.ts'], [true, true]],
    ['+added_it', ['added_it'], [true]],
    ['one.two.three', ['two', 'three', 'one.two.three', 'one.two'], [true, true, true, false]],
    ['a_b', ['a_b', 'a_bs'], [true, true]],
    ['ab', ['ab'], [false]],
    ['word', ['word'], [false]],
    ['camelCase', ['camelcase', 'camelCase'], [true, true]],
    ['.config/it', ['config/it', '..config/it'], [true, true]],
    ['https://a.b/c?d=1', ['https://a.b/c?e=2', 'https://a.b/c'], [true, true]],
    ['one/two three/four_4', ['one/two/three/four_4', 'one/two/four_4'], [false, true]],
    [`a_${'b'.repeat(298)}`, [`a_${'b'.repeat(298)}`], [true]],
    [`a_${'b'.repeat(299)}`, [`a_${'b'.repeat(299)}`], [false]],
    [
      Array.from({ length: 20 }, (_, at) => `d${at}d`).join('/'),
      ['d18d/d19d', 'd19d'],
      [true, true],
    ],
    [
      Array.from({ length: 21 }, (_, at) => `d${at}d`).join('/'),
      ['d19d/d20d', 'd20d'],
      [true, true],
    ],
  ])('%j', (shown, names, found) => {
    expect(known(shown, ...names)).toEqual(found);
  });

  // siblings looked for: every mark that is taken off a name, at its end and in front of it; texts of one message, of two
  test.each([
    ['foo.ts:12.-', 'foo.ts:12', 'foo.ts'],
    ['/-foo.ts', '-foo.ts', 'foo.ts'],
    ['foo.ts#:3', 'foo.ts#', 'foo.ts'],
    ['foo_bar/:7', 'foo_bar/', 'foo_bar'],
  ])('%s and %s hold %s in either order', (one, other, name) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(known(`${first} ${second}`, name)).toEqual([true]);
      expect(ledgerOf(answers(first), answers(second)).mentions(name)).toBe(true);
    }
  });

  test('two texts of a result stand on lines of their own', () => {
    const [call, result] = runs('Bash', { command: 'git commit' }) as [Message, Message];
    const content = ['1 file changed', '[main 4fcc52c] Add shop'].map((text) => ({
      type: 'text',
      text,
    }));
    const block = { ...(result.content[0] as object), content };
    const ledger = ledgerOf(call, { ...result, content: [block as never] });
    expect(factsOf(ledger, 'effect')).toEqual(['4fcc52c: commit on main: Add shop']);
  });

  test('a text document is read, the data of a picture is not', () => {
    const document = (type: string): Message => ({
      ...says('see'),
      content: [{ type: 'document', source: { type, data: 'load_rows' } } as never],
    });
    expect(ledgerOf(document('text')).mentions('load_rows')).toBe(true);
    expect(ledgerOf(document('base64')).mentions('load_rows')).toBe(false);
  });

  test('the id of a message and the input of a call are known, what a picture holds is not', () => {
    const said: Message = { ...says('go'), id: 'msg-7_x' };
    const ledger = ledgerOf(said, runs('Bash', { command: 'run it_now', list: ['or_then'] }));
    expect(['msg-7_x', 'it_now', 'or_then', 'nor_then'].map(ledger.mentions)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('what a sentence binds', () => {
  const literals = (text: string): string[] => factsOf(ledgerOf(says(text)), 'literal');

  test.each([
    ['the cache size equals 8 mb', ['cache size: 8 mb']],
    ['retries to 3', ['retries: 3']],
    ['timeout of 30 s', ['timeout: 30 s']],
    ['python 3.12', ['python: 3.12']],
    ["limit → 'a b'", ['limit: a b']],
    ['threads 4x', []],
    ['port 80-90', []],
    ['A_B=c;', []],
    ['run A_B=c', ['a_b: c']],
    ['rather than port 80, use port 81', ['port: 81']],
    ['except port 80', []],
    ['it is not that. port 80 is', ['port: 80']],
    ['not so, but port 80', ['port: 80']],
    ['our new page size is 5', ['page size: 5']],
    ['the bound value is 5', ['bound: 5']],
    ['there is 5', []],
  ])('%j', (text, facts) => {
    expect(literals(text)).toEqual(facts);
  });
});

describe('pictures', () => {
  const shows = (content: string | readonly object[], name = 'shot'): string[] => {
    const [call, result] = runs(name, {}) as [Message, Message];
    const block = { ...result.content[0], content } as never;
    return valuesOf(ledgerOf(call, { ...result, content: [block] }), 'command');
  };
  const image = { type: 'image', source: { type: 'url', url: 'a' } };

  test.each([
    [[image], ['showed an image, nothing in words']],
    [[image, image], ['showed 2 images, nothing in words']],
    [[image, { type: 'text', text: ' \n' }], ['showed an image, nothing in words']],
    [[image, { type: 'text', text: 'so' }], []],
    [[], []],
    ['', []],
    ['{"type":"image"} {"type":"image"}', ['showed 2 images, nothing in words']],
    ['{"type":"image"} abc', []],
    ['{"type":"image"} ab', ['showed an image, nothing in words']],
    ['{"type":"image","data":"abc', ['showed an image, nothing in words']],
    [`{"type":"image"} ${'A'.repeat(200)}`, ['showed an image, nothing in words']],
    [`{"type":"image"} ${'A'.repeat(199)}`, []],
    [`${' '.repeat(19_970)}{"type":"image"}`, ['showed an image, nothing in words']],
    [`x${' '.repeat(20_000)}{"type":"image"}`, []],
  ])('%j', (content, values) => {
    expect(shows(content)).toEqual(values);
  });
});
