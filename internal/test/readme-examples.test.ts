import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exampleProblems, laterProblems, withExample } from '../src/checks/readme.ts';
import { instrumented, showsOutput } from '../src/checks/stated-output.ts';
import { runCommand } from '../src/run-command.ts';

const SOURCE = `const add = (one: number, other: number) => one + other;
const sum = add(1, 2); // → 3
const { length } = 'abc'; // holds three
const parts = { sum, list: ['a'] }; // → { sum: 3, list: [ 'a' ] }
sum + 1; // → 4
for (const name of ['a', 'b']) {
  console.log(name, sum); // → a 3
}
console.log({ length }); // → { length: … }
`;
const PRINTED = 'a 3\nb 3\n{ length: 3 }\n';
const page = (source: string, output: string): string =>
  `# Title\n\nText.\n\n\`\`\`ts\n${source}\`\`\`\n\nprints:\n\n\`\`\`text\n${output}\`\`\`\n\nMore.\n`;

/** What the check says of an example that is run here. */
async function problemsOf(source: string, shown = PRINTED, code = source) {
  const dir = mkdtempSync(join(tmpdir(), 'varve-readme-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'example.ts'), instrumented(source));
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  const ran = await runCommand('node', [join(dir, 'example.ts')]);
  expect(ran.code, ran.output).toBe(0);
  return exampleProblems(page(code, shown), source, ran);
}

describe('a README example', () => {
  test('that does what it says passes', async () => {
    expect(await problemsOf(SOURCE)).toEqual([]);
  });

  test.each<[string, string, string, RegExp]>([
    ['a wrong value', '// → 3', '// → 4', /^line 2 says 4, and the value is 3$/],
    [
      'a wrong object',
      "list: [ 'a' ] }",
      'list: [] }',
      /^line 4 says .*, and the value is \{ sum: 3/,
    ],
    ['a wrong value of an expression', '// → 4', '// → 5', /^line 5 says 5, and the value is 4$/],
    [
      'a wrong line of output',
      '// → a 3',
      '// → c 3',
      /^line 7 says c 3, and that is not printed there$/,
    ],
    ['a wrong part of a line', '{ length: … }', '{ width: … }', /^line 9 says \{ width: … \}, and/],
    [
      'a comment behind a printing call',
      '// → a 3',
      '// name and sum',
      /^line 7: write `\/\/ → …`/,
    ],
    ['a value without an arrow', '// holds three', '// 3', /^line 3: write `\/\/ → …`/],
  ])('with %s fails', async (_, right, wrong, problem) => {
    const found = await problemsOf(SOURCE.replace(right, wrong));
    expect(found).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    ['another output', 'a 3\nb 4\n{ length: 3 }\n', /prints something else/],
    ['a line less', 'a 3\nb 3\n', /prints something else/],
    ['a line more', `${PRINTED}c\n`, /prints something else/],
  ])('that shows %s fails', async (_, shown, problem) => {
    expect(await problemsOf(SOURCE, shown)).toEqual([expect.stringMatching(problem)]);
  });

  test('that is not the file, or shows no output, fails', async () => {
    expect(await problemsOf(SOURCE, PRINTED, `${SOURCE}\n`)).toEqual([
      expect.stringContaining('is not the example file'),
    ]);
    const ran = { stdout: PRINTED, stderr: '' };
    expect(exampleProblems('```ts\nx;\n```\n\nMore.\n', 'x;\n', ran)).toEqual([
      expect.stringContaining('no text block'),
    ]);
  });
});

describe('showsOutput', () => {
  test.each([
    ['a\nb\n', 'a\nb\n', true],
    ['a …\nb', 'a long line\nb\n', true],
    ['a\n…\nd', 'a\nb\nc\nd\n', true],
    ['a\n…', 'a\nb\nc\n', true],
    ['…\na', 'b\n', false],
    ['a.c', 'abc\n', false],
  ])('%j of %j: %s', (shown, printed, expected) => {
    expect(showsOutput(shown, printed)).toBe(expected);
  });
});

describe('withExample', () => {
  const start = '# Title\n\n```ts\nold;\n```\n\nMore.\n';

  test('writes the example and what it prints, and then the same again', () => {
    const once = withExample(start, 'now;\n', 'a\nb\n');
    expect(once).toBe('# Title\n\n```ts\nnow;\n```\n\nprints:\n\n```text\na\nb\n```\n\nMore.\n');
    expect(withExample(once, 'now;\n', 'a\nb\n')).toBe(once);
  });

  test('cuts a long output, and leaves one that was cut by hand', () => {
    const long = Array.from({ length: 40 }, (_, at) => `${at}\n`).join('');
    expect(withExample(start, 'x;\n', long)).toContain('\n11\n…\n```');
    const byHand = withExample(start, 'x;\n', '0\n').replace('```text\n0\n', '```text\n0\n…\n39\n');
    expect(withExample(byHand, 'x;\n', long)).toBe(byHand);
  });
});

describe('laterProblems', () => {
  const page = '```ts\nfirst;\n```\n\n```ts\nif (x) {\n  y; // why\n}\n```\n';

  test('passes a block that stands in an example, whatever its indentation', () => {
    expect(laterProblems(page, ['a;\n  if (x) {\n    y; // why\n  }\nb;\n'])).toEqual([]);
  });

  test('names a block that no example holds', () => {
    const problem = ['no example runs the block that begins with `if (x) {`'];
    expect(laterProblems(page, [])).toEqual(problem);
    expect(laterProblems(page, ['if (x) {\n  y; // why not\n}'])).toEqual(problem);
  });
});
