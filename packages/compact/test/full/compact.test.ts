import { createLedger } from '@varve/ledger';
import { type Block, checkHistory, type Message, type ProviderProfile } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { messageHistory } from '@varve/messages/testing';
import { ModelError } from '@varve/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compact, type Summarize } from '../../src/index.ts';
import { profilesFor, RULES, round, said, textOf, tokensOf, turns } from './histories.ts';
import { brokenStream, fakeModel, GOOD, NAMED, overloaded, reply, tooLong } from './models.ts';

const good = () => fakeModel(reply(GOOD));

describe('compact', () => {
  test.each([
    { name: 'an empty history', history: [] },
    { name: 'one message', history: [said('Hello.')] },
    { name: 'a question that nobody answered', history: [said('Hello.'), said('There?')] },
    {
      name: 'an earlier summary alone',
      history: [
        said('The conversation up to this point was replaced by a summary of it.\n\nIt was short.'),
      ],
    },
  ])('leaves $name as it is, without a call', async ({ history }) => {
    const model = good();
    const result = await compact(history, { head: NAMED, summarize: model.summarize });
    expect(result).toMatchObject({ kind: 'failed', reason: 'nothing-to-compact', calls: 0 });
    expect(result.messages).toBe(history);
    expect(model.requests).toEqual([]);
  });

  test('says that calls wait for results where nothing else could be replaced', async () => {
    const call = { type: 'tool_use', id: 'c1', name: 'read', input: {} };
    const history = [{ role: 'assistant', content: [call] }];
    const result = await compact(history, good());
    expect(result).toMatchObject({ kind: 'failed', reason: 'round-open' });
  });

  test.each([
    {
      name: 'a request that is not done',
      history: [...turns(4), said(textOf(45_000))],
      overhead: 0,
    },
    { name: 'system prompt and tools', history: turns(4), overhead: 45_000 },
  ])(
    'says that $name leave no room for any summary, and keeps all',
    async ({ history, overhead }) => {
      const contextTokens = tokensOf(history as unknown as Message[]) + overhead;
      const window = { windowTokens: 60_000, maxOutputTokens: 20_000, contextTokens };
      const result = await compact(history, { ...good(), ...window });
      expect(result).toMatchObject({ kind: 'failed', reason: 'still-too-large' });
      expect(result.messages).toBe(history);
    },
  );

  test('leaves a system message out of the request that no user message may follow', async () => {
    const system = { role: 'system', content: 'Be brief.' };
    const model = good();
    await compact([...turns(3), said('Go.'), ...round('a'), system], model);
    const roles = model.requests[0]?.messages.map(({ role }) => role) ?? [];
    expect(roles.filter((role) => role === 'system').length).toBe(0);
    expect(
      checkHistory(model.requests[0]?.messages ?? [], profilesFor('free')[0] as ProviderProfile),
    ).toEqual([]);
  });

  test('asks with the same head and the same messages, and an instruction behind them', async () => {
    const head = {
      id: 'h',
      model: 'claude-opus-5-5',
      system: [],
      tools: [{ name: 'read' }],
      params: { effort: 'low' },
    };
    const messages = turns(6).map((each, index) => toMessage(each, index));
    const model = good();
    await compact(messages, { summarize: model.summarize, head });
    const [request] = model.requests;
    expect(request?.head).toBe(head);
    expect(request?.messages.length).toBe(messages.length + 1);
    expect(request?.messages.slice(0, -1).every((each, index) => each === messages[index])).toBe(
      true,
    );
    expect(request?.messages.at(-1)?.role).toBe('user');
  });

  test('lets the caller place markers in the request', async () => {
    const model = good();
    const markers = [{ at: 'system' as const }];
    await compact(turns(6), {
      head: NAMED,
      summarize: model.summarize,
      mark: (request) => ({ ...request, markers }),
    });
    expect(model.requests[0]?.markers).toBe(markers);
  });

  test('gives summary, kept messages and attachments in this order, and a receipt', async () => {
    const history = [...turns(6), said('And now plum-4.')];
    const file = said('src/a.ts holds: const a = 1;');
    const kept: unknown[] = [];
    const result = await compact(history, {
      head: NAMED,
      summarize: good().summarize,
      keepTokens: 1_500,
      originals: 'session.jsonl',
      attach: (messages) => {
        kept.push(...messages);
        return [file];
      },
    });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const [summary, ...rest] = result.messages;
    expect(summary && isSummary(summary)).toBe(true);
    expect(JSON.stringify(summary)).toContain('session.jsonl');
    expect(rest.at(-1)).toBe(file);
    expect(rest.slice(0, -1)).toEqual(history.slice(-kept.length));
    expect(rest.slice(0, -1).every((each, index) => each === kept[index])).toBe(true);
    expect(result.receipt).toMatchObject({
      trigger: 'manual',
      engine: 'summary',
      droppedMessages: history.length - kept.length,
      keptMessages: kept.length,
      originals: 'session.jsonl',
      calls: 1,
    });
    expect(kept.length).toBeGreaterThan(1);
  });

  test('tells the model to go on by itself only after an automatic compaction', async () => {
    const texts = await Promise.all(
      (['auto', 'manual'] as const).map(async (trigger) => {
        const { messages } = await compact(turns(6), {
          head: NAMED,
          summarize: good().summarize,
          trigger,
        });
        return JSON.stringify(messages[0]);
      }),
    );
    expect(texts[0]).toContain('Go on with the work');
    expect(texts[1]).not.toContain('Go on with the work');
  });

  test('never adds fields that a provider would refuse to messages without ids', async () => {
    const { messages } = await compact(turns(6), good());
    expect(Object.keys(messages[0] ?? {})).toEqual(['role', 'content']);
  });

  test('says nothing again of a request that stays beside the summary', async () => {
    const request = said('Rename the folder Zephyr-31 to Aurora-12, and never touch Boreas-77.');
    const history = [...turns(6), request, ...round('a'), ...round('b')];
    const result = await compact(history, {
      head: NAMED,
      summarize: good().summarize,
      keepTokens: 0,
    });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(result.messages).toContain(request);
    expect(JSON.stringify(result.messages[0])).not.toContain('Boreas-77');
  });

  test.each(['throws', 'is refused'])(
    'a few words that hold no facts are left as they are when the model %s: no empty summary',
    async (how) => {
      const history = [
        said('Go.'),
        { role: 'assistant', content: 'Word '.repeat(300) },
        said('Go.'),
      ];
      const summarize: Summarize = async () => {
        if (how === 'throws') throw new Error('down');
        return { content: [], stopReason: 'refusal' };
      };
      const result = await compact(history, { head: NAMED, summarize });
      expect(result).toMatchObject({ kind: 'failed', reason: 'not-smaller' });
      expect(result.messages).toBe(history);
    },
  );

  test('repairs the summary from a ledger that knows more than the history', async () => {
    const ledger = createLedger();
    ledger.add(toMessage(said('Never touch folder Zephyr-31.'), 900));
    const result = await compact(turns(6), { head: NAMED, summarize: good().summarize, ledger });
    expect(result.kind === 'compacted' && result.summary).toContain('Zephyr-31');
    expect(result.kind === 'compacted' && result.receipt.repaired).toEqual({ 'missing-facts': 1 });
  });

  test('leaves the summary as it was written where it is not to be checked', async () => {
    const ledger = createLedger();
    ledger.add(toMessage(said('Never touch folder Zephyr-31.'), 900));
    const { summarize } = good();
    const options = { head: NAMED, summarize, ledger, verify: false };
    const result = await compact(turns(6), options);
    expect(result.kind === 'compacted' && result.summary).not.toContain('Zephyr-31');
    expect(result.kind === 'compacted' && result.receipt.repaired).toBeUndefined();
  });

  test.each([{ keepTokens: -1 }, { keepTokens: 1.5 }, { minSavings: 1 }, { maxSummaryTokens: 0 }])(
    'refuses %o',
    async (options) => {
      await expect(compact(turns(1), { ...good(), ...options })).rejects.toThrow(RangeError);
    },
  );

  test('keeps the newest messages byte for byte and the same objects, but for thinking that could not stay', async () => {
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(
        messageHistory(),
        fc.constantFrom(...RULES),
        fc.nat(2_000),
        async (messages, thinking, keepTokens) => {
          const result = await compact(messages, {
            head: NAMED,
            summarize: good().summarize,
            thinking,
            keepTokens,
            minSavings: 0,
            fallback: 'none',
          });
          if (result.kind === 'failed') return;
          const tail = result.messages.slice(1);
          for (const message of tail) {
            const before = messages.find(({ id }) => id === message.id);
            if (message === before) continue;
            const isResult = ({ type }: Block) => type === 'tool_result';
            if (before?.content.some(isResult) && !message.content.some(isResult)) {
              // the words beside results of a round that went
              const words = before.content.filter((block) => !isResult(block));
              expect(message.content).toEqual(words);
              continue;
            }
            const cut = /left out\]| was here\]/.test(JSON.stringify(message));
            if (!cut) expect(thinking).not.toBe('free');
            const whole = before?.content.filter((block) => !isThought(block)) ?? [];
            if (!cut) expect(message.content).toEqual(whole);
            expect(message.content.map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
          }
          kept += tail.length;
          if (thinking === 'prefix-bound')
            expect(tail.flatMap(({ content }) => content).some(isThought)).toBe(false);
          for (const profile of profilesFor(thinking)) {
            if (checkHistory(messages, profile).length === 0)
              expect(checkHistory(result.messages, profile)).toEqual([]);
          }
        },
      ),
    );
    expect(kept).toBeGreaterThan(0);
  });
});

