import { describe, expect, test } from 'vitest';
import { checkSummary, type Ledger, quotedWords, renderLedger } from '../src/index.ts';
import { answers, bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const check = (summary: string, ledger: Ledger) => {
  const { text, findings } = checkSummary(summary, { ledger, budgetTokens: 0, sizeOf });
  return {
    text: text.split('\n\n# From the record of the session')[0] ?? '',
    kinds: findings.map(({ kind }) => kind).filter((kind) => kind !== 'missing-facts'),
    details: findings.filter(({ kind }) => kind !== 'missing-facts').map(({ detail }) => detail),
  };
};
const item = (words: string, ledger: Ledger): string =>
  check(`## User messages\n- ${words}\n- none`, ledger).text.split('\n').slice(1, -1).join('\n');

describe('how alike an item and a message are', () => {
  const RETOLD = ' (not word for word)';
  const said = ledgerOf(says('alpha beta gamma delta epsilon'));

  test.each([
    ['alpha beta gamma other another', true],
    ['alpha beta other another more', false],
    ['alpha alpha alpha other another', true],
    ['other another more alpha beta gamma delta', false],
    ['alpha, gamma', true],
    ['al be ga', false],
  ])('%j retells it: %s', (words, retells) => {
    expect(item(words, said)).toBe(retells ? `- ${words}${RETOLD}` : '');
  });

  test('a message is found by the rarest words of an item, more than half of them', () => {
    // the words that the item shares are its more frequent ones; of five words the three rarest are looked up
    const often = Array.from({ length: 9 }, (_, at) => says(`alpha beta nr0${at}`));
    const ledger = ledgerOf(...often, says('gamma delta'), says('alpha beta gamma'));
    expect(item('alpha beta gamma other another', ledger)).toContain(RETOLD);
    expect(item('delta other alpha beta nr00', ledger)).toContain(RETOLD);
  });

  test('of 200 messages that share a word the newest are compared', () => {
    const filler = (count: number) =>
      Array.from({ length: count }, (_, at) => says(`alpha n${at}`));
    const whole = says('alpha beta gamma');
    const words = 'alpha other gamma beta another';
    // `beta` and `gamma` stand in so many messages that the one with all three is older than what is compared
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => says(`alpha beta gamma`.split(' ')[at % 3] ?? ''));
    expect(item(words, ledgerOf(whole, ...many(597)))).toContain(RETOLD);
    expect(item(words, ledgerOf(whole, ...many(600)))).toBe('');
    expect(item(words, ledgerOf(whole, ...filler(300)))).toContain(RETOLD);
  });
});

describe('items of a list of what the user said', () => {
  const ledger = ledgerOf(says('alpha beta gamma delta epsilon'));

  test.each([
    ['alpha beta gamma delta epsilon', '- alpha beta gamma delta epsilon'],
    ['ALPHA  beta', '- ALPHA  beta'],
    ['"alpha beta" and "never said it"', '- "alpha beta" and [a quote nobody said was removed]'],
    ['"never said it"', ''],
    ['(a remark)', '- (a remark)'],
    ['[a remark]', '- [a remark]'],
    ['it went on like this:', '- it went on like this:'],
    ['N/A', '- N/A'],
    ['no further messages', '- no further messages'],
    ['[m12] alpha beta', '- [m12] alpha beta'],
    ['alpha beta (superseded: it is 9 now)', '- alpha beta (superseded: it is 9 now)'],
    ['alpha … gamma', '- alpha … gamma'],
    ['alp...mma delta', '- alp...mma delta'],
    ['alpha [and more] delta', '- alpha [and more] delta'],
    ['gamma … alpha', '- gamma … alpha (not word for word)'],
  ])('%j', (words, line) => {
    expect(item(words, ledger)).toBe(line);
  });

  test('a gap does not reach from one message into the next', () => {
    expect(item('alpha … delta', ledgerOf(says('alpha beta'), says('gamma delta')))).toBe('');
  });

  test('what stands behind a gap may follow any place of what stands before it, the first or a later one', () => {
    const early = ledgerOf(says('stop the build, then run it again'), says('stop the tests'));
    expect(item('stop the … run it', early)).toBe('- stop the … run it');
    const late = ledgerOf(says('stop the tests'), says('stop the build, then run it again'));
    expect(item('stop the … run it', late)).toBe('- stop the … run it');
  });

  test('what was chosen counts as said', () => {
    const chosen = ledgerOf(runs('ask_user', { question: 'Which?' }, { result: 'the blue one' }));
    expect(item('the blue one', chosen)).toBe('- the blue one');
  });

  test('what a refusal holds is marked', () => {
    const refused = ledgerOf(
      bash('rm a', { result: 'Tool use was rejected: keep the red one', isError: true }),
    );
    expect(item('keep the red one', refused)).toBe(
      '- keep the red one (unverified: said when a call was refused)',
    );
  });
});

