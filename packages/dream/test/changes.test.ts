import { describe, expect, test } from 'vitest';
import { child, fileText, quote, removal, sessionsOf, testDream } from './support.ts';

const A = fileText('Pump pressure', 'The pump of Ostrava runs at 9 bar.');
const B = fileText(
  'Pump hours',
  'The pump runs from 08:00 to 17:00.\n\n**Why:** the neighbours sleep.',
);
const C = fileText('Pump maker', 'The pump was made by Sigma in 1987.');
const ALL =
  'The pump of Ostrava runs at 9 bar.\nThe pump runs from 08:00 to 17:00.\nThe pump was made by Sigma in 1987.\n\n**Why:** the neighbours sleep.';
const QUOTES = [
  quote('a.md', 'runs at 9 bar'),
  quote('b.md', 'from 08:00 to 17:00'),
  quote('c.md', 'made by Sigma in 1987'),
];
const merge = (body: string, more: object = {}) => ({
  name: 'merge_memories',
  input: {
    ...{ into: 'pump.md', from: ['a.md', 'b.md', 'c.md'], body, reason: 'one topic' },
    ...{ name: 'Pump', description: 'The pump of Ostrava', quotes: QUOTES, ...more },
  },
});
const ROOM = { mostRemoved: 1 };

describe('merge', () => {
  test('E3 222 says all of its sources, takes their place in index and links, and undo gives the same bytes', async () => {
    const link = fileText('Site', 'See [[Pump hours]] and [[c]] for the pump.');
    const { runFork, answers } = child([merge(ALL)]);
    const { dream, memory, textOf, visible } = testDream(
      { 'a.md': A, 'b.md': B, 'c.md': C, 'site.md': link },
      { runFork, ...ROOM },
    );
    await memory.rebuild();
    const before = await visible();
    const result = await dream.dreamNow();
    expect(answers.map(({ content }) => content)).toEqual([expect.stringMatching(/^Done/)]);
    expect(result).toMatchObject({
      kind: 'completed',
      report: { improved: 5, steps: { merge: 1 } },
    });
    expect((await memory.scan()).files.map(({ path }) => path).sort()).toEqual([
      'pump.md',
      'site.md',
    ]);
    expect(await textOf('pump.md')).toContain(ALL);
    expect(await textOf('pump.md')).toContain('modified: 2026-11-20T12:00:00.000Z');
    expect(await textOf('site.md')).toContain('See [[Pump]] and [[pump]] for the pump.');
    expect(await memory.check()).toMatchObject({ counts: {} });
    const [record] = await memory.history();
    expect(record?.files.find(({ path }) => path === 'a.md')).toMatchObject({
      ...{ after: null, reason: 'merge: one topic', quote: expect.stringContaining('9 bar') },
    });
    expect((await dream.undo()).kind).toBe('undone');
    expect(await visible()).toBe(before);
  });

  test.each([
    ['a name', ALL.replace(' of Ostrava', ''), 'Ostrava'],
    ['a number', ALL.replace('9 bar', 'full bar'), '9 bar'],
    ['a time', ALL.replace('17:00', 'the evening'), '17:00'],
    ['a statement', ALL.replace(/The pump was made.*\n/, ''), 'Sigma'],
    ['a reason', ALL.replace(/\n\n\*\*Why.*/, ''), 'neighbours'],
    ['the sense', ALL.replace('runs at 9', 'never runs at 9'), '9 bar'],
  ])('222 one that loses %s touches no source', async (_, body, lost) => {
    const { runFork, answers } = child([merge(body)]);
    const { dream, visible, memory } = testDream(
      { 'a.md': A, 'b.md': B, 'c.md': C },
      { runFork, ...ROOM },
    );
    await memory.rebuild();
    const before = await visible();
    const result = await dream.dreamNow();
    expect(answers[0]).toMatchObject({ isError: true, content: expect.stringContaining(lost) });
    expect(result).toMatchObject({
      kind: 'completed',
      report: { improved: 0 },
      patch: { steps: [] },
    });
    expect(await visible()).toBe(before);
  });

  test('222 a refused merge and the archive of its sources: all three stay', async () => {
    const archive = (path: string, text: string) => ({
      name: 'archive_memory',
      input: { path, reason: 'merged', quotes: [quote(path, text)], removes: [] },
    });
    const { runFork, answers } = child([
      merge(ALL.replace(' of Ostrava', '')),
      ...QUOTES.map(({ source, quote: text }) => archive(source, text)),
    ]);
    const { dream, memory } = testDream({ 'a.md': A, 'b.md': B, 'c.md': C }, { runFork, ...ROOM });
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 0, refused: { 'statement-lost': 4 } },
    });
    expect(answers.every(({ isError }) => isError)).toBe(true);
    expect((await memory.scan()).files).toHaveLength(3);
  });

  test('a source without a quote, a quote that is made up, and words of no source are refused', async () => {
    const { runFork, answers } = child([
      merge(ALL, { quotes: QUOTES.slice(1) }),
      merge(ALL, { quotes: [...QUOTES, quote('a.md', 'runs at 12 bar')] }),
      merge(ALL, { quotes: [...QUOTES, quote('nowhere.md', 'runs at 9 bar')] }),
      merge(`${ALL}\nThe pump has to be painted every year.`),
      merge(`${ALL}\nThe pump of Ostrava runs at 12 bar.`),
      merge(ALL, { description: 'The pump that Karel keeps' }),
      merge(`${ALL}\nThe pump of Ostrava runs at 9 bar since 2026-10-04.`),
    ]);
    const { dream } = testDream({ 'a.md': A, 'b.md': B, 'c.md': C }, { runFork, ...ROOM });
    expect(await dream.dreamNow()).toMatchObject({
      report: {
        refused: {
          ...{ 'no-quote': 1, 'quote-not-found': 1, 'unknown-source': 1 },
          ...{ 'not-in-sources': 3, date: 1 },
        },
      },
    });
    expect(answers).toHaveLength(7);
  });

  test('into a file that stays as it is, where that says it all', async () => {
    const both = fileText('Pump', ALL);
    const input = {
      into: 'pump.md',
      from: ['a.md'],
      reason: 'said there',
      quotes: QUOTES.slice(0, 1),
    };
    const { runFork } = child([{ name: 'merge_memories', input }]);
    const { dream, textOf, memory } = testDream({ 'a.md': A, 'pump.md': both }, { runFork });
    expect(await dream.dreamNow()).toMatchObject({ report: { steps: { merge: 1 } } });
    expect(await textOf('pump.md')).toBe(both);
    expect((await memory.scan()).files).toHaveLength(1);
  });

  test('private memory never goes to the team', async () => {
    const { runFork, answers } = child([
      merge(ALL, { into: 'team/pump.md' }),
      {
        name: 'retype_memory',
        input: {
          path: 'team/d.md',
          type: 'user',
          reason: 'r',
          quotes: [quote('team/d.md', 'likes green tea')],
        },
      },
    ]);
    const files = {
      'a.md': A,
      'b.md': B,
      'c.md': C,
      'team/d.md': fileText('Tea', 'Everybody likes green tea.'),
    };
    const { dream } = testDream(files, { runFork, ...ROOM });
    expect(await dream.dreamNow()).toMatchObject({
      report: { refused: { team: 1, 'user-in-shared': 1 } },
    });
    expect(answers.every(({ isError }) => isError)).toBe(true);
  });
});