const isThought = ({ type }: Block): boolean => type.endsWith('thinking');

function toMessage(each: { role: string; content: unknown }, index: number): Message {
  const { role, content } = each;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { id: `m${index}`, role: role as Message['role'], content: blocks as Message['content'] };
}

const never = () => new Promise<never>(() => {});
const hangs: Summarize = never;
const deaf =
  (abort: () => void, summarize: Summarize): Summarize =>
  async (request, options) => {
    const answer = await summarize(request, options);
    abort();
    return answer;
  };

describe('compact (abort)', () => {
  test.each([
    { at: 'before it begins', options: () => good(), early: true },
    { at: 'while the model answers', options: () => ({ summarize: hangs }) },
    {
      at: 'in a pause between calls',
      options: () => ({ ...fakeModel(() => overloaded()), wait: never }),
    },
    {
      at: 'after an answer that came all the same',
      options: (abort: () => void) => ({ summarize: deaf(abort, good().summarize) }),
    },
    { at: 'while attachments are read', options: () => ({ ...good(), attach: never }) },
  ])('throws AbortError and changes nothing $at', async ({ options, early }) => {
    const controller = new AbortController();
    const history = turns(6);
    const written = JSON.stringify(history);
    if (early) controller.abort();
    const made = options(() => controller.abort());
    const running = compact(history, { head: NAMED, ...made, signal: controller.signal });
    const settled = expect(running).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await settled;
    expect(JSON.stringify(history)).toBe(written);
  });
});

