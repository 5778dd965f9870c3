import { expect, test } from 'vitest';
import { editReceipt } from '../src/log.ts';

test.each([
  [5, undefined, { tokensAfter: 5 }],
  [-5, undefined, { tokensAfter: 0 }],
  [0, 'archive/1', { tokensAfter: 0, originals: 'archive/1' }],
])('a receipt of an edit that leaves %i tokens', (tokensAfter, originals, written) => {
  const facts = { reason: 'auto', tokensBefore: 9, tokensAfter, dropped: 3, kept: 2, originals };
  const counted = { reason: 'auto', tokensBefore: 9, droppedMessages: 3, keptMessages: 2 };
  expect(editReceipt(facts)).toStrictEqual({ ...counted, ...written });
});
