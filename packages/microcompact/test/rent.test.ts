import type { PlanContext } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidatesOf } from '../src/candidates.ts';
import { createMicrocompact } from '../src/index.ts';
import type { Microcompact } from '../src/planner.ts';
import { decideByRent } from '../src/rent/decide-by-rent.ts';
import { history, type Round, rounds, said, textOf, toMessages, watched } from './build.ts';

type Candidates = Microcompact['candidates'];

const PRICES = { read: 0.1, write: 1.25, output: 5 };
const LIMITS = { windowTokens: 1e6, effectiveTokens: 9e5, autocompactTokens: 8e5 };

const contextOf = (change: Partial<PlanContext> = {}): PlanContext => ({
  nowMs: 0,
  atUserTurn: false,
  contextTokens: 50_000,
  limits: LIMITS,
  sizeOf: () => 0,
  cache: { warm: true, markers: [] },
  prices: PRICES,
  thinking: 'free',
  ...change,
});

const COLD = { cache: { warm: false, markers: [] } };

const candidatesIn = (given: readonly Round[]): Candidates =>
  candidatesOf(toMessages(history(given)), { minTokens: 200, inputTokens: 200, thinking: true });

const long = (count: number, tokens: number): Round[] =>
  rounds(count, { name: 'bash', input: { command: 'make' }, output: textOf(tokens) });

describe('decideByRent (M8)', () => {
  test.each([
    { name: 'nothing', given: [], change: {}, cleared: 0, reason: 'rent-not-due' },
    { name: 'one round', given: long(1, 9_000), change: {}, cleared: 0, reason: 'rent-not-due' },
    {
      name: 'the four newest',
      given: long(4, 9_000),
      change: COLD,
      cleared: 0,
      reason: 'rent-not-due',
    },
    {
      name: 'small results',
      given: long(90, 100),
      change: COLD,
      cleared: 0,
      reason: 'rent-not-due',
    },
    { name: 'few, warm', given: long(12, 2_000), change: {}, cleared: 0, reason: 'rent-not-paid' },
    { name: 'many, warm', given: long(60, 2_000), change: {}, cleared: 56, reason: 'rent-paid' },
    { name: 'many, cold', given: long(60, 2_000), change: COLD, cleared: 56, reason: 'cold-cache' },
  ])('clears $cleared of $name: $reason', ({ given, change, cleared, reason }) => {
    const decision = decideByRent(candidatesIn(given), contextOf(change));
    expect(decision.clear).toHaveLength(cleared);
    expect(decision.reason).toBe(reason);
  });

  test('keeps reads and edits longer than what a command printed, and large results less long', () => {
    const at = (round: Round): number => {
      const given = [round, ...long(60, 50)];
      const isGone = (count: number) =>
        decideByRent(candidatesIn(given.slice(0, count)), contextOf(COLD)).clear.length > 0;
      return given.findIndex((_, index) => isGone(index + 1));
    };
    const output = textOf(1_000);
    const command = at({ name: 'bash', input: { command: 'make' }, output });
    const printed = at({ name: 'bash', input: { command: 'cat src/a.ts' }, output });
    const read = at({ name: 'Read', output });
    expect(command).toBeGreaterThan(0);
    expect(printed).toBe(read);
    expect(read).toBeGreaterThan(command);
    expect(at({ name: 'Read', output: textOf(10_000) })).toBeLessThan(read);
  });

  test('names the first that goes once it pays, and the planner parks a marker there', () => {
    const given = [{ output: 'short' }, ...long(12, 2_000)];
    const { queued, clear } = decideByRent(candidatesIn(given), contextOf());
    expect(clear).toEqual([]);
    expect(queued?.toolUseId).toBe('call-1');
    const planner = createMicrocompact();
    watched(planner, history(given));
    expect(planner.plan(contextOf())).toEqual({ kind: 'none', reason: 'rent-not-paid' });
    expect(planner.frontier()).toBe(queued?.messageIndex);
  });

  test('under pressure clears what is due, and everything that may go where that is not enough', () => {
    const given = rounds(12, { output: textOf(500) });
    const pressed = (contextTokens: number) =>
      decideByRent(
        candidatesIn(given),
        contextOf({ contextTokens, limits: { ...LIMITS, autocompactTokens: 20_000 } }),
      );
    expect(pressed(19_999).reason).not.toBe('pressure');
    const due = pressed(20_000);
    expect(due.reason).toBe('pressure');
    expect(due.clear.length).toBeGreaterThan(0);
    expect(due.clear.length).toBeLessThan(8);
    expect(pressed(100_000).clear).toHaveLength(8);
  });

  test('what was fetched again is cleared again once it has aged', () => {
    const planner = createMicrocompact();
    const read = { name: 'Read', input: { file_path: 'src/a.ts' }, output: textOf(5_000) };
    const log = watched(planner, history([read, ...long(40, 300)]));
    const first = planner.plan(contextOf(COLD));
    if (first.kind !== 'edit') throw new Error(first.reason);
    for (const edit of first.edits) log.edit(edit);
    for (const message of history([{ ...read, id: 'again' }]).slice(1)) log.say(message);
    for (const message of history(long(40, 300).map((one, at) => ({ ...one, id: `more-${at}` }))))
      log.say(message);
    log.say(said());
    const ids = planner.plan(contextOf(COLD));
    expect(JSON.stringify(ids)).toContain('"tool_use_id":"again"');
  });
});

