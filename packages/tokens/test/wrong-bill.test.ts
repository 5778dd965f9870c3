import type { Usage } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assistant, crudeMeter, meteredLog, usage, user, words } from './meter-build.ts';

/** Most output 64K. */
const MODEL = 'claude-opus-4-5';
const HEAD = { system: [{ type: 'text' as const, text: words(3_000) }], tools: [] };
const SIGNATURE = 's'.repeat(400);
const thought = (tokens: number) => ({
  role: 'assistant' as const,
  content: [
    { type: 'thinking', thinking: '', signature: SIGNATURE },
    { type: 'text', text: words(tokens) },
  ],
});
const thinks = (tokens: number) => ({ output_tokens_details: { thinking_tokens: tokens } });

// siblings looked for: text and calls, thinking that is hidden and that is not there, the reply before its usage and after
// it, lines of one response, a bill without a thinking count, a model whose most output nobody knows, a restart
describe('K306, K307: an output that the reply cannot be is not part of the size', () => {
  test.each([
    ['above what the model replies', assistant(9), usage(17_000, 150_000), 17_009, 150_000],
    ['a sum, below that', assistant(9), usage(17_000, 30_000), 17_009, 30_000],
    ['above it, with thinking', thought(9), usage(17_000, 150_000), undefined, 150_000],
    [
      'far beyond thinking that is told apart',
      thought(9),
      { ...usage(17_000, 40_000), ...thinks(10_000) },
      undefined,
      40_000,
    ],
  ])('%s', (_, reply, bill, size, billedTokens) => {
    for (const isFirst of [true, false]) {
      const meter = crudeMeter({ model: MODEL, head: HEAD });
      meter.add(user(14_000));
      if (isFirst) meter.add(reply);
      const result = meter.anchor(bill);
      if (!isFirst) meter.add(reply);
      expect(result.kind).toBe('anchored');
      if (isFirst) expect(result).toMatchObject({ doubtedOutput: { billedTokens } });
      expect(meter.size().tokens).toBeLessThan(18_000);
      if (size) expect(meter.size()).toMatchObject({ tokens: size, estimatedTokens: 9 });
      expect(meter.fork().size()).toEqual(meter.size());
    }
  });

  test.each([
    ['dense text', assistant(400), usage(17_000, 1_000), 18_000],
    ['a long reply', assistant(20_000), usage(17_000, 30_000), 47_000],
    ['hidden thinking', thought(9), usage(17_000, 30_000), 47_000],
    ['hidden thinking, told', thought(9), { ...usage(17_000, 30_009), ...thinks(30_000) }, 47_009],
  ])('one that it can be is: %s', (_, reply, bill, tokens) => {
    const meter = crudeMeter({ model: MODEL, head: HEAD });
    meter.add(user(14_000));
    meter.add(reply);
    expect(meter.anchor(bill)).toEqual({ kind: 'anchored' });
    expect(meter.size().tokens).toBe(tokens);
  });

  test.each([MODEL, 'gpt-5.4'])(
    'thinking that is billed and not sent back stands in no next prompt: %s',
    (model) => {
      const meter = crudeMeter({ model });
      let real = 17_000;
      meter.add(user(17_000));
      for (let round = 0; round < 6; round++) {
        meter.add(assistant(20));
        const bill = { ...usage(real, 50_020), ...thinks(50_000) };
        expect(meter.anchor(bill)).toEqual({ kind: 'anchored' });
        const result = { type: 'tool_result', tool_use_id: `t${round}`, content: words(9_000) };
        meter.add({ role: 'user', content: [result] });
        real += 9_020;
        expect(meter.size().tokens).toBe(real);
      }
    },
  );

  test('lines of a response behind results are estimated where its output is doubted', () => {
    const meter = crudeMeter({ model: MODEL });
    const line = { responseId: 'm1' };
    meter.add(user(100));
    meter.add(assistant(100), line);
    meter.add(user(1_000));
    meter.add(assistant(4_000), line);
    meter.anchor(usage(20_000, 90_000), line);
    expect(meter.size().tokens).toBe(25_100);
  });

  test('a wrong output of a reply that thinks gives way to a bill that fits what can be read', () => {
    const meter = crudeMeter({ model: MODEL, head: HEAD });
    meter.add(user(14_000));
    meter.add(thought(9));
    meter.anchor(usage(17_000, 60_000));
    meter.add(user(3_000));
    expect(meter.anchor(usage(20_100, 9))).toEqual({ kind: 'anchored' });
    expect(meter.size().tokens).toBe(20_109);
  });
});

describe('law: three bills after a wrong one the size is true', () => {
  const factor = fc.oneof(
    fc.double({ min: 0.1, max: 100, noNaN: true }),
    fc.constantFrom(0.1, 0.5, 1.4, 2, 10, 100, -1, Number.NaN, Number.POSITIVE_INFINITY, 0),
  );
  const turn = fc.record({
    said: fc.integer({ min: 20, max: 15_000 }),
    replied: fc.integer({ min: 1, max: 4_000 }),
    thinking: fc.integer({ min: 0, max: 6_000 }),
  });

  test.each([
    ['a head', HEAD, false],
    ['no head', undefined, false],
    ['a head, and thinking', HEAD, true],
  ])('%s', (_, head, isThinking) => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 4, maxLength: 8 }),
        fc.nat(),
        fc.constantFrom('input_tokens', 'output_tokens', 'both'),
        factor,
        (turns, place, part, times) => {
          const wrong = place % (turns.length - 3);
          const meter = crudeMeter({ model: MODEL, ...(head && { head }) });
          let real = 3_000;
          for (const [index, { said, replied, thinking }] of turns.slice(0, wrong + 4).entries()) {
            const hidden = isThinking ? thinking : 0;
            meter.add(user(said));
            real += said;
            meter.add(isThinking ? thought(replied) : assistant(replied));
            const off = index === wrong ? times : 1;
            const bill: Usage = {
              input_tokens: real * (part === 'output_tokens' ? 1 : off),
              output_tokens: (replied + hidden) * (part === 'input_tokens' ? 1 : off),
            };
            meter.anchor(bill);
            real += replied + hidden;
          }
          expect(Math.abs(meter.size().tokens - real)).toBeLessThanOrEqual(0.05 * real);
        },
      ),
    );
  });

  test('observed with a log, too', () => {
    const log = meteredLog({ model: MODEL });
    const text = { content: [{ type: 'text', text: words(9) }] };
    let real = 0;
    for (let turn = 0; turn < 4; turn++) {
      log.say(`u${turn}`, 17_000);
      real += 17_000;
      const doubted = log.reply(`a${turn}`, usage(real, turn === 0 ? 150_000 : 9), text);
      expect(doubted).toEqual(
        turn === 0
          ? { kind: 'anchored', doubtedOutput: { billedTokens: 150_000, expectedTokens: 9 } }
          : { kind: 'anchored' },
      );
      real += 9;
      expect(log.meter.size().tokens).toBe(real);
    }
  });
});
