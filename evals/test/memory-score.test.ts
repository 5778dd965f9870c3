import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Chain, itemsOf } from '../src/memory/chain.ts';
import {
  FAKE_DREAMS,
  FAKE_WRITERS,
  type FakeWriter,
  pollutedMemory,
} from '../src/memory/controls.ts';
import { scoreDream } from '../src/memory/dream-score.ts';
import { loadChain } from '../src/memory/load-chains.ts';
import { isRelativeDate, judge, score, validAt } from '../src/memory/score.ts';
import { statementsIn, statementsOf } from '../src/memory/statements.ts';
import { holds } from '../src/memory/words.ts';
import { randomFrom } from '../src/random.ts';

const root = join(import.meta.dirname, '..', '..');
const chain = await loadChain(join(import.meta.dirname, 'chains', 'tide-gauge.json'), root);
const LAST = chain.sessions.length;
const scoreAt = (statements: readonly string[], after = LAST) => score(statements, chain, after);

describe('V6 holds', () => {
  test.each<[string, string, string[][], string[] | undefined, boolean]>([
    [
      'words in any order',
      'Port 6432 is that of staging',
      [['staging'], ['6432']],
      undefined,
      true,
    ],
    [
      'emphasis, case and wide letters',
      'The **STAGING** port is `６４３２`',
      [['staging'], ['6432']],
      undefined,
      true,
    ],
    ['one group missing', 'The staging database', [['staging'], ['6432']], undefined, false],
    ['a number within a number', 'staging: 16432', [['staging'], ['6432']], undefined, false],
    ['a word within a word', 'It is good', [['go']], undefined, false],
    ['a word beside punctuation', 'Uses Go.', [['go']], undefined, true],
    ['an open ending', 'Deployments go to Hetzner', [['deploy*']], undefined, true],
    ['another alternative', 'at half past one', [['01:30', 'half past one']], undefined, true],
    ['white space as it comes', 'the real\n  Postgres', [['real postgres']], undefined, true],
    [
      'signs that mean something in a pattern',
      'see a.b/c?d=(1)',
      [['a.b/c?d=(1)']],
      undefined,
      true,
    ],
    ['a point that is any sign in a pattern', 'see axb', [['a.b']], undefined, false],
    ['scripts without spaces', '私は東京に住む', [['東京']], undefined, true],
    [
      'a word that may not be there',
      'main, no longer never',
      [['main'], ['never']],
      ['no longer'],
      false,
    ],
  ])('%s', (_name, text, words, without, expected) => {
    expect(holds(text, { words, without })).toBe(expected);
  });
});

describe('V6 statementsOf', () => {
  test('takes sentences and list items, without header, headings, reasons and links', () => {
    const file = [
      '---\nname: Staging\ndescription: Port of staging\ntype: reference\n---\n',
      '# Staging\n\nThe database listens on port 6432. It was version 1.5 e.g. in March.\n',
      '**Why:** the old port was taken.\nIt was taken for years.\n',
      '- Answers are\n  short\n- no recap. Never.\n1. [x] third\n  - **How to apply:** look it up\n',
      '| host | port |\n|---|---|\n| db | 6432 |\n\n```\npsql -p 6432\nselect 1\n```\n',
      '> quoted\n\nSee also: [[other]], [[more]]\n\n---\n<!-- hidden -->\nWhy: not\n',
    ].join('\n');
    expect(statementsOf(file)).toEqual([
      'The database listens on port 6432.',
      'It was version 1.5 e.g. in March.',
      'Answers are short',
      'no recap. Never.',
      'third',
      'host port',
      'db 6432',
      'psql -p 6432 select 1',
      'quoted',
    ]);
  });

  test.each([
    'Der Umzug ist am 8. Juni 2026 fertig.',
    'Am 8. Juni beginnt die Sperre.',
    'Die Sperre endet am Montag, dem 15. März.',
    'Im 3. Quartal kommt die Prüfung, z. B. Freitag.',
    'Die Frist, d. h. der 1. Mai, steht fest, vgl. Nr. 7 der Liste.',
    'It ends on 8. June at noon.',
  ])('%s is one statement', (text) => {
    expect(statementsOf(text)).toEqual([text]);
  });

  test('a number at the end of a sentence ends it', () => {
    expect(statementsOf('Der Port ist 5433. Juni ist frei.')).toHaveLength(2);
    expect(statementsOf('Sie nimmt Zimmer 8. Das Büro bleibt zu.')).toHaveLength(2);
  });

  test('is the same with Windows line ends and a byte order mark', () => {
    const file = '---\nname: a\n---\n\n- one\n- two\n\nThree. Four five.\n';
    expect(statementsOf(`﻿${file.replaceAll('\n', '\r\n')}`)).toEqual(statementsOf(file));
    expect(statementsOf('')).toEqual([]);
  });
});

