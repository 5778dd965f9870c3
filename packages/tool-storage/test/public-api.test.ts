import { expect, test } from 'vitest';
import * as toolStorage from '../src/index.ts';
import * as node from '../src/node/index.ts';
import * as retention from '../src/retention.ts';
import * as testing from '../src/testing.ts';

test('the public names of the entries are deliberate', () => {
  expect(Object.keys(toolStorage).sort()).toEqual([
    'ToolStorageError',
    'createToolStorage',
    'memoryStore',
    'offloadMessages',
  ]);
  expect(Object.keys(node).sort()).toEqual([
    'fileStore',
    'isReplaceLeftover',
    'realFiles',
    'removeReplaceLeftovers',
    'replaceFile',
  ]);
  expect(Object.keys(testing)).toEqual(['storeConformance']);
});

test('the values of ./retention are these', () => {
  expect(Object.keys(retention).sort()).toEqual(['handlesIn', 'keyOf', 'sweep']);
});

test('the error codes are deliberate', () => {
  const codes: Record<toolStorage.ToolStorageError['code'], true> = {
    'unknown-handle': true,
    'invalid-range': true,
    damaged: true,
    'symbolic-link': true,
    'store-failed': true,
  };
  expect(Object.keys(codes)).toHaveLength(5);
});
