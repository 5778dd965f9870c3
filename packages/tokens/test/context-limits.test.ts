import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextLimits, warningState } from '../src/index.ts';
import { fitOutput } from '../src/limits.ts';

const hostile = [0, -5, 100.1, Number.NaN, Number.POSITIVE_INFINITY, '50' as unknown as number];

describe('the effective window (T5)', () => {
  test.each([
    [200_000, 20_000, 180_000],
    [200_000, 16_384, 183_616],
    [200_000, 128_000, 180_000],
    [200_000, undefined, 180_000],
    [1_000_000, 128_000, 980_000],
    [64_000, 64_000, 44_000],
    [32_000, 64_000, 22_000],
    [8_000, 64_000, 5_500],
    [8_000, 500, 7_500],
  ])('of a window of %i with %s output is %i', (windowTokens, maxOutputTokens, tokens) => {
    expect(contextLimits({ windowTokens, maxOutputTokens }).effectiveTokens).toBe(tokens);
  });

  test.each([
    [100_000, 80_000],
    [200_000, 180_000],
    [500_000, 180_000],
    [0, 180_000],
    [-100_000, 180_000],
    [99.5, 180_000],
    [Number.NaN, 180_000],
  ])('shrunk to %s is %i', (shrinkWindowToTokens, tokens) => {
    expect(contextLimits({ windowTokens: 200_000, shrinkWindowToTokens }).effectiveTokens).toBe(
      tokens,
    );
  });
});

describe('the threshold of automatic compaction (T5)', () => {
  test.each([
    [200_000, 20_000, 167_000, 0.835],
    [200_000, 16_384, 170_616, 0.853],
    [1_000_000, 128_000, 967_000, 0.967],
  ])('of %i with %i output is %i', (windowTokens, maxOutputTokens, tokens, share) => {
    const threshold = contextLimits({ windowTokens, maxOutputTokens }).baseTokens;
    expect(threshold).toBe(tokens);
    expect(threshold / windowTokens).toBeCloseTo(share, 3);
  });

  test('is 93 % of the effective window', () => {
    expect(167_000 / contextLimits({ windowTokens: 200_000 }).effectiveTokens).toBeCloseTo(0.93, 2);
  });

  test.each([
    [50, 90_000],
    [33.333, 59_999],
    [92.7, 166_860],
    [93, 167_000],
    [100, 167_000],
  ])('at %s %% of the effective window is %i', (autocompactPercent, tokens) => {
    expect(contextLimits({ windowTokens: 200_000, autocompactPercent }).autocompactTokens).toBe(
      tokens,
    );
  });

  test.each(hostile)('ignores the percentage %s', (autocompactPercent) => {
    expect(contextLimits({ windowTokens: 200_000, autocompactPercent }).autocompactTokens).toBe(
      167_000,
    );
  });

  test('no override makes compaction later', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (autocompactPercent, shrinkWindowToTokens) => {
        const changed = { windowTokens: 200_000, autocompactPercent, shrinkWindowToTokens };
        expect(contextLimits(changed).autocompactTokens).toBeLessThanOrEqual(167_000);
      }),
    );
  });
});

