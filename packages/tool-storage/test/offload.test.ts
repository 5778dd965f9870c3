import type { AnthropicMessage } from '@varve/messages/convert';
import { describe, expect, test } from 'vitest';
import { createToolStorage, memoryStore, type ToolStorage } from '../src/index.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output, shownText } from './support.ts';

type Offloaded = Awaited<ReturnType<ToolStorage['offload']>>;

type AnthropicBlock = Extract<AnthropicMessage['content'], readonly unknown[]>[number];

const handleOf = (outcome: Offloaded): string => (outcome.kind === 'stored' ? outcome.handle : '');

describe('offload (S1)', () => {
  test.each([
    ['empty', '', 'kept', 'empty'],
    ['one character', 'x', 'kept', 'below-threshold'],
    ['exactly at the limit', longText(50_000), 'kept', 'below-threshold'],
    ['one over', longText(50_001), 'stored', 'over-threshold'],
    ['far over', longText(1_000_000), 'stored', 'over-threshold'],
  ])('%s: %#', async (_name, content, kind, reason) => {
    const outcome = await memoryStorage().offload(output('t1', content));
    expect([outcome.kind, outcome.reason]).toEqual([kind, reason]);
    if (kind === 'kept') expect(outcome.content).toBe(content);
  });

  test('shows a preview with handle, size, lines and hash, and stores the whole', async () => {
    const results = memoryStorage();
    const content = longText(60_000);
    const outcome = await results.offload(output('toolu_1', content));
    expect(outcome).toMatchObject({ kind: 'stored', bytes: 60_000 });
    const shown = shownText(outcome);
    expect(shown.length).toBeLessThan(2_700);
    expect(shown).toContain(
      `<persisted-output handle="${handleOf(outcome)}" size="60.0 kB" lines="`,
    );
    expect(handleOf(outcome)).toMatch(/^toolu_1-[0-9a-f]{16}\.txt$/);
    expect(await results.load(handleOf(outcome))).toBe(content);
  });

  test.each([
    [{ threshold: 100 }, 'bash', 'stored'],
    [{ threshold: { tokens: 50 } }, 'bash', 'stored'],
    [{ threshold: { tokens: 50_000 } }, 'bash', 'kept'],
    [{ threshold: 100, tools: { bash: Number.POSITIVE_INFINITY } }, 'bash', 'kept'],
    [{ tools: { grep: 100 } }, 'bash', 'kept'],
    [{ tools: { grep: 100 } }, 'grep', 'stored'],
    [{ tools: {} }, 'constructor', 'kept'],
    [{ threshold: 100, thresholdOf: () => undefined }, 'bash', 'stored'],
    [{ threshold: 100, thresholdOf: () => 90_000 }, 'bash', 'kept'],
  ])('thresholds %j for %s: %s', async (options, toolName, kind) => {
    const outcome = await memoryStorage(options).offload(output('t', longText(9_000), toolName));
    expect(outcome.kind).toBe(kind);
  });

  test('a threshold that changes at run time counts for what is not decided yet', async () => {
    let limit = 50_000;
    const results = memoryStorage({ thresholdOf: () => limit });
    const before = await results.offload(output('t1', longText(9_000)));
    limit = 1_000;
    expect(await results.offload(output('t1', longText(9_000)))).toEqual(before);
    expect(await results.offload(output('t2', longText(9_000)))).toMatchObject({ kind: 'stored' });
  });

  test.each(['\\', '|', '$', '=', '-'])(
    'a long run of %s is stored like any text',
    async (sign) => {
      const outcome = await memoryStorage().offload(output('t', sign.repeat(1_000_000)));
      expect(outcome.kind).toBe('stored');
    },
  );

  test('keeps what a preview would not make smaller, counted in tokens', async () => {
    const small = await memoryStorage({ threshold: 100 }).offload(output('t', longText(600)));
    expect(small).toMatchObject({ kind: 'kept', reason: 'not-smaller' });
    const cheap = memoryStorage({
      threshold: 100,
      sizeOf: (text) => (text.includes('persisted') ? 2 : 1),
    });
    const outcome = await cheap.offload(output('t', longText(9_000)));
    expect(outcome).toMatchObject({ kind: 'kept', reason: 'not-smaller' });
  });

  test('what is shown of text and of blocks fits the result block of the Messages API', async () => {
    const text = { type: 'text', text: longText(60_000) } as const;
    const blocks: Extract<AnthropicBlock, { type: 'text' | 'image' }>[] = [text];
    const ofText = await memoryStorage().offload(output('t', text.text));
    const ofBlocks = await memoryStorage().offload({ ...output('t', ''), content: blocks });
    const results: AnthropicBlock[] = [ofText, ofBlocks].map(({ content }) => ({
      type: 'tool_result',
      tool_use_id: 't',
      content,
    }));
    expect(results).toMatchObject([
      { content: expect.any(String) },
      { content: [{ type: 'text' }] },
    ]);
  });

  test('the read tool is a definition as the SDK of Anthropic has it', () => {
    interface SdkTool {
      name: string;
      description?: string;
      input_schema: { type: 'object'; properties?: unknown; required?: string[] | null };
      cache_control?: { type: 'ephemeral' } | null;
    }
    const tool: SdkTool = memoryStorage().readTool;
    expect(tool).toMatchObject({ name: 'read_stored', input_schema: { type: 'object' } });
  });

  test.each([
    ['threshold', { threshold: -1 }],
    ['threshold', { threshold: Number.NaN }],
    ['roundChars', { roundChars: -1 }],
    ['readChars', { readChars: 10 }],
    ['maxChars', { preview: { maxChars: 199 } }],
  ])('refuses a wrong `%s` at once', (name, options) => {
    const create = () => createToolStorage({ store: memoryStore(), sessionId: 's', ...options });
    expect(create).toThrow(RangeError);
    expect(create).toThrow(name);
  });

  test.each([
    [
      'a counter',
      {
        sizeOf: () => {
          throw new Error('no');
        },
      },
    ],
    [
      'a threshold',
      {
        thresholdOf: () => {
          throw new Error('no');
        },
      },
    ],
    ['a threshold that is none', { thresholdOf: () => Number.NaN }],
  ])('%s of the caller that fails leaves the result in context', async (_name, options) => {
    const content = longText(60_000);
    const outcome = await memoryStorage(options).offload(output('t', content));
    expect(outcome).toMatchObject({ kind: 'kept', reason: 'store-failed', content });
    expect(outcome).toHaveProperty('cause');
  });

  test('a hash that fails or is none costs the hash, not the result', async () => {
    for (const of of [() => Promise.reject(new Error('no')), () => '../../x']) {
      const results = memoryStorage({ hash: { name: 'sha256', of } });
      const outcome = await results.offload(output('t', longText(60_000)));
      expect(outcome).toMatchObject({
        kind: 'stored',
        hash: expect.stringMatching(/^fingerprint:/),
      });
      expect(await results.load(handleOf(outcome))).toBe(longText(60_000));
    }
  });
});