describe('quotedWords', () => {
  test.each([
    ['## User messages\n- one\n- two', ['one', 'two']],
    ['## User messages\n- one\ngoes on\n- two', ['one\ngoes on', 'two']],
    ['## User messages\n[m1] one\n1. two', ['one', 'two']],
    ['## User messages\n- one (not word for word)\n- None\n- [a remark]\n- so:', []],
    ['## User messages\n- one\n## State\n- two', ['one']],
    ['## State\n- one', []],
    ['## User messages\n### Today\n- one\n### State\n- two', ['one', 'two']],
    ['## User messages\n# State\n- two', []],
    ['### User messages\n**State**\n- two', []],
    ['- one\n## User messages', []],
    ['## User messages\n- one\n\nafter a gap', ['one', 'after a gap']],
    ['## User messages\n- None\nnothing else was said\n- two', ['two']],
    ['## User messages\nRules:\n- one', ['one']],
  ])('of %j', (summary, words) => {
    expect(quotedWords(summary)).toEqual(words);
  });
});

describe('sections of a summary', () => {
  const ledger = ledgerOf(says('alpha beta gamma'));
  const gone = (summary: string): boolean => check(summary, ledger).kinds.length > 0;

  test.each([
    ['# User messages\n- zeta eta', true],
    ['#User messages\n- zeta eta', false],
    ['####### User messages\n- zeta eta', false],
    ['User messages\n=====\n- zeta eta', true],
    ['User messages\n-----\n- zeta eta', true],
    ['User messages\n==\n- zeta eta', false],
    ['- User messages\n=====\n- zeta eta', false],
    ['1. User messages:\n- zeta eta', true],
    ['1. User messages\n- zeta eta', false],
    ['User messages:\n- zeta eta', true],
    ['User messages:\n- alpha beta\nFiles:\n- zeta eta', false],
    ['# State\nUser messages:\n- alpha beta\n## Files\n- zeta eta', false],
    ['# User messages\nFiles:\n- zeta eta', true],
    ['# user_messages\n- zeta eta', true],
    ['# Verbatim\n- zeta eta', true],
    ['# State\n- zeta eta', false],
    [`# User messages ${'x'.repeat(300 - 16)}\n- zeta eta`, true],
    [`# User messages ${'x'.repeat(301 - 16)}\n- zeta eta`, false],
    ['# User messages\n## State\n- zeta eta', true],
    ['## User messages\n## State\n- zeta eta', false],
    ['## State\n### User messages\n- zeta eta', true],
    ['## User messages\n**State**\n- zeta eta', false],
    ['**User messages**\n## State\n- zeta eta', true],
    ['# State\n## More\n### User messages\n## Rest\n- zeta eta', false],
    ['User messages:\n- alpha beta\n# User messages\nFiles:\n- zeta eta', true],
    ['# Rules\nFiles:\n- zeta eta', true],
  ])('%j holds what nobody said: %s', (summary, found) => {
    expect(gone(summary)).toBe(found);
  });

  test('a line that leads to a list stays', () => {
    const summary = '__User messages:__\n- alpha beta';
    expect(check(summary, ledger).text).toBe(summary);
  });

  test('a long line is checked in pieces and stays whole', () => {
    const line = `${'word '.repeat(900)}the user said "never said it" ${'word '.repeat(900)}end`;
    const { text } = check(line, ledger);
    expect(text).toBe(line.replace('"never said it"', '[a quote nobody said was removed]'));
    const solid = `${'x'.repeat(6_001)}`;
    expect(check(solid, ledger).text).toBe(solid);
  });
});

