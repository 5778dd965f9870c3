import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { backgrounds } from '../src/demand/background.ts';
import { demandOf } from '../src/demand/demand.ts';
import { cutPlaces } from '../src/demand/hindsight.ts';
import { vocabularyOf } from '../src/demand/vocabulary.ts';
import { createFactExtractor } from '../src/fidelity/facts/extract.ts';
import type { Fact, FactValue } from '../src/fidelity/facts/fact.ts';
import { factNames } from '../src/fidelity/file-names.ts';
import { createHaystack } from '../src/fidelity/match.ts';
import { scoreFacts } from '../src/fidelity/score.ts';
import { summary } from './fidelity-probes.ts';
import { edit, read, type Step, threadOf } from './sessions.ts';

const messagesOf = (steps: readonly Step[]): readonly Message[] =>
  threadOf(steps).entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
const fact = (type: Fact['type'], key: string, value?: FactValue): Fact => ({
  ...{ type, key, value, stale: [], messageId: 'm7', born: 0 },
});
const matchIn = (text: string, asked: Fact, name?: string) =>
  createHaystack(summary(text)).match(asked, name);

describe('words of a person (FIDELITY 2.6)', () => {
  const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `word${at}x`);
  const said = (text: string) => fact('user-message', text);

  test('nine tenths of a message, in order, are enough', () => {
    const all = words(13);
    expect(matchIn(all.slice(0, 12).join(' '), said(all.join(' ')))).toBe('bound');
    expect(matchIn(all.slice(0, 11).join(' '), said(all.join(' ')))).toBe('lost');
  });

  test('not with another number in it, though its beginning is cut', () => {
    const all = words(80);
    all[40] = '8081';
    const cut = all.slice(2);
    expect(matchIn(cut.join(' '), said(all.join(' ')))).toBe('bound');
    expect(matchIn(cut.join(' ').replace('8081', '8082'), said(all.join(' ')))).toBe('lost');
  });

  test('not where a helper goes with its negation', () => {
    const all = words(80);
    all[39] = 'do';
    all[40] = 'not';
    const cut = all.slice(2).join(' ');
    expect(matchIn(cut, said(all.join(' ')))).toBe('bound');
    expect(matchIn(cut.replace(' do not ', ' '), said(all.join(' ')))).toBe('lost');
    expect(matchIn(cut.replace(' do not ', ' do '), said(all.join(' ')))).toBe('lost');
    // where the words before it are others, too, it is another sentence
    const other = all.join(' ').replace('word38x do not', 'other');
    expect(matchIn(other, said(all.join(' ')))).toBe('bound');
  });

  test('of a rule, every word counts', () => {
    const rule = words(45).join(' ');
    expect(matchIn(rule, fact('constraint', rule))).toBe('bound');
    expect(matchIn(rule.replace('word30x', 'other'), fact('constraint', rule))).toBe('lost');
    expect(matchIn(rule.replace('word30x', 'other'), said(rule))).toBe('bound');
  });

  test('the name of its message is found at the beginning, too', () => {
    expect(matchIn('[m7] is all there is.', said('Something else.'))).toBe('recoverable');
    expect(matchIn('m7 is all there is.', said('Something else.'))).toBe('lost');
  });
});

