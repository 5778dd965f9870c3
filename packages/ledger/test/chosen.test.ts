import { describe, expect, test } from 'vitest';
import { renderLedger } from '../src/index.ts';
import { createPhrases } from '../src/phrases.ts';
import { renderFacts } from '../src/render/render.ts';
import { answers, bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const shown = (ledger: ReturnType<typeof ledgerOf>, budgetTokens = 2_000): string =>
  renderLedger(ledger, { budgetTokens, sizeOf }).text;

const edit = (path: string) => runs('Edit', { file_path: path, old_string: 'a', new_string: 'b' });

describe('what the assistant said leaves room for what was done', () => {
  const found = Array.from({ length: 60 }, (_, turn) =>
    answers(
      `The cause in part${turn}.ts was a missing check. ${'It was mended there. '.repeat(6)}`,
    ),
  );
  const files = Array.from({ length: 12 }, (_, at) => edit(`/w/src/file${at}.ts`));
  const ledger = ledgerOf(says('go'), ...found, ...files);

  test.each([false, true])('where the text beside it retells the session: %s', (retold) => {
    for (const budgetTokens of [300, 450, 600]) {
      const options = { budgetTokens, have: '', retold, sizeOf };
      const { text } = renderFacts(ledger, options, budgetTokens);
      expect(text, `${budgetTokens}`).toContain('file11.ts');
      expect(text, `${budgetTokens}`).toContain('part59.ts');
      expect(text, `${budgetTokens}`).not.toContain('part0.ts');
    }
  });
});

describe('room', () => {
  const words = (length: number) => 'on '.repeat(length / 3);
  const files = (count: number) => Array.from({ length: count }, (_, at) => edit(`d${at}/f.ts`));
  const texts = (count: number) =>
    Array.from({ length: count }, (_, at) => answers(`The cause ${at} was found in part${at}.ts.`));
  const saidIn = (text: string) => (text.match(/The cause/g) ?? []).length;

  test('a message that fits half of it stands whole beside more files than fit', () => {
    const text = shown(ledgerOf(...files(60), says(`go ${words(540)}end`)), 320);
    expect(text).toContain(`go ${words(540)}end`);
    expect(text).toContain('d59/f.ts');
  });

  test('messages that are cut take half of it all together', () => {
    const asked = Array.from({ length: 20 }, () => says(`go ${words(900)}`));
    expect(shown(ledgerOf(...asked, ...files(9)), 500)).toContain('d8/f.ts');
  });

  test('what other facts leave goes to what the assistant said, but for a text that retells it', () => {
    const ledger = ledgerOf(says('go'), ...texts(12));
    const render = (retold: boolean): string =>
      renderFacts(ledger, { budgetTokens: 200, have: '', retold, sizeOf }, 200).text;
    expect(saidIn(render(false))).toBe(12);
    expect(saidIn(render(true))).toBe(4);
  });

  test('is half of what is left for what was said, and a quarter where a text retells it', () => {
    const ledger = ledgerOf(says('go'), ...texts(40), ...files(60));
    const render = (retold: boolean): string =>
      renderFacts(ledger, { budgetTokens: 400, have: '', retold, sizeOf }, 400).text;
    expect(saidIn(render(false))).toBeGreaterThan(saidIn(render(true)) * 1.6);
    expect(saidIn(render(true))).toBeGreaterThan(3);
  });
});

describe('beside a text that retells the session, of what the assistant said', () => {
  const sentence = (length: number) => `The cause is ${'known '.repeat(400)}`.slice(0, length - 1);

  test.each([
    [0, 1_800],
    [3, 1_800],
    [4, 500],
    [23, 500],
    [24, 239],
    [119, 239],
    [120, 139],
  ])('with %i newer texts %i characters stand whole', (newer, longest) => {
    const isWhole = (length: number): boolean => {
      const text = `${sentence(length)
        .trimEnd()
        .padEnd(length - 1, 'x')}.`;
      const later = Array.from({ length: newer }, () => answers('It passes.'));
      const ledger = ledgerOf(says('go'), answers(text), ...later);
      const options = { budgetTokens: 20_000, have: '', retold: true, sizeOf };
      return renderFacts(ledger, options, 20_000).text.includes(text);
    };
    expect(isWhole(longest)).toBe(true);
    expect(isWhole(longest + 1)).toBe(false);
  });
});

describe('what the assistant announced', () => {
  const look = 'Let me look at the log.';
  const before = (...then: readonly ReturnType<typeof bash>[]): boolean | undefined =>
    ledgerOf(says('go'), answers(look), ...then)
      .facts()
      .find(({ type }) => type === 'said')?.vital;

  test.each<[string, ReturnType<typeof bash>, boolean]>([
    ['a look', runs('Read', { file_path: 'a.log' }), false],
    ['a search', runs('Grep', { pattern: 'a' }), false],
    ['a command', bash('ls'), false],
    ['a page', runs('WebFetch', { url: 'https://a.example' }), false],
    ['a status', bash('git status'), false],
    ['an edit', edit('a.ts'), true],
    ['a new file', runs('Write', { file_path: 'a.ts', content: 'a' }), true],
    [
      'a patch',
      runs('apply_patch', {
        input: '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** End Patch',
      }),
      true,
    ],
    ['a question', runs('ask_user', { question: 'Which?' }), true],
    ['a plan', runs('exit_plan_mode', { plan: 'First a.' }), true],
    ['a commit', bash('git commit -m a'), true],
    ['a failure', bash('make', { result: 'Error: no', isError: true }), true],
  ])('counts where it came to something: %s', (_, call, vital) => {
    expect(before(call)).toBe(vital);
  });

  test('right after a failure counts, one look later no more', () => {
    const failed = bash('make', { result: 'Error: no', isError: true });
    const vital = ledgerOf(says('go'), failed, answers(look), bash('ls'), answers(look))
      .facts()
      .flatMap((fact) => (fact.type === 'said' ? [fact.vital] : []));
    expect(vital).toEqual([true, false]);
  });
});

describe('errors', () => {
  const open = (at: number) =>
    bash(`make part${at}`, { result: `fatal: no rule ${at}`, isError: true });
  const mended = (at: number) => [...open(at), ...bash(`make part${at}`)];
  const errorsOf = (text: string): string[] => text.match(/(?<=fatal: no rule )\d+/g) ?? [];

  test('that are gone do not stand, of open ones the newest five', () => {
    const unresolved = Array.from({ length: 8 }, (_, at) => open(at));
    const resolved = Array.from({ length: 7 }, (_, at) => mended(10 + at));
    const text = shown(ledgerOf(says('go'), ...unresolved, ...resolved), 4_000);
    const section = text.split('## ').find((each) => /error/i.test(each.split('\n')[0] ?? ''));
    expect(new Set(errorsOf(section ?? ''))).toEqual(new Set(['3', '4', '5', '6', '7']));
  });
});

describe('a claim of the assistant about checks', () => {
  const passed = bash('npm test', { result: 'Tests: 4 passed, 4 total' });
  const lint = (result: string, isError: boolean) => bash('npm run lint', { result, isError });
  const claim = answers('The parser in parse.ts is mended. All tests pass.');

  test.each([
    ['all of which pass stays', lint('ok', false), true],
    ['goes while another check fails', lint('3 errors found', true), false],
  ])('%s', (_, other, stays) => {
    const text = shown(ledgerOf(says('go'), passed, other, claim));
    expect(text.includes('All tests pass')).toBe(stays);
    expect(text).toContain('The parser in parse.ts is mended.');
  });
});

describe('phrases', () => {
  test('are found by their rarest pair of words, however often the others stand before it', () => {
    const noise = 'go on '.repeat(2_100);
    const phrases = createPhrases([`${noise}. go on then. then go on now`]);
    expect(phrases.holds(['go on then'])).toBe(true);
    expect(phrases.holds(['then go on'])).toBe(true);
    expect(phrases.holds(['now go on'])).toBe(false);
  });

  test('that stand twice are told where they stand', () => {
    const phrases = createPhrases(['a b a b', 'b, a b']);
    expect(
      phrases
        .places('a b', 9)
        .map(({ text, offset }) => `${text}:${offset}`)
        .toSorted(),
    ).toEqual(['0:0', '0:4', '1:3']);
  });
});
