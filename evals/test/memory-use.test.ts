import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { describe, expect, test } from 'vitest';
import { actedOn, actRequest } from '../src/memory/act.ts';
import { loadChain } from '../src/memory/load-chains.ts';
import { scoreUse, showTurn } from '../src/memory/use-score.ts';

const root = join(import.meta.dirname, '..', '..');
const chain = await loadChain(join(import.meta.dirname, 'chains', 'tide-gauge.json'), root);
const [fetchTurn, levels, idle] = chain.turns as [
  ...[(typeof chain.turns)[number], (typeof chain.turns)[number], (typeof chain.turns)[number]],
];

const NOW_MS = Date.parse('2026-03-20T08:00:00Z');
const WRITTEN = '2026-03-10T08:00:00.000Z';
const file = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: reference\nmodified: ${WRITTEN}\n---\n\n${body}\n`;

/** What turns are shown of a memory that was written ten days ago. */
function show(given: Readonly<Record<string, string>>, turns = [fetchTurn]) {
  const files = new Map(Object.entries(given));
  const memory = createMemdir({ folder: inMemoryFolder(given), now: () => NOW_MS });
  const writtenMs = new Map([...files.keys()].map((path) => [path, Date.parse(WRITTEN)]));
  return Promise.all(
    turns.map((turn) => showTurn(turn, chain, { memory, files, writtenMs, nowMs: NOW_MS })),
  );
}

describe('V6 scoreUse', () => {
  test('a file that holds what a turn needs is found, with age and caveat', async () => {
    const shown = await show({
      'archive.md': file('Archive server', 'The archive server listens on port 7171.'),
      'other.md': file('Breakfast', 'Bread is eaten in the morning.'),
    });
    expect(scoreUse(shown)).toMatchObject({
      ...{ turns: 1, recall: 1, precision: 1, notHeld: 0, clean: undefined },
      ...{ shownStatements: 1, wrongShown: 0, withCaveat: 1, ageError: 0 },
    });
  });

  test('a stale value that is shown is wrong, and what the turn needs is not held', async () => {
    const shown = await show({
      'archive.md': file('Archive server', 'The archive server listens on port 7070.'),
    });
    expect(scoreUse(shown)).toMatchObject({
      ...{ recall: undefined, precision: 0, notHeld: 1 },
      ...{ shownStatements: 1, wrongShown: 1 },
    });
  });

  test('a statement behind the cut is not shown', async () => {
    const long = Array.from({ length: 300 }, (_, at) => `The archive server has shelf ${at}.`);
    const body = [...long, 'The archive server listens on port 7070.'].join('\n\n');
    const [turn] = await show({ 'archive.md': file('Archive server', body) });
    expect(turn?.files[0]?.statements.some((each) => each.class === 'stale')).toBe(false);
    expect(turn?.files[0]?.statements.length).toBeGreaterThan(50);
  });

  test('a turn that needs nothing is clean where it is shown nothing', async () => {
    const status = { 'status.md': file('HTTP status 418', 'The HTTP status 418 means teapot.') };
    const shown = await show(status, [idle, levels]);
    expect(scoreUse(shown)).toMatchObject({ clean: 0, notHeld: 1 });
    expect(scoreUse(await show({}, [idle]))).toMatchObject({ clean: 1, notHeld: undefined });
  });
});

describe('V6 actedOn', () => {
  test.each([
    ['nc archive 7171', '', 'right'],
    ['nc archive 7070', '', 'wrong'],
    ['nc archive 17070', '', 'neither'],
    ['', 'Port 7171, no longer 7070.', 'right'],
    ['', 'Which port?', 'neither'],
  ] as const)('%j %j is %s', (command, text, expected) => {
    const calls = command === '' ? [] : [{ tool: 'Bash', input: { command } }];
    expect(actedOn({ text, calls }, fetchTurn)).toBe(expected);
  });

  test('without memory the request holds the turn alone', () => {
    const [message] = actRequest(fetchTurn, []).messages;
    expect(message?.content).toEqual([{ type: 'text', text: fetchTurn.text }]);
    expect(actRequest(fetchTurn, ['Port 7070.']).messages[0]?.content).toHaveLength(2);
  });
});

test('V6 what judges a memory shares no code with what wrote it', () => {
  const folder = join(root, 'evals', 'src', 'memory');
  const judges = [
    'act',
    'chain',
    'controls',
    'dates',
    'dream-score',
    'score',
    'statements',
    'words',
  ];
  const imports = judges.flatMap((name) => {
    const source = readFileSync(join(folder, `${name}.ts`), 'utf8');
    return [...source.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from);
  });
  const own = new Set(judges.map((name) => `./${name}.ts`));
  const others = [...new Set(imports)].filter((from) => !own.has(from)).sort();
  expect(others).toEqual([
    '../error.ts',
    '../random.ts',
    './recordings.ts',
    '@varve/messages',
    'zod',
  ]);
  // the product is measured, and read by nothing that judges
  const users = readdirSync(folder).filter((name) =>
    /from '@varve\/(?:memdir|dream)\/?(?:evidence|files)?'/.test(
      readFileSync(join(folder, name), 'utf8'),
    ),
  );
  expect(users).toEqual([
    'recall-table.ts',
    'rot.ts',
    'run-chain.ts',
    'run-dream.ts',
    'shipped-dreamer.ts',
    'use-score.ts',
  ]);
});