describe('what is out of date', () => {
  const rewrite = (path: string, body: string, more: object) => ({
    name: 'rewrite_memory',
    input: { path, body, reason: 'changed since', ...more },
  });

  test.each([
    ['is not allowed', 'Deploying on Fridays is allowed.', 'Deploying on Fridays is not allowed.'],
    ['disabled', 'The nightly build is enabled.', 'The nightly build is disabled.'],
    ['after', 'Run the linter before the tests.', 'Run the linter after the tests.'],
    ['a port', 'Postgres listens on port 5433.', 'Postgres listens on port 5432.'],
    ['stop', 'Use the left printer for labels.', 'Stop using the left printer for labels.'],
    ['from to', 'The tests run with Jest.', 'We moved from Jest to Vitest for the tests.'],
    ['ｎｆｋｃ', 'Port ５４３３ is the port of Postgres.', 'Port 5432 is the port of Postgres.'],
    ['Japanese', '金曜日のデプロイは許可する。', '金曜日のデプロイは許可しない。'],
  ])('211 %s: exactly the second holds, the first is in history', async (_, first, second) => {
    const { runFork, answers } = child([
      rewrite('rule.md', second, {
        quotes: [quote('s1', second)],
        removes: [removal(first, 's1', second)],
      }),
    ]);
    const { dream, memory, textOf } = testDream(
      { 'rule.md': fileText('Rule', first, { description: 'A rule' }) },
      { runFork, sessions: sessionsOf({ s1: [second] }) },
    );
    const result = await dream.dreamNow();
    expect([answers[0]?.content, result]).toMatchObject(
      [/^Done/, { kind: 'completed' }].map((each) =>
        each instanceof RegExp ? expect.stringMatching(each) : each,
      ),
    );
    expect(await textOf('rule.md')).toContain(second);
    expect(await textOf('rule.md')).not.toContain(`\n${first}`);
    const [record] = await memory.history();
    expect(await textOf(`.archive/${record?.id}/files/rule.md`)).toContain(first);
  });

  test('212 an addition that holds the words "do not" puts nothing out of date', async () => {
    const said = 'Please do not forget to configure the async runtime.';
    const { runFork } = child([
      {
        name: 'archive_memory',
        input: {
          ...{ path: 'rule.md', reason: 'contradicted', quotes: [quote('s1', said)] },
          removes: [removal('Use the async runtime.', 's1', said)],
        },
      },
    ]);
    const rule = fileText('Runtime', 'Use the async runtime.');
    const { dream, textOf, inbox } = testDream(
      { 'rule.md': rule },
      { runFork, sessions: sessionsOf({ s1: [said] }) },
    );
    expect(await dream.dreamNow()).toMatchObject({ report: { improved: 0, waiting: 1 } });
    expect(await textOf('rule.md')).toBe(rule);
    expect(await inbox()).toHaveLength(1);
  });

  test('213 what was said earlier than the memory, taken back later, or only by the assistant puts nothing out of date', async () => {
    const call = (source: string, by: string) =>
      rewrite('rule.md', by, {
        quotes: [quote('rule.md', 'port 5432')],
        removes: [removal('Postgres listens on port 5432.', source, by)],
      });
    const old = 'Postgres listens on port 5431.';
    const taken = 'Postgres listens on port 5430.';
    const assistant = 'Postgres listens on port 5429.';
    const { runFork, answers } = child([
      call('old', old),
      call('taken', taken),
      call('assistant', assistant),
    ]);
    const rule = fileText('Rule', 'Postgres listens on port 5432.');
    const at = Date.parse('2026-11-25T12:00:00Z');
    const { dream, textOf } = testDream(
      { 'rule.md': rule },
      {
        runFork,
        sessions: sessionsOf({
          old: [{ by: 'user', text: old, atMs: Date.parse('2026-11-01T00:00:00Z') }],
          taken: [
            { by: 'user', text: taken, atMs: at },
            { by: 'user', text: 'Postgres listens on port 5432.', atMs: at + 60_000 },
          ],
          assistant: [{ by: 'assistant', text: assistant, atMs: at }],
        }),
      },
    );
    expect(await dream.dreamNow()).toMatchObject({
      report: { improved: 0, refused: { older: 2, 'quote-not-found': 1 } },
    });
    expect(answers.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(await textOf('rule.md')).toBe(rule);
  });

  test('a day that only its day explains becomes a date, worked out from when it was written', async () => {
    const call = (date: string) =>
      rewrite('move.md', `The office moved to Brno on ${date}.`, {
        quotes: [quote('move.md', 'moved to Brno yesterday')],
      });
    const { runFork, answers } = child([call('2026-11-29'), call('2026-11-19')]);
    const { dream, textOf } = testDream(
      { 'move.md': fileText('Office', 'The office moved to Brno yesterday.') },
      { runFork },
    );
    await dream.dreamNow();
    expect(answers.map(({ isError }) => isError)).toEqual([true, false]);
    expect(await textOf('move.md')).toContain('on 2026-11-19.');
  });

  test('D13 the log of a day is a source, and comes first', async () => {
    const said = 'The gate opens at ten, no longer at nine.';
    const { runFork, forks } = child([
      rewrite('gate.md', 'The gate opens at ten.', {
        quotes: [quote('logs/2026/11/2026-11-29.md', said)],
        removes: [removal('The gate opens at nine.', 'logs/2026/11/2026-11-29.md', said)],
      }),
    ]);
    const { dream, textOf, memory } = testDream(
      {
        'gate.md': fileText('Gate', 'The gate opens at nine.'),
        'logs/2026/11/2026-11-29.md': `- ${said}\n`,
      },
      { runFork },
    );
    expect(await dream.dreamNow()).toMatchObject({ report: { steps: { rewrite: 1 } } });
    expect(await textOf('gate.md')).toContain('The gate opens at ten.');
    const directive = forks[0]?.directive ?? '';
    expect(directive.indexOf('logs first')).toBeLessThan(directive.indexOf(said));
    expect(directive.indexOf(said)).toBeLessThan(directive.lastIndexOf('The gate opens at nine.'));
    expect((await memory.scan()).files).toHaveLength(1);
  });
});
