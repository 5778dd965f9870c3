import { isThinking, type Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { createUnitIndex } from '../src/demand/unit-index.ts';
import { BUILT_IN_STRATEGIES, type Strategy } from '../src/index.ts';
import { neededRanges } from '../src/replay/ranges.ts';
import { choosing, cleared, planOf, rowFor } from './replays.ts';
import { edit, generatedSteps, read, type Step } from './sessions.ts';

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((strategy) => strategy.name === name) as Strategy;

const STEPS = generatedSteps({ seed: 6, calls: 40, lines: 12 });
const forgetful = choosing('forgetful', (all) =>
  all.map((each, at) => (at < all.length - 6 && each.origin === undefined ? cleared(each) : each)),
);

describe('rereadFactor', () => {
  test('1 changes nothing', () => {
    expect(rowFor(planOf(STEPS, { pricing: { rereadFactor: 1 } }), forgetful)).toEqual(
      rowFor(planOf(STEPS), forgetful),
    );
  });

  test('3 makes re-reads three times as dear and nothing else', () => {
    const once = rowFor(planOf(STEPS), forgetful);
    const row = rowFor(planOf(STEPS, { pricing: { rereadFactor: 3 } }), forgetful);
    expect(once.rereads).toBeGreaterThan(3);
    expect(row.rereadDollars).toBeCloseTo(3 * once.rereadDollars, 12);
    expect(row.dollars - row.rereadDollars).toBeCloseTo(once.dollars - once.rereadDollars, 12);
    expect(row.perObjectDollars).toBeGreaterThanOrEqual(once.perObjectDollars);
    expect(row.perObjectDollars).toBeLessThanOrEqual(row.dollars);
  });
});

describe('rereads', () => {
  const plan = planOf(STEPS, { pricing: { rereads: 'ranges' } });

  test('whole changes nothing', () => {
    expect(rowFor(planOf(STEPS, { pricing: { rereads: 'whole' } }), forgetful)).toEqual(
      rowFor(planOf(STEPS), forgetful),
    );
  });

  test('ranges bring back what is needed for less', () => {
    const long = generatedSteps({ seed: 6, calls: 40, lines: 400 });
    const whole = rowFor(planOf(long), forgetful);
    const row = rowFor(planOf(long, { pricing: { rereads: 'ranges' } }), forgetful);
    expect(whole.rereads).toBeGreaterThan(3);
    expect(row.unmetUnits).toBe(whole.unmetUnits);
    expect(row.rereadDollars).toBeLessThan(whole.rereadDollars);
    expect(row.perObjectDollars).toBeLessThanOrEqual(whole.perObjectDollars);
    expect(row.perObjectDollars).toBeLessThanOrEqual(row.dollars);
  });

  test('a short result comes back whole', () => {
    expect(rowFor(plan, forgetful).rereadDollars).toBeCloseTo(
      rowFor(planOf(STEPS), forgetful).rereadDollars,
      12,
    );
  });
});

describe('neededRanges', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `const value${at}Number = ${at};`);
  const index = createUnitIndex(['const value50Number = 50;', 'const value98Number = 98;', 'gone']);
  const result = { type: 'tool_result', tool_use_id: 'a', content: lines.join('\n') } as const;

  test('shows each unit with 20 lines around it and says where they stand', () => {
    const { content } = neededRanges(result, [0, 1], index);
    const shown = [
      '[from line 31 of 100]',
      ...lines.slice(30, 71),
      '[from line 79 of 100]',
      ...lines.slice(78),
    ];
    expect(content).toBe(shown.join('\n'));
  });

  test.each([
    ['a unit that no line shows', [0, 2], result],
    ['too little text to cut', [0], { ...result, content: lines.slice(40, 60).join('\n') }],
    ['an image', [0], { ...result, content: [{ type: 'image', source: {} }] }],
  ] as const)('gives the whole for %s', (_, units, whole) => {
    expect(neededRanges(whole, units, index)).toBe(whole);
  });
});

