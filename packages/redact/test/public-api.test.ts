import { expect, test } from 'vitest';
import * as redact from '../src/index.ts';
import * as testing from '../src/testing.ts';

test('the public names are these', () => {
  expect(Object.keys(redact).sort()).toEqual(['redact', 'redactJson']);
  expect(Object.keys(testing)).toEqual(['SECRET_KINDS']);
});
