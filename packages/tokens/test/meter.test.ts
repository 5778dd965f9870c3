import { describe, expect, test } from 'vitest';
import { contextLimits, warningState } from '../src/index.ts';
import { createThresholdWatch } from '../src/limits.ts';
import { assistant, crudeMeter, usage, user, words } from './meter-build.ts';

describe('createTokenMeter (T1)', () => {
  test('estimates everything before the first usage, system prompt and tools included', () => {
    const head = {
      system: [{ type: 'text' as const, text: words(50) }],
      tools: [{ name: 'read' }],
    };
    const meter = crudeMeter({ head });
    expect(meter.size()).toMatchObject({ tokens: 58, anchored: false, basis: 'estimate' });
    meter.add(user(100));
    expect(meter.size()).toEqual({
      tokens: 158,
      anchored: false,
      basis: 'estimate',
      estimatedTokens: 158,
      confidence: 'low',
    });
  });

  test('is the last usage, reply included, and an estimate of what came after', () => {
    const meter = crudeMeter();
    meter.add(user(100));
    meter.add(assistant(400));
    expect(meter.anchor(usage(20_000, 400))).toEqual({ kind: 'anchored' });
    expect(meter.size()).toEqual({
      tokens: 20_400,
      anchored: true,
      basis: 'usage',
      estimatedTokens: 0,
      confidence: 'high',
    });
    meter.add(user(300));
    expect(meter.size()).toMatchObject({
      tokens: 20_700,
      estimatedTokens: 300,
      confidence: 'high',
    });
    meter.add(user(2_000));
    expect(meter.size()).toMatchObject({ tokens: 22_700, anchored: true, confidence: 'medium' });
  });

  test('is the same whether the usage or the reply comes first', () => {
    const meter = crudeMeter();
    meter.add(user(100));
    meter.anchor(usage(20_000, 400));
    expect(meter.size().tokens).toBe(20_400);
    meter.add(assistant(400));
    expect(meter.size().tokens).toBe(20_400);
    meter.add(assistant(7));
    expect(meter.size().tokens).toBe(20_407);
  });

  test('a usage that arrives after tool results does not cover them', () => {
    const meter = crudeMeter();
    meter.add(user(100));
    meter.add(assistant(400));
    meter.add(user(5_000));
    meter.anchor(usage(20_000, 400));
    expect(meter.size()).toMatchObject({ tokens: 25_400, estimatedTokens: 5_000 });
  });

  test('several lines of one response count once, with results between them', () => {
    const meter = crudeMeter();
    const line = { responseId: 'm1' };
    meter.add(user(100));
    meter.add(assistant(100), line);
    meter.anchor(usage(20_000, 300), line);
    meter.add(assistant(100), line);
    meter.anchor(usage(20_000, 300), line);
    meter.add(user(1_000));
    meter.add(assistant(100), line);
    meter.anchor(usage(20_000, 300), line);
    expect(meter.size()).toMatchObject({ tokens: 21_300, estimatedTokens: 1_000 });
  });

  test('lines that were added before their usage count once too', () => {
    const meter = crudeMeter();
    const line = { responseId: 'm1' };
    meter.add(user(100));
    meter.add(assistant(100), line);
    meter.add(user(1_000));
    meter.add(assistant(100), line);
    meter.anchor(usage(20_000, 200), line);
    expect(meter.size()).toMatchObject({ tokens: 21_200, estimatedTokens: 1_000 });
  });

  test('of a count that still grew the largest holds, and a placeholder is replaced by an estimate', () => {
    const meter = crudeMeter();
    const line = { responseId: 'm1' };
    meter.add(user(100));
    meter.add(assistant(400), line);
    meter.anchor(usage(20_000, 1), line);
    expect(meter.size()).toMatchObject({ tokens: 20_400, estimatedTokens: 400 });
    meter.anchor(usage(20_000, 512), line);
    expect(meter.size()).toMatchObject({ tokens: 20_512, estimatedTokens: 0 });
  });

  // siblings: placeholders of a stream's start, of any model; a count that grew before it was read; dense text of any kind
  test.each([
    ['base64 that is billed at half its estimate', 30_000, { output_tokens: 9_000 }, 69_000, 0],
    ['a reply billed far below what it shows', 4_000, { output_tokens: 65 }, 60_065, 0],
    ['a placeholder', 4_000, { output_tokens: 64 }, 64_000, 4_000],
    ['no count at all', 4_000, { output_tokens: 0 }, 64_000, 4_000],
    [
      'a few tokens of which some were thinking',
      4_000,
      { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } },
      60_040,
      0,
    ],
  ])(
    'K306: only a placeholder gives way to an estimate: %s',
    (_, shown, bill, tokens, estimated) => {
      for (const isFirst of [true, false]) {
        const meter = crudeMeter();
        meter.add(user(40_000));
        if (isFirst) meter.add(assistant(shown));
        expect(meter.anchor({ ...usage(60_000), ...bill }).kind).toBe('anchored');
        if (!isFirst) meter.add(assistant(shown));
        expect(meter.size()).toMatchObject({ tokens, estimatedTokens: estimated });
      }
    },
  );

  test('K306: thinking that is reported later makes a bill of the count', () => {
    const meter = crudeMeter();
    const line = { responseId: 'm1' };
    meter.add(user(100));
    meter.add(assistant(400), line);
    meter.anchor(usage(20_000, 8), line);
    expect(meter.size().tokens).toBe(20_400);
    const details = { output_tokens_details: { thinking_tokens: 6 } };
    meter.anchor({ ...usage(20_000, 8), ...details }, line);
    expect(meter.size().tokens).toBe(20_008);
  });

  const HEAD = { system: [{ type: 'text' as const, text: words(5_000) }], tools: [] };

  // siblings: a sum that grows, a bill of the uncached part alone, a head nobody showed, a reset before the bill
  test.each([
    ['seven times the estimate', HEAD, 19_000, 150_000],
    ['just beyond what may have been added unseen', HEAD, 19_000, 54_001],
    ['a hundredth of the estimate', HEAD, 150_000, 1_500],
  ])('K307: a first bill far from the estimate is doubted: %s', (_, head, shown, billed) => {
    const meter = crudeMeter({ head });
    meter.add(user(shown));
    const before = meter.size().tokens;
    expect(meter.anchor(usage(billed, 10))).toEqual({
      kind: 'ignored',
      reason: 'implausible',
      billedTokens: billed,
      expectedTokens: before,
    });
    expect(meter.size()).toMatchObject({
      tokens: before,
      anchored: false,
      unconfirmedTokens: billed,
    });
    meter.add(assistant(10));
    meter.add(user(100));
    // the second one agrees; one far below what is shown is never believed
    const isLow = billed < shown;
    expect(meter.anchor(usage(billed + 110, 10)).kind).toBe(isLow ? 'ignored' : 'anchored');
  });

  // siblings: with a head and without, the whole bill, its uncached part, after bills that were right
  test.each([
    ['a head', { head: HEAD }],
    ['no head', {}],
  ])('K307: a gateway that drops what was cached hides no full window: %s', (_, options) => {
    for (const honest of [0, 3]) {
      const meter = crudeMeter(options);
      let real = 5_000;
      for (let turn = 0; turn < 40; turn++) {
        meter.add(user(5_000));
        real += 5_000;
        meter.anchor({ input_tokens: turn < honest ? real : 3, output_tokens: 10 });
        meter.add(assistant(10));
        real += 10;
        expect(meter.size().tokens).toBeGreaterThan(real * 0.9 - 6_000);
      }
      expect(meter.size().tokens).toBeGreaterThan(180_000);
    }
  });

  test.each([
    ['from the start', 0],
    ['with what others sent before', 60_000],
  ])('K307: a proxy that reports a sum, %s, leads to no compaction', (_, others) => {
    const meter = crudeMeter({ head: HEAD });
    const { autocompactTokens } = contextLimits({ windowTokens: 200_000 });
    let [sum, real, doubted] = [others, 5_000, 0];
    for (let turn = 0; turn < 40; turn++) {
      meter.add(user(1_000));
      real += 1_000;
      sum += real;
      doubted += meter.anchor(usage(sum, 10)).kind === 'ignored' ? 1 : 0;
      meter.add(assistant(10));
      real += 10;
      expect(meter.size().tokens).toBeLessThan(2.5 * real + 31_000);
      expect(meter.size().tokens).toBeLessThan(autocompactTokens as number);
    }
    expect(sum).toBeGreaterThan(1_000_000);
    expect(doubted).toBeGreaterThan(25);
  });

  // siblings: a large prompt that grows and a small one that hardly does, a head and none
  test.each([
    ['no head, a prompt that grows', {}, 5_000, 1_000],
    ['no head, a small prompt', {}, 2_000, 100],
    ['a head, a small prompt', { head: HEAD }, 2_000, 100],
    ['no head, a tiny prompt', {}, 600, 10],
  ])('K307: a sum that grows slowly stays bounded: %s', (_, options, base, step) => {
    const meter = crudeMeter(options);
    let [sum, real] = [0, base];
    for (let turn = 0; turn < 400; turn++) {
      meter.add(user(step));
      real += step;
      sum += real;
      meter.anchor(usage(sum, 10));
      meter.add(assistant(10));
      real += 10;
      expect(meter.size().tokens).toBeLessThan(2.5 * (real + 5_000) + 31_000);
    }
    expect(sum).toBeGreaterThan(400_000);
  });

  test('K307: many tools that came unseen are believed once a second bill agrees, and from then on', () => {
    const meter = crudeMeter();
    const kinds: string[] = [];
    for (let turn = 0; turn < 8; turn++) {
      meter.add(user(1_000));
      const unseen = turn < 3 ? 8_000 : 90_000;
      kinds.push(meter.anchor(usage(unseen + 1_010 * (turn + 1), 10)).kind);
      meter.add(assistant(10));
    }
    expect(kinds.map((kind) => kind[0]).join('')).toBe('aaaiaaaa');
  });

  test.each([
    ['what was added unseen', { head: HEAD }, 54_000],
    ['a large head that nobody showed', {}, 90_000],
  ])('K307: a first bill with %s is believed', (_, options, billed) => {
    const meter = crudeMeter(options);
    meter.add(user(19_000));
    expect(meter.anchor(usage(billed, 10)).kind).toBe('anchored');
  });

  test('K307: after a reset a bill is measured against what earlier ones taught', () => {
    const meter = crudeMeter();
    meter.add(user(9_000));
    meter.anchor(usage(30_000, 10));
    meter.add(assistant(10));
    meter.reset([user(500)]);
    expect(meter.anchor(usage(150_000, 10))).toMatchObject({ expectedTokens: 21_500 });
    expect(meter.size()).toMatchObject({ tokens: 21_500, unconfirmedTokens: 150_000 });
  });

  test.each([
    ['a synthetic reply', { origin: { kind: 'synthetic' } }, 'synthetic-reply'],
    ['an error', { response: { id: 'x', model: 'm', stopReason: 'error' } }, 'synthetic-reply'],
    [
      'a reply of no model',
      { response: { id: 'x', model: '<synthetic>', stopReason: 'end_turn' } },
      'synthetic-reply',
    ],
  ])('%s never anchors', (_, fields, reason) => {
    const meter = crudeMeter();
    meter.add(user(100));
    meter.add({ ...assistant(10), ...fields });
    expect(meter.anchor(usage(20_000, 10))).toMatchObject({ kind: 'ignored', reason });
    expect(meter.size().anchored).toBe(false);
  });

  test.each([0, Number.NaN, -5])('a usage with a prompt of %s never anchors', (input_tokens) => {
    const meter = crudeMeter();
    meter.add(user(100));
    const result = meter.anchor({ input_tokens, output_tokens: 0 });
    expect(result).toMatchObject({ kind: 'ignored', reason: 'no-prompt' });
    expect(meter.size()).toMatchObject({ tokens: 100, anchored: false });
  });

  test('after a compaction the kept messages’ old usage does not count', () => {
    const meter = crudeMeter();
    const kept = assistant(400);
    meter.add(user(9_000));
    meter.add(kept);
    meter.anchor(usage(30_000, 400));
    meter.reset([user(500), kept]);
    // 21,000 tokens no message shows, the summary and the kept reply
    expect(meter.size()).toEqual({
      tokens: 21_900,
      anchored: false,
      basis: 'learned-constant',
      estimatedTokens: 21_900,
      confidence: 'low',
    });
    meter.add(user(100));
    meter.anchor(usage(25_000, 10));
    expect(meter.size()).toMatchObject({ tokens: 25_010, anchored: true });
  });

  test('an edit behind the last bill leaves it alone, one before it leaves the bill before that', () => {
    const meter = crudeMeter();
    const [first, second, third] = [user(100), assistant(50), user(7_000)];
    meter.add(first);
    meter.add(second);
    meter.anchor(usage(20_000, 50));
    meter.add(third);
    meter.reset([first, second, user(1_000)]);
    expect(meter.size()).toMatchObject({ tokens: 21_050, anchored: true });
    meter.add(assistant(60));
    meter.anchor(usage(21_050, 60));
    meter.reset([first, second, user(900)]);
    expect(meter.size()).toMatchObject({ tokens: 20_950, anchored: true });
  });

  test('clearing a result in the middle keeps the bill less what was cleared', () => {
    const meter = crudeMeter();
    const rest = [assistant(50), user(60_000), assistant(50)];
    meter.add(user(100));
    meter.add(user(10_000));
    for (const message of rest) meter.add(message);
    meter.anchor(usage(100_000, 50));
    meter.reset([user(100), user(10), ...rest]);
    expect(meter.size()).toMatchObject({
      tokens: 90_060,
      anchored: false,
      basis: 'edited-usage',
      confidence: 'medium',
    });
  });

  test('another head makes no bill hold, and moves what is known beside the messages', () => {
    const head = (tokens: number) => ({
      system: [{ type: 'text' as const, text: words(tokens) }],
      tools: [],
    });
    const meter = crudeMeter({ head: head(1_000) });
    meter.add(user(100));
    meter.anchor(usage(20_000));
    meter.head(head(3_000));
    expect(meter.size()).toMatchObject({ tokens: 22_000, anchored: false });
  });

  test('thinking of earlier turns leaves the prompt where the provider drops it', () => {
    const meter = crudeMeter({ model: 'gpt-5.5' });
    const thought = { ...usage(20_000, 900), output_tokens_details: { thinking_tokens: 800 } };
    const content = [
      { type: 'redacted_thinking', data: '' },
      { type: 'text', text: words(100) },
    ];
    meter.add(user(100));
    meter.add({ role: 'assistant', content });
    meter.anchor(thought);
    const result = { type: 'tool_result', tool_use_id: 't', content: words(50) };
    meter.add({ role: 'user', content: [result] });
    expect(meter.size().tokens).toBe(20_950);
    meter.add(user(10));
    expect(meter.size().tokens).toBe(20_160);
    meter.add(user(10));
    expect(meter.size().tokens).toBe(20_170);
  });

  test('learns what a model bills per estimated token, and forks go their own way', () => {
    const meter = crudeMeter();
    for (let turn = 0; turn < 6; turn++) {
      meter.add(user(1_000));
      meter.add(assistant(100));
      meter.anchor(usage(20_000 + turn * 1_600, 100));
    }
    const fork = meter.fork();
    fork.add(user(1_000));
    expect(fork.size().tokens - meter.size().tokens).toBeGreaterThan(1_350);
    expect(fork.size().tokens - meter.size().tokens).toBeLessThan(1_550);
    expect(meter.factors().text).toBeCloseTo(1.5, 1);
    const next = crudeMeter({ learned: JSON.parse(JSON.stringify(meter.learned())) });
    expect(next.factors()).toEqual(meter.factors());
  });

  test('case 59: one doubled report is held back; a real jump is not', () => {
    const threshold = 200_000;
    const meter = crudeMeter({ windowTokens: 300_000 });
    const turn = (added: number, prompt: number) => {
      meter.add(user(added));
      meter.add(assistant(10));
      const result = meter.anchor(usage(prompt, 10));
      return { result, triggers: meter.size().tokens >= threshold };
    };
    expect(turn(6_000, 100_000)).toEqual({ result: { kind: 'anchored' }, triggers: false });
    expect(turn(6_000, 211_000)).toEqual({
      result: {
        kind: 'ignored',
        reason: 'implausible',
        billedTokens: 211_000,
        expectedTokens: 106_010,
      },
      triggers: false,
    });
    expect(meter.size()).toMatchObject({ anchored: true, unconfirmedTokens: 211_000 });
    expect(turn(6_000, 108_000)).toEqual({ result: { kind: 'anchored' }, triggers: false });
    expect(meter.size()).not.toHaveProperty('unconfirmedTokens');
    expect(turn(110_000, 218_500)).toEqual({ result: { kind: 'anchored' }, triggers: true });
  });

  test('case 59: a jump that the next report confirms is believed', () => {
    const meter = crudeMeter();
    meter.add(user(6_000));
    meter.anchor(usage(100_000));
    meter.add(assistant(10));
    meter.add(user(100));
    expect(meter.anchor(usage(190_000)).kind).toBe('ignored');
    meter.add(assistant(10));
    meter.add(user(100));
    expect(meter.anchor(usage(190_110)).kind).toBe('anchored');
    expect(meter.size().tokens).toBe(190_110);
  });

  test('case 59: a first report above the window waits for a second one', () => {
    const meter = crudeMeter({ model: 'claude-opus-4-5' });
    meter.add(user(6_000));
    expect(meter.anchor(usage(250_000)).kind).toBe('ignored');
    meter.add(assistant(10));
    expect(meter.anchor(usage(250_010)).kind).toBe('anchored');
  });

  test('case 59: the window is that of the id as it is written', () => {
    const meter = crudeMeter({ model: 'claude-sonnet-4-5[1m]' });
    meter.add(user(6_000));
    expect(meter.anchor(usage(250_000)).kind).toBe('anchored');
  });

  test('case 62: the size is the whole prompt, against the window of the model in use', () => {
    const meter = crudeMeter({ windowTokens: 1_000_000 });
    meter.add(user(10));
    const bill = {
      input_tokens: 10,
      cache_read_input_tokens: 800_000,
      cache_creation_input_tokens: 50_000,
    };
    meter.anchor({ ...bill, output_tokens: 0 });
    const { tokens } = meter.size();
    expect(
      warningState(tokens, contextLimits({ windowTokens: 1_000_000 })).percentOfWindowUsed,
    ).toBeCloseTo(85, 2);
    expect(warningState(tokens, contextLimits({ windowTokens: 200_000 })).overflow).toBe(true);
  });
});

describe('removed (T7)', () => {
  test('what a local removal freed is subtracted until the next usage knows of it', () => {
    const meter = crudeMeter();
    meter.add(user(100));
    meter.add(assistant(10));
    meter.anchor(usage(170_000, 10));
    meter.removed(30_000);
    meter.removed(5_000);
    expect(meter.size()).toMatchObject({
      tokens: 135_010,
      anchored: true,
      estimatedTokens: 35_000,
    });
    meter.add(user(100));
    meter.anchor(usage(135_200, 10));
    expect(meter.size().tokens).toBe(135_210);
  });
});

describe('createThresholdWatch', () => {
  test('case 61: reaching 80 % of the window calls back exactly once', () => {
    const crossed: number[] = [];
    const watch = createThresholdWatch({
      thresholdTokens: 160_000,
      onCross: (tokens) => crossed.push(tokens),
    });
    const sizes = [100_000, 159_999, 160_000, 175_000, 190_000];
    expect(sizes.map(watch.update)).toEqual(['below', 'below', 'crossed', 'above', 'above']);
    expect(crossed).toEqual([160_000]);
    expect([90_000, 161_000].map(watch.update)).toEqual(['below', 'crossed']);
    expect(crossed).toEqual([160_000, 161_000]);
  });
});
