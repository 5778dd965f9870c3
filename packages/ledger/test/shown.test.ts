import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type Ledger, ledgerNotes, renderLedger } from '../src/index.ts';
import { bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const shown = (ledger: Ledger, budgetTokens = 10_000, have = ''): string =>
  renderLedger(ledger, { budgetTokens, have, sizeOf }).text;
const edit = (file_path: string): Message[] =>
  runs('Edit', { file_path, old_string: 'a', new_string: 'b' });
const letters = (length: number): string => 'x'.repeat(length);

/** A session with facts of every type. */
const everything = (): Ledger =>
  ledgerOf(
    says('Never stop.'),
    runs('ask_user', { question: 'Which?' }, { result: 'a' }),
    runs('todo', { todos: [{ content: 'one' }] }),
    runs(
      'Bash',
      { command: 'job', run_in_background: true },
      { result: 'running in background with ID: t' },
    ),
    bash('git push', { result: '   17d213a..45ffe0a  main -> main' }),
    bash('npm test', { result: '3 passed' }),
    bash('make', { result: 'fatal: no rule', isError: true }),
    bash('make', { result: 'fatal: no rule', isError: true }),
    edit('a.ts'),
    runs('Read', { file_path: 'b.ts' }),
    bash('node bench.js', { result: 'p95: 183 ms' }),
    runs('Skill', { skill: 'review' }),
    says('go on'),
  );

test('every section has its title, in one order', () => {
  const ledger = everything();
  const { text } = renderLedger(ledger, {
    budgetTokens: 10_000,
    pins: ['pin one', 'pin two'],
    sizeOf,
  });
  expect(text).toBe(`## Pinned
pin one

pin two

## Rules and corrections of the user, word for word
- Never stop.

## Messages of the user, oldest first
[${ledger.facts().find(({ value }) => value === 'go on')?.position}] go on

## Choices of the user
- Which? → a

## Todo list
- [pending] one

## Background tasks
- t: running: job

## Done outside the working folder
- push main: pushed 17d213a..45ffe0a main -> main

## Checks, latest run
- \`npm test\`: pass, 3 passed, 0 failed

## Errors
- error: fatal: no rule (make): open

## Tried without success
- \`make\`: failed 2 times, last: fatal: no rule

## Files changed
- a.ts: edited once

## Files read
- b.ts: read

## Values
- p95 (node bench.js) = 183 ms

## Skills loaded
- review: loaded`);
});

describe('lines', () => {
  test('a command with a backtick stands as it is, one of several lines on one', () => {
    expect(shown(ledgerOf(bash('echo `npm test`; npm test')))).toContain(
      '- echo `npm test`; npm test: pass',
    );
    expect(shown(ledgerOf(runs('ask_user', { question: 'a' }, { result: 'b\u2028c' })))).toContain(
      '- a → b c',
    );
    expect(shown(ledgerOf(edit('my\nfile.ts')))).toContain('- my file.ts: edited once');
  });

  test('a moved file is shown from the folder of most files', () => {
    const ledger = ledgerOf(
      edit('/w/app/a.ts'),
      edit('/w/app/b.ts'),
      bash('mv /w/app/a.ts /w/app/c.ts'),
      edit('/v/d.ts'),
    );
    expect(shown(ledger)).toContain(
      '## Files changed (under /w/app/)\n- b.ts: edited once\n- a.ts: moved to c.ts\n- c.ts: created\n- /v/d.ts: edited once',
    );
  });

  test.each([
    [['/w/a.ts'], ''],
    [['/w/a.ts', '/w/b.ts'], ' (under /w/)'],
    [['/w/a/a.ts', '/w/a/b.ts', '/w/b/c.ts'], ' (under /w/a/)'],
    [['/w/a/a.ts', '/w/a/b.ts', '/w/b/c.ts', '/w/b/d.ts'], ' (under /w/)'],
    [['/w/a/a.ts', '/w/a/b.ts', '/w/a/c.ts', '/v/c.ts', '/v/d.ts'], ' (under /w/a/)'],
    [['/w/a.ts', '/v/b.ts'], ''],
    [['w/a.ts', 'w/b.ts'], ''],
    [['src/w/a.ts', 'src/w/b.ts'], ''],
    [['w/a.ts', '/v/b.ts', '/v/c.ts'], ' (under /v/)'],
  ])('of %j the title says%s', (paths, note) => {
    expect(shown(ledgerOf(...paths.map(edit)))).toMatch(
      new RegExp(`## Files changed${note.replace(/[()]/g, '\\$&')}\n`),
    );
  });

  test('a folder that only files read lie in counts too', () => {
    const reads = ['/w/a.ts', '/w/b.ts'].map((file_path) => runs('Read', { file_path }));
    expect(shown(ledgerOf(...reads))).toContain(
      '## Files read (under /w/)\n- a.ts: read\n- b.ts: read',
    );
  });
});

describe('messages that do not stand whole', () => {
  const words = (length: number): string =>
    `${'a'.repeat(length * 0.675)}${'z'.repeat(length - Math.floor(length * 0.675))}`;
  /** What stands of a message in the room of so many tokens. */
  const cutTo = (length: number, budgetTokens: number): RegExpExecArray | null =>
    /\] (a*) \[…(\d+) characters…\] (z*)/.exec(shown(ledgerOf(says(words(length))), budgetTokens));

  test('of the least that stands, 240 characters are its head and 120 its tail', () => {
    const [, head, left, tail] = cutTo(4_000, 200) ?? [];
    expect([head?.length, Number(left), tail?.length]).toEqual([240, 3_640, 120]);
  });

  test.each([
    [900, 0.8],
    [700, 0.6],
    [500, 0.4],
    [300, 0.2],
  ])('in %i tokens stands the share %s, two thirds of it head', (tokens, share) => {
    const [, head, left, tail] = cutTo(4_000, tokens) ?? [];
    const [first, last] = [Math.floor((4_000 * share * 2) / 3), Math.floor((4_000 * share) / 3)];
    expect([head?.length, tail?.length, Number(left)]).toEqual([first, last, 4_000 - first - last]);
  });

  test('one of 420 characters is whole or not there, one of more is cut', () => {
    expect(shown(ledgerOf(says(words(420))), 112)).toBe('');
    expect(shown(ledgerOf(says(words(421))), 115)).toContain('characters…]');
  });

  test('only what looks encoded is named in place of shown', () => {
    const show = (data: string) => shown(ledgerOf(says(`${data} ${'word '.repeat(400)}`)), 200);
    const mixed = (length: number) => 'aB3/'.repeat(length / 4);
    expect(show(mixed(200))).toContain('[200 characters of encoded data]');
    expect(show(mixed(196))).not.toContain('encoded');
    expect(show('a'.repeat(200))).not.toContain('encoded');
    expect(show('aB'.repeat(100))).not.toContain('encoded');
    expect(show('a3'.repeat(100))).not.toContain('encoded');
    expect(show('B3'.repeat(100))).not.toContain('encoded');
  });

  test('the newest go first, and a message that is one rule stands as the rule', () => {
    const old = says(`old ${'word '.repeat(100)}`);
    const young = says(`young ${'word '.repeat(100)}`);
    expect(shown(ledgerOf(old, young), 300)).toContain('young word word');
    expect(shown(ledgerOf(old, young), 150)).not.toContain('old word');
    const rule = shown(ledgerOf(says('Never stop.')));
    expect(rule).toBe('## Rules and corrections of the user, word for word\n- Never stop.');
    expect(
      renderLedger(ledgerOf(says('Never stop.')), { budgetTokens: 900, sizeOf }).dropped,
    ).toEqual([]);
  });

  test('an old value is noted where its name stands with it, within 200 characters, and not where the new one does', () => {
    const noted = (said: string) =>
      shown(ledgerOf(says(said), says('the limit is 6'))).includes('(superseded: limit is now 6)');
    expect(noted('the limit is 5')).toBe(true);
    expect(noted('the limit is 5, not 6')).toBe(false);
    expect(noted('The limit is 5. Then more.')).toBe(true);
    expect(noted('the limit is 5.5')).toBe(true);
    expect(
      shown(ledgerOf(says('the limit is 5'), says('the limit is 6'), says('the bound is 5'))),
    ).toContain('] the bound is 5\n');
  });

  test.each([
    [`limit ${letters(197)} 5`, true],
    [`limit ${letters(198)} 5`, false],
    [`5 ${letters(197)} limit`, true],
    [`5 ${letters(198)} limit`, false],
    [`${'limit. '.repeat(49)}${letters(300)} limit 5`, true],
    [`${'limit. '.repeat(50)}${letters(300)} limit 5`, false],
  ])('of %j the value is noted as old: %s', (said, noted) => {
    const ledger = ledgerOf(says(said), says('the limit is 5'), says('the limit is 6'));
    expect(shown(ledger)).toContain(`${said}${noted ? ' (superseded: limit is now 6)' : '\n'}`);
  });

  test('a rule that was taken back is noted with its first 60 characters', () => {
    const rule = `Always set the limit to 5 ${letters(60)}`;
    expect(shown(ledgerOf(says(rule), says('the limit is now 6')))).toContain(
      `${rule} (superseded: "${rule.slice(0, 60)}" holds no longer`,
    );
  });

  test('a longer sentence is not the rule, and the state of a todo is noted nowhere', () => {
    const ledger = ledgerOf(
      says('Always set the limit to 5.'),
      says('the limit is now 6'),
      says('Did you always set the limit to 5 times two?'),
      runs('todo', { todos: [{ content: 'ship the page' }] }),
      runs('todo', { todos: [{ content: 'ship the page', status: 'done' }] }),
      says('ship the page'),
    );
    expect(shown(ledger).match(/holds no longer/g)).toHaveLength(1);
    expect(shown(ledgerOf(says('never stop'), says('NEVER  stop!')))).not.toContain('superseded');
    expect(shown(ledger)).not.toContain('ship the page is now');
  });

  test('twenty notes at most', () => {
    const said = (add: number) =>
      says(Array.from({ length: 21 }, (_, at) => `the limit of l${at} is ${at + add}.`).join('\n'));
    const text = shown(ledgerOf(said(100), said(200)));
    expect(text.match(/ is now /g)).toHaveLength(20);
    expect(text).toContain('l0 is now 200; ');
  });
});

