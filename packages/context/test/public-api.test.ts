import { expect, test } from 'vitest';
import * as context from '../src/index.ts';
import { ContextError } from '../src/index.ts';

test('the public names are these', () => {
  expect(Object.keys(context).sort()).toEqual(['ContextError', 'createContext', 'defaultLayers']);
});

test('the error codes are these', () => {
  const codes: Record<ContextError['code'], true> = {
    'edit-refused': true,
    'empty-message': true,
    'empty-reply': true,
    'malformed-message': true,
    'malformed-reply': true,
    'malformed-result': true,
    'message-too-large': true,
    'no-call': true,
    'no-compaction': true,
    'not-written': true,
    'nothing-to-send': true,
    'open-round': true,
    'stale-reply': true,
    'unknown-call': true,
  };
  expect(Object.keys(codes)).toEqual([
    'edit-refused',
    'empty-message',
    'empty-reply',
    'malformed-message',
    'malformed-reply',
    'malformed-result',
    'message-too-large',
    'no-call',
    'no-compaction',
    'not-written',
    'nothing-to-send',
    'open-round',
    'stale-reply',
    'unknown-call',
  ]);
});

test('the error is known by its mark and keeps its cause', () => {
  const cause = new Error('inner');
  const error = new ContextError('not-written', 'message', { cause });
  expect([ContextError.is(error), ContextError.is(cause), ContextError.is(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(error).toMatchObject({ name: 'ContextError', code: 'not-written', cause });
});
