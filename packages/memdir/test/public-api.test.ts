import { expect, test } from 'vitest';
import * as memdir from '../src/index.ts';
import * as node from '../src/node/index.ts';

test('the public names of the entries are deliberate', () => {
  expect(Object.keys(memdir).sort()).toEqual(['MemdirError', 'createMemdir', 'inMemoryFolder']);
  expect(Object.keys(node).sort()).toEqual([
    ...['agentMemoryPaths', 'checkMemoryWrite', 'diskFolder', 'memoryPath', 'strandedMemory'],
  ]);
});

test('the error codes are deliberate', () => {
  const codes: Record<memdir.MemdirError['code'], true> = {
    'bad-folder': true,
    'bad-path': true,
    'changed-meanwhile': true,
    locked: true,
    'not-read': true,
    'not-written': true,
  };
  expect(Object.keys(codes)).toHaveLength(6);
});

test('an error is known by its mark', () => {
  const cause = new Error('below');
  const error = new memdir.MemdirError('not-read', 'text', { cause });
  expect(memdir.MemdirError.is(error)).toBe(true);
  expect(memdir.MemdirError.is(new Error('text'))).toBe(false);
  expect(error).toMatchObject({ name: 'MemdirError', code: 'not-read', cause });
});
