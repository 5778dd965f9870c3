import { describe, expect, test } from 'vitest';
import { checkSummary, createLedger, ledgerNotes, renderLedger } from '../src/index.ts';
import { ledgerOf, says, sizeOf } from './session.ts';

const rules = Array.from({ length: 300 }, (_, at) => says(`Never touch the file part-${at}.ts.`));
const ledger = ledgerOf(rules);
const unknown = (value: unknown) => value as never;

// Siblings looked for: every option of createLedger, renderLedger, checkSummary and ledgerNotes; sizes that `sizeOf` gives;
// sizes of planSnip, acceptSummary, decideCompaction and restore, of the deciders of microcompact, and of fitOutput.
describe('E1: what an option has to be is checked at the door', () => {
  const NONE = [Number.NaN, undefined, null, '5', -1, {}];

  test.each(NONE)(
    'a budget of %s is refused in words that help, not compared without end',
    (budget) => {
      const options = { budgetTokens: unknown(budget), sizeOf };
      const message = /^Expected `budgetTokens` to be a non-negative number, got `/;
      expect(() => renderLedger(ledger, options)).toThrow(RangeError);
      expect(() => renderLedger(ledger, options)).toThrow(message);
      expect(() => checkSummary('A summary.', { ...options, ledger })).toThrow(message);
    },
  );

  test.each(NONE.filter((value) => value !== undefined))('%s is no size of a section', (size) => {
    const sections = [{ heading: '# Task', guidance: '' }];
    expect(() => ledgerNotes(ledger, { sections, sizeOf, sectionTokens: unknown(size) })).toThrow(
      'Expected `sectionTokens` to be a non-negative number',
    );
  });

  test('none and any number of tokens are budgets', () => {
    expect(renderLedger(ledger, { budgetTokens: 0, sizeOf }).text).toBe('');
    const all = renderLedger(ledger, { budgetTokens: Number.POSITIVE_INFINITY, sizeOf });
    expect(all.dropped).toEqual([]);
  });

  test.each([
    ['NaN', () => Number.NaN],
    ['a promise', async () => 3],
    ['nothing', () => undefined],
    ['less than nothing', () => -1],
  ])('a sizeOf that gives %s is refused', (_, wrong) => {
    const options = { budgetTokens: 50, sizeOf: unknown(wrong) };
    expect(() => renderLedger(ledger, options)).toThrow('Expected `sizeOf()` to be');
    expect(() => checkSummary('A summary.', { ...options, ledger })).toThrow(RangeError);
  });

  test.each<readonly [string, Partial<NonNullable<Parameters<typeof renderLedger>[1]>>]>([
    ['sizeOf', { sizeOf: unknown(4) }],
    ['pins', { pins: unknown('Always.') }],
    ['pins', { pins: unknown([1]) }],
    ['have', { have: unknown(['text']) }],
    ['originals', { originals: unknown(7) }],
  ])('%s of the wrong kind is refused', (name, wrong) => {
    const options = { budgetTokens: 50, sizeOf, ...wrong };
    expect(() => renderLedger(ledger, options)).toThrow(`Expected \`${name}\` to be a`);
    expect(() => renderLedger(ledger, options)).toThrow(TypeError);
  });

  test('what is no ledger, no summary and no options at all', () => {
    const options = { budgetTokens: 50, sizeOf };
    for (const none of [{}, { facts: () => [], words: () => [] }]) {
      expect(() => renderLedger(unknown(none), options)).toThrow(
        'Expected `ledger` to be a ledger',
      );
      expect(() => ledgerNotes(unknown(none), { sizeOf, sections: [] })).toThrow(
        'Expected `ledger` to be a ledger',
      );
    }
    expect(() => renderLedger(ledger, unknown(undefined))).toThrow('Expected `options` to be');
    expect(() => checkSummary('', unknown(undefined))).toThrow('Expected `options` to be');
    expect(() => checkSummary(unknown(undefined), { ...options, ledger })).toThrow(
      'Expected `summary` to be a text',
    );
    expect(() => checkSummary('', { ...options, ledger, visible: unknown(1) })).toThrow(
      'Expected `visible` to be a text',
    );
    const section = { heading: '# Task', guidance: '' };
    for (const sections of [undefined, section, [{}], [section, {}], [section, null]]) {
      expect(() => ledgerNotes(ledger, unknown({ sizeOf, sections }))).toThrow(
        'Expected `sections` to be a list of sections `{ heading, guidance }`',
      );
    }
  });

  test.each<readonly [unknown, string]>([
    [
      { ...says('a'), id: ' ' },
      'to be a text that no other message has; its position will do, got',
    ],
    [{ ...says('a'), role: 'human' }, 'Message 0 is a message whose `role` is `human`'],
    [{ id: 'a', role: 'user', parts: [{ text: 'a' }] }, 'a content of Google'],
    [undefined, 'Expected `messages[0]` to be a message'],
  ])('what is no message to add: %j', (message, said) => {
    const empty = createLedger();
    expect(() => empty.add(unknown(message))).toThrow(said);
    expect(empty.facts()).toEqual([]);
  });

  test.each<readonly [string, unknown]>([
    ["Expected `tools.desk.ask` to be one of 'shell', ", { tools: { 'desk.ask': 'zzz' } }],
    ['Expected `tools.desk.ask` to be one of', { tools: { 'desk.ask': 1 } }],
    ['Expected `tools` to be an object', { tools: ['ask'] }],
    ['Expected `redact` to be true or false, got `string`', { redact: 'yes' }],
    ['Expected `options` to be an object', null],
  ])('createLedger: %s', (message, options) => {
    expect(() => createLedger(options as NonNullable<Parameters<typeof createLedger>[0]>)).toThrow(
      message,
    );
  });
});
