import { expect, test } from 'vitest';
import * as guards from '../src/index.ts';

test('the public names are these', () => {
  expect(Object.keys(guards).sort()).toEqual([
    'VarveError',
    'checkOptions',
    'codeOf',
    'expected',
    'integer',
    'isAbortError',
    'isRecord',
    'listOf',
    'number',
    'numberOf',
    'ownText',
    'recordOf',
    'required',
    'textOf',
    'untilAborted',
    'withinTime',
  ]);
});
