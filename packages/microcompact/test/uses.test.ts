import { describe, expect, test } from 'vitest';
import { createMicrocompact } from '../src/index.ts';
import { history, type Round, round, watched } from './build.ts';

function candidatesOf(all: readonly Round[]) {
  const planner = createMicrocompact({ preset: 'classic' });
  const log = watched(planner, history(all));
  return { candidates: planner.candidates, log, planner };
}

const useOf = (all: readonly Round[]): number => {
  const { candidates } = candidatesOf(all);
  const [first] = candidates.list;
  return first ? candidates.lastUseAt(first) - first.addedAt : -1;
};

const run = (command: unknown): Round => ({ name: 'shell', input: { command } });
const read = (path: string): Round => ({ input: { file_path: path } });

const STORED = 'call-0-0123456789abcdef.txt';

describe('when a result was last used (M8)', () => {
  test.each<{ name: string; all: Round[]; requestsLater: number }>([
    { name: 'no later call', all: [read('src/app.ts')], requestsLater: 0 },
    {
      name: 'calls about other files',
      all: [read('src/app.ts'), read('src/app.tsx'), run('ls lib')],
      requestsLater: 0,
    },
    {
      name: 'a read of the same file',
      all: [read('src/app.ts'), run('date'), read('./src/app.ts')],
      requestsLater: 2,
    },
    {
      name: 'a command that names it',
      all: [read('src/app.ts'), run('cat src/app.ts | head')],
      requestsLater: 1,
    },
    {
      name: 'a command as a list',
      all: [read('src/app.ts'), run(['bash', '-lc', 'wc src/app.ts'])],
      requestsLater: 1,
    },
    {
      name: 'a patch of it',
      all: [
        read('src/app.ts'),
        { name: 'apply_patch', input: { patch: '*** Update File: src/app.ts\n' } },
      ],
      requestsLater: 1,
    },
    {
      name: 'a command that a command read',
      all: [run('sed -n 1,9p src/app.ts'), run('cat src/app.ts')],
      requestsLater: 1,
    },
    {
      name: 'a read of its handle',
      all: [
        {
          output: `<persisted-output handle="${STORED}" size="1.0 kB" lines="1" sha256="0123456789abcdef">\nStored.\n${'word '.repeat(90)}\n</persisted-output>`,
        },
        { name: 'read_stored', input: { handle: STORED } },
      ],
      requestsLater: 1,
    },
  ])('$name: $requestsLater requests later', ({ all, requestsLater }) => {
    expect(useOf(all)).toBe(requestsLater);
  });

  test('a newer output of the same call supersedes it', () => {
    const { candidates } = candidatesOf([run('npm test'), run('npm test'), run('npm run build')]);
    expect(candidates.list.map((one) => candidates.isSuperseded(one))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a span hides its candidates, and undo brings them back', () => {
    const { candidates, log } = candidatesOf([read('a.ts'), read('b.ts'), read('c.ts')]);
    const before = candidates.list.map(({ toolUseId, tokens, addedAt }) => ({
      toolUseId,
      tokens,
      addedAt,
    }));
    log.edit({ kind: 'replace-span', fromId: 'm1', toId: 'm4', with: [], then: [] });
    expect(candidates.list.map(({ toolUseId }) => toolUseId)).toEqual(['call-2']);
    log.edit({ kind: 'undo', entryId: log.entries.at(-1)?.id ?? '' });
    expect(
      candidates.list.map(({ toolUseId, tokens, addedAt }) => ({ toolUseId, tokens, addedAt })),
    ).toEqual(before);
    for (const message of round(3)) log.say(message);
    expect(candidates.list).toHaveLength(4);
  });

  test('the frontier is the first message that can still change', () => {
    const { planner, log } = candidatesOf([]);
    expect(planner.frontier()).toBeUndefined();
    for (const message of [...round(0), ...round(1)]) log.say(message);
    expect(planner.frontier()).toBe(2);
  });
});