describe('offloadRound (S2)', () => {
  const sizes = (outcomes: readonly Offloaded[]) => outcomes.map(({ kind }) => kind[0]).join('');
  const round = (...units: number[]) =>
    units.map((size, index) => output(`t${index}`, longText(size, `r${index}`)));

  test.each([
    [[], ''],
    [[50_000], 'k'],
    [[50_000, 50_000, 50_000, 50_000], 'kkkk'],
    [[50_000, 50_000, 50_000, 50_000, 1], 'skkkk'],
    [[10_000, 50_000, 40_000, 50_000, 49_000, 45_000], 'kskkkk'],
    [[60_000, 50_000], 'sk'],
  ])('%j units: %s', async (units, kinds) => {
    expect(sizes(await memoryStorage().offloadRound(round(...units)))).toBe(kinds);
  });

  test('stores the largest fresh ones first and says so; exempt and seen ones count but stay', async () => {
    const results = memoryStorage({ tools: { read: Number.POSITIVE_INFINITY } });
    const [seen, fresh] = round(50_000, 30_000);
    await results.offload(seen as never);
    const exempt = output('e', longText(140_000), 'read');
    const outcomes = await results.offloadRound([seen as never, fresh as never, exempt]);
    expect(sizes(outcomes)).toBe('ksk');
    expect(outcomes.map(({ reason }) => reason)).toEqual([
      'below-threshold',
      'over-round-budget',
      'exempt',
    ]);
  });

  test('the same result twice in one message is one decision', async () => {
    const twice = [output('t', longText(50_000)), output('t', longText(50_000))];
    const [first, second] = await memoryStorage({ roundChars: 60_000 }).offloadRound(twice);
    expect(first).toMatchObject({ kind: 'stored' });
    expect(second).toEqual(first);
  });
});

describe('offloadText', () => {
  test.each([
    [200_000, 'kept'],
    [200_001, 'stored'],
  ])('a text of the user of %i units is %s', async (units, kind) => {
    const results = memoryStorage();
    const outcome = await results.offloadText({ id: 'm1', text: longText(units) });
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === 'stored') expect(await results.load(outcome.handle)).toBe(longText(units));
  });
});