describe('warningState (T6)', () => {
  const limits = contextLimits({ windowTokens: 200_000, maxOutputTokens: 20_000 });

  test('stands at 147,000, 147,000, 167,000 and 177,000 tokens of 200,000', () => {
    expect(limits).toMatchObject({
      warningTokens: 147_000,
      errorTokens: 147_000,
      autocompactTokens: 167_000,
      blockingTokens: 177_000,
    });
  });

  test.each([
    [0, 100, false, false, false],
    [146_999, 12, false, false, false],
    [147_000, 12, true, false, false],
    [166_999, 0, true, false, false],
    [167_000, 0, true, true, false],
    [176_999, 0, true, true, false],
    [177_000, 0, true, true, true],
    [250_000, 0, true, true, true],
  ])('at %i tokens has %i %% left', (used, percentOfBaseLeft, warn, compact, block) => {
    expect(warningState(used, limits)).toMatchObject({
      percentOfBaseLeft,
      aboveWarning: warn,
      aboveError: warn,
      aboveAutocompact: compact,
      atBlockingLimit: block,
    });
  });

  test('measures against the effective window where automatic compaction is off', () => {
    const off = contextLimits({ windowTokens: 200_000, autocompact: false });
    expect(off).toMatchObject({
      baseTokens: 180_000,
      warningTokens: 160_000,
      errorTokens: 160_000,
    });
    expect(off).not.toHaveProperty('autocompactTokens');
    expect(warningState(176_999, off)).toMatchObject({
      percentOfBaseLeft: 2,
      aboveAutocompact: false,
    });
    expect(warningState(177_000, off).atBlockingLimit).toBe(true);
  });

  test('takes buffers for warning and error apart', () => {
    const own = { windowTokens: 200_000, warningBufferTokens: 30_000, errorBufferTokens: 10_000 };
    expect(contextLimits(own)).toMatchObject({ warningTokens: 137_000, errorTokens: 157_000 });
  });

  test.each([
    [190_000, 190_000],
    [1, 1],
    [0, 177_000],
    [-1, 177_000],
    [1.5, 177_000],
    [Number.NaN, 177_000],
  ])('with the blocking limit %s refuses from %i on', (blockingLimitTokens, tokens) => {
    expect(contextLimits({ windowTokens: 200_000, blockingLimitTokens }).blockingTokens).toBe(
      tokens,
    );
  });

  test('K301: is at ease in a small window until it fills', () => {
    const small = contextLimits({ windowTokens: 8_000 });
    expect(warningState(10, small)).toMatchObject({
      percentOfBaseLeft: 100,
      aboveWarning: false,
      aboveAutocompact: false,
    });
    expect(warningState(3_875, small)).toMatchObject({
      percentOfBaseLeft: 0,
      percentOfWindowUsed: 48.4375,
      aboveAutocompact: true,
      atBlockingLimit: false,
    });
  });

  test('never has a percentage outside 0 to 100', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.integer({ min: 1, max: 2_000_000 }),
        (used, windowTokens) => {
          const { percentOfBaseLeft } = warningState(used, contextLimits({ windowTokens }));
          expect(percentOfBaseLeft).toBeGreaterThanOrEqual(0);
          expect(percentOfBaseLeft).toBeLessThanOrEqual(100);
        },
      ),
    );
  });

  test('case 62: reads and writes count, against the window of the model in use', () => {
    const used = 10 + 800_000 + 50_000;
    const large = warningState(used, contextLimits({ windowTokens: 1_000_000 }));
    expect(large.percentOfWindowUsed).toBeCloseTo(85, 2);
    expect(large.overflow).toBe(false);
    expect(warningState(used, contextLimits({ windowTokens: 200_000 }))).toMatchObject({
      overflow: true,
      atBlockingLimit: true,
    });
  });
});

const NO_WINDOW = [undefined, Number.NaN, 0, -8_000, Number.POSITIVE_INFINITY, 0.5];

