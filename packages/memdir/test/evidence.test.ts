import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  corrects,
  dateProblem,
  isPathList,
  lostSpecifics,
  quoteProblem,
  specificsOf,
  statementKey,
  statementsOf,
} from '../src/evidence.ts';

const textsOf = (text: string): readonly string[] => statementsOf(text).map((each) => each.text);

describe('statements', () => {
  test('are sentences and list items, without headings, labels and code', () => {
    const text = `# Release day of ours

Release on Tuesdays, e.g. the 3rd. Never on Fridays.

- [ ] tell the support team first
2. wait for its answer

Steps that follow:

\`\`\`sh
npm run release now
\`\`\`

| step | owner of it |
|---|---|
| build it first | the build team |`;
    expect(textsOf(text)).toEqual([
      'Release on Tuesdays, e.g. the 3rd.',
      'Never on Fridays.',
      'tell the support team first',
      'wait for its answer',
      '| step | owner of it |',
      '| build it first | the build team |',
    ]);
  });

  test('D16: know whether they are the rule, its reason or its use', () => {
    const text =
      'Release on Tuesdays only.\n\n**Why:** support is away at weekends.\n\n**How to apply:** ask before a release.\nWait for the answer.\n\nNobody merges on Fridays.';
    expect(statementsOf(text).map(({ part, line }) => [part, line])).toEqual([
      ['rule', 0],
      ['why', 2],
      ['apply', 4],
      ['apply', 5],
      ['rule', 7],
    ]);
  });

  test('of languages without blanks are told apart, and two words state nothing', () => {
    expect(textsOf('デプロイは火曜日です。金曜日は禁止です。')).toHaveLength(2);
    expect(textsOf('Go on.')).toEqual([]);
  });

  test('end at a semicolon where both sides state something', () => {
    expect(textsOf('The deck has 12 slots; it is never opened at night.')).toHaveLength(2);
    expect(textsOf('The deck has 12 slots;  never opened. Go on; go; now. So; be; it.')).toEqual([
      ...['The deck has 12 slots;  never opened.', 'Go on; go; now.', 'So; be; it.'],
    ]);
    expect(textsOf('The answer is no. Ask the team in Brno. See no. 12 of it.')).toHaveLength(3);
  });

  test.each(['a1; ', '; ', 'a b c; d; '])(
    'of %j many times are read; what takes their square does not end',
    (unit) => {
      statementsOf(unit.repeat(500_000));
    },
  );

  test('have one key whatever their case, marks and forms', () => {
    expect(statementKey('The port is ５４３３!')).toBe(statementKey('the  PORT is 5433'));
  });
});

describe('quotes (MEMORY 5.2)', () => {
  const said = ['Please note:  the staging\n database runs on port 5433. It’s “new”.'];
  test.each([
    ['the staging database runs on port 5433', undefined],
    ['"the staging database runs"', undefined],
    ['ｔｈｅ staging', undefined],
    ['It\'s "new"', undefined],
    ['The staging database', 'quote-not-found'],
    ['runs on port 543', 'quote-not-found'],
    ['port 15433', 'quote-not-found'],
    ['', 'no-quote'],
    [' "…" ', 'no-quote'],
    [`the staging ${'very '.repeat(60)}`, 'quote-too-long'],
  ])('%j is %s', (quote, problem) => {
    expect(quoteProblem(quote, said)).toBe(problem);
  });

  test('any stretch of whole words of a text is a quote of it', () => {
    const words = fc.array(fc.stringMatching(/^[a-zé]{1,8}$/u), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        words,
        fc.nat(),
        fc.nat(),
        fc.constantFrom(' ', '\n', '\t '),
        (list, a, b, gap) => {
          const start = a % list.length;
          const quote = list.slice(start, start + 1 + (b % (list.length - start))).join(' ');
          expect(quoteProblem(quote, [list.join(gap)])).toBeUndefined();
        },
      ),
    );
  });
});

