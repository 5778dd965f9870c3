import { describe, expect, test } from 'vitest';
import { createLedger, type Ledger, renderLedger } from '../src/index.ts';
import { bash, ledgerOf, runs, says, sizeOf } from './session.ts';

const working = () =>
  ledgerOf(
    says('Add a login page. Never log passwords.'),
    runs('Write', { file_path: '/w/src/login.ts', content: 'x' }),
    runs('Edit', { file_path: '/w/src/app.ts', old_string: 'a', new_string: 'b' }),
    bash('npm test', { result: 'Tests: 1 failed, 3 passed, 4 total', isError: true }),
  );

describe('renderLedger (C17)', () => {
  test('writes nothing of an empty ledger', () => {
    const rendered = renderLedger(createLedger(), { budgetTokens: 100, sizeOf });
    expect(rendered).toEqual({ text: '', tokens: 0, kept: [], dropped: [] });
  });

  test('writes dense sections, key and value on one line', () => {
    const { text, dropped } = renderLedger(working(), { budgetTokens: 1_000, sizeOf });
    expect(text).toBe(`## Rules and corrections of the user, word for word
- Never log passwords.

## Messages of the user, oldest first
[0] Add a login page. Never log passwords.

## Checks, latest run
- \`npm test\`: fail, 3 passed, 1 failed

## Errors
- error: Tests: 1 failed, 3 passed, 4 total (npm test): open

## Files changed (under /w/src/)
- login.ts: created
- app.ts: edited once`);
    expect(dropped).toEqual([]);
  });

  test('writes pins and rules before all else', () => {
    const pins = ['Release is on Friday.'];
    const { text, dropped } = renderLedger(working(), { budgetTokens: 50, pins, sizeOf });
    expect(text).toContain('Release is on Friday.');
    expect(text).toContain('- Never log passwords.');
    expect(text).not.toContain('login.ts');
    expect(dropped.map(({ type }) => type)).not.toContain('rule');
  });

  test('leaves a third of the room to all else: a rule that takes more is counted', () => {
    const ledger = ledgerOf(says(`Never ${'log the words of a person '.repeat(8)}.`));
    const at = (budgetTokens: number) => renderLedger(ledger, { budgetTokens, sizeOf }).text;
    expect(at(90)).toContain('[1 older ones are not shown');
    expect(at(90)).not.toContain('- Never');
    expect(at(120)).toContain('- Never');
  });

  test('cuts a pin that is longer than the budget', () => {
    const pins = [`first ${'word '.repeat(2_000)}last`];
    const options = { budgetTokens: 400, pins, sizeOf, originals: 'log.jsonl' };
    const { text, tokens } = renderLedger(working(), options);
    expect(text).toMatch(/first word [\s\S]*…\d+ characters…[\s\S]* last/);
    expect(text).toContain('Whole conversation: log.jsonl');
    expect(tokens).toBeLessThanOrEqual(400);
  });

  test('names encoded data in a message that it cuts, and does not show it', () => {
    const data = Buffer.from('an image that stands in a text '.repeat(400)).toString('base64');
    const said = says(`look at this {"type":"image","data":"${data}"} and fix the button`);
    const { text } = renderLedger(ledgerOf(said), { budgetTokens: 200, sizeOf });
    expect(text).toContain(`"data":"[${data.length} characters of encoded`);
    expect(text).toContain('and fix the button');
  });

  const rules = Array.from({ length: 12_000 }, (_, at) => `Never touch dir ${at}.`);
  let crowded: readonly Ledger[] | undefined;

  // siblings looked for: one message of many lines, many messages, the check of a summary, pins
  test.each([0, 1, 8, 40, 200, 2_000, 20_000])(
    'L326: 12,000 rules stay within %i tokens, the newest first, and say where the others are',
    (budgetTokens) => {
      crowded ??= [ledgerOf(says(rules.join('\n'))), ledgerOf(...rules.map((line) => says(line)))];
      const options = { budgetTokens, sizeOf, originals: 'log.jsonl' };
      for (const ledger of crowded) {
        const { text, tokens, kept, dropped } = renderLedger(ledger, options);
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        expect(sizeOf(text)).toBe(tokens);
        expect(kept.length + dropped.length).toBe(ledger.facts().length);
        if (budgetTokens < 200) continue;
        expect(text).toContain('- Never touch dir 11999.');
        expect(text).toMatch(/\[\d+ older ones are not shown here/);
        expect(text).toContain('Whole conversation: log.jsonl');
      }
    },
  );

  test('shows messages whole from the newest on, and of the rest head, tail and where it stands', () => {
    const long = says(`first ${'x'.repeat(3_000)} last`);
    const ledger = ledgerOf(long, says('the second one'), says('the third one'));
    const options = { budgetTokens: 300, sizeOf, originals: 'log.jsonl' };
    const { text, dropped } = renderLedger(ledger, options);
    expect(text).toContain('the second one');
    expect(text).toContain('the third one');
    expect(text).toMatch(new RegExp(`\\[${long.id}\\] first x+ \\[…\\d+ characters…\\] x+ last`));
    expect(text).toContain('Whole conversation: log.jsonl');
    expect(dropped.map(({ messageId }) => messageId)).toEqual([long.id]);
  });

  // Siblings looked for: the newest round of a compaction (L322), pins (cut by shares), rules (all or a count).
  test('L322: of a message that does not fit, as much stands as there is room for', () => {
    const words = Array.from({ length: 800 }, (_, index) => `word${index}`).join(' ');
    const ledger = ledgerOf(says(words));
    const shown = [0.3, 0.5, 0.7, 0.9, 1.1].map((share) => {
      const budgetTokens = Math.floor(sizeOf(words) * share);
      const { text, tokens } = renderLedger(ledger, { budgetTokens, sizeOf });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
      expect(text).toContain('word0 ');
      expect(text).toContain('word799');
      return text.length / words.length;
    });
    expect(shown).toEqual(shown.toSorted((one, other) => one - other));
    expect(shown[1]).toBeGreaterThan(0.35);
    expect(shown[3]).toBeGreaterThan(0.75);
    expect(shown[4]).toBeGreaterThan(1);
  });

  test('gives messages what the other facts leave over', () => {
    const long = says('y'.repeat(2_800));
    const { dropped } = renderLedger(ledgerOf(long), { budgetTokens: 1_000, sizeOf });
    expect(dropped).toEqual([]);
  });

  test('appends only what a text lacks, and asks for key and value together', () => {
    const have =
      'Never log passwords. The user: "Add a login page. Never log passwords."\n- login.ts: created\nnpm test was run';
    const { text } = renderLedger(working(), { budgetTokens: 1_000, have, sizeOf });
    expect(text).not.toContain('## Rules');
    expect(text).not.toContain('## Messages');
    expect(text).not.toContain('login.ts');
    expect(text).toContain('app.ts: edited once');
    expect(text).toContain('`npm test`: fail, 3 passed, 1 failed');
  });

  test('does not take a value for present that stands far from its key', () => {
    const have = `app.ts\n${'z '.repeat(200)}\nedited once`;
    expect(renderLedger(working(), { budgetTokens: 1_000, have, sizeOf }).text).toContain(
      'app.ts: edited once',
    );
  });

  test('case 14: says of an old message which of its values no longer holds', () => {
    const ledger = ledgerOf(says('the cache size is 8'), says('correction, 12'));
    const { text } = renderLedger(ledger, { budgetTokens: 500, sizeOf });
    expect(text).toContain('the cache size is 8 (superseded: cache size is now 12)');
    expect(text).toContain('- cache size = 12');
  });

  test('says of an old message which of its rules was taken back', () => {
    const ledger = ledgerOf(says('use bun, not npm'), says('use pnpm, not bun'));
    const { text } = renderLedger(ledger, { budgetTokens: 500, sizeOf });
    expect(text).toContain('(superseded: "use bun, not npm" holds no longer)');
    expect(text).not.toContain('- use bun, not npm');
    expect(text).toContain('- use pnpm, not bun');
  });

  test('does not take 18 for 8 when it asks whether a value is there', () => {
    const ledger = ledgerOf(says('the cache size is 8'));
    const have = 'the cache size is 8 was said; the cache size here: 18';
    expect(renderLedger(ledger, { budgetTokens: 500, have, sizeOf }).text).toBe('');
    const other = renderLedger(ledger, { budgetTokens: 500, have: 'cache size: 18', sizeOf });
    expect(other.text).toContain('- cache size = 8');
  });

  test('case 1: every part of the latest request stands word for word beside forty turns', () => {
    const turns = Array.from({ length: 40 }, (_, turn) => [
      says(`filler ${turn} ${'word '.repeat(80)}`),
      ...bash(`step ${turn}`),
    ]);
    const request = 'Do three things: 1. plant plum-4\n2. move dune-9\n3. cut oak-7';
    const { text } = renderLedger(ledgerOf(...turns, says(request)), { budgetTokens: 600, sizeOf });
    expect(text).toContain(request);
  });

  test('case 8: paths, and measured numbers with their commands, of thirty turns all stand', () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/w/pkg${index}/file-${index}.ts`);
    const turns = [
      ...paths.map((path) => runs('Edit', { file_path: path, old_string: 'a', new_string: 'b' })),
      ...Array.from({ length: 10 }, (_, index) =>
        bash(`node measure-${index}.js`, { result: `latency: ${100 + index} ms\n` }),
      ),
    ];
    const { text } = renderLedger(ledgerOf(...turns), { budgetTokens: 2_000, sizeOf });
    for (const path of paths) expect(text).toContain(path.slice(3));
    for (let index = 0; index < 10; index++) {
      expect(text).toContain(`latency (node measure-${index}.js) = ${100 + index} ms`);
    }
  });

  test('case 9: what is rendered into a summary again does not grow', () => {
    const ledger = working();
    const first = renderLedger(ledger, { budgetTokens: 1_000, sizeOf }).text;
    expect(renderLedger(ledger, { budgetTokens: 1_000, have: first, sizeOf }).text).toBe('');
    for (let round = 0; round < 6; round++) ledger.add(says(first, { kind: 'summary' }));
    expect(renderLedger(ledger, { budgetTokens: 1_000, sizeOf }).text).toBe(first);
  });

  test('case 13: running tasks stand before facts that can be looked up', () => {
    const started = runs(
      'Bash',
      { command: 'npm run watch', run_in_background: true },
      { result: 'Command running in background with ID: t-1' },
    );
    const reads = Array.from({ length: 50 }, (_, index) =>
      runs('Read', { file_path: `/w/f${index}.ts` }),
    );
    const { text } = renderLedger(ledgerOf(started, ...reads), { budgetTokens: 60, sizeOf });
    expect(text).toContain('- t-1: running: npm run watch');
  });
});
