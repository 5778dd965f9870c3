import { type Head, type Request, type Tool, toolUses } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createEstimator } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_STRATEGIES, type Strategy } from '../src/index.ts';
import { contextStrategy } from '../src/strategies/context-strategy.ts';
import { planOf, rowAfterWaiting } from './replays.ts';
import { read } from './sessions.ts';

const { readTool } = createToolStorage({ store: memoryStore(), sessionId: 'test' });

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((strategy) => strategy.name === name) as Strategy;

/** Nothing in it is large enough to be stored or cleared. */
const SMALL = planOf([
  { user: 'Go.' },
  ...Array.from({ length: 4 }, (_, at) => read(`src/f${at}.ts`, `${at}`)),
  { say: 'Done.' },
]);

function recorded(strategy: Strategy): { readonly strategy: Strategy; readonly heads: Head[] } {
  const heads: Head[] = [];
  const create: Strategy['create'] = (context) => {
    const run = strategy.create(context);
    const request = () => {
      const asked = run.request();
      heads.push(asked.head);
      return asked;
    };
    return { ...run, request };
  };
  return { strategy: { ...strategy, create }, heads };
}

describe('strategies with a storage', () => {
  test.each(['offload', 'layers', 'layers+1h', 'layers+ledger'])(
    '%s sends the tool that reads what was stored, and pays for it',
    async (name) => {
      const { strategy, heads } = recorded(builtIn(name));
      const row = await rowAfterWaiting(SMALL, strategy);
      const keepAll = await rowAfterWaiting(SMALL, builtIn('keep-all'));
      const requests = SMALL.recording.replies.length;
      expect(new Set(heads.slice(0, requests)).size).toBe(1);
      expect(heads[0]?.tools).toEqual([...SMALL.recording.head.tools, readTool]);
      const { head } = createEstimator({ family: SMALL.pricing.model.tokenizer });
      const sizeOf = (tools: readonly Tool[]): number => head({ system: [], tools });
      // what the presence of tools takes is in the recorded head
      const tokens = sizeOf([readTool, readTool]) - sizeOf([readTool]);
      expect(tokens).toBeGreaterThan(100);
      expect(tokens).toBeLessThanOrEqual(210);
      expect(row.promptTokens).toBe(keepAll.promptTokens + requests * tokens);
      expect(row.dollars).toBeGreaterThan(keepAll.dollars);
      expect(row).toMatchObject({ systemChangedRequests: 0, breaks: 0, invalidRequests: 0 });
    },
  );
});

describe('a re-read', () => {
  const large = read('src/large.ts', 'a line of the large file\n'.repeat(20_000));
  const small = read('src/small.ts', 'a line of the small file\n'.repeat(500));
  const plan = planOf([
    { user: 'Go.' },
    large,
    small,
    ...Array.from({ length: 40 }, (_, at) => read(`src/f${at}.ts`, `line of ${at}\n`.repeat(200))),
    { say: 'Done.' },
  ]);
  const { recording, pricing } = plan;

  /** The names of the tools that are called where results are read again, once all of a session was sent. */
  async function names(strategy: Strategy, ids: readonly string[]): Promise<readonly string[]> {
    const { head, sizes, history, replies } = recording;
    const { model, policy } = pricing;
    let nowMs = 0;
    const now = () => (nowMs += 10_000);
    const run = strategy.create({ head, model, window: 60_000, policy, sizeOf: sizes.of, now });
    const ask = async (): Promise<Request> => {
      await run.prepare?.();
      return run.request();
    };
    for (const [at, message] of history.entries()) {
      if (replies.includes(at)) await ask();
      run.add(message);
      if (message.role === 'assistant') await run.replied?.();
    }
    run.add({ id: 'more', role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
    await ask();
    for (const of of ids) {
      const origin = { kind: 're-read', of } as const;
      const id = `${of}-again`;
      const call = { type: 'tool_use', id, name: 'Read', input: {} };
      run.add({ id: `${id}-call`, role: 'assistant', origin, content: [call] });
      await run.replied?.();
      const result = { type: 'tool_result', tool_use_id: id, content: 'again' };
      run.add({ id, role: 'user', origin, content: [result] });
    }
    const { messages } = await ask();
    const calls = messages.flatMap(toolUses);
    return ids.map((of) => calls.find(({ id }) => id === `${of}-again`)?.name ?? 'none');
  }

  const noModel = () => Promise.reject(new Error('There is no model here.'));
  const stored = () => createToolStorage({ store: memoryStore(), sessionId: 'test' });
  const compacting = contextStrategy('compacting', () => ({
    ...{ storage: stored(), layers: [] },
    compaction: { summarize: noModel, wait: async () => {}, keepTokens: 1_000 },
  }));
  const clearing = contextStrategy('clearing', () => ({
    storage: stored(),
    layers: [{ name: 'microcompact', planner: createMicrocompact({ mechanisms: ['count'] }) }],
  }));
  const naming = contextStrategy('naming', () => {
    const storage = stored();
    const planner = createMicrocompact({ mechanisms: ['count'], handleOf: storage.handleOf });
    return { storage, layers: [{ name: 'microcompact', planner }] };
  });

  test.each([
    ['behind a summary', compacting],
    ['cleared without a handle', clearing],
  ])(
    '%s: the storage reads what was stored, and the tool that gave it all the rest',
    async (_, strategy) => {
      const [largeId, smallId] = ['call_1', 'call_2'];
      expect(await names(strategy, [largeId, smallId])).toEqual([readTool.name, 'Read']);
    },
  );

  test('of a result that was cleared to its handle reads the storage', async () => {
    expect(await names(naming, ['call_2'])).toEqual([readTool.name]);
  });

  test('of what an earlier conversation was shown reads the storage, which outlives it', async () => {
    expect(await names(naming, ['call_of_before'])).toEqual([readTool.name]);
  });
});
