import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOVED_CODE } from '../src/mutants/moved-code.ts';
import { mutantsOf } from '../src/mutants/mutations.ts';
import { pickMutants } from '../src/mutants/pick.ts';
import { MUTANT_SETS } from '../src/mutants/sets.ts';
import { parseSource } from '../src/syntax.ts';
import { filesBelow, root } from '../src/workspace.ts';

const afters = (source: string): readonly string[] =>
  mutantsOf('a.ts', `${source}\n`).map(({ operator, after }) => `${operator}: ${after}`);

describe('mutantsOf', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'an early return',
      'if (isDone) throw failure;',
      ['early-return-removed: ', 'condition-negated: if (!(isDone)) throw failure;'],
    ],
    ['a condition', 'const a = b ? c : d;', ['condition-negated: const a = !(b) ? c : d;']],
    ['a flush', 'await handle.sync();', ['flush-deleted: ;']],
    ['a call', 'log.append(entry);', ['statement-dropped: ;']],
    ['an assignment', 'total += 1;', ['statement-dropped: ;', 'number-off-by-one: total += 2;']],
    ['a comparison', 'f(a <= b);', ['statement-dropped: ;', 'operator-swapped: f(a < b);']],
    ['joined texts', "const a = b + 'x';", ["constant-swapped: const a = b + '';"]],
    ['a method', 'const a = b.some(c);', ['method-swapped: const a = b.every(c);']],
    ['a flag', 'const a = { b: true };', ['constant-swapped: const a = { b: false };']],
    ['an import', "import { a } from 'b';", []],
    ['a type', "type A = 'b' | 1; interface C { readonly d: 2 }", []],
    ['a list of words', "const a = ['b', 'c', 'd', 'e'];", []],
    ['a call over two lines', 'log.append(\n  entry,\n);', []],
  ])('%s', (_, source, expected) => {
    expect(afters(source)).toEqual(expected);
  });

  test('changes one line of a file that can still be parsed', () => {
    for (const file of filesBelow(join(root, 'packages/messages/src'), ['.ts']).slice(0, 6)) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const { line, start, end, replacement } of mutantsOf(file, text)) {
        const mutated = text.slice(0, start) + replacement + text.slice(end);
        expect(() => parseSource(file, mutated), `${file}:${line}`).not.toThrow();
        const changed = mutated.split('\n').filter((each, at) => each !== text.split('\n')[at]);
        expect(changed.length).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('pickMutants', () => {
  const text = readFileSync(join(root, 'internal/src/mutants/pick.ts'), 'utf8');
  const all = mutantsOf('pick.ts', text);
  const pick = (seed: number) => pickMutants(all, { count: 12, seed });

  test('takes the same ones for the same seed, and others for another', () => {
    expect(pick(1)).toEqual(pick(1));
    expect(pick(1)).not.toEqual(pick(2));
  });

  test('takes as many as were asked for, of different lines where there are enough', () => {
    const picked = pick(3);
    expect(picked).toHaveLength(12);
    expect(new Set(picked.map(({ line }) => line)).size).toBe(12);
    expect(pickMutants(all, { count: 10_000, seed: 1 })).toHaveLength(all.length);
  });
});

describe('MOVED_CODE', () => {
  test.each(MOVED_CODE)('%s exists', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });
});

describe('sets', () => {
  test.each(Object.entries(MUTANT_SETS))('%s names files and tests that exist', (_, set) => {
    for (const path of set.files) expect(existsSync(join(root, path)), path).toBe(true);
    for (const path of set.files.flatMap((file) => set.testsOf(file)).flat())
      expect(existsSync(join(root, path)), path).toBe(true);
  });

  test('a file of the ruler is broken before the tests that load it, nearest first', () => {
    const files = MUTANT_SETS.ruler?.files.filter((file) => file.endsWith('.ts')) ?? [];
    for (const file of files) expect(MUTANT_SETS.ruler?.testsOf(file), file).not.toEqual([]);
    const [near = [], rest = []] = MUTANT_SETS.ruler?.testsOf('evals/src/fidelity/match.ts') ?? [];
    expect(near).toHaveLength(3);
    expect(near).toContain('evals/test/said-facts.test.ts');
    expect(rest).not.toContain('evals/test/units.test.ts');
  });
});
