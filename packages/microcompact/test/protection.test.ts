import { describe, expect, test } from 'vitest';
import { microcompact } from '../src/index.ts';
import { history, type Round, rounds } from './build.ts';

const BASE = {
  mechanisms: ['count'],
  thinkingRule: 'free',
  keepRecent: 0,
  minSavingsTokens: 1_000,
} as const;

const clearedIds = (all: readonly Round[], options = {}): string[] =>
  microcompact(history(all), { ...BASE, ...options }).cleared.map(({ toolUseId }) => toolUseId);

const read = (path: string): Round => ({ input: { file_path: path } });
const edit = (path: string): Round => ({
  name: 'Edit',
  input: { file_path: path, old_string: 'a', new_string: 'b' },
  output: 'ok',
});
const run = (command: string, isError = false): Round => ({
  name: 'Bash',
  input: { command },
  isError,
});

describe('what is protected (M5)', () => {
  test.each<{ name: string; all: Round[]; cleared: string[] }>([
    { name: 'the newest round', all: [read('a.ts'), read('b.ts')], cleared: ['call-0'] },
    {
      name: 'the last read of a file that is being edited',
      all: [read('a.ts'), read('a.ts'), edit('a.ts'), read('b.ts'), read('c.ts')],
      cleared: ['call-0', 'call-3'],
    },
    {
      name: 'no read of a file that another one was taken for',
      all: [read('a.ts'), edit('b.ts'), read('c.ts')],
      cleared: ['call-0'],
    },
    {
      name: 'an error that nothing answered',
      all: [run('npm test', true), read('b.ts'), read('c.ts')],
      cleared: ['call-1'],
    },
    {
      name: 'an error only until the tool works again',
      all: [run('npm test', true), run('npm test'), read('c.ts')],
      cleared: ['call-0', 'call-1'],
    },
    {
      name: 'an error of a file until the tool works on that file',
      all: [{ ...read('a.ts'), isError: true }, read('b.ts'), read('c.ts')],
      cleared: ['call-1'],
    },
  ])('is $name', ({ all, cleared }) => {
    expect(clearedIds(all)).toEqual(cleared);
  });

  test('a file is being edited for ten requests after an edit', () => {
    const goesAfter = (count: number) =>
      clearedIds([read('./a.ts'), edit('a.ts'), ...rounds(count, run('ls -la src'))]).includes(
        'call-0',
      );
    expect(goesAfter(10)).toBe(false);
    expect(goesAfter(11)).toBe(true);
    expect(
      clearedIds([read('a.ts'), edit('a.ts'), read('b.ts')], { editingRequests: 0 }),
    ).toContain('call-0');
  });

  test('results of parallel calls belong to one round', () => {
    const messages = history([read('a.ts')]);
    const ids = ['p', 'q', 'r'];
    const calls = ids.map((id) => ({
      type: 'tool_use',
      id,
      name: 'Read',
      input: { file_path: `${id}.ts` },
    }));
    const results = ids.map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'word '.repeat(3_000),
    }));
    const all = [
      ...messages,
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ];
    expect(microcompact(all, BASE).cleared.map(({ toolUseId }) => toolUseId)).toEqual(['call-0']);
  });

  test('whatever a caller protects stays', () => {
    const isProtected = ({ path }: { path?: string }) => path === 'b.ts';
    expect(clearedIds([read('a.ts'), read('b.ts'), read('c.ts')], { isProtected })).toEqual([
      'call-0',
    ]);
  });
});