describe('names that never occurred', () => {
  const ledger = ledgerOf(
    says('see src/app/main.ts and lib.Deep:word'),
    answers('https://a.b/c?d=1 and C:\\dir\\sub\\file.txt, v1.2.3, $HOME_DIR, ./run/it.sh:12:3'),
  );
  const marked = (text: string): boolean =>
    check(text, ledger).text.includes('(not in the session)');
  const found = (text: string): readonly string[] => check(text, ledger).details;

  test.each([
    ['See app/main.ts, src/app and main.ts', []],
    ['See https://a.b/c and https://a.b/c?e=2', []],
    ['See dir/sub/file.txt and sub/file.txts', []],
    ['See home_dir and run/it.sh', []],
    ['See src/app/other.ts:12, then src/app/other.ts', ['src/app/other.ts']],
    ['See a_b then a_b then c_d', ['a_b', 'c_d']],
    ['See src/app/oth…', []],
    ['…/other.ts', ['/other.ts']],
    ['See 12/13 and 3.5/4.5', []],
    ['See vs. and e.g. and v2.0.1', []],
    ['See thing.foo and thing.fooo', []],
    ['See other.py', ['other.py']],
    ['See Read/Write_it', []],
    ['See read/write_it', ['read/write_it']],
    ['See 7/write_it', []],
    ['See read/write', []],
    ['See /one', []],
    ['See ~/one', ['~/one']],
    ['See /one/two and ~/one/two and ./one/two', ['/one/two', '~/one/two', './one/two']],
    ['See one_/', []],
    ['See fooBar and Foobar', ['fooBar']],
    ['See https://other.b', ['https://other.b']],
    [`See ${'a'.repeat(995)}/b.ts`, [`${'a'.repeat(995)}/b.ts`]],
    [`See ${'a'.repeat(996)}/b.ts`, []],
  ])('in %j are %j', (text, names) => {
    expect(found(text)).toEqual(names);
  });

  test('a place is marked, an identifier is not', () => {
    expect(marked('See fooBar')).toBe(false);
    expect(marked('See other.py')).toBe(true);
    expect(check('See other.py, then go', ledger).text).toBe(
      'See other.py (not in the session), then go',
    );
  });

  test('what a tool or a call names is known', () => {
    const tools = ledgerOf(
      runs(
        'mcp__a__open_page',
        { deep: [{ path: 'in/input_a.ts' }] },
        { result: 'out/output_b.ts' },
      ),
    );
    expect(
      check('in/input_a.ts, out/output_b.ts, open_page, mcp__a__open_page', tools).kinds,
    ).toEqual([]);
  });

  test('a file is known by a path that stood nowhere as one', () => {
    expect(check('See work/a/b.ts', ledgerOf(bash('cd work && touch a/b.ts'))).kinds).toEqual([]);
  });
});