describe('compact (retries)', () => {
  test('waits longer before each new call, as long as the provider asks', async () => {
    const pauses: number[] = [];
    const wait = async (ms: number) => void pauses.push(ms);
    const model = fakeModel(brokenStream(), overloaded(), reply(GOOD));
    const result = await compact(turns(6), { head: NAMED, summarize: model.summarize, wait });
    expect(result.kind).toBe('compacted');
    expect(pauses).toEqual([1_000, 2_000]);
  });

  test('asks again once with twice the room for an answer that was cut', async () => {
    const cut = reply('<summary>It was', 'max_tokens');
    const model = fakeModel(cut, reply(GOOD));
    const result = await compact(turns(6), {
      head: NAMED,
      summarize: model.summarize,
      maxSummaryTokens: 1_000,
    });
    expect(result.kind).toBe('compacted');
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([1_000, 2_000]);
  });

  test('adds up what all calls were billed', async () => {
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100 };
    const model = fakeModel({ ...reply(''), usage }, { ...reply(GOOD), usage });
    const result = await compact(turns(6), model);
    expect(result.kind === 'compacted' && result.receipt.usage).toMatchObject({
      input_tokens: 20,
      output_tokens: 10,
      cache_read_input_tokens: 200,
    });
  });

  test('asks no model for a summary by the ledger, and writes what stands where none came', async () => {
    const down = fakeModel(new ModelError('auth', 'No key.'));
    const instead = await compact(turns(6), { ...down, wait: async () => {} });
    const given = { head: NAMED, summarize: 'ledger', keepTokens: 0, fallback: 'none' } as const;
    const result = await compact(turns(6), given);
    if (result.kind !== 'compacted' || instead.kind !== 'compacted') throw new Error('failed');
    expect(result.messages).toEqual(instead.messages);
    expect(result.receipt).toMatchObject({ engine: 'ledger', calls: 0 });
    expect(result.receipt).not.toHaveProperty('failure');
    expect(result).not.toHaveProperty('cause');
  });

  test.each(['ledger', 'none'] as const)(
    'hands the error on, with the fallback %s',
    async (fallback) => {
      const error = new ModelError('auth', 'No key.');
      const result = await compact(turns(6), { ...fakeModel(error), fallback });
      expect(result).toMatchObject({
        cause: error,
        kind: fallback === 'none' ? 'failed' : 'compacted',
      });
    },
  );

  test('reports every call that gave nothing, and what is left out of the next one', async () => {
    const attempts: unknown[] = [];
    const model = fakeModel(
      () => new Error('prompt is too long: 210000 tokens > 209000 maximum'),
      reply(GOOD),
    );
    const summarize: Summarize = async (request, options) =>
      model.requests.length === 0 ? model.summarize(request, options) : reply(GOOD);
    await compact(turns(6), { head: NAMED, summarize, onAttempt: (each) => attempts.push(each) });
    expect(attempts).toEqual([
      expect.objectContaining({
        attempt: 1,
        reason: 'prompt-too-long',
        next: 'shorter',
        omitted: expect.any(Number),
      }),
    ]);
  });
});

