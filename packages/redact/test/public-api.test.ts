import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as redact from '../src/index.ts';
import * as testing from '../src/testing.ts';

test('the public names are these', () => {
  expect(Object.keys(redact).sort()).toEqual(['redact', 'redactJson']);
  expect(Object.keys(testing)).toEqual(['SECRET_KINDS']);
});

/**
 * Whoever keeps what a seed gave finds the same again. A print of the examples, because no file may hold what a scanner takes for
 * secrets: where it changes on purpose, put the new one here and say so in the changeset.
 */
test('the same seed gives the same example, from one release to the next', () => {
  const examples = testing.SECRET_KINDS.map(({ name, make }) => [name, make(), make(2)]);
  const print = createHash('sha256').update(JSON.stringify(examples)).digest('hex');
  expect(print.slice(0, 16)).toBe('a8c6224a1a42dd4b');
});
