import { expect, test } from 'vitest';
import * as promptCache from '../src/index.ts';
import { PromptCacheError } from '../src/index.ts';
import * as server from '../src/server.ts';

test('the public names are these', () => {
  expect(Object.keys(promptCache).sort()).toEqual([
    'CACHE_POLICIES',
    'PromptCacheError',
    'cachePolicy',
    'createBreakDetector',
    'createCacheSimulator',
    'definePolicy',
    'explainBreak',
    'placeMarkers',
    'promptParts',
    'steadyTools',
  ]);
});

test('the values of ./server are these', () => {
  expect(Object.keys(server).sort()).toEqual([
    'checkMarkers',
    'compareDiagnosis',
    'createBillSplit',
    'createServerView',
    'renderPrefix',
  ]);
});

test('the error codes are these', () => {
  const codes: Record<PromptCacheError['code'], true> = {
    'invalid-marker': true,
    'invalid-policy': true,
    'invalid-request': true,
    'invalid-size': true,
    'invalid-time': true,
    'unknown-model': true,
  };
  expect(Object.keys(codes)).toEqual([
    'invalid-marker',
    'invalid-policy',
    'invalid-request',
    'invalid-size',
    'invalid-time',
    'unknown-model',
  ]);
});

test('the error is known by its mark and keeps its cause', () => {
  const cause = new Error('inner');
  const error = new PromptCacheError('unknown-model', 'message', { cause });
  expect([
    PromptCacheError.is(error),
    PromptCacheError.is(cause),
    PromptCacheError.is(undefined),
  ]).toEqual([true, false, false]);
  expect(error).toMatchObject({ name: 'PromptCacheError', code: 'unknown-model', cause });
});
