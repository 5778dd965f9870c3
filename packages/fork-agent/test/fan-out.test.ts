import { createModelStream, type ModelClient, type ModelResponse } from '@varve/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFork, fanOut } from '../src/index.ts';
import { call, deepFreeze, PARENT, scripted, text } from './support.ts';

type Behaviour = 'answers' | 'fails-at-once' | 'fails-later';

/** Answers by the number in the directive, and notes the order of starts and first events. */
function byDirective(behaviours: readonly Behaviour[]) {
  const notes: string[] = [];
  const running = { now: 0, most: 0 };
  const client: ModelClient = {
    provider: 'scripted',
    stream(request, { signal } = {}) {
      const last = request.messages.at(-1)?.content.at(-1) as { text: string };
      const index = Number(/\d+/.exec(last.text)?.[0]);
      return createModelStream(async function* () {
        running.most = Math.max(running.most, ++running.now);
        notes.push(`start ${index}`);
        try {
          await Promise.resolve();
          if (behaviours[index] === 'fails-at-once') throw new Error('down');
          notes.push(`event ${index}`);
          yield { type: 'response-start', id: 'm', model: 'm' } as const;
          await Promise.resolve();
          if (behaviours[index] === 'fails-later') throw new Error('down');
          yield { type: 'response-end', response: responseOf(index) } as const;
        } finally {
          running.now -= 1;
        }
      }, signal);
    },
  };
  return { client, notes, running };
}

const responseOf = (index: number): ModelResponse => ({
  id: `m${index}`,
  model: 'm',
  content: [text(`answer ${index}`)],
  stopReason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
});

const directivesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `Part ${index}.`);

const shown = (results: readonly Awaited<ReturnType<typeof fanOut>>[number][]) =>
  results.map((each) =>
    each.kind === 'done' ? each.result.text || each.result.stopReason : 'thrown',
  );

const badLimit = (index: number) => (index === 1 ? { maxTurns: 0 } : {});
const failing = (index: number) => {
  if (index === 1) throw new EvalError('no options');
  return {};
};

describe('fanOut (F4)', () => {
  test.each([0, 1, 2, 10])('returns %i results in the order of the directives', async (count) => {
    const { client } = byDirective([...Array(count)].map(() => 'answers'));
    const results = await fanOut(createFork({ client, parent: PARENT }), directivesOf(count));
    expect(shown(results)).toEqual(directivesOf(count).map((_, index) => `answer ${index}`));
  });

  test('keeps failures apart, warms up once, and runs no more at once than it may', async () => {
    const behaviour = fc.constantFrom<Behaviour>('answers', 'fails-at-once', 'fails-later');
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour), fc.integer({ min: 1, max: 5 }), async (list, most) => {
        const { client, notes, running } = byDirective(list);
        const fork = createFork({ client, parent: deepFreeze(PARENT) });
        const results = await fanOut(fork, directivesOf(list.length), { concurrency: most });
        expect(shown(results)).toEqual(
          list.map((each, index) => (each === 'answers' ? `answer ${index}` : 'failed')),
        );
        expect(running.most).toBeLessThanOrEqual(most);
        const firstEvent = notes.findIndex((note) => note.startsWith('event'));
        const before = notes.slice(0, firstEvent === -1 ? undefined : firstEvent);
        const sign = list.findIndex((each) => each !== 'fails-at-once');
        expect(before).toHaveLength(sign === -1 ? list.length : sign + 1);
      }),
    );
  });

  test('gives equal directives different ids', async () => {
    const { client } = byDirective(['answers']);
    const results = await fanOut(createFork({ client, parent: PARENT }), ['Part 0.', 'Part 0.']);
    const ids = results.map((each) => each.kind === 'done' && each.result.id);
    expect(new Set(ids).size).toBe(2);
  });

  test('an abort ends all and starts none of the rest', async () => {
    const controller = new AbortController();
    const { client, notes } = byDirective([...Array(10)].map(() => 'answers'));
    const run = fanOut(createFork({ client, parent: PARENT }), directivesOf(10), {
      signal: controller.signal,
      concurrency: 3,
      optionsOf: (index) => ({ onEvent: () => index === 2 && controller.abort('enough') }),
    });
    await expect(run).rejects.toBe('enough');
    expect(notes.filter((note) => note.startsWith('start')).length).toBeLessThan(6);
  });

  test('refuses a concurrency that is none, and a prefix that differs, before anything is sent', async () => {
    const { client, notes } = byDirective([]);
    const fork = createFork({ client, parent: PARENT, override: { system: [] } });
    await expect(fanOut(fork, ['a'], { concurrency: 0 })).rejects.toThrow(RangeError);
    await expect(fanOut(fork, ['a', 'b'])).rejects.toMatchObject({ code: 'cold-prefix' });
    expect(notes).toEqual([]);
  });

  test.each([
    ['a blank directive', ['Part 0.', ' '], {}, TypeError],
    ['limits of one child that are none', ['a', 'b'], { optionsOf: badLimit }, RangeError],
    ['a function that fails', ['a', 'b'], { optionsOf: failing }, EvalError],
  ] as const)('refuses %s before anything is sent', async (_, directives, options, expected) => {
    const { client, notes } = byDirective(['answers', 'answers']);
    const fork = createFork({ client, parent: PARENT });
    await expect(fanOut(fork, directives, options)).rejects.toThrow(expected);
    expect(notes).toEqual([]);
  });

  test('a child without a gate or signal of its own keeps those of all', async () => {
    const controller = new AbortController();
    const client = scripted([[call('x')], 'Done.']);
    const ran: string[] = [];
    const fork = createFork({ client, parent: PARENT, tools: ({ id }) => String(ran.push(id)) });
    const options = { canUseTool: () => false, signal: controller.signal };
    const optionsOf = () => ({ canUseTool: undefined, signal: undefined });
    await fanOut(fork, ['a'], { ...options, optionsOf });
    expect(ran).toEqual([]);
  });

  test('the abort of all ends a child with a signal of its own too', async () => {
    const controller = new AbortController();
    const client = scripted([[call('x')]]);
    const tools = () => {
      queueMicrotask(() => controller.abort('enough'));
      return new Promise<string>(() => {});
    };
    const optionsOf = () => ({ signal: new AbortController().signal });
    const fork = createFork({ client, parent: PARENT, tools });
    const run = fanOut(fork, ['a'], { signal: controller.signal, optionsOf });
    await expect(run).rejects.toBe('enough');
  });
});