describe('K301: limits of every window', () => {
  /** Small windows one by one at their edges, larger ones in steps, and what models are sold with. */
  function* windows(): Generator<number> {
    for (let tokens = 4; tokens < 4_000; tokens += 37) yield tokens;
    for (let tokens = 4_000; tokens <= 70_000; tokens += 7) yield tokens;
    for (let tokens = 70_000; tokens <= 2_100_000; tokens += 997) yield tokens;
    yield* [4_096, 8_192, 16_384, 32_768, 63_999, 64_000, 64_001, 65_536, 128_000, 131_072];
    yield* [200_000, 272_000, 1_000_000, 1_048_576, 2_000_000];
  }
  const OUTPUTS = [undefined, 0, Number.NaN, -1, 1, 4_000, 64_000] as const;
  const OWN = [
    {},
    { autocompact: false },
    { autocompactPercent: 0.001 },
    { autocompactPercent: 50 },
    { warningBufferTokens: 50_000 },
    { warningBufferTokens: 0, errorBufferTokens: 9_000 },
    { warningBufferTokens: Number.NaN, errorBufferTokens: -3 },
    { blockingLimitTokens: 5_000_000 },
    { shrinkWindowToTokens: 4_000 },
  ];

  test('0 < warning <= error <= threshold < usable < window, whatever the reply and the options', () => {
    let count = 0;
    const broken: unknown[] = [];
    for (const windowTokens of windows()) {
      for (const maxOutputTokens of [...OUTPUTS, windowTokens + 1]) {
        for (const own of OWN) {
          count++;
          const limits = contextLimits({ windowTokens, maxOutputTokens, ...own });
          const { effectiveTokens: usable, autocompactTokens: threshold = usable - 1 } = limits;
          const { warningTokens, errorTokens, baseTokens, blockingTokens } = limits;
          const holds =
            Object.values(limits).every((it) => it === 'given' || Number.isInteger(it)) &&
            warningTokens > 0 &&
            warningTokens <= errorTokens &&
            errorTokens <= baseTokens &&
            threshold > 0 &&
            threshold < usable &&
            usable < windowTokens &&
            blockingTokens > 0 &&
            blockingTokens <= windowTokens &&
            (own.blockingLimitTokens !== undefined || blockingTokens < usable) &&
            (own.blockingLimitTokens !== undefined ||
              threshold <= blockingTokens ||
              own.autocompact === false);
          if (!holds) broken.push({ windowTokens, maxOutputTokens, own, limits });
        }
      }
    }
    console.info(`K301: ${count} windows, outputs and options`);
    expect(broken.slice(0, 3)).toEqual([]);
    expect(count).toBeGreaterThan(800_000);
  });

  test.each([
    [200_000, { effectiveTokens: 180_000, autocompactTokens: 167_000, blockingTokens: 177_000 }],
    [64_000, { effectiveTokens: 44_000, autocompactTokens: 31_000, blockingTokens: 41_000 }],
    [16_000, { effectiveTokens: 11_000, autocompactTokens: 7_750, blockingTokens: 10_250 }],
    [8_000, { effectiveTokens: 5_500, autocompactTokens: 3_875, blockingTokens: 5_125 }],
    [4_000, { effectiveTokens: 2_750, autocompactTokens: 1_938, blockingTokens: 2_563 }],
  ])('a window of %i has %o', (windowTokens, limits) => {
    expect(contextLimits({ windowTokens })).toMatchObject({ ...limits, windowRule: 'given' });
  });

  test.each(NO_WINDOW)(
    'a window of %s is none: 200,000 are assumed and named so',
    (windowTokens) => {
      const assumed = contextLimits({ windowTokens });
      expect(assumed).toEqual({
        ...contextLimits({ windowTokens: 200_000 }),
        windowRule: 'default',
      });
      expect(contextLimits({ windowTokens }).effectiveTokens).toBe(180_000);
      expect(contextLimits({ windowTokens }).autocompactTokens).toBe(167_000);
    },
  );

  test('one buffer given alone moves the other: no error comes before its warning', () => {
    const window = { windowTokens: 200_000 };
    expect(contextLimits({ ...window, warningBufferTokens: 5_000 })).toMatchObject({
      warningTokens: 162_000,
      errorTokens: 162_000,
    });
    expect(contextLimits({ ...window, errorBufferTokens: 40_000 })).toMatchObject({
      warningTokens: 127_000,
      errorTokens: 127_000,
    });
  });
});

describe('advice (T6)', () => {
  test.each([
    [0, 'free'],
    [99_999, 'free'],
    [100_000, 'watch'],
    [139_999, 'watch'],
    [140_000, 'compact-now'],
    [180_000, 'compact-now'],
    [180_001, 'clear-or-compact'],
    [400_000, 'clear-or-compact'],
  ])('at %i of 200,000 is %s', (used, band) => {
    expect(warningState(used, contextLimits({ windowTokens: 200_000 })).advice).toBe(band);
  });
});

