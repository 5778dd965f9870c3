import { createMemdir, inMemoryFolder } from '@varve/memdir';
import { describe, expect, test } from 'vitest';
import { type ContextEvent, type ContextOptions, createContext } from '../src/index.ts';

const SAID = 'Releases go out on Tuesdays only.';
const statements = [{ part: 'rule', text: SAID, turn: 1, quote: SAID }];
const input = { name: 'Release day', description: SAID, type: 'feedback', statements };
type MemoryOption = NonNullable<ContextOptions['memory']>;
type RunFork = NonNullable<NonNullable<MemoryOption['extraction']>['runFork']>;

const saving: RunFork = async ({ runTool }) => {
  runTool({ type: 'tool_use', id: 'c1', name: 'save_memory', input });
  return { kind: 'done' };
};
const hanging: RunFork = async (fork) => {
  await saving(fork);
  return new Promise(() => {});
};

function testContext(option: Partial<MemoryOption> = {}) {
  const memory = createMemdir({ folder: inMemoryFolder(), now: Date.now });
  const events: ContextEvent[] = [];
  const context = createContext({
    model: 'claude-opus-5-5',
    call: async () => ({ content: [{ type: 'text', text: 'Understood.' }] }),
    memory: { memory, ...option },
    onEvent: (event) => void events.push(event),
  });
  const kinds = () =>
    events.flatMap((event) =>
      event.layer === 'memory' && event.kind === 'extraction' ? [event.event.kind] : [],
    );
  const paths = async () => (await memory.scan()).files.map(({ path }) => path);
  return { context, memory, kinds, paths };
}

describe('a context whose folder hangs', () => {
  const hangs = () => new Promise<never>(() => undefined);
  test.each(['make', 'list', 'read', 'exclusive'] as const)(
    'in %s: what a person says goes on within its time, and an event says why it lacks memory',
    async (name) => {
      const folder = { ...inMemoryFolder({ 'MEMORY.md': '- [A](a.md)\n' }), [name]: hangs };
      const memory = createMemdir({ folder, now: Date.now });
      const { context } = testContext({ memory });
      const started = performance.now();
      const message = await context.user('What is the pump pressure of the old mill?');
      expect(message.role).toBe('user');
      expect(performance.now() - started).toBeLessThan(15_000);
      await context.close();
    },
    60_000,
  );

  test('an abort ends the waiting at once', async () => {
    const folder = { ...inMemoryFolder(), list: hangs, make: hangs };
    const { context } = testContext({ memory: createMemdir({ folder, now: Date.now }) });
    const stop = new AbortController();
    const said = context.user('What is the pump pressure?', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(said).rejects.toThrow('enough');
  });
});

describe('a context whose extraction hangs', () => {
  test('closes when its time is over; conversation and memory are whole', async () => {
    const { context, memory, kinds, paths } = testContext({
      extraction: { runFork: hanging, timeoutMs: 20 },
    });
    await context.user(SAID);
    await context.send();
    await context.close();
    expect([kinds(), await paths()]).toEqual([['started', 'failed'], []]);
    expect([context.view().messages.length, (await memory.check()).ok]).toEqual([2, true]);
  });

  test('closes at once with a signal, and the same words are looked through another time', async () => {
    let fork = hanging;
    const { context, memory, kinds, paths } = testContext({
      extraction: { runFork: (given) => fork(given) },
    });
    await context.user(SAID);
    await context.send();
    const before = context.view().messages;
    const closing = context.close({ signal: AbortSignal.timeout(20) });
    await expect(closing).rejects.toMatchObject({ name: 'TimeoutError' });
    expect([await paths(), (await memory.check()).ok]).toEqual([[], true]);
    expect(context.view().messages).toEqual(before);
    fork = saving;
    await context.user('And thank you.');
    await context.send();
    await context.close();
    expect(kinds()).toEqual(['started', 'started', 'finished']);
    expect(await paths()).toEqual(['feedback_release_day.md']);
  });

  test('what `close` is given has to be options', async () => {
    const { context } = testContext();
    await expect(context.close(5 as never)).rejects.toThrow(TypeError);
    await expect(context.close({ signal: 5 } as never)).rejects.toThrow(
      'Expected `signal` to be an AbortSignal',
    );
  });
});

test.each([
  [{ isOn: 'yes' }, 'Expected `memory.isOn` to be true or false'],
  [{ agent: 'reviewer' }, 'Expected `memory.agent` to be an object'],
  [{ agent: { scope: 'x' } }, "Expected `agent.scope` to be one of 'user', 'project', 'local'"],
  [{ agent: { scope: 'user' } }, 'Expected `agent.index` to be an index, as `loadIndex`'],
  [{ recall: 5 }, 'Expected `memory.recall` to be an object, or false'],
  [{ recall: true }, 'Expected `memory.recall` to be an object, or false'],
  [{ recall: { maxFiles: 0 } }, 'Expected `maxFiles` to be a positive integer'],
  [{ extraction: 5 }, 'Expected `memory.extraction` to be an object'],
  [{ extraction: {} }, 'Expected `memory.extraction.client` to be a ModelClient beside `model`'],
  [{ extraction: { client: {} } }, 'Expected `memory.extraction.client` to be a ModelClient, as'],
  [
    { extraction: { client: { stream() {} } } },
    'Expected `memory.extraction.model` to be the id of a model beside `client`',
  ],
  [{ extraction: { runFork: 5 } }, 'Expected `memory.extraction.runFork` to be a function'],
])('the option `memory` %j is refused with what to do', (option, message) => {
  expect(() => testContext(option as never)).toThrow(message);
});

test('D2: without an index none is shown, and saving is one step', async () => {
  const { context } = testContext({ hasIndex: false });
  await context.user(SAID);
  const { head, messages } = context.view();
  expect(JSON.stringify(head?.system)).toContain('This folder has no index');
  expect(JSON.stringify(messages)).not.toContain('index of long-term memory');
});
