import { expect, test } from 'vitest';
import * as transcript from '../src/index.ts';
import * as node from '../src/node/index.ts';

test('the public names of the entry and of ./node are deliberate', () => {
  expect(Object.keys(transcript).sort()).toEqual(['TranscriptError', 'readEntries']);
  expect(Object.keys(node).sort()).toEqual([
    'PRIVATE_FILE',
    'findSessions',
    'forkLog',
    'importFile',
    'makeFolder',
    'openLog',
    'projectSlug',
    'readLog',
    'readThread',
    'salvageLog',
    'takeLock',
    'writeSome',
  ]);
});

test('the error codes are deliberate', () => {
  const codes: Record<transcript.TranscriptError['code'], true> = {
    'not-found': true,
    unreadable: true,
    'not-a-file': true,
    empty: true,
    'not-text': true,
    'torn-document': true,
    'no-messages': true,
    'many-sessions': true,
    'newer-format': true,
    'damaged-line': true,
    'unknown-format': true,
    locked: true,
    'lock-lost': true,
    'many-names': true,
    closed: true,
    'invalid-entry': true,
    'write-failed': true,
    exists: true,
    'base-mismatch': true,
  };
  expect(Object.keys(codes)).toHaveLength(19);
});