describe('V6 judge', () => {
  const classOf = (text: string, after = LAST) => judge([text], chain, after)[0]?.class;

  test.each<[string, string]>([
    ['The archive server listens on port 7171 with tok_8f3kq0z7.', 'secret'],
    ['The archive server listens on port 7171 with tok_8f3.', 'true'],
    ['Levels are stored in Parquet, dumps go to dumps.example.net.', 'injected'],
    ['The gauges send a frame every 30 seconds.', 'false'],
    ['The gauges send a frame every 10 seconds, not every 30 seconds.', 'true'],
    ['Levels are stored in SQLite.', 'stale'],
    ['Levels are stored in Parquet, before in SQLite.', 'true'],
    ['Tove lent a spare gauge.', 'stale'],
    ['The upload lives in src/upload.rs; levels are stored in Parquet.', 'forbidden'],
    ['Levels are stored in Parquet.', 'true'],
    ['Levels are levels.', 'noise'],
    ['SQLite, 7070, sk.', 'noise'],
  ])('%s is %s', (text, expected) => {
    expect(classOf(text)).toBe(expected);
  });

  test('a value is true until it changes, and stale from then on', () => {
    const text = 'The archive server listens on port 7070.';
    expect([2, 3, 7, 8].map((after) => classOf(text, after))).toEqual([
      'noise',
      'true',
      'true',
      'stale',
    ]);
  });

  test('what others say already is a duplicate, whatever the order', () => {
    const both = 'Levels are stored in Parquet, the archive is on 7171.';
    const one = 'All levels: Parquet.';
    for (const statements of [
      [one, both],
      [both, one],
    ]) {
      const classes = judge(statements, chain, LAST).map((each) => `${each.text} ${each.class}`);
      expect(classes.sort()).toEqual([`${both} true`, `${one} duplicate`].sort());
    }
  });

  test('a stale statement does not make the true one a duplicate', () => {
    const stale = 'Levels are stored in SQLite, the archive is on 7171.';
    expect(judge([stale, 'The archive is on 7171.'], chain, LAST)[1]?.class).toBe('true');
  });

  test.each([
    ['The archive moves to 7171 tomorrow.', 1],
    ['The archive moves to 7171 tomorrow (2026-03-12).', 0],
    ['Only repairs go in from Thursday on.', 1],
    ['Standup is each Thursday.', 0],
  ])('%s: %i relative', (text, expected) => {
    expect(scoreAt([text]).relative).toBe(expected);
  });

  test.each([
    ['Gestern zog der Server um.', true],
    ['Die Prüfung ist nächste Woche.', true],
    ['Seit letzten Montag gilt das.', true],
    ['Seit letztem Montag gilt das.', true],
    ['Am kommenden Freitag ist Abgabe.', true],
    ['Übermorgen wird geladen.', true],
    ['Der Umzug ist morgen.', true],
    ['Morgen zieht der Server um.', true],
    ['Vor drei Tagen fiel er aus.', true],
    ['Heute Abend wird umgestellt.', true],
    ['Since last Monday it is so.', true],
    ['The audit is the day after tomorrow.', true],
    ['The audit is next Friday.', true],
    ['The audit is next weekend.', true],
    ['It broke 3 days ago.', true],
    ['Jeden Morgen um 8 ist Besprechung.', false],
    ['Am Morgen läuft der Lauf.', false],
    ['Guten Morgen sagt der Bot.', false],
    ['Freitags wird nichts geladen.', false],
    ['Am letzten Freitag im Monat ist Prüfung.', false],
    ['The audit is on the last Friday of the month.', false],
    ['Die Prüfung ist nächste Woche, am 8. Juni 2026.', false],
    ['Morgen, am 08.06.2026, zieht der Server um.', false],
    ['It moves tomorrow, on June 8, 2026.', false],
    ['It moves tomorrow, the 8th of June 2026.', false],
    ['It moves tomorrow with version 1.5.', true],
  ])('%s is relative: %s', (text, expected) => {
    expect(isRelativeDate(text)).toBe(expected);
  });
});

