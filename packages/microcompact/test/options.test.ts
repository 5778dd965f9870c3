import { describe, expect, test } from 'vitest';
import { createMicrocompact, type MicrocompactOptions, microcompact } from '../src/index.ts';

describe('options of microcompact and createMicrocompact', () => {
  test.each<[MicrocompactOptions, string]>([
    [{ keepRecent: -1 }, '`keepRecent` to be a non-negative number, got `-1`'],
    [{ keepRecent: Number.NaN }, '`keepRecent`'],
    [{ minSavingsTokens: '20K' as never }, '`minSavingsTokens`'],
    [{ count: { candidateTokens: -5 } }, '`candidateTokens`'],
    [{ time: { idleMs: -1 } }, '`idleMs`'],
    [{ experimental_cacheEdits: { maxResults: -1 } }, '`maxResults`'],
  ])('%j is out of range', (options, message) => {
    expect(() => createMicrocompact(options)).toThrow(RangeError);
    expect(() => microcompact([], options)).toThrow(message);
  });

  test.each<[MicrocompactOptions, string]>([
    [{ preset: 'best' as never }, "`preset` to be one of 'rent', 'classic', got `best`"],
    [{ mechanisms: ['size' as never] }, '`mechanisms`'],
  ])('%j does not exist', (options, message) => {
    expect(() => createMicrocompact(options)).toThrow(TypeError);
    expect(() => microcompact([], options)).toThrow(message);
  });

  test.each<MicrocompactOptions>([
    {},
    { keepRecent: 0, minSavingsTokens: Infinity, inputTokens: Infinity, preset: undefined },
    { mechanisms: [] },
  ])('%j is fine', (options) => {
    expect(microcompact([], options).cleared).toEqual([]);
  });
});
