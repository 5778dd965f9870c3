import { type Block, type Message, project, type Usage } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { createProviderCompaction, createThresholdCompaction } from '../../src/index.ts';
import { billOf } from '../../src/provider/bill.ts';
import type { ProviderReply } from '../../src/provider/provider-compaction.ts';
import { at, CONTEXT, text, thread } from './support.ts';

const BLOCK: Block = {
  type: 'compaction',
  content: 'What was done.',
  encrypted_content: 'e',
  signature: 's',
};
const reply = (content: readonly Block[], more: Partial<ProviderReply> = {}): ProviderReply => ({
  content,
  stopReason: 'compaction',
  ...more,
});

describe('createProviderCompaction (C18)', () => {
  test('makes one edit with the block that came, and an undo of it brings everything back', async () => {
    const { append, work, view } = thread();
    const before = view();
    const iterations = [{ type: 'compaction', input_tokens: 900, output_tokens: 30 }];
    const run = createProviderCompaction({
      provider: 'anthropic',
      call: async () => reply([BLOCK], { iterations }),
    });
    const result = await run(work());
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const { edit, receipt } = result;
    expect(receipt).toMatchObject({
      engine: 'provider',
      calls: 1,
      usage: { input_tokens: 900, output_tokens: 30 },
    });
    expect(receipt.tokensAfter).toBeLessThan(receipt.tokensBefore);
    const after = append({
      id: 'edit',
      at,
      type: 'edit',
      by: 'compact',
      reason: 'manual',
      receipt,
      edit,
    });
    expect(after.messages.map(({ content }) => content)).toEqual([
      [BLOCK],
      [text('and now: plum-4')],
    ]);
    expect(after.messages[0]?.content[0]).toBe(BLOCK);
    append({
      id: 'undo',
      at,
      type: 'edit',
      by: 'person',
      reason: 'undo',
      edit: { kind: 'undo', entryId: 'edit' },
    });
    expect(view().messages).toEqual(before.messages);
  });

  test.each([
    ['anthropic', { kind: 'failed', reason: 'nothing-to-answer', calls: 0 }],
    ['openai', { kind: 'compacted' }],
  ] as const)(
    '%s: where an agent goes on after a turn that is over, a block would be the end',
    async (provider, expected) => {
      const { append, work } = thread();
      const say = (id: string, message: Omit<Message, 'id'>) =>
        append({ id: `e-${id}`, at, type: 'message', message: { id, ...message } });
      say('done', { role: 'assistant', content: [text('plum-4 it is')] });
      const isOver = work();
      const origin = { kind: 'synthetic' } as const;
      say('on', { role: 'user', content: [text('Go on.')], origin });
      const run = createProviderCompaction({ provider, call: async () => reply([BLOCK]) });
      expect(await run(work())).toMatchObject(expected);
      expect(await run(isOver)).toMatchObject({ kind: 'compacted' });
    },
  );

  const usage: Usage = { input_tokens: 1, output_tokens: 2 };
  test.each([
    ['a null block', reply([{ ...BLOCK, content: null }]), 'null-block'],
    ['an empty block', reply([{ ...BLOCK, content: '' }]), 'null-block'],
    ['two blocks', reply([BLOCK, BLOCK]), 'ambiguous-blocks'],
    ['nothing, cut', reply([], { stopReason: 'max_tokens' }), 'cut-summary'],
    [
      'nothing, window full',
      reply([], { stopReason: 'model_context_window_exceeded' }),
      'prompt-too-long',
    ],
    ['nothing, a tool call', reply([], { stopReason: 'tool_use' }), 'tool-call'],
    ['nothing, refused', reply([], { stopReason: 'refusal' }), 'refused'],
    ['nothing, ended', reply([], { stopReason: 'end_turn' }), 'no-block'],
    ['text only', reply([text('a summary')], { stopReason: 'end_turn' }), 'no-block'],
    [
      'a block as long as the conversation',
      reply([{ ...BLOCK, content: 'word '.repeat(9_000) }]),
      'not-smaller',
    ],
  ])('%s is a failure, and its bill is told', async (_, answer, reason) => {
    const run = createProviderCompaction({
      provider: 'anthropic',
      call: async () => ({ ...answer, usage }),
    });
    expect(await run(thread().work())).toEqual({ kind: 'failed', reason, calls: 1, usage });
  });

  test('a call that throws is a failure with its cause, and an abort throws', async () => {
    const call = () =>
      Promise.reject(new Error('prompt is too long: 210000 tokens > 200000 maximum'));
    const run = createProviderCompaction({ provider: 'anthropic', call });
    expect(await run(thread().work())).toMatchObject({ kind: 'failed', reason: 'prompt-too-long' });
    const abort = new AbortController();
    abort.abort();
    await expect(run(thread().work(), { signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test.each([
    ['prompt-too-long', 'prompt-too-long'],
    ['request-too-large', 'prompt-too-long'],
    ['media-too-large', 'prompt-too-long'],
    ['refused', 'refused'],
    ['overloaded', 'model-failed'],
  ] as const)("a call that fails by %s is called what a model's is: %s", async (code, reason) => {
    const call = () => Promise.reject(new ModelError(code, 'No.'));
    const run = createProviderCompaction({ provider: 'anthropic', call });
    expect(await run(thread().work())).toMatchObject({ kind: 'failed', reason, calls: 1 });
  });

  test('refuses instructions that are too long', () => {
    const make = (length: number) => () =>
      createProviderCompaction({
        provider: 'anthropic',
        call: async () => reply([]),
        instructions: 'x'.repeat(length),
      });
    expect(make(16_384)).not.toThrow();
    expect(make(16_385)).toThrow(RangeError);
  });
});

describe('billOf (C18)', () => {
  test.each([
    { name: 'nothing', given: {}, bill: undefined },
    {
      name: 'usage alone',
      given: { usage: { input_tokens: 5, output_tokens: 1 } },
      bill: { input_tokens: 5, output_tokens: 1 },
    },
    {
      name: 'no iterations',
      given: { usage: { input_tokens: 5, output_tokens: 1 }, iterations: [] },
      bill: { input_tokens: 5, output_tokens: 1 },
    },
    {
      name: 'iterations, whatever the usage says',
      given: {
        usage: { input_tokens: 0, output_tokens: 0 },
        iterations: [
          {
            type: 'compaction',
            input_tokens: 100,
            output_tokens: 20,
            cache_read_input_tokens: 7,
            cache_creation_input_tokens: null,
          },
          {
            type: 'message',
            input_tokens: 3,
            output_tokens: 4,
            cache_creation_input_tokens: 5,
            cache_creation: { ephemeral_5m_input_tokens: 5 },
          },
          null,
        ],
      },
      bill: {
        input_tokens: 103,
        output_tokens: 24,
        cache_read_input_tokens: 7,
        cache_creation_input_tokens: 5,
        cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 0 },
      },
    },
  ])('$name', ({ given, bill }) => {
    expect(billOf(given)).toEqual(bill);
  });
});

describe('createThresholdCompaction (C18)', () => {
  test('asks once, and takes out what a block stands for', () => {
    const log = thread();
    const planner = createThresholdCompaction({ triggerTokens: 50_000, pause: true });
    const entries = [];
    const append = (entry: Parameters<typeof log.append>[0]) => {
      entries.push(entry);
      planner.observe(entry, log.append(entry));
    };
    planner.observe({ id: 'x', at, type: 'note', by: 'x', data: null }, log.view());
    const asked = planner.plan(CONTEXT);
    expect(asked).toMatchObject({ kind: 'edit', reason: 'server-side' });
    if (asked.kind !== 'edit') return;
    for (const edit of asked.edits)
      append({ id: 'ask', at, type: 'edit', by: 'provider', reason: 'x', edit });
    expect(planner.plan(CONTEXT)).toMatchObject({ kind: 'none', reason: 'nothing-compacted' });
    const iterations = [{ input_tokens: 9, output_tokens: 1 }];
    const response = {
      id: 'r',
      model: 'm',
      stopReason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1, iterations },
    } as const;
    append({
      id: 'e-b',
      at,
      type: 'message',
      message: { id: 'b', role: 'assistant', content: [BLOCK, text('Go on.')], response },
    });
    const plan = planner.plan(CONTEXT);
    if (plan.kind !== 'edit') throw new Error(plan.reason);
    expect(plan.receipt).toMatchObject({
      engine: 'provider',
      droppedMessages: 7,
      usage: { input_tokens: 9 },
    });
    for (const edit of plan.edits)
      append({ id: 'take', at, type: 'edit', by: 'provider', reason: 'x', edit });
    expect(log.view().messages.map(({ id }) => id)).toEqual(['b']);
    expect(planner.plan(CONTEXT)).toMatchObject({ kind: 'none' });
  });

  test('a null block changes nothing', () => {
    const log = thread();
    const planner = createThresholdCompaction();
    log.append({
      id: 's',
      at,
      type: 'edit',
      by: 'x',
      reason: 'x',
      edit: {
        kind: 'server',
        params: {
          context_management: {
            edits: [
              { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 150_000 } },
            ],
          },
        },
      },
    });
    const entry = {
      id: 'e-b',
      at,
      type: 'message',
      message: {
        id: 'b',
        role: 'assistant',
        content: [{ ...BLOCK, content: null }, text('Go on.')],
      },
    } as const;
    planner.observe(entry, log.append(entry));
    expect(planner.plan(CONTEXT)).toMatchObject({ kind: 'none', reason: 'nothing-compacted' });
  });

  test.each([0, 49_999, 50_000.5, Number.NaN])('refuses a trigger of %s', (triggerTokens) => {
    expect(() => createThresholdCompaction({ triggerTokens })).toThrow(RangeError);
  });

  test('an empty view has nothing', () => {
    const planner = createThresholdCompaction();
    planner.observe({ id: 'n', at, type: 'note', by: 'x', data: null }, project([]));
    expect(planner.plan(CONTEXT)).toMatchObject({ kind: 'edit', reason: 'server-side' });
  });
});