describe('readPrice', () => {
  test.each([0.05, 0.5])('%d of a plain token', (readPrice) => {
    const plan = planOf(STEPS, { pricing: { readPrice } });
    const row = rowFor(plan, builtIn('keep-all'));
    const plain = row.promptTokens - row.readTokens - row.writtenTokens;
    const units = plain + 1.25 * row.writtenTokens + readPrice * row.readTokens;
    const input = plan.pricing.model.prices[0]?.input ?? 0;
    expect(row.dollars).toBeCloseTo((units * input) / 1e6, 10);
    expect(plan.pricing.rates.read).toBeCloseTo((readPrice * input) / 1e6, 15);
  });

  test('the model’s own share changes nothing', () => {
    const plan = planOf(STEPS, { pricing: { readPrice: 0.1 } });
    const row = rowFor(plan, forgetful);
    expect(row.dollars).toBeCloseTo(rowFor(planOf(STEPS), forgetful).dollars, 12);
  });
});

describe('thinking', () => {
  const thoughtful: Step[] = [
    { user: 'Go.' },
    ...Array.from({ length: 8 }, (_, at): Step => {
      const step = read(`src/File${at}.ts`, `const value${at}Number = ${at};`);
      return { ...step, thinking: `Now the file ${at}.` } as Step;
    }),
    { say: 'Done.' },
  ];

  test('prefix-bound refuses an edit before later thinking, and keep-all goes on', () => {
    const bound = planOf(thoughtful, { pricing: { thinking: 'prefix-bound' } });
    const row = rowFor(bound, forgetful);
    expect(row.violations).toEqual({ 'stale-thinking': row.invalidRequests });
    expect(row.invalidRequests).toBeGreaterThan(0);
    expect(rowFor(bound, builtIn('keep-all')).invalidRequests).toBe(0);
    expect(rowFor(planOf(thoughtful), forgetful).invalidRequests).toBe(0);
  });

  test('strategies are told the rule', () => {
    const told: unknown[] = [];
    const asking: Strategy = {
      name: 'asking',
      create(context) {
        told.push(context.model.thinking);
        return builtIn('keep-all').create(context);
      },
    };
    rowFor(planOf(thoughtful, { pricing: { thinking: 'prefix-bound' } }), asking);
    expect(new Set(told)).toEqual(new Set(['prefix-bound']));
  });
});

const WORD: Message = { id: 'word', role: 'user', content: [{ type: 'text', text: 'Go on.' }] };

