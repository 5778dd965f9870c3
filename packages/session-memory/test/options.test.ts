import { describe, expect, test } from 'vitest';
import {
  compactFromNotes,
  createNotesCompaction,
  createSessionMemory,
  memoryNotes,
} from '../src/index.ts';
import { limitNotes, measureNotes } from '../src/limit-notes.ts';
import { notesFile, notesPath } from '../src/node/index.ts';
import { shouldExtract } from '../src/should-extract.ts';
import { tailStart } from '../src/tail.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';

const HOSTILE = [Number.NaN, -1, '5', null];
const shown = (value: unknown): string => (typeof value === 'string' ? 'string' : String(value));

const file = memoryNotes('n.md');
const runFork = async () => ({ kind: 'done' }) as const;
const template = parseTemplate(DEFAULT_TEMPLATE);
const sizeOf = (): number => 1;
const plain = { notes: 'x', template, cursorIndex: 0, thresholdTokens: 9, textSize: sizeOf };
const history = [{ role: 'user', content: 'hi' }];
const state = { contextTokens: 1e6, toolCalls: 9, endsWithCall: false };

/** Each option that is a number, given to what takes it. */
const NUMBERS: readonly [string, (value: never) => unknown][] = [
  ['maxTurns', (maxTurns) => createSessionMemory({ file, runFork, maxTurns })],
  ...(['firstTokens', 'growthTokens', 'toolCalls'] as const).flatMap(
    (name): [string, (value: never) => unknown][] => [
      [
        `thresholds.${name}`,
        (value) => createSessionMemory({ file, runFork, thresholds: { [name]: value } }),
      ],
      [`thresholds.${name}`, (value) => shouldExtract(state, { [name]: value })],
    ],
  ),
  ...(['sectionTokens', 'totalTokens'] as const).flatMap(
    (name): [string, (value: never) => unknown][] => [
      [
        `limits.${name}`,
        (value) => createSessionMemory({ file, runFork, limits: { [name]: value } }),
      ],
      [name, (value) => limitNotes('x', { template, sizeOf, [name]: value })],
      [name, (value) => measureNotes('x', { template, sizeOf, [name]: value })],
    ],
  ),
  ...(['minTokens', 'minTextMessages', 'maxTokens'] as const).flatMap(
    (name): [string, (value: never) => unknown][] => [
      [
        `tail.${name}`,
        (value) => createNotesCompaction({ memory: memory(), tail: { [name]: value } }),
      ],
      [name, (value) => tailStart(history, { sizeOf, cursorIndex: 0, [name]: value })],
    ],
  ),
  ['minSavings', (minSavings) => createNotesCompaction({ memory: memory(), minSavings })],
  ...(['thresholdTokens', 'contextTokens', 'attachmentTokens', 'minSavings'] as const).map(
    (name): [string, (value: never) => unknown] => [
      name,
      (value) => compactFromNotes(history, { ...plain, sizeOf, thinking: 'free', [name]: value }),
    ],
  ),
  ['lockWaitMs', (lockWaitMs) => notesFile('n.md', { lockWaitMs })],
];

const memory = () => createSessionMemory({ file, runFork });

describe('options that make no sense are refused with one wording', () => {
  test.each(
    NUMBERS.flatMap(([name, give]) => HOSTILE.map((value) => [name, value, give] as const)),
  )('`%s`: %j', (name, value, give) => {
    const call = () => give(value as never);
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^Expected \`${name}\` to be .+, got \`${shown(value)}\`$`));
  });

  const path = { root: '/r', project: '/p', sessionId: 's' };
  test.each<[string, ErrorConstructor, string, () => unknown]>([
    ['no file', TypeError, 'file', () => createSessionMemory({ runFork } as never)],
    ['no fork', TypeError, 'runFork', () => createSessionMemory({ file } as never)],
    ['no options', TypeError, 'options', () => createSessionMemory(null as never)],
    [
      'a size',
      TypeError,
      'sizeOf',
      () => createSessionMemory({ file, runFork, sizeOf: 5 as never }),
    ],
    [
      'a listener',
      TypeError,
      'onEvent',
      () => createSessionMemory({ file, runFork, onEvent: '' as never }),
    ],
    [
      'thresholds',
      TypeError,
      'thresholds',
      () => createSessionMemory({ file, runFork, thresholds: 5 as never }),
    ],
    [
      'a blank tool',
      TypeError,
      'editTool',
      () => createSessionMemory({ file, runFork, editTool: ' ' }),
    ],
    [
      'no template',
      TypeError,
      'template',
      () => createSessionMemory({ file, runFork, template: 5 as never }),
    ],
    ['a template', TypeError, 'template', () => parseTemplate('text')],
    ['no memory', TypeError, 'memory', () => createNotesCompaction({} as never)],
    [
      'more than all',
      RangeError,
      'minSavings',
      () => createNotesCompaction({ memory: memory(), minSavings: 2 }),
    ],
    [
      'a rule',
      TypeError,
      'thinking',
      () => compactFromNotes(history, { ...plain, sizeOf, thinking: 'bound' as never }),
    ],
    [
      'no size',
      TypeError,
      'sizeOf',
      () => compactFromNotes(history, { ...plain, thinking: 'free' } as never),
    ],
    ['no path', TypeError, 'path', () => notesFile(undefined as never)],
    ['no root', TypeError, 'root', () => notesPath({ ...path, root: '' })],
    ['no project', TypeError, 'project', () => notesPath({ ...path, project: 5 as never })],
    [
      'a project without a name',
      RangeError,
      'project',
      () => notesPath({ ...path, project: '//' }),
    ],
    ['no session', TypeError, 'sessionId', () => notesPath({ ...path, sessionId: null as never })],
    [
      'a session that leads elsewhere',
      RangeError,
      'sessionId',
      () => notesPath({ ...path, sessionId: '../x' }),
    ],
  ])('%s', (_what, kind, name, call) => {
    expect(call).toThrow(kind);
    expect(call).toThrow(new RegExp(`^Expected \`${name}\` to be [^]+, got \`[^\`]+\`$`));
  });
});