describe('what one statement says (FIDELITY 2.1)', () => {
  const ok = fact('outcome', 'pnpm build', { kind: 'outcome', name: 'ok' });
  const failed = fact('outcome', 'pnpm build', { kind: 'outcome', name: 'failed' });
  const long = fact('outcome', 'pnpm build --filter @scope/parser --configuration production', {
    kind: 'outcome',
    name: 'ok',
  });
  const todo = fact('todo', 'Move the ports', { kind: 'todo', name: 'done' });

  test.each<[string, Fact, string]>([
    ['- pnpm build: passes. Nothing else. It took 3 s.', ok, 'bound'],
    ['- pnpm build ran. It failed.', failed, 'bound'],
    ['It ran pnpm build. It failed.', failed, 'key-only'],
    ['- pnpm build: did not pass', failed, 'bound'],
    ['- pnpm build: no errors', ok, 'bound'],
    ['- pnpm build: exit 0', ok, 'bound'],
    ['- pnpm build\n- pnpm build: ok', ok, 'bound'],
    ['- pnpm build: exit code 2', failed, 'bound'],
    ['- pnpm build: exit code 2', ok, 'contradicted'],
    ['- pnpm build should pass', ok, 'key-only'],
    ['- pnpm build: failed, then passed', ok, 'bound'],
    ['- pnpm build: failed, passed', ok, 'key-only'],
    ['## Failed\n- pnpm build', failed, 'bound'],
    ['## Failed\n- pnpm build: ok', ok, 'bound'],
    [
      '- pnpm build: pass, 4 failed, exit 0\n- pnpm build: "TypeError: no port"',
      failed,
      'key-only',
    ],
    ['- pnpm builder: ok', ok, 'lost'],
    ['`pnpm lint` failed, `pnpm build` passed.', ok, 'bound'],
    ['`pnpm lint` passed, `pnpm build` failed.', ok, 'contradicted'],
    ['`pnpm build` passed, `pnpm lint` failed.', ok, 'bound'],
    ['{"checks":[{"command":"pnpm build","state":"failed"}]}', failed, 'bound'],
    ['- pnpm build: probably ok', ok, 'key-only'],
    ['It failed, pnpm build, and passed.', ok, 'key-only'],
    ['- `pnpm build: ok', ok, 'bound'],
    [`- pnpm build: not ${'x'.repeat(19)} ok`, ok, 'contradicted'],
    [`- pnpm build: not ${'x'.repeat(20)} ok`, ok, 'bound'],
    ['{"state":"ok","checks":[{"command":"pnpm build","state":"failed"}]}', failed, 'bound'],
    ['Nothing has no name.', fact('literal', ''), 'lost'],
    ['- pnpm build: ok?', ok, 'key-only'],
    ['- pnpm build: may have passed', ok, 'key-only'],
    ['- pnpm build: failed, "it seems that a file is gone"', failed, 'bound'],
    ['`pnpm lint` probably passed, `pnpm build` failed.', failed, 'bound'],
    ['- pnpm build --filter @scope/parser --configuration…: ok', long, 'bound'],
    ['- pnpm build --filter @scope/parser --configuration...: ok', long, 'bound'],
    ['- pnpm build --filter @scope/parser --configuration: ok', long, 'lost'],
    ['- 2.Move the ports: done', todo, 'bound'],
    ['It is v1.2.3 now.', fact('literal', '1.2.3'), 'bound'],
  ])('%j', (text, asked, expected) => {
    expect(matchIn(text, asked)).toBe(expected);
  });

  test.each([
    ['- Which port?: 8081', 'bound'],
    ['- Which port?: 80811', 'key-only'],
    ['- Which port?: 9090', 'contradicted'],
    ['- Which port?: 8081\n- Which port?: was asked', 'bound'],
    ['- Which port?: 8081 or 9090', 'key-only'],
    ['- Which port?: probably 8081', 'key-only'],
    ['- Which port?: probably 9090\n- Which port?: 8081', 'bound'],
  ])('an answer: %j', (text, expected) => {
    const value = { kind: 'answer', name: '8081', others: ['9090'] } as const;
    expect(matchIn(text, fact('choice', 'Which port?', value))).toBe(expected);
  });

  test.each([
    ['- TypeError: no port (make): open', 'bound'],
    ['- TypeError: no port (make)', 'key-only'],
    ['- make fails: TypeError: no port', 'bound'],
    ['- `make`: exit 2, "TypeError: no port"', 'bound'],
    ['- make no longer fails with TypeError: no port, exit 0', 'contradicted'],
    ['## Why they fail\n- `make`: "TypeError: no port"', 'bound'],
    ['## Values\n- `make`: "TypeError: no port"', 'key-only'],
    ['- make may have failed: TypeError: no port', 'key-only'],
    ['- TypeError: no port (make): resolved', 'contradicted'],
    ['- TypeError: no port (make): resolved, still open', 'key-only'],
    ['- TypeError: no host (make): open', 'key-only'],
  ])('an error: %j', (text, expected) => {
    const lines = ['TypeError: no port'];
    const value = { kind: 'error', name: 'TypeError: no port', lines } as const;
    expect(matchIn(text, fact('open-error', 'make', value))).toBe(expected);
  });

  test('what stands there as it happened is of a file wherever it is seen from', () => {
    const input = '*** Begin Patch\n*** Update File: w/src/a.ts\n*** End Patch';
    const hay = createHaystack(
      messagesOf([{ user: 'Go.' }, { call: ['apply_patch', { input }], result: 'Done' }]),
    );
    const there = { kind: 'file', name: 'there' } as const;
    expect(hay.match(fact('file-state', '/home/w/src/a.ts', there))).toBe('bound');
    expect(hay.match(fact('file-state', '/home/w/lib/a.ts', there))).toBe('lost');
    expect(hay.match(fact('file-state', '/other/src/a.ts', there))).toBe('bound');
  });

  test('an error that was is another one', () => {
    const [name, older] = ['TypeError: no port', 'TypeError: no host'];
    const value = { kind: 'error', name, lines: [name] } as const;
    const error: Fact = {
      ...fact('open-error', 'make', value),
      stale: [{ ...value, name: older, lines: [older] }],
    };
    expect(matchIn(`- ${older} (make): open`, error)).toBe('contradicted');
  });

  test('a path is the same with the slashes of Windows', () => {
    const gone = { kind: 'file', name: 'deleted' } as const;
    const told = String.raw`- src\lib\a.ts: deleted`;
    expect(matchIn(told, fact('file-state', 'src/lib/a.ts', gone))).toBe('bound');
    expect(matchIn(told, fact('file-state', 'src/other/a.ts', gone), 'a.ts')).toBe('lost');
  });

  test('a command whose key was cut is known by all of the key', () => {
    const command = `make ${'part '.repeat(40)}`;
    const asked = fact('command', command.slice(0, 120), { kind: 'outcome', name: 'failed' });
    expect(matchIn(`- \`${command}\`: failed`, asked)).toBe('bound');
    expect(matchIn(`- \`nice ${command}\`: failed`, asked)).toBe('lost');
  });

  test('numbers that say nothing of the verdict leave what was said before', () => {
    const passed = fact('test-status', 'pnpm test', {
      ...{ kind: 'counts', name: '10 passed, 0 failed', passed: 10, failed: 0 },
    });
    expect(matchIn('- pnpm test: 0 failed', passed)).toBe('key-only');
    expect(matchIn('- pnpm test: 10 passed\n- pnpm test: 0 failed', passed)).toBe('bound');
  });

  test('several states in one statement do not contradict what stands there as it happened', () => {
    const steps: readonly Step[] = [
      { user: 'Go.' },
      { call: ['Bash', { command: 'pnpm build' }], result: 'exit code 2' },
    ];
    const both = [...messagesOf(steps), ...summary('- pnpm build: failed, passed')];
    expect(createHaystack(both).match(ok)).toBe('key-only');
    const other: readonly Step[] = [
      { user: 'Go.' },
      { call: ['Bash', { command: 'make' }], result: 'TypeError: other\nexit code 2' },
    ];
    const name = 'TypeError: no port';
    const error = fact('open-error', 'make', { kind: 'error', name, lines: [name] });
    const told = (text: string) =>
      createHaystack([...messagesOf(other), ...summary(text)]).match(error);
    expect(told('- TypeError: no port (make): open, resolved')).toBe('key-only');
    expect(told('- TypeError: no port (make): resolved')).toBe('contradicted');
  });

  test('only a summary is taken apart where it is JSON', () => {
    const text = '{"a":["pnpm build: ok"],"b":["pnpm lint: failed"]}';
    expect(matchIn(text, ok)).toBe('bound');
    const [message] = summary(text) as [Message];
    expect(createHaystack([{ ...message, origin: { kind: 'tool' } }]).match(ok)).toBe('key-only');
  });

  test('a state that stands there as it happened is older than none', () => {
    const steps: readonly Step[] = [
      { user: 'Go.' },
      { call: ['Bash', { command: ['bash', '-lc', 'pnpm build'] }], result: 'exit code 2' },
    ];
    const hay = createHaystack(messagesOf(steps));
    expect(hay.match(failed)).toBe('bound');
    expect(hay.match(ok)).toBe('contradicted');
  });
});