describe('compact (C6, C13)', () => {
  // only the estimate of the provider knows that the request is too long by so much
  const refusesOnce = (gapTokens?: number) =>
    fakeModel(
      gapTokens === undefined ? tooLong() : tooLong(200_000 + gapTokens, 200_000),
      reply(GOOD),
    );
  const history = [...turns(20), said('Now.')];

  test.each([
    { gap: 1, kept: 2 },
    { gap: 3_000, kept: 18 },
    { gap: undefined, kept: 25 },
  ])(
    'peels newest rounds off until a gap of $gap tokens is covered, and keeps them behind the summary',
    async ({ gap, kept }) => {
      const model = refusesOnce(gap);
      const result = await compact(history, { ...model, tooLong: 'peel', thinking: 'free' });
      const tail = result.messages.slice(1);
      expect(tail).toEqual(history.slice(-tail.length));
      expect(tail.length).toBe(kept);
      const [first, second] = model.requests.map(({ messages }) => messages.slice(0, -1));
      expect(second).toEqual(first?.slice(0, history.length - tail.length));
    },
  );

  test.each([
    { gap: 1, omitted: 1 },
    { gap: 3_000, omitted: 17 },
    { gap: undefined, omitted: 23 },
  ])(
    'drops oldest rounds until a gap of $gap tokens is covered, and summarises the rest in their name',
    async ({ gap, omitted }) => {
      const model = refusesOnce(gap);
      const result = await compact(history, { ...model, thinking: 'free' });
      expect(result.messages.length).toBe(2);
      expect(result.kind === 'compacted' && result.receipt.omittedMessages).toBe(omitted);
      const [, second] = model.requests;
      expect(JSON.stringify(second?.messages[0])).toContain(`${omitted} older messages`);
      expect(second?.messages.slice(1, -1)).toEqual(model.requests[0]?.messages.slice(omitted, -1));
    },
  );

  test('gives up once parts are too long as well', async () => {
    const model = fakeModel(() => tooLong());
    const attempts: unknown[] = [];
    const onAttempt = ({ next }: { readonly next: string }) => attempts.push(next);
    const result = await compact(history, { ...model, fallback: 'none', onAttempt });
    expect(result).toMatchObject({
      kind: 'failed',
      reason: 'prompt-too-long',
      calls: 4,
      messages: history,
    });
    expect(attempts).toEqual(['shorter', 'parts']);
  });
});
