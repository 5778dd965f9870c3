import { readFileSync } from 'node:fs';
import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { clearResults } from '../src/fidelity/compactors/clear-results.ts';
import { dropAll, dropOldest, keepAll, keepSome } from '../src/fidelity/compactors/keep-some.ts';
import { createFactExtractor } from '../src/fidelity/facts/extract.ts';
import type { FidelityRow } from '../src/fidelity/fidelity-schema.ts';
import { fileNames } from '../src/fidelity/file-names.ts';
import { createHaystack } from '../src/fidelity/match.ts';
import { measureCuts } from '../src/fidelity/measure-thread.ts';
import { createSource, precisionOf } from '../src/fidelity/precision.ts';
import { scoreFacts } from '../src/fidelity/score.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step, threadOf } from './sessions.ts';

const shell = (command: string, result: string): Step => ({ call: ['Bash', { command }], result });
const lines = (name: string) =>
  Array.from({ length: 60 }, (_, at) => `const ${name}Value_${at} = compute_${name}(${at});`).join(
    '\n',
  );

const SESSION: readonly Step[] = [
  { user: 'Make the parser read ports. Never touch lexer.ts, and use port 8081 instead of 8080.' },
  read('src/parser.ts', lines('parser')),
  read('src/server.ts', lines('server')),
  edit('src/parser.ts', 'const parserValue_3 = compute_parser(3);'),
  shell('pnpm test', '2 failed, 11 passed'),
  edit('src/server.ts', 'const serverValue_7 = compute_server(7);'),
  shell('pnpm test', '13 passed'),
  { user: 'Good. Remove src/old-reader.ts, then commit.' },
  shell('git rm src/old-reader.ts', "rm 'src/old-reader.ts'"),
  shell('git commit -m "Ports"', '[main 9c81fe2] Ports'),
  shell('pnpm build', 'exit code 2\nTypeError: port is not a number'),
  edit('src/parser.ts', 'const parserValue_9 = compute_parser(9);'),
];

const history: readonly Message[] = threadOf(SESSION).entries.flatMap((entry) =>
  entry.type === 'message' ? [entry.message] : [],
);
const extractor = createFactExtractor();
for (const message of history) extractor.add(message);
const facts = extractor.facts();

const summary = (text: string): readonly Message[] => [
  { id: 's', role: 'user', origin: { kind: 'summary' }, content: [{ type: 'text', text }] },
];
const scoreOf = (text: string) => scoreFacts(facts, createHaystack(summary(text)));

const GOOD = `The user: Make the parser read ports. Never touch lexer.ts, and use port 8081 instead of 8080.
The user: Good. Remove src/old-reader.ts, then commit.
- src/parser.ts edited
- src/server.ts edited
- src/old-reader.ts deleted
- pnpm test: 13 passed
- pnpm build failed with TypeError: port is not a number
- git commit -m "Ports": ok, 9c81fe2
- git rm src/old-reader.ts: ok`;

async function rowsOf(...compactors: Parameters<typeof measureCuts>[1]['compactors']) {
  const plan = planOf(SESSION);
  const names = { session: 'test', project: 0 };
  return measureCuts(plan, { compactors, names, budgets: [0.1, 0.3, 0.6] });
}
const of = (rows: readonly FidelityRow[], compactor: string) =>
  rows.filter((row) => row.compactor === compactor);