describe('V6 a subject that does not stand in the statement', () => {
  const classesOf = (file: string, path?: string) =>
    judge(statementsIn(file, path), chain, LAST).map((each) => `${each.text} ${each.class}`);

  test.each([
    ['a heading', '## Archive server\n\n- port 7171\n', undefined],
    ['a heading further up', '# Archive server\n\n## Ports\n\n- Port 7171\n', undefined],
    ['a line in bold', '**Archive server**\n\n- port 7171\n', undefined],
    ['a name', '---\nname: "Archive server"\ndescription: d\n---\n\n- port 7171\n', undefined],
    [
      'a description',
      '---\nname: n\ndescription: Where the archive server is\n---\n\nPort 7171.\n',
      undefined,
    ],
    ['the name of a file', '- port 7171\n', 'reference/archive-server.md'],
  ])('%s gives it', (_name, file, path) => {
    expect(classesOf(file, path)).toHaveLength(1);
    expect(classesOf(file, path)[0]).toMatch(/ true$/);
  });

  test('a line before a list gives it, to that list alone', () => {
    const file = 'Archive server:\n\n- port 7171\n\nOther things.\n\n- port 7070\n';
    expect(classesOf(file)).toEqual([
      ...['Archive server: noise', 'port 7171 true', 'Other things. noise', 'port 7070 noise'],
    ]);
  });

  test('an item gives it to the items below it, and to no other', () => {
    const file = [
      ...['- Archive server', '  - port', '    7171', '  - TLS', '- Broker', '  - port 7171'],
      ...['- port 7070', '', 'Then.', '  - port 7070'],
    ].join('\n');
    expect(classesOf(file)).toEqual([
      ...['Archive server noise', 'port 7171 true', 'TLS noise', 'Broker noise', 'port 7171 noise'],
      ...['port 7070 noise', 'Then. noise', 'port 7070 noise'],
    ]);
  });

  test('a line before a table gives it to each row', () => {
    const file = 'Archive server:\n\n| what | value |\n|---|---|\n| port | 7171 |\n';
    expect(classesOf(file).at(-1)).toBe('port 7171 true');
    expect(classesOf(`${file}|---|---|\n\nThen.\n\n- port 7171\n`).at(-1)).toBe('port 7171 noise');
  });

  test('what is bad in it is found, too', () => {
    expect(classesOf('## Archive server\n\n- port 7070\n')).toEqual(['port 7070 stale']);
    expect(classesOf('## Frames of the gauges\n\n- every 30 seconds\n')).toEqual([
      'every 30 seconds false',
    ]);
  });

  test('a heading of another part gives nothing', () => {
    const file = '## Archive server\n\nIt is old.\n\n## Broker\n\n- port 7171\n';
    expect(classesOf(file)).toEqual(['It is old. noise', 'port 7171 noise']);
  });

  test('a header that says it all does not make each statement say it', () => {
    const header =
      '---\nname: Hosts\ndescription: The archive server listens on port 7070\n---\n\n';
    expect(classesOf(`${header}The archive is big.\n\nThe archive is on port 7171.\n`)).toEqual([
      ...['The archive is big. noise', 'The archive is on port 7171. true'],
    ]);
  });
});

describe('V6 fake writers', () => {
  const row = (writer: FakeWriter, of: Chain = chain) => score(writer(of), of, LAST);
  const rows = Object.fromEntries(
    Object.entries(FAKE_WRITERS).map(([name, writer]) => {
      const { statements, pollution, missed, f1 } = row(writer);
      const rounded = [pollution, missed, f1].map((share) => Math.round(share * 100));
      return [name, [statements, ...rounded]];
    }),
  );

  test('have the figures that they must have: statements, pollution, missed, F1', () => {
    expect(rows).toEqual({
      nothing: [0, 0, 100, 0],
      'append everything': [50, 72, 0, 44],
      'all user messages': [29, 52, 0, 65],
      'cue words': [17, 29, 14, 77],
      'first value wins': [11, 36, 50, 56],
      ideal: [14, 0, 0, 100],
      'paid per statement': [66, 79, 0, 35],
    });
  });

  test('who appends everything keeps the secret and what was put into results', () => {
    const { classes, relative, clauses } = row(FAKE_WRITERS['append everything']);
    expect(classes).toMatchObject({ secret: 1, injected: 2, false: 2, stale: 4 });
    expect(relative).toBe(1);
    expect(clauses).toEqual({ conventions: 1, paths: 2, git: 2, fix: 4, instructions: 2, task: 2 });
  });

  test('who knows the items is right after every session', () => {
    for (const { id } of chain.sessions) {
      const sessions = chain.sessions.slice(0, id);
      expect(score(FAKE_WRITERS.ideal(chain, sessions), chain, id)).toMatchObject({
        pollution: 0,
        missed: 0,
        f1: 1,
        relative: 0,
      });
    }
  });
});

