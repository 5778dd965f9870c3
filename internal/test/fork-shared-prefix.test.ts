import { createFork, type ForkResult, fanOut } from '@varve/fork-agent';
import { promptTokens, type Request } from '@varve/messages';
import { ModelError, type ModelResponse, send } from '@varve/models';
import { describe, expect, test } from 'vitest';
import {
  clientOf,
  deepFreeze,
  MODELS,
  type Provider,
  parentOf,
  type RunningEmulator,
  start,
} from './fork-support.ts';

const PARENT_TOKENS = 100_000;

const callsOf = (...names: readonly string[]) => ({
  content: [
    { type: 'text', text: 'I will look.' },
    ...names.map((name) => ({ type: 'tool_use', id: `${name}_1`, name, input: { path: 'a.ts' } })),
  ],
});

/** The emulator signs thinking, and refuses it behind a prefix it was not written for. */
const thinkingCallsOf = (provider: Provider, ...names: readonly string[]) => {
  const { content } = callsOf(...names);
  const thinking = { type: 'thinking', thinking: 'Who calls it?' };
  return { content: provider === 'anthropic' ? [thinking, ...content] : content };
};

/** Sends the parent's request as the parent would. */
async function withParent(
  [model, provider]: readonly [string, Provider],
  options: Parameters<typeof start>[0],
) {
  const emulator = await start(options);
  const client = clientOf(provider, emulator);
  const parent = deepFreeze(parentOf(model, PARENT_TOKENS));
  const reply = await send(client, parent);
  return { emulator, client, parent, reply };
}

/** A recorded body without markers. A text that carries one on OpenAI is written as a list of one part. */
function bodyText({ body }: RunningEmulator['requests'][number]): string {
  return new TextDecoder()
    .decode(body)
    .replaceAll(
      /\[\{"type":"(?:input_)?text","text":("(?:[^"\\]|\\.)*"),"prompt_cache_breakpoint":\{[^}]*\}\}\]/g,
      '$1',
    )
    .replaceAll(/,"(?:cache_control|prompt_cache_breakpoint)":\{[^}]*\}/g, '');
}

/** Whether a body goes on where another ends: messages come last, so only the closing brackets differ. */
function continues(parent: string, child: string): boolean {
  const open = parent.slice(0, parent.lastIndexOf(']'));
  return child.startsWith(open);
}

function firstUsage(result: ForkResult) {
  const usage = result.messages.find(({ role }) => role === 'assistant')?.response?.usage;
  if (!usage) throw new Error('the child had no reply');
  return usage;
}

describe.each(MODELS)('a fork of a parent of 100,000 tokens: %s on %s (F1)', (model, provider) => {
  test('reads at least 99 % of the prefix on its first request, by bytes and by usage', async () => {
    const { emulator, client, parent, reply } = await withParent([model, provider], {
      replies: [
        thinkingCallsOf(provider, 'agent', 'read'),
        thinkingCallsOf(provider, 'search'),
        'Found: answer 42.',
      ],
    });
    const fork = createFork({ client, parent, reply, tools: () => 'src/parse.ts:12' });
    const result = await fork.run({ directive: 'List the callers of parse().' });
    expect(result).toMatchObject({ text: 'Found: answer 42.', stopReason: 'end', turns: 2 });
    const [first = '', second = '', third = ''] = emulator.requests.map(bodyText);
    expect(continues(first, second)).toBe(true);
    expect(continues(second, third)).toBe(true);
    const prefix = promptTokens(reply.usage);
    expect(prefix).toBeGreaterThan(PARENT_TOKENS);
    expect(firstUsage(result).cache_read_input_tokens).toBeGreaterThanOrEqual(prefix * 0.99);
    expect(result.cachedShare).toBeGreaterThan(0.98);
  });

  test('and reads it as well where the parent has just answered in words (F4)', async () => {
    const { client, parent, reply } = await withParent([model, provider], {
      replies: ['Done.', 'Yes.'],
    });
    const result = await createFork({ client, parent, reply }).run({ directive: 'Check it.' });
    const read = firstUsage(result).cache_read_input_tokens ?? 0;
    expect(read / promptTokens(reply.usage)).toBeGreaterThanOrEqual(0.99);
  });

  test('ten parallel children write the shared prefix once (F4)', async () => {
    const directives = Array.from({ length: 10 }, (_, index) => `Look at part ${index}.`);
    const emulator = await start({ firstTokenDelayMs: 5, replies: async () => 'Nothing there.' });
    const client = clientOf(provider, emulator);
    const parent = deepFreeze(parentOf(model, PARENT_TOKENS));
    const results = await fanOut(createFork({ client, parent }), directives, { concurrency: 10 });
    expect(results.map(({ kind }) => kind)).toEqual(directives.map(() => 'done'));
    const usages = results.map((each) => firstUsage((each as { result: ForkResult }).result));
    const [opening] = usages;
    const prompt = opening ? promptTokens(opening) : 0;
    expect(prompt).toBeGreaterThan(PARENT_TOKENS * 0.9);
    expect(opening?.cache_read_input_tokens ?? 0).toBe(0);
    for (const usage of usages.slice(1)) {
      expect(usage.cache_read_input_tokens).toBeGreaterThanOrEqual(prompt * 0.99);
    }
    expect(emulator.report().writtenTokens).toBeLessThan(prompt * 1.05);
  });
});