describe('measureCuts (EVALS 4, 5)', () => {
  test('who keeps all has all, and who drops all has nothing', async () => {
    const rows = await rowsOf(keepAll, dropAll);
    expect(of(rows, 'keep-all').length).toBeGreaterThan(3);
    for (const row of of(rows, 'keep-all')) {
      expect(row).toMatchObject({ share: 1, vital: 1, recall: 1, contradicted: 0 });
      expect(row.hindsight ?? 1).toBe(1);
    }
    for (const row of of(rows, 'drop-all')) {
      expect(row).toMatchObject({ share: 0, vital: 0, recall: 0 });
      expect(row.hindsight ?? 0).toBe(0);
    }
  });

  test('a larger budget never keeps fewer of the facts', async () => {
    for (const compactor of [dropOldest, clearResults]) {
      const rows = of(await rowsOf(compactor), compactor.name);
      for (const cut of new Set(rows.map((row) => row.cut))) {
        const vital = rows.filter((row) => row.cut === cut).map((row) => row.vital ?? 0);
        expect(vital).toEqual(vital.toSorted((one, other) => one - other));
      }
    }
  });

  test('another name changes nothing, and the oracle keeps at least what chance does', async () => {
    const same = keepSome('another', (messages) => messages);
    const rows = await rowsOf(keepAll, same);
    const bare = (compactor: string) => of(rows, compactor).map(({ compactor: _, ...row }) => row);
    expect(bare('another')).toEqual(bare('keep-all'));
    for (const row of of(rows, 'random-1')) {
      const best = of(rows, 'oracle').find(
        (each) => each.cut === row.cut && each.budget === row.budget,
      );
      expect(best?.hindsight ?? 1).toBeGreaterThanOrEqual(row.hindsight ?? 0);
    }
  });

  test('the future does not reach a compactor', async () => {
    const seen: number[] = [];
    const curious = keepSome('curious', (messages) => {
      seen.push(messages.length);
      expect(Object.isFrozen(messages[0])).toBe(true);
      return messages;
    });
    const rows = of(await rowsOf(curious), 'curious');
    expect(seen).toEqual(rows.map(({ cut }) => cut));
  });
});

describe('scoreFacts (EVALS a)', () => {
  test('a summary that says everything has all vital facts', () => {
    expect(scoreOf(GOOD)).toMatchObject({ vital: 1, contradicted: 0 });
  });

  test.each([
    [
      'states of two files swapped',
      GOOD.replace('server.ts edited', 'server.ts deleted').replace(
        'old-reader.ts deleted',
        'old-reader.ts edited',
      ),
    ],
    ['a run that passed said to fail', GOOD.replace('13 passed', '13 failed')],
    ['another number', GOOD.replace('13 passed', '12 passed')],
    ['another error', GOOD.replace('port is not a number', 'host is not a number')],
    ['another commit', GOOD.replace('9c81fe2', '9c81fe3')],
    ['a rule turned around', GOOD.replace('Never touch', 'Always touch')],
    [
      'the message of a person told in other words',
      GOOD.replace('Good. Remove', 'They liked it and asked to remove'),
    ],
  ])('sees %s', (_, text) => {
    expect(scoreOf(text).vital).toBeLessThan(1);
  });

  test('a value that is no longer true is wrong, not there', () => {
    const score = scoreOf(GOOD.replace('13 passed', '2 failed, 11 passed'));
    expect(score.types['test-status']).toMatchObject({ bound: 0, contradicted: 1 });
  });

  test.each([
    ['sections in another order', GOOD.split('\n').toReversed().join('\n')],
    ['JSON', JSON.stringify({ lines: GOOD.split('\n') }, undefined, 1).replaceAll('\\"', '"')],
    ['absolute paths', GOOD.replaceAll('- src/', '- /home/me/project/src/')],
    ['more white space', GOOD.replaceAll('\n', '\n\n   ')],
    ['everything twice', `${GOOD}\n${GOOD}`],
    [
      'padding',
      `${'nothing of interest here. '.repeat(500)}\n${GOOD}\n${'more of it. '.repeat(500)}`,
    ],
  ])('does not mind %s', (_, text) => {
    const { vital, contradicted } = scoreOf(text);
    expect({ vital, contradicted }).toEqual({ vital: 1, contradicted: 0 });
  });

  test('a bag of all names does not win', () => {
    const bag = facts.map(({ key }) => key.split(/\s+/).toSorted().join('\n')).join('\n');
    expect(scoreOf(bag).vital).toBeLessThan(0.5);
    expect(scoreOf('src/parser.ts src/server.ts src/old-reader.ts').vital).toBe(0);
  });

  test('the id of a message is worth half of what it said', () => {
    const [first] = history as [Message];
    const score = scoreOf(`The rest is in message ${first.id}.`);
    expect(score.types['user-message']).toMatchObject({ bound: 0, recoverable: 1 });
    expect(score.recallWithRecovery).toBeGreaterThan(score.recall ?? 1);
  });
});