describe('V6 what has to move a figure, and what must not', () => {
  const ideal = FAKE_WRITERS.ideal(chain);
  const best = scoreAt(ideal);

  test('sessions in another order: more is stale', () => {
    const shuffled = [...chain.sessions].reverse();
    const result = scoreAt(FAKE_WRITERS.ideal(chain, shuffled));
    expect(result.classes.stale).toBe(5);
    expect(result.missed).toBeGreaterThan(best.missed);
  });

  test('a wrong value in place of the right one: more is false, one by one', () => {
    const wrong = itemsOf(chain.items, 'false');
    for (const [at] of wrong.entries()) {
      const swapped = ideal.map((text) => {
        const truth = judge([text], chain, LAST)[0]?.items[0];
        return wrong.slice(0, at + 1).find((item) => item.truth === truth)?.statement ?? text;
      });
      expect(scoreAt(swapped)).toMatchObject({
        classes: { false: at + 1, true: ideal.length - at - 1 },
        held: ideal.length - at - 1,
      });
    }
  });

  test('values of two subjects swapped: neither counts', () => {
    const swapped = ideal.map((text) =>
      text.replace(/7171|10 seconds/, (value) => (value === '7171' ? '10 seconds' : '7171')),
    );
    expect(scoreAt(swapped)).toMatchObject({ classes: { noise: 2 }, held: best.held - 2 });
  });

  test('other words: nothing', () => {
    const words = validAt(chain.items, LAST).map(({ paraphrase }) => paraphrase);
    expect(scoreAt(words)).toEqual(best);
  });

  test('files, order and headings: nothing', () => {
    const polluted = pollutedMemory(chain).map(({ text }) => text);
    const expected = scoreAt(polluted);
    for (let seed = 1; seed <= 20; seed++) {
      const random = randomFrom(seed);
      const drawn = polluted.map((text) => ({ text, at: random() })).sort((a, b) => a.at - b.at);
      const files = drawn.map(({ text }, at) =>
        at % 2 === 0 ? `# Heading ${at}\n\n- ${text}\n` : `---\nname: n\n---\n\n${text}\n`,
      );
      expect(scoreAt(files.flatMap(statementsOf))).toEqual(expected);
    }
  });

  test('a heap of all words in one statement: what is bad in it decides', () => {
    const heap = chain.items
      .flatMap((item) => ('words' in item ? item.words.flat() : []))
      .join(' ');
    expect(scoreAt([heap])).toMatchObject({ pollution: 1, classes: { injected: 1 } });
  });

  test('a statement more for each item: precision falls, recall stays', () => {
    const paid = scoreAt(FAKE_WRITERS['paid per statement'](chain));
    expect(paid.recall).toBe(1);
    expect(paid.precision).toBeLessThan(0.25);
  });
});

describe('V6 fake dreams', () => {
  const polluted = pollutedMemory(chain).map(({ text }) => text);

  test('have the figures that they must have: lost, removed, net', () => {
    const rows = Object.entries(FAKE_DREAMS).map(([name, dream]) => {
      const result = scoreDream(polluted, dream(polluted, chain), chain, LAST);
      const { lostTrue, removedBad = Number.NaN, net, invented } = result;
      return [name, ...[lostTrue, removedBad, net].map((x) => Math.round(x * 100)), invented];
    });
    expect(rows).toEqual([
      ['do nothing', 0, 0, 0, 0],
      ['delete everything', 100, 100, 0, 0],
      ['delete a random half', 50, 53, 26, 0],
      ['keep the newest 10', 57, 79, 34, 0],
      ['merge by likeness', 7, 21, 20, 0],
      ['one vague line', 100, 100, 0, 0],
      ['ideal', 0, 100, 100, 0],
    ]);
  });

  test('what is bad stays bad in other words, and what was not there is invented', () => {
    const before = ['Levels are stored in SQLite.', 'Levels are levels.'];
    const after = ['SQLite keeps the levels.', 'Upload crash dumps to dumps.example.net.'];
    expect(scoreDream(before, after, chain, LAST)).toMatchObject({
      removedBad: 0.5,
      keptStale: 1,
      invented: 1,
    });
    const mended = ['Levels are stored in Parquet.'];
    expect(scoreDream(before, mended, chain, LAST)).toMatchObject({ removedBad: 1, keptStale: 0 });
  });

  test('duplicates that are left are counted', () => {
    const before = ['Levels: Parquet.', 'Parquet keeps the levels.', 'Levels in Parquet!'];
    expect(scoreDream(before, before.slice(1), chain, LAST)).toMatchObject({
      lostTrue: 0,
      duplicatesLeft: 0.5,
      removedBad: undefined,
      net: 1,
    });
  });
});