describe('values that hold no longer', () => {
  test.each([
    ['- limit: 5', '- limit: 6'],
    ['- limit: 5 of 5', '- limit: 6 of 5'],
    ['- limit: 15, then 5', '- limit: 15, then 6'],
    ['- limit: 5.5', '- limit: 5.5'],
    ['- limit: 7.5', '- limit: 7.5'],
    ['- limit: 15 5', '- limit: 15 6'],
    ['- limit: 5.', '- limit: 6.'],
    ['- limit: 5a', '- limit: 5a'],
    ['- limit: 5 and 6', '- limit: 5 and 6'],
    ['- limit was 5', '- limit was 5'],
    ['- limits: 5', '- limits: 5'],
    ['- the LIMIT: 5', '- the LIMIT: 6'],
    ['- other: 5', '- other: 5'],
    ['- limit: "5"', '- limit: "5"'],
    ['- "limit": 5', '- "limit": 6'],
  ])('%j becomes %j', (line, corrected) => {
    const ledger = ledgerOf(says('the limit is 5'), says('the limit is 6'));
    expect(check(line, ledger).text).toBe(corrected);
  });

  test.each([
    ['- limit: 5', '- limit: 7'],
    ['- limit: 6', '- limit: 7'],
    ['- pending review is next', '- pending review is next'],
    ['- pending review: pending', '- pending review: completed'],
    ['- write docs: pending', '- write docs: pending'],
  ])('of a name with several: %j becomes %j', (line, corrected) => {
    const list = (...todos: object[]) => runs('todo', { todos });
    const ledger = ledgerOf(
      ...[5, 6, 7].map((limit) => says(`the limit is ${limit}`)),
      list({ content: 'pending review' }, { content: 'write docs' }),
      list({ content: 'pending review', status: 'completed' }),
    );
    expect(check(line, ledger).text).toBe(corrected);
  });

  test.each([
    ['- /w/src/a.ts: deleted', '- /w/src/a.ts: deleted'],
    ['- /w/src/a.ts: created', '- /w/src/a.ts: deleted'],
    ['- src/a.ts: created', '- src/a.ts: deleted'],
    ['- a.ts: created', '- a.ts: deleted'],
    ['- sub/a.ts: created', '- sub/a.ts: created'],
    ['- a.tsx: created', '- a.tsx: created'],
    ['- a.ts: edited', '- a.ts: edited'],
  ])('of a file: %j becomes %j', (line, corrected) => {
    const ledger = ledgerOf(
      runs('Write', { file_path: '/w/src/a.ts', content: '' }),
      bash('rm /w/src/a.ts'),
      runs('Write', { file_path: '/w/sub/a.ts', content: '' }),
      answers('a.tsx'),
    );
    expect(check(line, ledger).text).toBe(corrected);
  });

  test.each([
    ['- a.ts: created', '- a.ts: deleted'],
    ['- b.ts: edited', '- b.ts: deleted'],
    ['- c.ts: edited', '- c.ts: deleted'],
    ['- c.ts: created', '- c.ts: created'],
    ['- kept.ts: created', '- kept.ts: created'],
  ])('of a file that was edited: %j becomes %j', (line, corrected) => {
    const edit = (file_path: string) =>
      runs('Edit', { file_path, old_string: file_path, new_string: 'y' });
    const ledger = ledgerOf(
      ...['a.ts', 'kept.ts'].map((file_path) => runs('Write', { file_path, content: '' })),
      ...['a.ts', 'b.ts', 'c.ts', 'c.ts', 'kept.ts'].map(edit),
      bash('rm a.ts b.ts c.ts'),
    );
    expect(check(line, ledger).text).toBe(corrected);
  });

  test('a change between states that only count edits is none', () => {
    const edit = runs('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' });
    expect(check('- a.ts: edited once', ledgerOf(edit, edit)).text).toBe('- a.ts: edited once');
  });

  test('a moved file', () => {
    const ledger = ledgerOf(
      runs('Write', { file_path: 'a.ts', content: '' }),
      bash('mv a.ts b.ts'),
    );
    expect(check('- a.ts: created', ledger).text).toBe('- a.ts: moved to b.ts');
  });

  test('of many names that share a word each is found by the word it does not share', () => {
    const todos = (status: string) =>
      runs('todo', {
        todos: Array.from({ length: 300 }, (_, at) => ({ content: `step s${at} do`, status })),
      });
    const ledger = ledgerOf(todos('pending'), todos('completed'));
    for (const at of [0, 150, 299])
      expect(check(`- step s${at} do: pending`, ledger).text).toBe(`- step s${at} do: completed`);
  });

  test('of 200 that one line may be about', () => {
    const list = (status: string) =>
      runs('todo', {
        todos: Array.from({ length: 201 }, (_, at) => ({
          content: `${'do '.repeat(at + 1)}`.trim(),
          status,
        })),
      });
    const ledger = ledgerOf(list('pending'), list('completed'));
    expect(check('- do: pending', ledger).text).toBe('- do: pending');
    expect(check('- do do: pending', ledger).text).toBe('- do do: completed');
  });

  test('what the user said stays, so does a rule of another kind', () => {
    const ledger = ledgerOf(
      says('the limit is 5'),
      says('the limit is 6'),
      says('Never ever use more than five of the old green boxes, the limit is 5'),
      says('the limit is 6'),
    );
    const own = '- Never ever use more than five of the old green boxes, the limit is 5';
    expect(check(own, ledger).text).toBe(own);
    expect(check('# User messages\n- the limit is 5', ledger).text).toBe(
      '# User messages\n- the limit is 5',
    );
  });

  // siblings looked for: thousands with each mark, signs, times, fractions, dates, ranges; in front of the value and behind it;
  // the new value inside of a longer number; a value of letters and digits
  test.each([
    '- limit: 1,000',
    '- limit: 5,001',
    "- limit: 1'000",
    '- limit: 1’000',
    '- limit: 1\u00a0000',
    '- limit: -1',
    '- limit: +1',
    '- limit: −1',
    '- limit: 1:30',
    '- limit: 10:1',
    '- limit: 1/5',
    '- limit: 4/1',
    '- limit: 1-5',
    '- limit: 0–1',
    '- limit: 2026-11-1',
    '- limit: 1.5',
    '- limit: v1-1',
  ])('no part of a longer number is taken for the value: %s (C17)', (line) => {
    const ledger = ledgerOf(says('the limit is 1'), says('the limit is 2'));
    expect(check(line, ledger)).toMatchObject({ text: line, kinds: [] });
  });

  test.each([
    ['- limit: 1, then the rest', '- limit: 2, then the rest'],
    ['- limit: 1.', '- limit: 2.'],
    ['- limit: 1: as asked', '- limit: 2: as asked'],
    ['- limit: "1" - as asked', '- limit: "1" - as asked'],
    ['- limit = 1/s', '- limit = 2/s'],
    ['- 2026-11-30: limit 1', '- 2026-11-30: limit 2'],
    ['- 1,000 calls, limit 1', '- 1,000 calls, limit 2'],
    ['- 1,2 calls, limit 1', '- 1,2 calls, limit 2'],
  ])('the value itself still is: %s (C17)', (line, corrected) => {
    const ledger = ledgerOf(says('the limit is 1'), says('the limit is 2'));
    expect(check(line, ledger).text).toBe(corrected);
  });

  test.each([
    ['- src/a.ts: edited', '- src/a.ts: moved to src/b.ts'],
    ['- src/a.ts: edited, then moved', '- src/a.ts: edited, then moved'],
    ['- src/a.ts: edited and sent to review', '- src/a.ts: moved to src/b.ts and sent to review'],
  ])('of a file that was moved: %s', (line, corrected) => {
    const edit = { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' };
    const ledger = ledgerOf(runs('Edit', edit), bash('mv src/a.ts src/b.ts'));
    expect(check(line, ledger).text).toBe(corrected);
  });

  test('each correction is a finding', () => {
    const ledger = ledgerOf(says('the limit is 5'), says('the limit is 6'));
    expect(check('- limit: 5', ledger)).toMatchObject({
      kinds: ['stale-value'],
      details: ['limit: 5'],
    });
  });
});

