import { expect, test } from 'vitest';
import * as entry from '../src/import.ts';

test('the entry ./import exports these names', () => {
  expect(Object.keys(entry).sort()).toEqual(['importSession', 'uniqueResponses']);
});
