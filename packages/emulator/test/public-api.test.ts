import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { COUNT_FIELDS, type FieldRule, MESSAGE_FIELDS } from '../src/anthropic/fields.ts';
import { ROUTES } from '../src/core/routes.ts';
import * as entry from '../src/index.ts';
import {
  CHAT_FIELDS,
  COMPACT_FIELDS,
  INPUT_TOKENS_FIELDS,
  RESPONSES_FIELDS,
} from '../src/openai/fields.ts';

describe('public API', () => {
  test('exports', () => {
    expect(Object.keys(entry).sort()).toEqual([
      'EmulatorError',
      'createEmulator',
      'extractiveSummary',
      'recorded',
      'startEmulator',
    ]);
  });

  test('error codes', () => {
    expectTypeOf<entry.EmulatorError['code']>().toEqualTypeOf<
      | 'bad-options'
      | 'not-loopback'
      | 'cannot-listen'
      | 'script-ended'
      | 'no-recorded-reply'
      | 'hit-rate-too-low'
    >();
  });

  test('the error is known across copies of the package', () => {
    const error = new entry.EmulatorError('bad-options', 'text', { cause: 1 });
    expect([entry.EmulatorError.is(error), error.code, error.cause]).toEqual([
      true,
      'bad-options',
      1,
    ]);
    expect([entry.EmulatorError.is(new Error('x')), entry.EmulatorError.is(null)]).toEqual([
      false,
      false,
    ]);
  });
});

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');

/** The names a row of the table lists under each heading. */
function listed(path: string): Record<string, string[]> {
  const row = readme.split('\n').find((line) => line.startsWith(`| \`${path}\``)) ?? '';
  const [, , supported = '', ignored = '', refused = ''] = row.split(' | ');
  const names = (cell: string) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string).sort();
  return { supported: names(supported), ignored: names(ignored), refused: names(refused) };
}

function byUse(fields: Readonly<Record<string, FieldRule>>): Record<string, string[]> {
  const names = (use: FieldRule['use']) =>
    Object.keys(fields)
      .filter((name) => fields[name]?.use === use)
      .sort();
  return { supported: names('supported'), ignored: names('ignored'), refused: names('refused') };
}

describe('the table of the README', () => {
  test.each([
    ['/v1/messages', MESSAGE_FIELDS],
    ['/v1/messages/count_tokens', COUNT_FIELDS],
    ['/v1/chat/completions', CHAT_FIELDS],
    ['/v1/responses', RESPONSES_FIELDS],
    ['/v1/responses/compact', COMPACT_FIELDS],
    ['/v1/responses/input_tokens', INPUT_TOKENS_FIELDS],
  ])('%s lists every field', (path, fields) => {
    expect(listed(path)).toEqual(byUse(fields));
  });

  test('lists every endpoint', () => {
    expect(ROUTES.filter(({ path }) => !readme.includes(`\`${path}\``))).toEqual([]);
  });
});
