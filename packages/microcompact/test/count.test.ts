import { describe, expect, test } from 'vitest';
import { microcompact } from '../src/index.ts';
import { CLEARED_RESULT } from '../src/placeholder.ts';
import { history, outputsOf, rounds, textOf } from './build.ts';
import { ESTIMATOR } from './working-log.ts';

const BASE = { mechanisms: ['count'], thinkingRule: 'free' } as const;

/** A text whose result block weighs exactly so many tokens. */
function outputOf(tokens: number): string {
  let text = '';
  while (ESTIMATOR.block({ type: 'tool_result', content: text } as never) < tokens) text += 'word ';
  return text;
}

describe('microcompact by count (M4)', () => {
  test.each([
    { name: 'an empty history', messages: [], cleared: 0 },
    { name: 'one round', messages: history(rounds(1, { output: textOf(30_000) })), cleared: 0 },
    { name: 'three rounds', messages: history(rounds(3, { output: textOf(30_000) })), cleared: 0 },
    { name: 'four rounds', messages: history(rounds(4, { output: textOf(30_000) })), cleared: 1 },
    {
      name: 'many small results',
      messages: history(rounds(300, { output: textOf(500) })),
      cleared: 0,
    },
  ])('clears $cleared of $name', ({ messages, cleared }) => {
    const result = microcompact(messages, BASE);
    expect(result.cleared).toHaveLength(cleared);
    expect(result.reason).toBe(cleared > 0 ? 'count' : 'below-savings-floor');
  });

  test('clears only what is larger than the candidate size', () => {
    const output = outputOf(1_000);
    const size = ESTIMATOR.block({ type: 'tool_result', content: output } as never);
    const at = (candidateTokens: number) =>
      microcompact(history(rounds(40, { output })), { ...BASE, count: { candidateTokens } }).reason;
    expect(at(size)).toBe('below-savings-floor');
    expect(at(size - 1)).toBe('count');
  });

  test('clears from the floor on', () => {
    const output = outputOf(2_000);
    const size = ESTIMATOR.block({ type: 'tool_result', content: output } as never);
    const messages = history(rounds(5 + 3, { output }));
    const at = (minSavingsTokens: number) => microcompact(messages, { ...BASE, minSavingsTokens });
    expect(at(5 * size).cleared).toHaveLength(5);
    expect(at(5 * size + 1).reason).toBe('below-savings-floor');
  });

  test.each([
    { characters: 120, count: 12, cleared: 0, reason: 'below-batch' },
    { characters: 121, count: 10, cleared: 0, reason: 'below-batch' },
    { characters: 121, count: 11, cleared: 8, reason: 'count' },
  ])('without a floor, $count results of $characters characters: clears $cleared', (row) => {
    const output = 'x1 y2 z3 '.repeat(20).slice(0, row.characters);
    const messages = history(rounds(row.count, { output }));
    const result = microcompact(messages, { ...BASE, minSavingsTokens: 0 });
    expect(result.cleared).toHaveLength(row.cleared);
    expect(result.reason).toBe(row.reason);
  });

  test('leaves calls, ids and the newest results, and puts a constant text in place of the rest', () => {
    const messages = history(rounds(20));
    const result = microcompact(messages, BASE);
    const outputs = outputsOf(result.messages);
    expect(outputs.slice(0, 17)).toEqual(Array(17).fill(CLEARED_RESULT));
    expect(outputs.slice(17)).toEqual(outputsOf(messages).slice(17));
    expect(result.messages.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
    expect(result.messages[1]).toBe(messages[1]);
    expect(microcompact(result.messages, BASE).messages).toBe(result.messages);
  });

  test('an option that is undefined is the default', () => {
    const messages = history(rounds(20));
    const undefinedOptions = { keepRecent: undefined, minSavingsTokens: undefined };
    expect(microcompact(messages, { ...BASE, ...undefinedOptions })).toEqual(
      microcompact(messages, BASE),
    );
  });
});
