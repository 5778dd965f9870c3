import { expect, test } from 'vitest';
import * as entry from '../src/index.ts';

test('the entry exports these names and no others', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'checkSummary',
    'createLedger',
    'findingsIn',
    'ledgerNotes',
    'quotedWords',
    'renderLedger',
  ]);
});
