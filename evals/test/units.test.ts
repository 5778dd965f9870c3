import { describe, expect, test } from 'vitest';
import { demandOf } from '../src/demand/demand.ts';
import { goneWith } from '../src/demand/gone-with.ts';
import { forEachUnit } from '../src/demand/units.ts';
import { isReadOnlyCommand } from '../src/replay/read-only-command.ts';

const unitsIn = (text: string): string[] => {
  const units: string[] = [];
  forEachUnit(text, (unit) => units.push(unit));
  return [...new Set(units)];
};

describe('forEachUnit', () => {
  test.each([
    ['nothing in nothing', '', []],
    ['a line of 15 characters is too short', 'abc def ghi jkl', []],
    ['a line of 16 characters', 'abc def ghi jklm', ['abc def ghi jklm']],
    ['no short line in a long listing', '1234567\t a b c d e', ['1234567\t a b c d e', '1234567']],
    ['a path by its last two segments and its last one', 'a/src/b.ts', ['src/b.ts', 'b.ts']],
    ['a path however it is rooted', './src/units.ts', ['src/units.ts', 'units.ts']],
    ['a bare file name', 'units.ts', ['units.ts']],
    ['an identifier in camel case', 'forEachUnit', ['forEachUnit']],
    ['an identifier of 7 characters is too short', 'forEach', []],
    ['a plain word is none', 'something', []],
    ['an identifier with a digit', 'variable1', ['variable1']],
  ])('finds %s', (_, text, expected) => {
    expect(unitsIn(text).sort()).toEqual([...expected].sort());
  });

  test.each([
    ['   12→  return total + tax;', 'return total + tax;'],
    ['12\treturn total + tax;', 'return total + tax;'],
    ['src/bill.ts:12:  return total + tax;', 'return total + tax;'],
    ['+  return total + tax;', 'return total + tax;'],
  ])('finds the line in the listing %j', (listing, line) => {
    expect(unitsIn(listing)).toContain(line);
  });
});

describe('demandOf', () => {
  const calling = (input: unknown) => ({
    id: 'm',
    role: 'assistant' as const,
    content: [{ type: 'tool_use', id: 'c', name: 'Edit', input }],
  });

  test('wants the lines an edit replaces, and not those it writes', () => {
    const wanted = demandOf(
      calling({ old_string: 'let total = price;\nx', new_string: 'let total = price + tax;' }),
    );
    expect([...wanted]).toEqual(['let total = price;']);
  });

  test('wants context and removed lines of a patch', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/bill.ts',
      '@@ function bill() {',
      ' let total = price;',
      '-return total plus tax;',
      '+return withTaxes(total);',
      '*** End Patch',
    ].join('\n');
    const wanted = demandOf(calling({ input: patch }));
    expect(wanted).toContain('let total = price;');
    expect(wanted).toContain('return total plus tax;');
    expect(wanted).not.toContain('return withTaxes(total);');
    expect(wanted).toContain('src/bill.ts');
  });

  test('wants what stands in lists, by the key above them', () => {
    const wanted = demandOf(
      calling({ files: ['src/bill.ts'], old_string: ['return total plus tax;'] }),
    );
    expect(wanted).toContain('src/bill.ts');
    expect(wanted).toContain('return total plus tax;');
  });

  test('wants nothing for a message without calls', () => {
    const content = [{ type: 'text', text: 'Look at src/bill.ts and computeTotals.' }];
    expect(demandOf({ id: 'm', role: 'assistant', content }).size).toBe(0);
  });
});

describe('isReadOnlyCommand', () => {
  test.each([
    ['', true],
    ['cat src/bill.ts', true],
    ['cd src && sed -n 1,40p bill.ts | head -5', true],
    ["rg -n 'total|tax > 3' src 2>/dev/null", true],
    ['git log --oneline -3', true],
    ['LC_ALL=C sort names.txt', true],
    ['sed -i s/a/b/ bill.ts', false],
    ['cat a > b', false],
    ['npm test', false],
    ['git checkout main', false],
    ['find . -name x -delete', false],
    ['echo $(rm -r build)', false],
    ['echo "`rm -r build`"', false],
    ['cat a; rm a', false],
  ])('%j: %s', (command, expected) => {
    expect(isReadOnlyCommand(command)).toBe(expected);
  });
});

test('of a call goes what is longer than a clearing leaves, and a block of another kind whole', () => {
  const input = { short: 'x'.repeat(200), list: ['y'.repeat(201), 'short'], count: 3 };
  const call = { type: 'tool_use', id: 'c', name: 'Edit', input } as const;
  expect(goneWith(call)).toMatchObject({
    input: { short: '', list: ['y'.repeat(201), ''], count: 3 },
  });
  const text = { type: 'text', text: 'short' } as const;
  expect(goneWith(text)).toBe(text);
});