describe('window', () => {
  const LONG = generatedSteps({ seed: 1, calls: 90, lines: 110 });
  const WINDOW = 100_000;
  const limit = WINDOW - 33_000;
  const roomy = planOf(LONG);
  const tight = planOf(LONG, { pricing: { window: WINDOW } });

  test('keep-all is compacted before a request passes the window', () => {
    const row = rowFor(tight, builtIn('keep-all'));
    expect(rowFor(roomy, builtIn('keep-all'))).toMatchObject({ forcedCompactions: 0 });
    expect(row.forcedCompactions).toBeGreaterThanOrEqual(1);
    expect(row).toMatchObject({
      overWindowRequests: 0,
      invalidRequests: 0,
      personLostRequests: 0,
      breaksUnannounced: 0,
      repeatable: true,
      breaksAnnounced: row.forcedCompactions,
      relativeToKeepAll: 1,
    });
    // the prompt that a summary is asked for is the only one above the limit
    expect(row.peakTokens).toBeGreaterThan(limit);
    expect(row.peakTokens).toBeLessThan(WINDOW);
    expect(row.hindsightRecall).toBeLessThan(1);
  });

  test('a summary costs its prompt and 20,000 tokens of output', () => {
    const row = rowFor(tight, builtIn('keep-all'));
    const output = ((tight.pricing.model.prices[0]?.output ?? 0) * 20_000) / 1e6;
    expect(row.compactionDollars).toBeGreaterThan(row.forcedCompactions * output);
    expect(row.compactionDollars).toBeLessThan(row.forcedCompactions * output * 2);
    expect(row.compactionDollars).toBeLessThan(row.dollars);
  });

  test('a window that nothing fills changes nothing', () => {
    const wide = planOf(LONG, { pricing: { window: roomy.pricing.window } });
    expect(rowFor(wide, builtIn('sliding-clear'))).toEqual(rowFor(roomy, builtIn('sliding-clear')));
  });

  test('a strategy that stays below is left alone', () => {
    const small = choosing('small', (all) => all.map((each) => cleared(each)));
    expect(rowFor(tight, small)).toMatchObject({ forcedCompactions: 0, overWindowRequests: 0 });
  });

  test('the strategy starts anew behind the summary, the person’s words and the newest round', () => {
    const starts: Message[][] = [];
    const spying: Strategy = {
      name: 'spying',
      create(context) {
        const run = builtIn('keep-all').create(context);
        const seen: Message[] = [];
        starts.push(seen);
        return {
          ...run,
          add(message) {
            seen.push(message);
            run.add(message);
          },
        };
      },
    };
    const row = rowFor(tight, spying);
    const anew = starts.filter(([first]) => first?.origin?.kind === 'summary');
    // once in the replay, once where it is checked that it answers the same again
    expect(anew).toHaveLength(2 * row.forcedCompactions);
    const [[summary, asked, call] = []] = anew;
    expect(tight.recording.sizes.message(summary as Message)).toBeGreaterThan(5_900);
    expect(tight.recording.sizes.message(summary as Message)).toBeLessThan(6_100);
    expect(asked).toMatchObject({ role: 'user' });
    expect(call).toMatchObject({ role: 'assistant' });
  });

  test('thinking that is bound to what is gone is dropped', () => {
    const steps = LONG.map((step) => ('call' in step ? { ...step, thinking: 'Hm.' } : step));
    const bound = { window: WINDOW, thinking: 'prefix-bound' } as const;
    const plan = planOf(steps, { pricing: bound });
    expect(plan.recording.history.some(({ content }) => content.some(isThinking))).toBe(true);
    const row = rowFor(plan, builtIn('keep-all'));
    expect(row.forcedCompactions).toBeGreaterThan(0);
    expect(row.violations).toEqual({});
  });

  const HUGE = [
    { user: 'Go.' },
    read('src/Huge.ts', 'some words of a row\n'.repeat(20_000)),
    { say: 'Ok.' },
  ];

  test('a round that is too large alone is refused, and its session has no price', () => {
    const huge = planOf(HUGE, { pricing: { window: 60_000 } });
    expect(rowFor(huge, builtIn('keep-all'))).toMatchObject({
      forcedCompactions: 0,
      overWindowRequests: 0,
      invalidRequests: 1,
      violations: { 'over-window': 1 },
      relativeToKeepAll: null,
    });
  });

  test('without a window it is priced as if accepted, and counted', () => {
    const huge = planOf(HUGE, { pricing: { window: 'none', model: 'claude-haiku-4-5' } });
    expect(huge.pricing.window).toBe(200_000);
    const large = planOf(
      [{ user: 'Go.' }, read('a.ts', 'some words of a row\n'.repeat(50_000)), { say: 'Ok.' }],
      { pricing: { window: 'none', model: 'claude-haiku-4-5' } },
    );
    expect(rowFor(large, builtIn('keep-all'))).toMatchObject({
      overWindowRequests: 1,
      invalidRequests: 0,
      relativeToKeepAll: 1,
    });
  });

  test('unasked, the window is the model’s and enforced', () => {
    const fills = generatedSteps({ seed: 1, calls: 160, lines: 160 });
    const small = planOf(fills, { pricing: { model: 'claude-haiku-4-5' } });
    const row = rowFor(small, builtIn('keep-all'));
    expect(row.forcedCompactions).toBeGreaterThan(0);
    expect(row).toMatchObject({ invalidRequests: 0, overWindowRequests: 0 });
    expect(row.peakTokens).toBeLessThanOrEqual(200_000);
    const told = planOf(fills, { pricing: { model: 'claude-haiku-4-5', window: 200_000 } });
    expect(rowFor(told, builtIn('keep-all'))).toEqual(row);
  });

  test('a summary is asked for with what fits the window', () => {
    const jump = read('src/Jump.ts', 'some words of a row\n'.repeat(6_000));
    const steps = [...LONG.slice(0, 20), jump, { say: 'Ok.' } as Step];
    const plan = planOf(steps, { pricing: { window: WINDOW } });
    const { history, sizes } = plan.recording;
    const total = history.slice(0, -1).reduce((sum, each) => sum + sizes.message(each), 0);
    expect(total).toBeGreaterThan(WINDOW);
    const row = rowFor(plan, builtIn('keep-all'));
    expect(row).toMatchObject({ forcedCompactions: 1, violations: {}, relativeToKeepAll: 1 });
    expect(row.peakTokens).toBeLessThanOrEqual(WINDOW);
  });

  test('a row says whether the strategy acted', () => {
    expect(rowFor(tight, builtIn('keep-all')).acted).toBe(false);
    expect(rowFor(roomy, builtIn('sliding-clear')).acted).toBe(true);
    expect(rowFor(roomy, builtIn('drop-oldest')).acted).toBe(true);
    expect(rowFor(planOf(STEPS), builtIn('drop-oldest')).acted).toBe(false);
    const copies = choosing('copies', (all) => all.map((each) => ({ ...each })));
    expect(rowFor(tight, copies).acted).toBe(false);
    const worded = choosing('worded', ([first, ...rest]) => [first as Message, WORD, ...rest]);
    const row = rowFor(roomy, worded);
    expect(row.promptTokens).toBeGreaterThan(rowFor(roomy, builtIn('keep-all')).promptTokens);
    expect(row.acted).toBe(false);
  });
});

