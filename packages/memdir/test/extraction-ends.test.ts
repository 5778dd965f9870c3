import type { Message } from '@varve/messages';
import { describe, expect, test, vi } from 'vitest';
import { createExtraction, type ExtractionEvent, type RunFork } from '../src/extract.ts';
import { testMemory } from './support.ts';

const SAID = 'Releases go out on Tuesdays only.';
const statements = [{ part: 'rule', text: SAID, turn: 1, quote: SAID }];
const input = { name: 'Release day', description: SAID, type: 'feedback', statements };

const turn = (at: number, said: string): readonly Message[] => [
  { id: `u${at}`, role: 'user', content: [{ type: 'text', text: said }] },
  { id: `a${at}`, role: 'assistant', content: [{ type: 'text', text: 'Understood.' }] },
];
const MESSAGES = turn(1, SAID);

const saving: RunFork = async ({ runTool }) => {
  runTool({ type: 'tool_use', id: 'c1', name: 'save_memory', input });
  return { kind: 'done' };
};
/** It has saved, and never comes to its end. */
const hanging: RunFork = async (fork) => {
  await saving(fork);
  return new Promise(() => {});
};

/** Runs each fork once, the last one from then on. */
function testExtraction(forks: readonly RunFork[], timeoutMs?: number) {
  const { memory } = testMemory();
  const events: ExtractionEvent[] = [];
  let calls = 0;
  const runFork: RunFork = (fork) => (forks[calls++] ?? (forks.at(-1) as RunFork))(fork);
  const onEvent = (event: ExtractionEvent) => void events.push(event);
  const extraction = createExtraction({ memory, runFork, timeoutMs, onEvent });
  const kinds = () => events.map(({ kind }) => kind);
  const paths = async () => (await memory.scan()).files.map(({ path }) => path);
  return { extraction, events, kinds, paths, calls: () => calls };
}

describe('an extraction whose model hangs', () => {
  test('has failed when its time is over, has written nothing, and is not made again at the end', async () => {
    const { extraction, events, paths, calls } = testExtraction([hanging], 20);
    extraction.afterTurn(MESSAGES);
    await extraction.flush();
    expect(events.at(-1)).toMatchObject({ kind: 'failed', cause: { name: 'TimeoutError' } });
    expect([calls(), await paths(), extraction.cursor()]).toEqual([1, [], undefined]);
  });

  test('comes to the same messages again with the next turn', async () => {
    const { extraction, kinds, paths } = testExtraction([hanging, saving], 20);
    extraction.afterTurn(MESSAGES);
    await extraction.settle();
    extraction.afterTurn([...MESSAGES, ...turn(2, 'And thank you.')]);
    await extraction.flush();
    expect(kinds()).toEqual(['started', 'failed', 'started', 'finished']);
    expect(await paths()).toEqual(['feedback_release_day.md']);
  });

  test('ends with the signal of `flush`, writes nothing, and can be gone on with', async () => {
    const { extraction, kinds, paths, calls } = testExtraction([hanging, saving]);
    extraction.afterTurn(MESSAGES);
    extraction.afterTurn([...MESSAGES, ...turn(2, 'And thank you.')]); // waits for the first
    const reason = new Error('left');
    const stop = new AbortController();
    const flushed = extraction.flush({ signal: stop.signal });
    await vi.waitFor(() => expect(calls()).toBe(1));
    stop.abort(reason);
    await expect(flushed).rejects.toBe(reason);
    await extraction.settle();
    expect([calls(), await paths(), extraction.cursor()]).toEqual([1, [], undefined]);
    await extraction.flush();
    expect(kinds()).toEqual(['started', 'skipped', 'started', 'finished']);
    expect(await paths()).toEqual(['feedback_release_day.md']);
  });
});

test('5,000 equal statements are one', async () => {
  const { extraction, events, paths } = testExtraction([
    async ({ runTool }) => {
      const many = { ...input, statements: Array(5_000).fill(statements[0]) };
      runTool({ type: 'tool_use', id: 'c1', name: 'save_memory', input: many });
      return { kind: 'done' };
    },
  ]);
  extraction.afterTurn(MESSAGES);
  await extraction.flush();
  expect(await paths()).toEqual(['feedback_release_day.md']);
  expect(events.at(-1)).toMatchObject({ writes: [{ added: 1 }] });
});

test.each([
  ['5', 5],
  ['undefined', undefined],
  ['an outcome of another kind', { kind: 'weird' }],
  ['a bill that is none', { kind: 'done', usage: 5 }],
  ['turns that are none', { kind: 'done', turns: 'x' }],
])('a fork that answers with %s has failed, and nothing is written', async (_, outcome) => {
  const nonsense = (async (fork) => {
    await saving(fork);
    return outcome;
  }) as RunFork;
  const { extraction, events, paths } = testExtraction([nonsense]);
  extraction.afterTurn(MESSAGES);
  await extraction.settle();
  expect(events.at(-1)).toMatchObject({
    kind: 'failed',
    cause: { name: 'TypeError', message: expect.stringContaining('Expected `runFork` to be') },
  });
  expect([await paths(), extraction.cursor()]).toEqual([[], undefined]);
});

test.each([
  [{}, 'Expected `client` to be a ModelClient beside `model`'],
  [{ client: {} }, 'Expected `client` to be a ModelClient, as `createAnthropicClient`'],
  [{ client: { stream() {} } }, 'Expected `model` to be the id of a model beside `client`'],
  [{ client: {}, model: 'x' }, 'Expected `client` to be a ModelClient, as'],
  [{ runFork: 5 }, 'Expected `runFork` to be a function'],
  [{ runFork: saving, timeoutMs: 0 }, 'Expected `timeoutMs` to be a positive number'],
])('the options %j are refused with what to do', (options, message) => {
  const { memory } = testMemory();
  expect(() => createExtraction({ memory, ...options } as never)).toThrow(message);
});