describe('fitOutput (T5)', () => {
  test.each([Number.NaN, null, '5'])('E1: %s is no margin and no least reply', (size) => {
    const sizes = { promptTokens: 10, windowTokens: 1_000 };
    for (const name of ['marginTokens', 'minOutputTokens']) {
      expect(() => fitOutput({ ...sizes, [name]: size })).toThrow(
        `Expected \`${name}\` to be a number`,
      );
    }
  });

  const window = { windowTokens: 200_000, maxOutputTokens: 8_192 };

  test('case 21: output shrinks until prompt and output fit together', () => {
    expect(fitOutput({ ...window, promptTokens: 199_700 })).toEqual({
      kind: 'reduced',
      outputTokens: 300,
    });
  });

  test.each([
    [0, {}, { kind: 'fits', outputTokens: 8_192 }],
    [191_808, {}, { kind: 'fits', outputTokens: 8_192 }],
    [191_809, {}, { kind: 'reduced', outputTokens: 8_191 }],
    [199_999, {}, { kind: 'reduced', outputTokens: 1 }],
    [200_000, {}, { kind: 'prompt-too-large', overTokens: 1 }],
    [0, { requestedTokens: 400_000 }, { kind: 'reduced', outputTokens: 8_192 }],
    [
      0,
      { maxOutputTokens: undefined, requestedTokens: 4_000 },
      { kind: 'fits', outputTokens: 4_000 },
    ],
    [199_000, { maxOutputTokens: undefined }, { kind: 'reduced', outputTokens: 1_000 }],
    [
      0,
      { maxOutputTokens: Number.NaN, requestedTokens: 9_000 },
      { kind: 'fits', outputTokens: 9_000 },
    ],
    [199_000, { minOutputTokens: 2_000 }, { kind: 'prompt-too-large', overTokens: 1_000 }],
    [199_000, { marginTokens: 500 }, { kind: 'reduced', outputTokens: 500 }],
  ] as const)('beside a prompt of %i with %o: %o', (promptTokens, options, result) => {
    expect(fitOutput({ ...window, promptTokens, ...options })).toEqual(result);
  });

  test.each([
    ['a large model', { windowTokens: 1_000_000, maxOutputTokens: 128_000 }, 20_000],
    ['an unknown model', { windowTokens: Number.POSITIVE_INFINITY }, 20_000],
    ['a small model', { windowTokens: 200_000, maxOutputTokens: 4_096 }, 4_096],
    ['a small window', { windowTokens: 8_000, maxOutputTokens: 128_000 }, 2_500],
    [
      'thinking',
      { windowTokens: 200_000, maxOutputTokens: 64_000, thinkingTokens: 10_000 },
      30_000,
    ],
    [
      'thinking near the most',
      { windowTokens: 200_000, maxOutputTokens: 32_000, thinkingTokens: 31_999 },
      32_000,
    ],
  ])(
    'K308: asks for a reply that works with and without streaming: %s',
    (_, sizes, outputTokens) => {
      const fitted = fitOutput({ ...sizes, promptTokens: 100 });
      expect(fitted).toEqual({ kind: 'fits', outputTokens });
    },
  );

  test.each([
    ['promptTokens', { promptTokens: Number.NaN, windowTokens: 8_000 }],
    ['promptTokens', { promptTokens: -1, windowTokens: 8_000 }],
    ['windowTokens', { promptTokens: 1, windowTokens: Number.NaN }],
    ['windowTokens', { promptTokens: 1, windowTokens: 0 }],
    ['windowTokens', { promptTokens: 1, windowTokens: undefined as unknown as number }],
    ['requestedTokens', { promptTokens: 1, windowTokens: 8_000, requestedTokens: Number.NaN }],
  ])('refuses %s that is none: %o', (name, sizes) => {
    expect(() => fitOutput(sizes)).toThrow(RangeError);
    expect(() => fitOutput(sizes)).toThrow(`Expected \`${name}\` to be`);
  });

  test('prompt, output and margin never exceed the window', () => {
    const size = fc.nat(300_000);
    fc.assert(
      fc.property(
        size,
        size,
        size,
        fc.nat(5_000),
        (promptTokens, maxOutputTokens, requestedTokens, marginTokens) => {
          const fitted = fitOutput({
            windowTokens: 200_000,
            promptTokens,
            maxOutputTokens: maxOutputTokens + 1,
            requestedTokens,
            marginTokens,
          });
          if (fitted.kind === 'prompt-too-large') return;
          expect(promptTokens + fitted.outputTokens + marginTokens).toBeLessThanOrEqual(200_000);
          expect(fitted.outputTokens).toBeLessThanOrEqual(
            Math.min(requestedTokens, maxOutputTokens + 1),
          );
        },
      ),
    );
  });
});