describe('microcompact-server (M3)', () => {
  const LONG = generatedSteps({ seed: 1, calls: 90, lines: 110 });

  test('sends everything, pays for what the provider leaves and reads again what it cleared', () => {
    const plan = planOf(LONG, { pricing: { thinking: 'prefix-bound' } });
    const row = rowFor(plan, builtIn('microcompact-server'));
    const keepAll = rowFor(plan, builtIn('keep-all'));
    expect(row.peakTokens).toBeLessThan(keepAll.peakTokens);
    expect(row.hindsightRecall).toBeLessThan(1);
    expect(row.rereads).toBeGreaterThan(0);
    expect(row).toMatchObject({ invalidRequests: 0, breaksUnannounced: 0, breaksAnnounced: 0 });
    expect(row.breaks).toBeGreaterThan(0);
  });

  test('is keep-all below the threshold and on models of others', () => {
    const { strategy: _, ...keepAll } = rowFor(planOf(STEPS), builtIn('keep-all'));
    expect(rowFor(planOf(STEPS), builtIn('microcompact-server'))).toMatchObject(keepAll);
    const other = planOf(LONG, { pricing: { provider: 'openai' } });
    expect(rowFor(other, builtIn('microcompact-server')).breaks).toBe(0);
  });

  test('an edit finds the line that the provider left', () => {
    const line = 'const keptInTheNewestResult = compute(1, 2, 3);';
    const steps = [{ user: 'Go.' }, read('src/One.ts', line), edit('src/One.ts', line)];
    const row = rowFor(planOf([...steps, { say: 'Done.' }]), builtIn('microcompact-server'));
    expect(row.rereads).toBe(0);
  });
});