const LONGEST = 'x '.repeat(6_000);
const someRounds = fc.array(
  fc.record({
    name: fc.constantFrom('Read', 'bash', 'bash', 'bash', 'grep', 'Edit', 'Task'),
    size: fc.integer({ min: 0, max: 6_000 }),
    isError: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);
const made = someRounds.map((given) =>
  given.map(({ name, size, isError }, at) => ({
    name,
    isError: isError && at % 7 === 0,
    input: { file_path: `src/${at % 5}.ts` },
    output: LONGEST.slice(0, 2 * size), // shares its characters
  })),
);
const situations = fc.record({
  contextTokens: fc.integer({ min: 1_000, max: 100_000 }),
  cache: fc.boolean().map((warm) => ({ warm, markers: [] })),
});

interface Drawn {
  readonly candidates: Candidates;
  readonly situation: Partial<PlanContext>;
}

// Candidates are dear to make, so that the laws share them.
describe('laws of decideByRent (M8)', () => {
  test('clears nothing protected and nothing below the minimum; what is cleared would also be cleared if it freed more; only ratios of prices count; a cold cache and less patience clear at least as much', () => {
    const numbers = fc.record({
      isPressed: fc.boolean(),
      power: fc.integer({ min: -20, max: 20 }),
      pick: fc.nat(),
      more: fc.integer({ min: 1, max: 9_000 }),
      patience: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(made, situations, numbers, (given, situation, drawn) => {
        const all = { candidates: candidatesIn(given), situation };
        expectProtected(all, drawn.isPressed);
        expectRatios(all, drawn.power);
        expectLargerCleared(all, drawn);
        expectMoreCleared(all, drawn.patience);
      }),
    );
  });
});

function expectProtected({ candidates, situation }: Drawn, isPressed: boolean): void {
  const limits = { ...LIMITS, autocompactTokens: isPressed ? 0 : 8e5 };
  for (const one of decideByRent(candidates, contextOf({ ...situation, limits })).clear) {
    expect(candidates.protectionOf(one, 4)).toBeUndefined();
    expect(one.tokens).toBeGreaterThanOrEqual(200);
    expect(one.clearedTokens).toBeLessThan(one.tokens);
  }
}

function expectRatios({ candidates, situation }: Drawn, power: number): void {
  const scaled = {
    read: PRICES.read * 2 ** power,
    write: PRICES.write * 2 ** power,
    output: PRICES.output * 2 ** power,
  };
  expect(decideByRent(candidates, contextOf({ ...situation, prices: scaled }))).toEqual(
    decideByRent(candidates, contextOf(situation)),
  );
}

interface Picked {
  readonly pick: number;
  readonly more: number;
}

function expectLargerCleared({ candidates, situation }: Drawn, { pick, more }: Picked): void {
  const { clear } = decideByRent(candidates, contextOf(situation));
  const chosen = clear[pick % Math.max(1, clear.length)];
  if (chosen === undefined) return;
  const larger = { ...chosen, tokens: chosen.tokens + more };
  const list = candidates.list.map((one) => (one === chosen ? larger : one));
  const grown = Object.create(candidates, { list: { value: list } }) as Candidates;
  expect(decideByRent(grown, contextOf(situation)).clear.includes(larger)).toBe(true);
}

function expectMoreCleared({ candidates, situation }: Drawn, patience: number): void {
  const warm = contextOf({ ...situation, cache: { warm: true, markers: [] } });
  const patient = decideByRent(candidates, warm, { patience }).clear;
  const hasty = decideByRent(candidates, warm, { patience: patience / 2 }).clear;
  const cold = decideByRent(candidates, contextOf({ ...situation, ...COLD })).clear;
  expect(patient.filter((one) => !hasty.includes(one))).toEqual([]);
  expect(hasty.filter((one) => !cold.includes(one))).toEqual([]);
}