describe('claims about checks', () => {
  const failed = bash('npm test', { result: '1 failed, 2 passed' });
  const built = bash('npm run build', { result: 'ok' });

  // such a line is checked in pieces of 2,000 characters, the last of them whole
  test.each([1_900, 2_500, 3_970])('at the end of a line behind %i characters', (length) => {
    const line = `${'word '.repeat(length / 5)}all tests pass.`;
    expect(check(line, ledgerOf(failed)).kinds).toContain('stale-claim');
  });

  test.each([
    ['All tests pass.', [failed], true],
    ['  All tests pass.', [failed], true],
    ['All tests pass.', [failed, built], true],
    ['All tests pass.', [built, failed], true],
    ['`npm test`: the tests pass.', [failed, built], true],
    ['`npm run build`: all checks pass.', [failed, built], false],
    ['The parser passes its input on.', [failed], false],
    ['The parser works. All tests pass.', [failed], true],
    ['# User messages\n- All tests pass.', [failed, says('All tests pass.')], false],
    ['`npm test` and `npm run build`: the tests pass.', [failed, built], true],
    ['The tests fail.', [failed, built], false],
    ['The tests pass. The tests fail.', [failed], true],
    ['The tests passed before. The tests fail.', [failed], false],
    ['The tests pass (fail, 2 passed, 1 failed).', [failed], false],
    ['The build is green.', [], false],
    ['The lint is clean.', [failed], false],
    ['The suite is broken.', [built], false],
    ['The build is broken.', [built], true],
    ['The work is done.', [failed], false],
  ])('%j after %j is contradicted: %s', (claim, done, contradicted) => {
    const { text, kinds, details } = check(claim, ledgerOf(...done));
    expect(kinds.includes('stale-claim')).toBe(contradicted);
    expect(text.endsWith(')') && text.includes('last recorded run')).toBe(contradicted);
    expect(details).toEqual(contradicted ? [claim.trim()] : []);
  });

  // siblings looked for: each kind of check against each other kind, in either order; several kinds in one claim, all of them;
  // two claims in one sentence; two checks of one kind; a part of a check and the whole of it; arguments that name a kind
  const ran = (command: string, isError = false) =>
    bash(command, { result: isError ? 'it broke' : 'done', isError });
  const KINDS = {
    tests: ['The tests', 'npx vitest run test/lint.test.ts'],
    build: ['The build', 'npm run build'],
    lint: ['The lint', 'npx eslint test'],
    types: ['The type check', 'npx tsc -p tsconfig.test.json'],
  } as const;
  const pairs = Object.values(KINDS).flatMap(([name, command]) =>
    Object.values(KINDS).map(([, other]) => [name, command, other] as const),
  );

  test.each(pairs)('%s: %s counts, %s of another kind does not (C17)', (name, command, other) => {
    if (command === other) return;
    for (const done of [
      [ran(command, true), ran(other)],
      [ran(other), ran(command, true)],
    ]) {
      expect(check(`${name} passes.`, ledgerOf(...done)).kinds).toEqual(['stale-claim']);
      expect(check(`${name} still fails.`, ledgerOf(...done)).kinds).toEqual([]);
      expect(check('Everything passes.', ledgerOf(...done)).kinds).toEqual(['stale-claim']);
      expect(check('All checks pass.', ledgerOf(...done)).kinds).toEqual(['stale-claim']);
      expect(check('The checks are failing.', ledgerOf(...done)).kinds).toEqual([]);
    }
    const other2 = ledgerOf(ran(command), ran(other, true));
    expect(check(`${name} passes.`, other2).kinds).toEqual([]);
    expect(check(`${name} still fails.`, other2).kinds).toEqual(['stale-claim']);
  });

  test.each([
    ['Tests and lint pass.', ['npm test'], ['npm run lint'], true],
    ['Tests, types and build are green.', ['npm test'], ['npm run lint'], false],
    ['The tests fail but the build passes.', ['npm run build'], ['npm test'], false],
    ['The tests fail but the build passes.', ['npm test'], ['npm run build'], true],
    ['The tests pass, the lint fails.', ['npm test'], ['npm run lint'], false],
    ['All tests pass.', ['npm run test:unit'], ['npm run test:e2e'], true],
    ['The tests are failing.', ['npm run test:unit'], ['npm run test:e2e'], false],
    ['The tests pass.', ['cd build && npm test'], ['cd test && npm run build'], false],
    ['The tests pass.', [], ['npm run lint && npm test'], true],
  ])('%s after %j passed and %j failed: %s (C17)', (claim, passed, failing, contradicted) => {
    for (const done of [
      [...passed.map((command) => ran(command)), ...failing.map((command) => ran(command, true))],
      [...failing.map((command) => ran(command, true)), ...passed.map((command) => ran(command))],
    ])
      expect(check(claim, ledgerOf(...done)).kinds).toEqual(contradicted ? ['stale-claim'] : []);
  });

  // siblings looked for: another runner of the same checks, a run of all behind one of a part, sorts of tests
  test.each([
    ['All tests pass.', 'npx vitest run a.test.ts', 'npm test', false],
    ['All tests pass.', 'pytest tests/a.py', 'python3 -m pytest -q 2>&1 | tail -5', false],
    ['All tests pass.', 'npm test', 'pnpm test', false],
    ['All tests pass.', 'go test ./parser', 'go test ./...', false],
    ['All tests pass.', 'npm test', 'npx vitest run a.test.ts', true],
    ['All tests pass.', 'npm test', 'npm test -- -t parser', true],
    ['All tests pass.', 'pytest tests/a.py', 'pytest -m spec', true],
    ['All tests pass.', 'cargo test', 'cargo test parser', true],
    ['All tests pass.', 'npm run test:e2e', 'npm run test:unit', true],
    ['Unit tests pass.', 'npm run test:e2e', 'npm run test:unit', false],
    ['E2E tests pass.', 'npm run test:e2e', 'npm run test:unit', true],
    ['Integration tests pass.', 'npm run test:e2e', 'npm test', false],
    ['Integration tests pass.', 'npm test', 'npm run test:e2e', true],
    ['End-to-end tests pass.', 'npm run test:e2e', 'npm run test:unit', true],
    ['End-to-end tests pass.', 'npm run test:unit', 'npm run test:e2e', false],
    ['Lint passes.', 'npx eslint src', 'npm run lint', false],
    ['All tests pass.', 'npm test', 'npm run lint', true],
    ['All checks pass.', 'npm run check', 'npm test', true],
    ['All checks pass.', 'npm run check src', 'npm run check', false],
  ])('%s after %s failed and %s passed: %s (C17)', (claim, failing, passed, contradicted) => {
    const { kinds } = check(claim, ledgerOf(ran(failing, true), ran(passed)));
    expect(kinds).toEqual(contradicted ? ['stale-claim'] : []);
  });

  // siblings looked for: a part of a joined command, all of it, the whole of one kind of it, either claim
  test.each([
    ['All tests pass.', 'npm test', true],
    ['The lint is clean.', 'npm test', true],
    ['The lint is clean.', 'npx vitest run', true],
    ['All tests pass.', 'npm run lint && npm test', false],
    ['The lint is clean.', 'npm run lint && npm test', false],
  ])('%s after lint and tests failed together and %s passed: %s', (claim, passed, contradicted) => {
    const ledger = ledgerOf(ran('npm run lint && npm test -- src', true), ran(passed));
    expect(check(claim, ledger).kinds).toEqual(contradicted ? ['stale-claim'] : []);
  });

  test.each(['./RunTests.sh', 'node scripts/RunSpecs.js', 'npx vitest run'])(
    'tests that failed in %s are tests, however they are written',
    (command) => {
      expect(check('All tests pass.', ledgerOf(ran(command, true))).kinds).toEqual(['stale-claim']);
      expect(check('The lint is clean.', ledgerOf(ran(command, true))).kinds).toEqual([]);
    },
  );

  test('the newest check that contradicts a claim is named', () => {
    const ledger = ledgerOf(ran('npm run test:unit', true), ran('npm run test:e2e', true));
    expect(check('All tests pass.', ledger).text).toBe(
      'All tests pass. (last recorded run: npm run test:e2e: fail)',
    );
  });

  test('a part that failed with its counts is covered by the whole that passed', () => {
    const part = bash('npx vitest run a.test.ts', { result: ' Tests  1 failed | 3 passed (4)' });
    expect(check('All tests pass.', ledgerOf(part, ran('npm test'))).kinds).toEqual([]);
    expect(check('All tests pass.', ledgerOf(ran('npm test'), part)).kinds).toEqual([
      'stale-claim',
    ]);
  });

  test.each([
    ['npx vitest run a.test.ts', 'npm test', ' Tests  4 passed (4)'],
    ['pytest tests/a.py', 'pytest', '==== 5 passed in 0.31s ===='],
    ['npm run lint src/a.ts', 'npm run lint', 'exit code 0'],
  ])(
    '%s failed, and %s covers it, with the counts or the exit code of its run too (C17)',
    (part, whole, result) => {
      const ledger = ledgerOf(ran(part, true), bash(whole, { result, isError: false }));
      expect(check('All checks pass.', ledger)).toMatchObject({ kinds: [] });
    },
  );

  test('an address with another port is corrected by a later value', () => {
    const ledger = ledgerOf(
      says('The server is 127.0.0.1:8080.'),
      says('The server is 127.0.0.1:9090.'),
    );
    const { text } = check('- The server is 127.0.0.1:8080', ledger);
    expect(text).toContain('- The server is 127.0.0.1:9090');
  });

  test('a part of a check that failed counts until the whole passes (C17)', () => {
    const part = ran('npm test -- a.test.ts', true);
    expect(check('All tests pass.', ledgerOf(ran('npm test'), part)).kinds).toEqual([
      'stale-claim',
    ]);
    const mended = ledgerOf(part, ran('npm test'));
    expect(check('All tests pass.', mended).kinds).toEqual([]);
    expect(check('The tests still fail.', mended).kinds).toEqual(['stale-claim']);
  });
});

