import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCalibration } from '../src/calibration.ts';
import { CONTENT_CLASSES, NO_TOKENS } from '../src/content-class.ts';
import type { Estimator } from '../src/index.ts';

type ClassTokens = ReturnType<Estimator['classes']>;

const byClass = (of: (index: number) => number): ClassTokens =>
  Object.fromEntries(CONTENT_CLASSES.map((name, index) => [name, of(index)])) as never;

const sixOf = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, value, value, value, value, value) as fc.Arbitrary<number[]>;

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Mostly text, as in an agent's session, with up to a sixth of each other class. */
const content = fc
  .record({ tokens: fc.integer({ min: 200, max: 8_000 }), mix: sixOf(share) })
  .map(({ tokens, mix }) => {
    const weights = mix.map((weight, index) => (index === 0 ? 1 : weight / 5));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return byClass((index) => ((weights[index] as number) / sum) * tokens);
  });

/** A provider that bills every class at a ratio of its own, all near a common one, with 5 % noise. */
const provider = fc
  .record({
    common: fc.double({ min: 0.6, max: 1.8, noNaN: true }),
    own: sixOf(fc.double({ min: 0.85, max: 1.15, noNaN: true })),
  })
  .map(({ common, own }) => (estimate: ClassTokens, noise = 0.5) => {
    const billed = CONTENT_CLASSES.map((name, index) => estimate[name] * (own[index] as number));
    return billed.reduce((sum, tokens) => sum + tokens, 0) * common * (0.95 + noise / 10);
  });

describe('createCalibration', () => {
  test('changes nothing before it learned something', () => {
    const calibration = createCalibration();
    expect(calibration.factors()).toEqual(byClass(() => 1));
    expect(calibration.predict({ ...NO_TOKENS, text: 90, media: 10 })).toBe(100);
  });

  test('moves most of the way to the first bill, and does not jump', () => {
    const calibration = createCalibration();
    calibration.learn({ estimate: { ...NO_TOKENS, text: 1_000 }, billedTokens: 1_700 });
    const { text, cjk, framing } = calibration.factors();
    expect(text).toBeGreaterThan(1.4);
    expect(text).toBeLessThan(1.7);
    expect(cjk).toBeGreaterThan(1.3);
    expect(framing).toBeLessThan(2.5);
  });

  test.each([
    [0, 100, 'nothing-billed'],
    [-50, 100, 'nothing-billed'],
    [Number.NaN, 100, 'nothing-billed'],
    [100, 0, 'nothing-estimated'],
    [1_201, 100, 'outlier'],
    [8, 100, 'outlier'],
    [Number.POSITIVE_INFINITY, 100, 'outlier'],
  ])('drops %s billed for %s estimated: %s', (billedTokens, text, reason) => {
    const calibration = createCalibration();
    const before = calibration.state();
    expect(calibration.learn({ estimate: { ...NO_TOKENS, text }, billedTokens })).toEqual({
      kind: 'dropped',
      reason,
    });
    expect(calibration.state()).toEqual(before);
  });

  test.each([
    [1_200, 100],
    [9, 100],
  ])('learns from %i billed for %i estimated', (billedTokens, text) => {
    const learned = createCalibration().learn({ estimate: { ...NO_TOKENS, text }, billedTokens });
    expect(learned).toEqual({ kind: 'learned' });
  });

  test.each([
    [11, 2.5],
    [1 / 11, 0.4],
  ])('billed %f times the estimate over and over, a factor stops at %f', (ratio, bound) => {
    const calibration = createCalibration();
    const estimate = { ...NO_TOKENS, text: 1_000 };
    for (let turn = 0; turn < 200; turn++) {
      calibration.learn({ estimate, billedTokens: 1_000 * ratio });
    }
    expect(calibration.factors().text).toBe(bound);
  });

  test('one bill of ten times the estimate moves a taught calibration by less than a hundredth', () => {
    const calibration = createCalibration();
    const estimate = { ...NO_TOKENS, text: 1_000 };
    for (let turn = 0; turn < 5; turn++) calibration.learn({ estimate, billedTokens: 1_300 });
    const before = calibration.factors().text;
    calibration.learn({ estimate, billedTokens: 10_000 });
    expect(calibration.factors().text / before).toBeLessThan(1.01);
  });

  test('goes on from a state that went through JSON', () => {
    const pair: Parameters<ReturnType<typeof createCalibration>['learn']>[0] = {
      estimate: { ...NO_TOKENS, text: 500, dense: 90 },
      billedTokens: 800,
    };
    const first = createCalibration();
    first.learn(pair);
    const second = createCalibration({ state: JSON.parse(JSON.stringify(first.state())) });
    first.learn(pair);
    second.learn(pair);
    expect(second.state()).toEqual(first.state());
  });

  const thirdResponse = fc
    .tuple(provider, fc.tuple(content, content, content, content), fc.tuple(share, share, share))
    .map(([bill, [first, second, third, next], noise]) => {
      const calibration = createCalibration();
      for (const [index, estimate] of [first, second, third].entries()) {
        calibration.learn({ estimate, billedTokens: bill(estimate, noise[index]) });
      }
      return Math.abs(calibration.predict(next) / bill(next) - 1);
    });

  test('is within 20 % by the third response, whatever the provider’s ratios', () => {
    fc.assert(
      fc.property(thirdResponse, (error) => {
        expect(error).toBeLessThan(0.2);
      }),
    );
  });

  test('is within 5 % by the third response for half of all providers', () => {
    const errors = fc.sample(thirdResponse, { numRuns: 501, seed: 1 }).sort((a, b) => a - b);
    expect(errors[250]).toBeLessThan(0.05);
  });

  test('survives a bill in four that is for something else', () => {
    const outlier = fc.double({ min: -20, max: 40, noNaN: true });
    fc.assert(
      fc.property(
        provider,
        fc.array(fc.tuple(content, share, outlier), { minLength: 24, maxLength: 40 }),
        content,
        (bill, turns, next) => {
          const calibration = createCalibration();
          for (const [index, [estimate, noise, factor]] of turns.entries()) {
            const wrong = index % 4 === 3 ? factor : 1;
            calibration.learn({ estimate, billedTokens: bill(estimate, noise) * wrong });
          }
          const error = calibration.predict(next) / bill(next) - 1;
          expect(Math.abs(error)).toBeLessThan(0.25);
        },
      ),
    );
  });

  test('never diverges: every factor stays between 0.4 and 2.5 and every state is finite', () => {
    const anything = fc.oneof(fc.double(), fc.double({ min: 0, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(content, anything), { maxLength: 60 }), (pairs) => {
        const calibration = createCalibration();
        for (const [estimate, billedTokens] of pairs) calibration.learn({ estimate, billedTokens });
        const { factors, covariance } = calibration.state();
        expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.4);
        expect(Math.max(...factors)).toBeLessThanOrEqual(2.5);
        expect(covariance.flat().every(Number.isFinite)).toBe(true);
        const variances = covariance.map((row, index) => row[index] as number);
        expect(Math.min(...variances)).toBeGreaterThan(0);
      }),
    );
  });
});
