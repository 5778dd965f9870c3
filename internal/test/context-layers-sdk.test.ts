import Anthropic from '@anthropic-ai/sdk';
import { createThresholdCompaction } from '@varve/compact';
import { type CallModel, type Context, type ContextOptions, createContext } from '@varve/context';
import { type ReplyLike, startEmulator } from '@varve/emulator';
import { toolUses } from '@varve/messages';
import { send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { describe, expect, onTestFinished, test } from 'vitest';

const MODEL = 'claude-opus-5-5';

/** The model with a window that thirty rounds outgrow. */
const SMALL: ModelInfo = {
  ...(findModel(MODEL) as ModelInfo),
  id: MODEL,
  aliases: [],
  windowTokens: 44_000,
  maxOutputTokens: 8_000,
};

const LARGE: ModelInfo = { ...SMALL, windowTokens: 200_000 };

const TOOL = {
  name: 'Run',
  description: 'Runs a command.',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
};

const outputOf = (at: number): string =>
  Array.from({ length: 150 }, (_, line) => `step${at}.ts line ${line} was checked`).join('\n');

type Send = (...given: Parameters<CallModel>) => ReturnType<typeof send>;

/** A context over the real SDK, at an emulator that refuses what a provider would refuse. */
async function start(optionsOf: (call: Send) => Partial<ContextOptions>, known = SMALL) {
  let count = 0;
  const emulator = await startEmulator({
    replies({ body }): ReplyLike {
      const last = (body.messages as readonly unknown[]).at(-1);
      if (JSON.stringify(last).includes('<summary>')) return SUMMARY;
      count += 1;
      const input = { command: `run step${count}.ts` };
      return { content: [{ type: 'tool_use', id: `call-${count}`, name: 'Run', input }] };
    },
    summarize: () => 'The provider wrote: step1.ts to step9.ts were checked.',
    ...{ models: [known], keepRequests: 500 },
  });
  onTestFinished(() => emulator.close());
  const sdk = new Anthropic({ baseURL: emulator.url, apiKey: 'test', maxRetries: 0 });
  const client = createAnthropicClient({ sdk });
  const call: Send = (request, calling) => send(client, request, calling);
  const context = createContext({
    ...{ model: MODEL, models: [known], system: 'You check files.', tools: [TOOL], layers: [] },
    call,
    ...optionsOf(call),
  });
  /** Rounds with a call each. */
  async function work(rounds: number): Promise<void> {
    for (let at = 0; at < rounds; at++) {
      const calls = toolUses(await context.send());
      await context.results(calls.map(({ id }) => ({ toolUseId: id, content: outputOf(at) })));
    }
  }
  const bodies = () => emulator.requests.map(({ body }) => new TextDecoder().decode(body));
  const refused = () => emulator.requests.filter(({ status }) => status !== 200);
  return { context, emulator, bodies, refused, work };
}

const SUMMARY =
  '<summary>The files step1.ts to step9.ts were checked line by line; none of them failed.</summary>';

const editsBy = (context: Context, by: string) =>
  context.entries().flatMap((entry) => (entry.type === 'edit' && entry.by === by ? entry : []));

/** What is said of money is what the provider says. */
const expectBilled = ({ context, emulator }: Awaited<ReturnType<typeof start>>) =>
  expect(context.usage().dollars).toBeCloseTo(emulator.report().dollars, 8);

describe('layers with work in a context, over the SDK of Anthropic', () => {
  test('collapse acts: stretches are folded, and the conversation is never compacted or refused', async () => {
    const scene = await start((call) => ({
      compaction: { summarize: call, collapse: { keepTokens: 6_000, spanTokens: 8_000 } },
    }));
    const { context, refused, work } = scene;
    await context.user('Check all files, one after the other.');
    await work(45);
    expect(refused()).toEqual([]);
    expect(editsBy(context, 'collapse').length).toBeGreaterThan(1);
    expect(editsBy(context, 'compact')).toEqual([]);
    const words = JSON.stringify(context.view().messages);
    expect(words.includes('step9.ts were checked')).toBe(true);
    expect(words.includes('Check all files')).toBe(true);
    expect(context.usage().callers.map(({ by }) => by)).toContain('collapse');
    expectBilled(scene);
  });

  test('a compaction by the provider acts: its block goes back byte for byte, and no summary is asked for', async () => {
    const scene = await start((call) => ({
      compaction: { summarize: NOT_ASKED, byProvider: { provider: 'anthropic', call } },
    }));
    const { context, bodies, refused, work } = scene;
    await context.user('Check all files, one after the other.');
    await work(45);
    expect(refused()).toEqual([]);
    const edits = editsBy(context, 'compact');
    expect(edits.length).toBeGreaterThan(1);
    for (const { receipt } of edits) expect(receipt).toMatchObject({ engine: 'provider' });
    const block = context.view().messages[0]?.content[0];
    expect(block).toMatchObject({ type: 'compaction' });
    expect(bodies().at(-1)?.includes(JSON.stringify(block))).toBe(true);
    expect(bodies().at(-1)?.includes('Check all files')).toBe(true);
    expectBilled(scene);
  });

  test('where the provider does not, a summary takes its place, in the same attempt', async () => {
    const down = () => Promise.reject(new Error('not now'));
    const scene = await start((call) => ({
      compaction: { summarize: call, byProvider: { provider: 'anthropic', call: down } },
    }));
    const { context, work } = scene;
    await context.user('Check all files, one after the other.');
    await work(25);
    const edits = editsBy(context, 'compact');
    expect(edits.length).toBeGreaterThan(0);
    for (const { receipt } of edits) expect(receipt).toMatchObject({ engine: 'summary' });
    expectBilled(scene);
  });

  test('compaction at a threshold of the provider acts as a layer', async () => {
    const planner = createThresholdCompaction({ triggerTokens: 50_000 });
    const layers = [{ name: 'provider-threshold', planner }];
    const scene = await start(() => ({ layers }), LARGE);
    const { context, refused, work } = scene;
    await context.user('Check all files, one after the other.');
    await work(45);
    expect(refused()).toEqual([]);
    expect(editsBy(context, 'provider-threshold').length).toBeGreaterThan(1);
    expect(context.view().messages[0]?.content[0]).toMatchObject({ type: 'compaction' });
    expect(context.size().tokens).toBeLessThan(60_000);
  });
});

const NOT_ASKED = () => Promise.reject(new Error('no summary is asked for'));