describe('what is appended', () => {
  test('pins and rules have 1,000 tokens even without a budget', () => {
    const rules = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `Never touch dir ${String(at).padStart(4, '0')}.`,
      ).join('\n');
    const { text, findings } = checkSummary('Done.', {
      ledger: ledgerOf(says(rules(500))),
      budgetTokens: 0,
      sizeOf,
    });
    const shown = text.split('# From the record of the session\n\n')[1] ?? '';
    expect(sizeOf(shown)).toBeLessThanOrEqual(1_000);
    expect(text).toContain('Never touch dir 0499.');
    expect(findings.at(-1)).toEqual({
      kind: 'missing-facts',
      detail: '501 facts were compared; what the summary lacked was appended',
    });
  });

  test('nothing of what stays visible beside the summary', () => {
    const ledger = ledgerOf(says('Never log in as root.'));
    const options = { ledger, budgetTokens: 500, sizeOf };
    expect(checkSummary('Done.', { ...options, visible: 'Never log in as root.' })).toEqual({
      text: 'Done.',
      findings: [],
    });
    expect(checkSummary('', { ...options, visible: '' }).text).toMatch(/^# From the record/);
    expect(checkSummary('Done. \n', { ...options }).text).toMatch(
      /^Done\.\n\n# From the record of the session\n\n## Rules/,
    );
  });

  test('what a summary was repaired to counts, not what it was', () => {
    const ledger = ledgerOf(says('the limit is 5'), says('the limit is 6'));
    const whole = checkSummary('- limit: 5\nthe limit is 5\nthe limit is 6', {
      ledger,
      budgetTokens: 500,
      sizeOf,
    });
    expect(renderLedger(ledger, { budgetTokens: 500, have: whole.text, sizeOf }).text).toBe('');
  });
});