describe('dates (case 207)', () => {
  test('`may` behind a number is a verb where a verb follows it, and a month elsewhere', () => {
    const problem = (text: string) => dateProblem(text, { todayMs: 0, sources: [] })?.text;
    expect(problem('At most 5 may run at once.')).toBeUndefined();
    expect(problem('Nodes 3 to 5 may be stopped.')).toBeUndefined();
    expect(problem('The freeze begins on 5 May at noon.')).toBe('5 May');
    expect(problem('the freeze begins on 5 may.')).toBe('5 may.');
  });

  test('without today, today is not given, and a text without a day gives what it names in full', () => {
    const sources = [{ text: 'The freeze begins on 2026-06-05, and ends tomorrow.' }];
    const today = new Date().toISOString().slice(0, 10);
    expect(dateProblem(`It moved on ${today}.`, { sources })?.kind).toBe('unknown');
    expect(dateProblem('It begins on 2026-06-05.', { sources })).toBeUndefined();
  });

  const todayMs = Date.parse('2026-03-04T15:00:00Z'); // a Wednesday
  const problem = (text: string, ...said: readonly string[]) =>
    dateProblem(text, { todayMs, sources: said.map((each) => ({ text: each })) });

  test.each([
    ['The freeze began on 2026-03-04.', ''],
    ['The audit is due on 2026-05-15.', 'The audit is due on 2026-05-15'],
    ['The audit is due on 2026-05-15.', 'The audit is due on May 15'],
    ['The audit is due on 2026-05-15.', 'Das Audit ist am 15. Mai'],
    ['The audit is due on 2026-05-15.', '监查在2026年5月15日'],
    ['The audit is due on 15 May 2026.', 'it is due 15/05/2026, I mean 2026-05-15'],
    ['The freeze begins on 2026-03-05.', 'the freeze begins Thursday'],
    ['The freeze ends on 2026-03-12.', 'nothing goes in until the 12th'],
    ['Staging moved on 2026-03-03.', 'Staging moved last night'],
    ['The audit is on 2026-03-18.', 'the audit is in two weeks'],
    ['A mock hid a broken migration in April 2025.', 'Last spring a mock hid a broken migration'],
    ['Version 1.2.3 needs Node 22.18, and at most 3 tries.', ''],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'I am away 22 to 26 June'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'I am away 22–26 June'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'I am away 22nd - 26th of June 2026'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'away June 22 to 26'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'away June 22–26, 2026'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'weg vom 22. bis 26. Juni'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'weg 22.-26.06.2026'],
    ['Mara is away from 2026-06-22 to 2026-06-26.', 'away 2026-06-22 to 26'],
    ['Mara is away on 2026-06-22, 2026-06-23 and 2026-06-26.', 'away 22, 23 and 26 June'],
    ['Mara is away from 2026-06-28 to 2026-07-03.', 'away 28 June to 3 July'],
    ['Mara is away from 2026-05-02 to 2026-06-10.', 'away May 2 to 10 June'],
    ['Mara is away 22 to 26 June.', 'I am away 22 to 26 June'],
    ['The team uses pnpm since January 2026.', 'we use pnpm since january'],
    ['The team uses pnpm since 2026-01.', 'we use pnpm since January'],
    ['The team uses pnpm since 2026-01-01.', 'we use pnpm since January'],
    ['The team uses pnpm since 2025-11.', 'seit November nutzen wir pnpm'],
    ['The team uses pnpm since January.', 'we use pnpm since January'],
    ['The licence ends in January 2027.', 'the licence runs until January'],
    ['The licence ends on 2027-01-31.', 'the licence runs until the end of January'],
    ['The audit is in February 2026.', 'the audit was last month'],
    ['The audit is on 2026-05-04.', 'the audit is in two months'],
    ['It moved on 2026-02-26.', 'it moved last Thursday'],
    ['The audit is on 15 May 2026.', 'it is on 15/05/2026'],
    ['The call `next week` is an example.', ''],
  ])('%j may stand where the user said %j', (text, said) => {
    expect(problem(text, said)).toBeUndefined();
  });

  test.each([
    ['The audit is due on 2026-05-15.', 'the audit is in May 2027', 'unknown', '2026-05-15'],
    ['The audit is due on May 16.', 'The audit is due on May 15', 'unknown', 'May 16'],
    ['It was decided in June 2024.', 'it was decided', 'unknown', 'June 2024'],
    ['The audit is next week.', 'the audit is next week', 'relative', 'next week'],
    ['Staging moved two days ago.', '', 'relative', 'two days ago'],
    ['The freeze begins on 05.03.2026.', 'the freeze begins soon', 'unknown', '05.03.2026'],
    ['Away from 2026-06-21 on.', 'away 22 to 26 June', 'unknown', '2026-06-21'],
    ['Away 21 to 26 June.', 'away 22 to 26 June', 'unknown', '21 to 26 June.'],
    ['Away from 2026-05-02 to 2026-05-10.', 'away March 2 to 10 May', 'unknown', '2026-05-02'],
    ['In use since January 2025.', 'in use since January', 'unknown', 'January 2025'],
    ['In use since January 2027.', 'in use since January', 'unknown', 'January 2027'],
    ['In use since 2026-01-15.', 'in use since January', 'unknown', '2026-01-15'],
    ['The licence ends in January 2026.', 'it runs until January', 'unknown', 'January 2026'],
    ['The audit is on 2026-05-15.', 'the audit is in May 2026', 'unknown', '2026-05-15'],
    ['The audit is on 2027-05-15.', 'the audit is on May 15', 'unknown', '2027-05-15'],
    ['The contract ends on 2026-05-17.', 'it is a contract of a year', 'unknown', '2026-05-17'],
    ['It moved on 2026-03-06.', 'it moved two days ago', 'unknown', '2026-03-06'],
    ['It moved on 2026-03-05.', 'it moved last Thursday', 'unknown', '2026-03-05'],
    ['Es ist übermorgen fertig.', 'es ist übermorgen fertig', 'relative', 'übermorgen'],
    ['Das Audit ist nächste Woche.', 'das Audit ist nächste Woche', 'relative', 'nächste Woche'],
  ])('%j may not where the user said %j', (text, said, kind, words) => {
    expect(problem(text, said)).toEqual({ kind, text: words });
  });

  test('what is relative in a message counts from the day of the message', () => {
    const sources = [{ text: 'it moved yesterday', atMs: Date.parse('2026-02-20T09:00:00Z') }];
    expect(dateProblem('It moved on 2026-02-19.', { todayMs, sources })).toBeUndefined();
    expect(dateProblem('It moved on 2026-03-03.', { todayMs, sources })?.kind).toBe('unknown');
  });
});