/** Runs a fork of a small parent that is ended at its event number `at`. */
async function endedAt(at: number, how: 'abort' | 'fail', emulator: RunningEmulator) {
  const client = clientOf('anthropic', emulator);
  const parent = deepFreeze(parentOf('claude-opus-5-5', 5_000));
  const state = deepFreeze({ files: new Map([['a', 1]]), seen: ['a'] });
  const before = structuredClone({ parent, state });
  const controller = new AbortController();
  let seen = 0;
  const end = () => {
    if (seen++ !== at) return;
    if (how === 'fail') throw new Error('the sink failed');
    controller.abort();
  };
  const fork = createFork({
    client,
    parent,
    reply: REPLY,
    state,
    tools: (_, { state: own }) => {
      own.seen.push('b');
      end();
      return 'ok';
    },
  });
  const outcome = await fork
    .run({ directive: 'Look.', signal: controller.signal, onEvent: end, onMessage: end })
    .catch((error: unknown) => error);
  expect({ parent, state }).toEqual(before);
  return { outcome, reached: seen > at };
}

const REPLY: Pick<ModelResponse, 'content'> = {
  content: [{ type: 'tool_use', id: 'open', name: 'agent', input: { path: 'x' } }],
};

describe('a fork that ends early (F2)', () => {
  test.each(['abort', 'fail'] as const)(
    'by %s leaves its parent as it was, at every event',
    async (how) => {
      let count = 0;
      for (let at = 0; ; at++) {
        const replies = [callsOf('read', 'search'), 'Done.'];
        const { outcome, reached } = await endedAt(at, how, await start({ replies }));
        if (!reached) break;
        count += 1;
        if (how === 'abort') expect(outcome).toMatchObject({ name: 'AbortError' });
        // a tool that throws is the model's to see; all else fails the child
        else expect(['failed', 'end']).toContain((outcome as ForkResult).stopReason);
      }
      expect(count).toBeGreaterThan(15);
    },
  );
});

describe('a fork whose provider fails (F2)', () => {
  test.each(['cut', 'error-event'] as const)(
    'by %s at any event is a result that says so, and leaves its parent as it was',
    async (kind) => {
      const parent = deepFreeze(parentOf('claude-opus-5-5', 5_000));
      const before = structuredClone(parent);
      const stops: string[] = [];
      for (let at = 0; stops.at(-1) !== 'end' && at < 60; at++) {
        const fault = kind === 'cut' ? { kind, afterEvents: at } : { kind, atEvent: at };
        const replies = [callsOf('read'), 'Done.'];
        const emulator = await start({ replies, faults: [{ ...fault, when: 0 }] });
        const client = clientOf('anthropic', emulator);
        const fork = createFork({ client, parent, reply: REPLY, tools: () => 'ok' });
        const { stopReason, error } = await fork.run({ directive: 'Look.' });
        if (stopReason === 'failed') expect(ModelError.is(error)).toBe(true);
        stops.push(stopReason);
        expect(parent).toEqual(before);
      }
      expect(stops.length).toBeGreaterThan(5);
      expect(new Set(stops.slice(0, -1))).toEqual(new Set(['failed']));
    },
  );

  test.each([429, 500, 529])('by status %i is a failed result with a code', async (status) => {
    const emulator = await start({ faults: [{ kind: 'status', status }] });
    const parent = parentOf('claude-opus-5-5', 5_000);
    const fork = createFork({ client: clientOf('anthropic', emulator), parent });
    const result = await fork.run({ directive: 'Look.' });
    expect(result).toMatchObject({ stopReason: 'failed', turns: 1, error: { retryable: true } });
  });
});

describe('case 80', () => {
  test('case 80: a fork with another persona, tools or thinking is refused before anything is sent, with the price', async () => {
    const emulator = await start();
    const client = clientOf('anthropic', emulator);
    const parent: Request = parentOf('claude-opus-5-5', 20_000);
    const override = {
      system: [{ type: 'text' as const, text: 'You are a reviewer.' }],
      tools: parent.head.tools.slice(0, 1),
    };
    const refused = createFork({ client, parent, override }).run({ directive: 'Review.' });
    await expect(refused).rejects.toMatchObject({
      code: 'cold-prefix',
      plan: { differs: [{ part: 'tools' }, { part: 'system' }], isShared: false },
    });
    expect(emulator.requests).toHaveLength(0);
  });
});
