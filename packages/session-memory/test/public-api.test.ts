import { expect, test } from 'vitest';
import * as sessionMemory from '../src/index.ts';
import * as node from '../src/node/index.ts';
import { NOTES_PROMPT_VERSION } from '../src/prompt.ts';
import * as template from '../src/template.ts';

test('the public names of the entries are deliberate', () => {
  expect(Object.keys(sessionMemory).sort()).toEqual([
    'SessionMemoryError',
    'compactFromNotes',
    'createNotesCompaction',
    'createSessionMemory',
    'memoryNotes',
  ]);
  expect(Object.keys(node).sort()).toEqual(['notesFile', 'notesPath']);
});

test('the values of ./template are these', () => {
  expect(Object.keys(template).sort()).toEqual(['DEFAULT_TEMPLATE', 'parseTemplate']);
});

test('the error codes are deliberate', () => {
  const codes: Record<sessionMemory.SessionMemoryError['code'], true> = {
    'not-read': true,
    'not-written': true,
    'changed-meanwhile': true,
  };
  expect(Object.keys(codes)).toHaveLength(3);
});

test('an error is known by its mark', () => {
  const cause = new Error('below');
  const error = new sessionMemory.SessionMemoryError('not-read', 'text', { cause });
  expect(sessionMemory.SessionMemoryError.is(error)).toBe(true);
  expect(sessionMemory.SessionMemoryError.is(new Error('text'))).toBe(false);
  expect(error).toMatchObject({ name: 'SessionMemoryError', code: 'not-read', cause });
});

test('the version of the prompt is that of its words', () => {
  expect(NOTES_PROMPT_VERSION).toMatchInlineSnapshot(`"906653ae9d9dfba7e9b56b8080a4ca48"`);
});
