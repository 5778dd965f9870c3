import { expect, expectTypeOf, test } from 'vitest';
import * as estimate from '../src/estimate.ts';
import * as exact from '../src/exact.ts';
import * as tokens from '../src/index.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(tokens).sort()).toEqual([
    'MODELS',
    'TokensError',
    'acceptSize',
    'checkModels',
    'contextLimits',
    'contextWindow',
    'createCountEndpoint',
    'createCounterFold',
    'createEstimator',
    'createModelEstimators',
    'createThresholdWatch',
    'createTokenMeter',
    'createUsageFold',
    'findModel',
    'fitOutput',
    'priceTier',
    'priceUsage',
    'providerProfiles',
    'resolveModel',
    'warningState',
  ]);
});

test('the exact entry exports these names and no others', () => {
  expect(Object.keys(exact).sort()).toEqual(['loadExactCounter']);
});

test('the estimate entry exports these names and no others', () => {
  expect(Object.keys(estimate)).toEqual(['createEstimator']);
});

test('the error codes are these', () => {
  expectTypeOf<tokens.TokensError['code']>().toEqualTypeOf<
    'vocabulary-missing' | 'vocabulary-invalid' | 'count-failed' | 'count-unreadable'
  >();
});
