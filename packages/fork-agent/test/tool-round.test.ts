import { anthropicProfile, checkHistory } from '@varve/messages';
import { createModelStream, type ModelClient } from '@varve/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fork } from '../src/fork.ts';
import { createFork } from '../src/index.ts';
import { call, deepFreeze, PARENT, scripted, text } from './support.ts';

type ToolRunner = NonNullable<Parameters<typeof createFork<undefined>>[0]['tools']>;
type RunOptions = Parameters<Fork['run']>[0];

/** One round with a tool or an option that does what its type does not allow. */
async function roundWith(tools: unknown, options: object = {}) {
  const client = scripted([[call('x')], 'Done.']);
  const fork = createFork<undefined>({ client, parent: PARENT, tools: tools as ToolRunner });
  const given = { directive: 'Look.', ...options } as RunOptions;
  const { messages, stopReason, denials } = await fork.run(given);
  const problems = checkHistory(
    [...PARENT.messages, ...messages],
    anthropicProfile({ thinking: 'prefix-bound' }),
  );
  return { result: messages[2]?.content[0], stopReason, denials, problems };
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

describe('results of tools (F3)', () => {
  test.each([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a number', () => 5],
    ['bytes', () => new Uint8Array([1, 255])],
    ['a number as content', () => ({ content: 5 })],
    ['bytes as content', () => ({ content: new Uint8Array([1, 255]) })],
    ['blocks without a type', () => ({ content: [{}, null] })],
    ['a text block without text', () => ({ content: [{ type: 'text' }] })],
    ['a call as content', () => ({ content: [call('z')] })],
    [
      'thinking as content',
      () => ({ content: [{ type: 'thinking', thinking: 't', signature: 's' }] }),
    ],
    ['a result as content', () => ({ content: [{ type: 'tool_result', tool_use_id: 'x' }] })],
    ['an object without a prototype, thrown', throwing(Object.create(null))],
    ['a symbol, thrown', throwing(Symbol('x'))],
    ['undefined, thrown', throwing(undefined)],
    ['an error without a text, thrown', throwing(new Error(''))],
  ])('%s is an error result, and the child goes on', async (_, tools) => {
    const { result, stopReason, problems } = await roundWith(tools);
    expect(result).toMatchObject({ is_error: true, content: expect.stringMatching(/failed: ./) });
    expect([stopReason, problems]).toEqual(['end', []]);
  });

  test.each([
    ['', '(no output)'],
    [' \n', '(no output)'],
    [{ content: [] }, '(no output)'],
    [{ content: [text(' ')] }, '(no output)'],
    [{ content: [text(''), text('a')] }, [text('a')]],
    [{ content: [text('\n'), text('a')] }, [text('a')]],
    ['a\ud800b', 'a\ufffdb'],
    [{ content: [text('\udc00')] }, [text('\ufffd')]],
  ])('%j is sent as %j, which every provider takes', async (outcome, content) => {
    const { result, problems } = await roundWith(() => outcome);
    expect([result?.content, problems]).toEqual([content, []]);
  });
});

describe('calls and their results (F2, F3)', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } };

  test('a failure with an image says so in words, since providers take errors as text only', async () => {
    const { result, problems } = await roundWith(() => ({ content: [image], isError: true }));
    expect(result?.content).toEqual([text(expect.stringContaining('failed') as string), image]);
    expect([result?.is_error, problems]).toEqual([undefined, []]);
  });

  test('a tool or gate that changes its call changes nothing of the reply', async () => {
    const client = scripted([deepFreeze([call('x')]), 'Done.']);
    const seen: unknown[] = [];
    const rename = (given: { input: unknown; id: string }) => {
      given.input = { path: '/full/a.ts' };
      given.id = 'other';
      return true;
    };
    const tools: ToolRunner = ({ input }) => String(seen.push(input));
    const fork = createFork<undefined>({ client, parent: PARENT, tools });
    const canUseTool = rename as unknown as RunOptions['canUseTool'];
    const { messages, denials } = await fork.run({ directive: 'Look.', canUseTool });
    expect(messages[1]?.content).toEqual([call('x')]);
    expect(messages[2]?.content[0]).toMatchObject({ tool_use_id: 'x' });
    expect([seen, denials]).toEqual([[{ path: '/full/a.ts' }], []]);
  });
});

describe('fork.run (F2, F3)', () => {
  test('leaves a history that providers take, whatever tools, gates and mail give', async () => {
    const blocks = fc.array(fc.oneof(fc.string().map(text), fc.anything()));
    const outcome = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.anything(),
      fc.record({ content: blocks, isError: fc.boolean() }),
    );
    const gate = fc.oneof(fc.constant(true), fc.anything());
    await fc.assert(
      fc.asyncProperty(outcome, gate, fc.boolean(), async (given, answer, hasMail) => {
        const mail = {
          receive: () => (hasMail ? [] : Promise.reject(given)),
          acknowledge: async () => {},
        };
        const options = { canUseTool: () => answer, mail };
        const { stopReason, problems, result } = await roundWith(() => given, options);
        expect(problems).toEqual([]);
        expect(stopReason).toBe(hasMail ? 'end' : 'failed');
        expect(result?.type).toBe('tool_result');
      }),
    );
  });
});

describe('answers of gates (F3)', () => {
  test.each([
    null,
    undefined,
    3,
    'yes',
    {},
    { allow: 1 },
    { allow: false, reason: { a: 1 } },
    { allow: false, reason: ' ' },
  ])('%j denies with a reason that can be read', async (answer) => {
    const { denials, result, stopReason } = await roundWith(() => 'ran', {
      canUseTool: () => answer,
    });
    expect(denials).toMatchObject([{ reason: 'this tool is not allowed here' }]);
    expect(result).toMatchObject({ is_error: true });
    expect(stopReason).toBe('end');
  });
});

describe('a child whose host fails (F2)', () => {
  const disk = (): never => {
    throw new Error('disk');
  };

  test('keeps the results of tools that ran when its mail cannot be read', async () => {
    const { result, stopReason, problems } = await roundWith(() => 'ran', {
      mail: { receive: disk, acknowledge: disk },
    });
    expect(result).toMatchObject({ content: 'ran' });
    expect([stopReason, problems]).toEqual(['failed', []]);
  });

  test.each(['reply', 'results'])(
    'leaves a valid history when its sink fails at %s',
    async (at) => {
      const onMessage = ({ id }: { id: string }) => id.endsWith(at) && disk();
      const { stopReason, problems } = await roundWith(() => 'ran', { onMessage });
      expect([stopReason, problems]).toEqual(['failed', []]);
    },
  );
});

describe('a client that does not heed the abort (F2)', () => {
  const never = () => new Promise<never>(() => {});
  const streams = {
    'before its first event': () =>
      createModelStream(async function* () {
        yield await never();
      }),
    'after an event': () =>
      createModelStream(async function* () {
        yield { type: 'response-start', id: 'm', model: 'm' } as const;
        await never();
      }),
    'with the whole reply': () => ({
      async *[Symbol.asyncIterator]() {},
      response: never,
    }),
  };

  test.each(Object.entries(streams))('ends all the same when it hangs %s', async (_, stream) => {
    const controller = new AbortController();
    const client = { provider: 'hangs', stream } as unknown as ModelClient;
    const run = createFork({ client, parent: PARENT }).run({
      directive: 'Look.',
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 1);
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });
});
