import { expect, expectTypeOf, test } from 'vitest';
import * as estimate from '../src/estimate.ts';
import * as exact from '../src/exact.ts';
import * as tokens from '../src/index.ts';
import * as limits from '../src/limits.ts';
import * as modelTable from '../src/models.ts';
import * as usage from '../src/usage.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(tokens).sort()).toEqual([
    'MODELS',
    'TokensError',
    'contextLimits',
    'createEstimator',
    'createTokenMeter',
    'priceUsage',
    'resolveModel',
    'warningState',
  ]);
});

test('the values of ./limits, ./models and ./usage are these', () => {
  expect(Object.keys(limits).sort()).toEqual([
    'acceptSize',
    'contextWindow',
    'createThresholdWatch',
    'fitOutput',
  ]);
  expect(Object.keys(modelTable).sort()).toEqual([
    'checkModels',
    'createModelEstimators',
    'findModel',
    'priceTier',
    'providerProfiles',
  ]);
  expect(Object.keys(usage).sort()).toEqual(['createCounterFold', 'createUsageFold']);
});

test('the exact entry exports these names and no others', () => {
  expect(Object.keys(exact).sort()).toEqual(['createCountEndpoint', 'loadExactCounter']);
});

test('the estimate entry exports these names and no others', () => {
  expect(Object.keys(estimate)).toEqual(['createEstimator']);
});

test('the error codes are these', () => {
  expectTypeOf<tokens.TokensError['code']>().toEqualTypeOf<
    'vocabulary-missing' | 'vocabulary-invalid' | 'count-failed' | 'count-unreadable'
  >();
});
