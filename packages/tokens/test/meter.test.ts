import { describe, expect, test } from 'vitest';
import { contextLimits, createThresholdWatch, warningState } from '../src/index.ts';
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
    meter.add(user(100));
    meter.add(assistant(100));
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
