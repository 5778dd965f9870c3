import { expect, test } from 'vitest';
import * as evals from '../src/index.ts';

test('the public names are deliberate', () => {
  expect(Object.keys(evals).sort()).toEqual([
    'BUILT_IN_STRATEGIES',
    'EvalsError',
    'contextStrategy',
    'formatFidelity',
    'formatReport',
    'formatValidation',
    'reportSchema',
    'runEval',
    'runFidelity',
    'runValidation',
  ]);
  expect(evals.BUILT_IN_STRATEGIES.map(({ name }) => name)).toEqual([
    'keep-all',
    'as-it-was',
    'drop-oldest',
    'sliding-clear',
    'sliding-clear+parked',
    'batched-clear',
    'batched-clear+parked',
    'microcompact-time',
    'microcompact-count',
    'microcompact-server',
    'microcompact-rent',
    'offload',
    'layers',
    'layers+1h',
    'ledger-compact',
    'full-compact',
    'provider-compact',
    'session-memory',
    'collapse',
    'layers+ledger',
    'layers+fold',
    'layers+need',
    'layers+need+fold',
    'volatile-prefix',
    'legal-oracle',
    'legal-oracle+fold',
  ]);
});

test('the error codes are deliberate', () => {
  const codes: Record<evals.EvalsErrorCode, true> = {
    'bad-arguments': true,
    'bad-chain': true,
    'bad-questions': true,
    'bad-recording': true,
    'invalid-strategy': true,
    'missing-peer': true,
    'no-sessions': true,
    'not-found': true,
    'not-written': true,
    'strategy-failed': true,
    'stale-questions': true,
    'stale-recording': true,
    'unknown-model': true,
    'unknown-strategy': true,
  };
  expect(Object.keys(codes)).toHaveLength(14);
  const error = new evals.EvalsError('no-sessions', 'Nothing.', { cause: 1 });
  expect(evals.EvalsError.is(error)).toBe(true);
  expect(evals.EvalsError.is(new Error('Nothing.'))).toBe(false);
  expect(error.cause).toBe(1);
});