describe('lists of paths (D9)', () => {
  const paths = (count: number): string =>
    Array.from({ length: count }, (_, at) => `- src/part-${at}/index.ts`).join('\n');
  test.each([
    [
      'a rule that names its place',
      'Run the tests from `packages/api`, never from the root.',
      false,
    ],
    ['three paths and little else', `Routes:\n${paths(3)}`, true],
    ['nine paths in a long text', `${'word '.repeat(2_000)}\n${paths(9)}`, true],
    ['three paths in a long text', `${'word '.repeat(400)}\n${paths(3)}`, false],
    ['addresses of the web', 'https://a.example/b/c.html '.repeat(12), false],
    ['words with a slash', 'Use and/or read/write as you like, 24/7, w/o end.', false],
  ])('%s', (_, text, is) => {
    expect(isPathList(text)).toBe(is);
  });
});

describe('specifics', () => {
  test('are names, numbers, dates, paths and identifiers', () => {
    const text =
      'The team in Ostrava runs v2.1 on 2026-05-15 from src/main.ts, ask Mara; `PAY_KEY`, fetchAll and HTTP count.';
    expect([...specificsOf(text)].sort()).toEqual([
      ...['2026-05-15', 'fetchall', 'http', 'mara', 'ostrava', 'pay_key', 'src/main.ts', 'v2.1'],
    ]);
  });

  test('case 222: say what a merge lost', () => {
    const sources = ['Ask the team in Ostrava.', 'The port is 6432.'];
    expect(lostSpecifics(sources, 'Ask the team; the port is 16432.')).toEqual(['6432', 'ostrava']);
    expect(lostSpecifics(sources, 'ostrava answers on port 6432.')).toEqual([]);
  });
});

describe('corrections (case 211)', () => {
  test.each([
    ['Deployment is allowed on Fridays.', 'Deployment is not allowed on Fridays.'],
    ['The cache is enabled.', 'The cache is disabled.'],
    ['Run the linter before the build.', 'Run the linter after the build.'],
    ['The staging database is on port 5433.', 'The staging database is on port 6432.'],
    ['Use pnpm for installs.', 'Stop using pnpm for installs.'],
    ['Ｕｓｅ the ｃａｃｈｅ always.', 'never use the cache'],
    ['デプロイは許可されている。', 'デプロイは許可されていない。'],
    ['允许直接部署到主分支', '不允许直接部署到主分支'],
  ])('%j is put right by %j, and the other way round', (earlier, later) => {
    expect(corrects(later, earlier)).toBe(true);
    expect(corrects(earlier, later)).toBe(true);
  });

  test.each([
    ['case 212', 'Use the async runtime.', 'Do not forget to configure the async runtime.'],
    ['case 212', 'Use the async runtime.', 'Do not forget the async runtime.'],
    ['the same again', 'Use pnpm for installs.', 'use pnpm for installs!'],
    ['two values', 'Release 12 is due on 2026-03-01.', 'Release 13 is due on 2026-04-01.'],
    ['more than before', 'Answer in short sentences.', 'Answer in short sentences, not in lists.'],
    ['another subject', 'The cache is enabled.', 'The log is disabled.'],
    ['a name', 'We deploy with Fly.', 'We deploy with Hetzner.'],
  ])('%s: %j is not put right by %j', (_, earlier, later) => {
    expect(corrects(later, earlier)).toBe(false);
  });
});
