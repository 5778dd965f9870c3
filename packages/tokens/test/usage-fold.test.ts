import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCounterFold, createUsageFold } from '../src/usage.ts';

type UsageLine = Parameters<ReturnType<typeof createUsageFold>['add']>[0];

const line = (id: string | undefined, output: number, stopReason?: string | null): UsageLine => ({
  id,
  stopReason,
  usage: {
    input_tokens: 10,
    output_tokens: output,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 5,
  },
});

const foldOf = (lines: readonly UsageLine[]) => {
  const fold = createUsageFold();
  for (const each of lines) fold.add(each);
  return fold;
};

describe('createUsageFold (T1)', () => {
  test('of nothing is nothing', () => {
    expect(createUsageFold().total()).toMatchObject({ responses: 0, outputTokens: 0 });
    expect(createUsageFold().responses()).toEqual([]);
  });

  test('case 65: a response on three lines and in a copied file counts once', () => {
    const fileA = [line('m1', 7), line('m1', 7), line('m1', 7, 'tool_use')];
    const fold = foldOf([...fileA, ...fileA, line('m2', 20, 'end_turn')]);
    expect(fold.total()).toEqual({
      responses: 2,
      partialResponses: 0,
      inputTokens: 20,
      outputTokens: 27,
      cacheReadTokens: 200,
      cacheWriteTokens: 10,
    });
    expect(fold.responses().map(({ id, lines }) => [id, lines])).toEqual([
      ['m1', 6],
      ['m2', 1],
    ]);
  });

  test('case 67: the final count holds, and a count without an end is partial', () => {
    const fold = foldOf([
      line('m1', 1),
      line('m1', 1, null),
      line('m1', 512, 'end_turn'),
      line('m2', 1),
    ]);
    expect(fold.responses()).toMatchObject([
      { id: 'm1', partial: false, usage: { output_tokens: 512 } },
      { id: 'm2', partial: true, usage: { output_tokens: 1 } },
    ]);
    expect(fold.total().partialResponses).toBe(1);
  });

  test('counters that a later line leaves out or nulls stay', () => {
    const fold = foldOf([line('m1', 3)]);
    const usage = { input_tokens: 0, output_tokens: 9, cache_read_input_tokens: null };
    fold.add({ id: 'm1', usage });
    expect(fold.responses()[0]?.usage).toMatchObject({
      input_tokens: 10,
      output_tokens: 9,
      cache_read_input_tokens: 100,
    });
  });

  test('keeps the split of writes by lifetime', () => {
    const split = (ephemeral_1h_input_tokens: number): UsageLine => ({
      id: 'm1',
      usage: { input_tokens: 1, output_tokens: 1, cache_creation: { ephemeral_1h_input_tokens } },
    });
    expect(foldOf([split(0), split(400)]).responses()[0]?.usage.cache_creation).toEqual({
      ephemeral_1h_input_tokens: 400,
    });
  });

  test('lines without an id are responses of their own', () => {
    expect(foldOf([line(undefined, 5), line(undefined, 5)]).total().outputTokens).toBe(10);
  });

  test('the order of lines and repeats change no total', () => {
    const lines = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), output: fc.nat(500) }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(lines, (drawn) => {
        const all = drawn.map(({ id, output }) => line(id, output, 'end_turn'));
        const total = foldOf(all).total();
        expect(foldOf([...all].reverse()).total()).toEqual(total);
        expect(foldOf([...all, ...all]).total()).toEqual(total);
        const most = ['a', 'b', 'c'].map((id) =>
          Math.max(0, ...drawn.filter((each) => each.id === id).map(({ output }) => output)),
        );
        expect(total.outputTokens).toBe(most.reduce((sum, output) => sum + output, 0));
      }),
    );
  });
});

describe('createCounterFold', () => {
  const counters = (tokens: number) => ({ tokens });

  test('case 69: a replayed history is not the child’s', () => {
    const fold = createCounterFold();
    for (let index = 1; index <= 1_000; index++)
      fold.add({ counters: counters(index * 7), at: 'T0' });
    for (const [index, at] of ['T1', 'T2', 'T3'].entries()) {
      fold.add({ counters: counters(7_000 + (index + 1) * 10), at });
    }
    expect(fold.total()).toEqual({ tokens: 30 });
    expect(fold.ignored()).toEqual({ replayed: 1_000, repeated: 0 });
  });

  test('counts a file that starts at zero in full', () => {
    const fold = createCounterFold();
    fold.add({ counters: { tokens: 5, cached: 1 }, at: 1 });
    fold.add({ counters: { tokens: 9, cached: 4 }, at: 2 });
    expect(fold.total()).toEqual({ tokens: 9, cached: 4 });
  });

  test('a repeated total counts nothing', () => {
    const fold = createCounterFold();
    for (const at of [1, 2, 3]) fold.add({ counters: counters(50), at });
    expect(fold.total()).toEqual({ tokens: 50 });
    expect(fold.ignored()).toEqual({ replayed: 0, repeated: 2 });
  });

  test('a counter that falls was started again', () => {
    const fold = createCounterFold();
    for (const [at, tokens] of [100, 180, 20].entries())
      fold.add({ counters: counters(tokens), at });
    expect(fold.total()).toEqual({ tokens: 200 });
  });

  test('readings without a time are never a replay', () => {
    const fold = createCounterFold();
    for (const tokens of [10, 30]) fold.add({ counters: counters(tokens) });
    expect(fold.total()).toEqual({ tokens: 30 });
  });
});
