import { expect, test } from 'vitest';
import * as guards from '../src/index.ts';

test('the public names are these', () => {
  expect(Object.keys(guards).sort()).toEqual([
    'VarveError',
    'aBoolean',
    'aFunction',
    'aList',
    'aListOfTexts',
    'aSignal',
    'aString',
    'aText',
    'anObject',
    'checkOptions',
    'codeOf',
    'eachUntilAborted',
    'expected',
    'integer',
    'isAbortError',
    'isRecord',
    'listOf',
    'number',
    'numberOf',
    'oneOf',
    'recordOf',
    'required',
    'textOf',
    'untilAborted',
  ]);
});