describe('fileNames (EVALS a)', () => {
  const file = (key: string) =>
    ({ type: 'file-state', key, value: undefined, stale: [], messageId: 'm', born: 0 }) as const;

  test.each([
    ['the only one of its name', ['/w/src/parser.ts', '/w/src/lexer.ts'], 'parser.ts'],
    ['two of one name', ['/w/a/parser.ts', '/w/b/parser.ts'], 'a/parser.ts'],
    ['two of one name and folder', ['/w/one/a/parser.ts', '/w/two/a/parser.ts'], 'one/a/parser.ts'],
    ['one that is the end of another', ['a/parser.ts', '/w/a/parser.ts'], 'a/parser.ts'],
  ])('%s', (_, keys, expected) => {
    expect(fileNames(keys.map(file))(keys[0] as string)).toBe(expected);
  });

  test('the state of one file is not taken for that of another whose name ends alike', () => {
    const fact = file('src/port.ts');
    const match = (text: string) => createHaystack(summary(text)).match(fact, 'port.ts');
    expect(match('- src/port.ts edited')).toBe('bound');
    expect(match('- src/export.ts edited')).toBe('lost');
    expect(match('- read-port.ts edited')).toBe('lost');
  });
});

describe('precisionOf (EVALS a)', () => {
  const source = createSource();
  source.add(['edited src/parser.ts at parserValue_3']);

  test.each([
    ['what was there', 'We edited `src/parser.ts` (parserValue_3).', 0],
    ['plain words', 'Either/or, e.g. the parser and the lexer.', 0],
    ['an invented file', 'We edited src/lexer.ts.', 1],
    ['an invented name', 'See parserValue_4 and readHTTP2Frame.', 2],
  ])('counts names that nobody said: %s', (_, text, expected) => {
    expect(precisionOf([text], { source, facts: [] }).fabricated).toHaveLength(expected);
  });

  test('a claim that tests pass is wrong where the last run failed', () => {
    const failing = createFactExtractor();
    for (const message of history.slice(0, 10)) failing.add(message);
    const claim = ['Now all tests pass.'];
    expect(precisionOf(claim, { source, facts: failing.facts() }).wrongClaims).toBe(1);
    expect(precisionOf(claim, { source, facts }).wrongClaims).toBe(0);
  });
});

test('what measures shares no code with what is measured', () => {
  const roots = [
    'fidelity/facts/extract.ts',
    'fidelity/match.ts',
    'fidelity/score.ts',
    'fidelity/precision.ts',
    'fidelity/canaries.ts',
    'fidelity/attack/judge.ts',
    'fidelity/foresight/foresight.ts',
    'demand/hindsight.ts',
  ];
  const texts = new Map<string, string>();
  const follow = (file: URL): void => {
    if (texts.has(file.href)) return;
    const text = readFileSync(file, 'utf8');
    texts.set(file.href, text);
    for (const [, path = ''] of text.matchAll(/from '(\.[^']+)'/g)) follow(new URL(path, file));
  };
  for (const root of roots) follow(new URL(`../src/${root}`, import.meta.url));
  expect(texts.size).toBeGreaterThan(20);
  for (const [file, text] of texts) {
    expect(text, file).not.toMatch(/from '@varve\/(?:compact|session-memory|context|dream|memdir)/);
    expect(file).not.toMatch(/\/(?:compactors|strategies)\//);
  }
});
