import { describe, expect, test } from 'vitest';
import type { CleanUpHandlers, CommittedCompaction } from '../../src/after/clean-up.ts';
import { CLEAN_UP } from '../../src/after/clean-up.ts';
import { cleanUpAfter } from '../../src/pipeline.ts';

const MAIN: CommittedCompaction = { thread: 'main', restoredFiles: ['a.ts'], tokensAfter: 9_000 };

/** A handler for every item, which writes down that it ran. */
function everyHandler(ran: string[]): CleanUpHandlers {
  return Object.fromEntries(CLEAN_UP.map(({ name }) => [name, () => void ran.push(name)]));
}

describe('cleanUpAfter (C20)', () => {
  test('resets everything once, in the order of the list', () => {
    const ran: string[] = [];
    const names = CLEAN_UP.map(({ name }) => name);
    expect(cleanUpAfter(MAIN, everyHandler(ran))).toEqual({ done: names, failed: [] });
    expect(ran).toEqual(names);
  });

  test('leaves what all threads share to the main thread', () => {
    const ran: string[] = [];
    cleanUpAfter({ ...MAIN, thread: 'sub-agent' }, everyHandler(ran));
    expect(CLEAN_UP.filter(({ name }) => !ran.includes(name)).map(({ name }) => name)).toEqual([
      'prompt-sections',
      'instruction-files',
    ]);
  });

  test('a handler that throws keeps no other from running', () => {
    const ran: string[] = [];
    const cause = new Error('broken');
    const handlers: CleanUpHandlers = {
      ...everyHandler(ran),
      'note-cursor': () => {
        throw cause;
      },
    };
    const { done, failed } = cleanUpAfter(MAIN, handlers);
    expect(failed).toEqual([{ name: 'note-cursor', cause }]);
    expect(done).toHaveLength(CLEAN_UP.length - 1);
  });

  test('without handlers there is nothing to do', () => {
    expect(cleanUpAfter(MAIN, {})).toEqual({ done: [], failed: [] });
  });

  test('case 99: a file read before a compaction is read again, unless it was restored whole', () => {
    const reads = new Map([
      ['a.ts', 'read'],
      ['b.ts', 'read'],
    ]);
    const read = (path: string) =>
      reads.has(path) ? 'unchanged, see above' : `content of ${path}`;
    cleanUpAfter(MAIN, {
      'file-reads'({ restoredFiles }) {
        for (const path of [...reads.keys()]) if (!restoredFiles.includes(path)) reads.delete(path);
      },
    });
    expect(read('b.ts')).toBe('content of b.ts');
    expect(read('a.ts')).toBe('unchanged, see above');
  });

  test('names nothing twice, and no skill: a later compaction restores what they say', () => {
    const names: readonly string[] = CLEAN_UP.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.includes('skill'))).toEqual([]);
  });
});