test('what facts are called by: the end of a path, and the beginning of a check where no other begins so', () => {
  const run = (key: string) => fact('outcome', key, { kind: 'outcome', name: 'ok' });
  const file = fact('file-state', '/w/src/a.ts', { kind: 'file', name: 'there' });
  const all = [run('pnpm test --run src'), run('pnpm run lint --fix'), file];
  expect(all.map(factNames(all))).toEqual(['pnpm test', 'pnpm run lint', 'a.ts']);
  const two = [run('pnpm test one'), run('pnpm test two')];
  expect(two.map(factNames(two))).toEqual(['pnpm test one', 'pnpm test two']);
});

test('without facts there is no share', () => {
  expect(scoreFacts([], createHaystack([]))).toMatchObject({ recall: null, vital: null });
});

test('short and long sentences are no rules', () => {
  const extractor = createFactExtractor();
  const long = `Never ${'go on and '.repeat(60)}stop`;
  const content = [{ type: 'text', text: `Always do.\n${long}.` }] as const;
  extractor.add({ id: 'm', role: 'user', content } as unknown as Message);
  expect(extractor.facts().map(({ type }) => type)).toEqual(['user-message']);
});

describe('need (FIDELITY 2.4)', () => {
  test('places at shares of the tokens', () => {
    const history = messagesOf(Array.from({ length: 20 }, (_, at) => read(`a${at}.ts`, 'x')));
    const replies = history.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
    const places = cutPlaces({ history, replies, sizeOf: () => 1 });
    const share = (place: number): number => place / history.length;
    expect(places).toHaveLength(5);
    for (const [at, least] of [0.25, 0.4, 0.55, 0.7, 0.85].entries()) {
      expect(share(places[at] as number)).toBeGreaterThanOrEqual(least);
      expect(share((places[at] as number) - 2)).toBeLessThan(least);
    }
  });

  test('the lines that a patch expects', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      ' const kept = readTheHeader(1);',
      '-const gone = readTheHeader(2);',
      '+const made = readTheHeader(3);',
      '--- a/never-a-line-of-the-file',
      '*** End Patch',
    ].join('\n');
    const [, message] = messagesOf([
      { user: 'Go.' },
      { call: ['apply_patch', { input: patch }], result: 'Done' },
    ]);
    const demand = demandOf(message as Message);
    expect(demand).toContain('const kept = readTheHeader(1);');
    expect(demand).toContain('const gone = readTheHeader(2);');
    expect(demand).not.toContain('const made = readTheHeader(3);');
    expect(demand).not.toContain('-- a/never-a-line-of-the-file');
  });

  test('what two sessions of other projects hold anybody would know', () => {
    const session = (project: string, line: string) => {
      const paths = Array.from({ length: 8 }, (_, at) => `${project}/part-${at}.ts`);
      const steps = paths.map((path) => read(path, line));
      return messagesOf([{ user: 'Go.' }, ...steps, edit(`${project}/part-1.ts`, line)]);
    };
    const shared = 'const common = everybodyKnowsIt(1);';
    const histories = [
      session('one', shared),
      session('two', shared),
      session('three', shared),
      session('three', 'const other = nobodyKnowsIt(2);'),
    ];
    const found = backgrounds(histories.map(vocabularyOf));
    expect(found.map(({ project }) => project)).toEqual([0, 1, 2, 2]);
    expect(found.map(({ foreignSessions }) => foreignSessions)).toEqual([3, 3, 2, 2]);
    expect(found.map(({ guessable }) => guessable.length > 0)).toEqual([true, true, true, false]);
    expect(backgrounds(histories.slice(0, 2).map(vocabularyOf))[0]?.guessable).toHaveLength(0);
  });
});
