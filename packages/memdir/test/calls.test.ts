import { describe, expect, test } from 'vitest';
import * as evidence from '../src/evidence.ts';
import * as files from '../src/files.ts';
import { createMemdir, inMemoryFolder, type Memdir } from '../src/index.ts';
import { memoryRules, memoryStart } from '../src/rules.ts';
import { newMemory, testMemory } from './support.ts';

const good = newMemory('Release day', 'Release on Tuesdays.');
const call = (name: keyof Memdir, ...given: readonly unknown[]) => [name, given] as const;

describe('what a call is given', () => {
  test.each([
    [call('save'), 'Expected `memory` to be an object, got `undefined`'],
    [call('save', {}), 'Expected `memory.name` to be a text, got `undefined`'],
    [call('save', { ...good, body: 5 }), 'Expected `memory.body` to be a text, got `5`'],
    [call('save', { ...good, supersedes: 'a.md' }), 'Expected `memory.supersedes` to be a list of'],
    [call('save', { ...good, signal: 5 }), 'Expected `memory.signal` to be an AbortSignal'],
    [call('hold', {}), 'Expected `memory.name` to be a text'],
    [
      call('hold', { ...good, reason: 'x', type: 'evil' }),
      "Expected `memory.type` to be one of 'us",
    ],
    [call('read', 5), 'Expected `path` to be the path of a file in the folder, as `scan` gives it'],
    [call('forget', 5, { reason: 'x' }), 'Expected `path` to be the path of a file'],
    [call('forget', 'a.md'), 'Expected `options` to be an object'],
    [call('forget', 'a.md', {}), 'Expected `reason` to be a text'],
    [
      call('change', 5, { reason: 'x' }),
      'Expected `files` to be a list of `{ path, basis, text }`',
    ],
    [call('change', [{}], { reason: 'x' }), 'Expected `files` to be a list of'],
    [call('change', [], {}), 'Expected `reason` to be a text'],
    [call('undo', '2026-11-30/0001'), 'Expected `options` to be an object such as `{ id }`, got'],
    [call('undo', { id: 5 }), 'Expected `id` to be a text, got `5`'],
    [call('accept', 5), 'Expected `path` to be the path of a file'],
    [call('discard', 5), 'Expected `path` to be the path of a file'],
    [call('check', 5), 'Expected `options` to be an object'],
    [call('rebuild', { signal: 5 }), 'Expected `signal` to be an AbortSignal'],
    [call('history', 5), 'Expected `options` to be an object'],
    [call('inbox', 5), 'Expected `options` to be an object'],
    [call('scan', { signal: 5 }), 'Expected `signal` to be an AbortSignal'],
  ])('%j rejects with a TypeError that says what to do', async ([name, given], message) => {
    const { memory, everything } = testMemory({ 'a.md': 'A.' });
    const before = await everything();
    const called = (memory[name] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
    await expect(called).rejects.toThrow(TypeError);
    await expect(called).rejects.toThrow(message);
    expect(await everything()).toBe(before);
  });

  test.each<[string, () => unknown, string]>([
    [
      'a folder',
      () => createMemdir({ folder: {} as never, now: () => 0 }),
      '`folder` to be a folder, as `diskF',
    ],
    [
      'a path for a folder',
      () => createMemdir({ folder: '/m' as never, now: () => 0 }),
      '`folder`',
    ],
    ['files', () => inMemoryFolder(null as never), '`files` to be an object of texts'],
    ['a list of files', () => inMemoryFolder([] as never), '`files` to be an object of texts'],
    ['a file', () => inMemoryFolder({ 'a.md': 5 } as never), '`files` to be an object of texts'],
  ])('%s that is none is refused at once', (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  const pieces: Readonly<Record<string, unknown>> = { ...evidence, ...files };
  test.each([
    ...['corrects', 'dateProblem', 'isDenied', 'isPathList', 'lostSpecifics', 'quoteProblem'],
    ...['specificsOf', 'statementKey', 'statementsOf'],
    ...['formatText', 'hashOf', 'parseText', 'withoutSecrets'],
  ])('%s says what it needs', (name) => {
    for (const given of [undefined, null, 5, {}, []])
      expect(() => (pieces[name] as (value: unknown) => unknown)(given)).toThrow(/^Expected `/);
  });

  test('a turn is a text', async () => {
    const recall = testMemory().memory.startRecall();
    await expect(recall.recall(5 as never)).rejects.toThrow('Expected `turn` to be what the user');
    const tools = recall.recall('x', { recentTools: 'Bash' as never });
    await expect(tools).rejects.toThrow('Expected `recentTools` to be a list of texts');
  });

  test('undo with the id as a text takes nothing back', async () => {
    const { memory } = testMemory();
    await memory.save(good);
    await expect(memory.undo('2026-11-30/0001' as never)).rejects.toThrow(TypeError);
    expect((await memory.scan()).files).toHaveLength(1);
  });

  test.each([
    [{}, 'Expected `index` to be an index, as `loadIndex` of a memory gives it'],
    [{ index: 'x', todayMs: 1 }, 'Expected `index` to be an index'],
    [{ index: { text: '' }, todayMs: Number.NaN }, 'Expected `todayMs` to be a number'],
  ])('memoryStart(%j) is refused', (given, message) => {
    expect(() => memoryStart(given as never)).toThrow(message);
  });

  test('the scope of an agent is one of three', () => {
    const agent = { scope: 'x', index: { text: '' } };
    expect(() => memoryRules({ folder: '/m', agent: agent as never })).toThrow(
      "Expected `agent.scope` to be one of 'user', 'project', 'local', got `x`",
    );
  });
});

test.each(['', '   ', '\n'])('a memory without a text is refused: %j', async (body) => {
  const { memory } = testMemory();
  expect(await memory.save({ ...good, body })).toMatchObject({
    kind: 'refused',
    reason: 'no-body',
  });
  const held = await memory.hold({ ...good, body, reason: 'x' });
  expect(held).toMatchObject({ kind: 'refused', reason: 'no-body' });
  expect([(await memory.scan()).files, await memory.inbox()]).toEqual([[], []]);
});