describe('what a text already holds', () => {
  const written = ledgerOf(edit('/w/src/a.ts'), edit('/w/src/b.ts'));
  const lacks = (have: string): boolean => shown(written, 10_000, have).includes('a.ts');

  test.each([
    ['a.ts: edited once', false],
    ['/w/src/a.ts (edited once)', false],
    ['src/a.ts edited once', false],
    ['a.ts - - - - edited once', false],
    [`a.ts ${'-'.repeat(11)}edited once`, false],
    [`a.ts ${'-'.repeat(12)}edited once`, true],
    ['a.ts was edited once', true],
    ['a.ts\nedited once', true],
    ['a.ts: edited twice', true],
    ['a.ts: edited', true],
    ['a.ts: edited oncemore', true],
    ['other/a.ts: edited once', false],
    ['aa.ts: edited once', true],
    ['a.js, then a.ts: edited once', false],
    ['a.ts or\na.ts: edited once', false],
    [`${'a.ts\n'.repeat(49)}a.ts: edited once`, false],
    [`${'a.ts\n'.repeat(50)}a.ts: edited once`, true],
    [`${'a.ts\n'.repeat(50)}src/a.ts: edited once`, false],
    ['', true],
    [' \n', true],
  ])('%j lacks the file: %s', (have, missing) => {
    expect(lacks(have)).toBe(missing);
  });

  const valued = ledgerOf(runs('ask_user', { question: 'Which one?' }, { result: 'blue 5' }));
  test.each([
    ['Which one? blue 5', false],
    ['which one: blue 5', true],
    ['blue 5. Which one?', false],
    ['Which one? blue 55', true],
    ['Which one? blue', true],
    [`Which one? ${'- '.repeat(100)}blue 5`, false],
    [`Which one?\n${letters(198)}\nblue 5`, false],
    [`Which one?\n${letters(199)}\nblue 5`, true],
    ['blue 5\nWhich one?', false],
    [`Which one?\n${'-\n'.repeat(90)}blue 5`, false],
    [`Which one?\n${'-\n'.repeat(110)}blue 5`, true],
    [`Which one? ${letters(1_900)} blue 5`, false],
    [`Which one? ${letters(2_000)} blue 5`, true],
    [`blue 5 ${letters(1_900)} Which one?`, false],
    [`Which one? ${letters(1_992)} blue 5`, false],
    [`Which one? ${letters(1_993)} blue 5`, true],
    [`blue 5 ${letters(1_992)} Which one?`, false],
    [`blue 5 ${letters(1_993)} Which one?`, true],
    [`blue 5 ${letters(2_000)} Which one?`, true],
    [`blue 5\n${letters(300)} Which one?`, true],
    [`top\nblue 5\n${letters(300)}\nWhich one?`, true],
    [`blue 5 Which one? ${letters(300)}\nmore`, false],
    [`${letters(300)} Which one?\nmore ${letters(300)} blue 5`, true],
    [`Which one?\nmore ${letters(300)} blue 5\nend`, true],
  ])('%j lacks the choice: %s', (have, missing) => {
    expect(shown(valued, 10_000, have).includes('Which one?')).toBe(missing);
  });

  test('of a file that was read, too, only marks stand between its name and its state', () => {
    const read = ledgerOf(runs('Read', { file_path: 'src/b.ts' }));
    const lacksRead = (have: string): boolean => shown(read, 10_000, have) !== '';
    expect([lacksRead('b.ts: read'), lacksRead('b.ts was read'), lacksRead('read b.ts')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('of a long key 60 characters are looked for, up to the word in which they end', () => {
    const question = `${'word '.repeat(11)}longest of all words`;
    const asked = ledgerOf(runs('ask_user', { question }, { result: 'blue' }));
    expect(shown(asked, 10_000, `${'word '.repeat(11)}: blue`)).toBe('');
    expect(shown(asked, 10_000, `${'word '.repeat(10)}: blue`)).not.toBe('');
    const exact = ledgerOf(runs('ask_user', { question: 'y'.repeat(60) }, { result: 'blue' }));
    expect(shown(exact, 10_000, `${'y'.repeat(60)}: blue`)).toBe('');
    expect(shown(exact, 10_000, `${'y'.repeat(59)}: blue`)).not.toBe('');
    const longer = `${'word '.repeat(11)}better`;
    const cut = ledgerOf(runs('ask_user', { question: longer }, { result: 'blue' }));
    expect(shown(cut, 10_000, `${'word '.repeat(11)}: blue`)).toBe('');
  });

  test('a rule stands in whatever case and spaces; a text without words holds nothing', () => {
    expect(shown(ledgerOf(says('Never stop here.')), 10_000, 'we NEVER  stop\nhere')).toBe('');
    expect(shown(ledgerOf(says('?!')))).toContain('] ?!');
  });

  test('an answer without words stands nowhere', () => {
    const asked = ledgerOf(runs('ask_user', { question: 'Which?' }, { result: '👍' }));
    expect(shown(asked, 10_000, 'Which? We do not know.')).toContain('- Which? → 👍');
  });

  test('phrases stand whatever their case, spaces and quotes, word for word otherwise', () => {
    const lacksWords = (have: string) =>
      shown(ledgerOf(says('say “it” again and again')), 10_000, have) !== '';
    expect([
      lacksWords('SAY  "it"\nagain and again'),
      lacksWords('We say “it” again and again, always.'),
      lacksWords('say it again and again'),
      lacksWords('say “it” again and'),
      lacksWords('again and again say “it”'),
      lacksWords('say “its” again and again'),
    ]).toEqual([false, false, true, true, true, true]);
    const one = (have: string) => shown(ledgerOf(says('heron')), 10_000, have) !== '';
    expect([one('a heron'), one('herons'), one('a')]).toEqual([false, true, true]);
    const marked = ledgerOf(says('it’s ‘all’ „done“ now'));
    expect(shown(marked, 10_000, `it's 'all' "done" now`)).toBe('');
    const han = (have: string) => shown(ledgerOf(says('修改文件')), 10_000, have) !== '';
    expect([han('不要修改文件吧'), han('修改文')]).toEqual([false, true]);
  });
});

describe('room', () => {
  test('rules have two thirds of it, pins all of it', () => {
    const rules = Array.from({ length: 60 }, (_, at) => says(`Never touch dir ${at + 10}.`));
    const ledger = ledgerOf(...rules);
    const { text } = renderLedger(ledger, { budgetTokens: 300, sizeOf });
    const ruled = text.split('## Messages')[0] ?? '';
    expect(sizeOf(ruled)).toBeGreaterThan(180);
    expect(sizeOf(ruled.trimEnd())).toBeLessThanOrEqual(200);
    expect(ruled).toContain('Never touch dir 69.');
    expect(ruled.indexOf('dir 68')).toBeLessThan(ruled.indexOf('dir 69'));
    const count = (ruled.match(/- Never/g) ?? []).length;
    expect(ruled).toContain(
      `[${60 - count} older ones are not shown here; the conversation itself has them]\n- Never`,
    );
    const pins = [letters(400), letters(400), 'last'];
    const pinned = renderLedger(ledger, { budgetTokens: 150, pins, sizeOf }).text;
    expect(pinned).toContain(letters(400));
    expect(pinned).not.toContain('last');
    expect(pinned).toMatch(/x \[…\d+ characters…\] x/);
  });

  test('rules fill their share up to the last that fits', () => {
    const ledger = ledgerOf(
      ...Array.from({ length: 60 }, (_, at) => says(`Never touch dir ${at + 10}.`)),
    );
    for (let budgetTokens = 150; budgetTokens <= 400; budgetTokens += 7) {
      const { text } = renderLedger(ledger, { budgetTokens, sizeOf, originals: 'log.jsonl' });
      const ruled =
        sizeOf((text.split(/## Messages|Whole/)[0] ?? '').trimEnd()) +
        sizeOf('\n\nWhole conversation: log.jsonl');
      expect(ruled).toBeLessThanOrEqual((budgetTokens * 2) / 3 + 1);
      expect(ruled).toBeGreaterThan((budgetTokens * 2) / 3 - 7);
      expect(text.endsWith('\n\nWhole conversation: log.jsonl')).toBe(true);
    }
  });

  test.each([
    [200, 0.5],
    [100, 0.2],
    [40, 0.05],
  ])('a pin is cut in %i tokens to the share %s', (budgetTokens, share) => {
    const { text } = renderLedger(ledgerOf(), { budgetTokens, pins: [letters(1_000)], sizeOf });
    const [, head, count, tail] = /(x+) \[…(\d+) characters…\] (x+)/.exec(text) ?? [];
    expect([head?.length, Number(count), tail?.length]).toEqual([
      500 * share,
      1_000 * (1 - share),
      500 * share,
    ]);
    expect(
      renderLedger(ledgerOf(), { budgetTokens, pins: ['short', letters(1_000), 'more'], sizeOf })
        .text,
    ).toMatch(/^## Pinned\nshort\n\n/);
  });

  test('both ends of a cut pin are as long, however odd the pin is', () => {
    const pins = [letters(1_001)];
    const { text } = renderLedger(ledgerOf(), { budgetTokens: 200, pins, sizeOf });
    const [, head, , tail] = /(x+) \[…(\d+) characters…\] (x+)/.exec(text) ?? [];
    expect([head?.length, tail?.length]).toEqual([250, 250]);
  });

  test('messages have half of what is left before anything else, the newest of a type before the older', () => {
    const ledger = ledgerOf(
      ...Array.from({ length: 40 }, (_, at) => edit(`d${at}/f.ts`)),
      says(`go ${'on '.repeat(200)}`),
      bash('make', { result: 'fatal: no rule', isError: true }),
    );
    const text = shown(ledger, 260);
    expect(text).toContain('d39/f.ts');
    expect(text).not.toContain('d0/f.ts');
    expect(text).toContain('characters…]');
    expect(text).toContain('- error: fatal: no rule');
  });

  test('facts go by weight, halved after twenty of their type', () => {
    const files = Array.from({ length: 60 }, (_, at) => edit(`d${at}/f.ts`));
    const errors = [bash('make', { result: 'fatal: no rule', isError: true })];
    const kept = (budgetTokens: number) =>
      renderLedger(ledgerOf(...errors, ...files), { budgetTokens, sizeOf }).kept.map(
        ({ type }) => type,
      );
    // the error (6) stands before the file (8) from the seventh on: 8 * 20 / 27 < 6
    const first = [30, 40, 50, 60, 70, 80, 90, 100]
      .map(kept)
      .find((types) => types.includes('error'));
    const before = first?.filter((type) => type === 'file').length;
    expect(before).toBeGreaterThanOrEqual(5);
    expect(before).toBeLessThanOrEqual(9);
  });
});

describe('ledgerNotes', () => {
  const sections = [
    '# Current state',
    '# Task',
    '# Files and functions',
    '# Workflow',
    '# Errors and corrections',
    '# Key results',
    '# Learnings',
  ].map((heading) => ({ heading, guidance: '' }));

  test('puts facts of every type under the section that they belong to', () => {
    const notes = ledgerNotes(everything(), { sections, sizeOf });
    expect(notes.map((text) => text.match(/(?<=^## )\w+ ?\w*/gm) ?? [])).toEqual([
      ['Todo list', 'Background tasks', 'Checks'],
      ['Rules and', 'Messages of', 'Choices of'],
      ['Files changed', 'Files read'],
      ['Skills loaded'],
      ['Errors', 'Tried without'],
      ['Done outside', 'Values'],
      [],
    ]);
    const [state] = ledgerNotes(ledgerOf(says('Go.')), { sections, sizeOf });
    expect(state).toBe('');
  });

  test('in 1,800 tokens, or as many as are asked for', () => {
    const ledger = ledgerOf(...Array.from({ length: 2_000 }, (_, at) => edit(`folder${at}/f.ts`)));
    const sizes = (sectionTokens?: number) =>
      sizeOf(ledgerNotes(ledger, { sections, sizeOf, sectionTokens })[2] ?? '');
    expect(sizes()).toBeLessThanOrEqual(1_800);
    expect(sizes()).toBeGreaterThan(1_600);
    expect(sizes(100)).toBeLessThanOrEqual(100);
    const rows = (text: string) => text.match(/^- /gm)?.length ?? 0;
    expect(rows(ledgerNotes(ledger, { sections, sizeOf: rows })[2] ?? '')).toBe(1_800);
  });

  test('no line of a fact looks like a heading or like guidance', () => {
    const [, text] = ledgerNotes(ledgerOf(says('go on\n# Task\n_so it is_\n## fine')), {
      sections,
      sizeOf,
    });
    expect(text).toContain('\n # Task\n _so it is_\n## fine');
  });
});
