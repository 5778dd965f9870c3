import {
  anthropicProfile,
  type Block,
  checkHistory,
  isToolResult,
  isToolUse,
  openaiChatProfile,
  openaiResponsesProfile,
  type Plan,
  parseEntry,
  prefixFingerprint,
  serializeEntry,
  type ThinkingRule,
  toolResults,
  toolUses,
  type View,
} from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMicrocompact, type MicrocompactOptions, microcompact } from '../src/index.ts';
import {
  contextFor,
  editsOf,
  plainLog,
  runSession,
  type Step,
  tokensOf,
  workingLog,
} from './working-log.ts';

const RULES: readonly ThinkingRule[] = ['free', 'latest-turn', 'prefix-bound'];

const FEW: MicrocompactOptions = { minSavingsTokens: 200, count: { candidateTokens: 40 } };
const SETUPS: readonly MicrocompactOptions[] = [
  { ...FEW, preset: 'classic' },
  { ...FEW, preset: 'classic', keepRecent: 0, inputTokens: 40 },
  { ...FEW, preset: 'classic', keepRecent: 1, inputTokens: 40, thinking: true },
  { mechanisms: ['time'], time: { whenCold: true }, thinking: true },
  { mechanisms: ['count'], count: { minSavingsTokens: 0, minBatch: 2 } },
  { keepRecent: 1, minTokens: 30, inputTokens: 40, thinking: true },
];

const setup = () => fc.constantFrom(...SETUPS);
const rule = () => fc.constantFrom(...RULES);

describe('every plan (M1, M4, M5, M7, M8)', () => {
  test('keeps every provider satisfied, saves tokens, leaves what is protected alone and is done at once', () => {
    let edits = 0;
    fc.assert(
      fc.property(workingLog(), rule(), setup(), fc.boolean(), (log, thinking, options, warm) => {
        const { steps } = runSession(log, createMicrocompact(options), { thinking, warm });
        for (const step of steps) {
          if (step.plan.kind !== 'edit') continue;
          edits++;
          expectValid(step);
          expectSmaller(step);
          expectProtected(step);
          expect(step.again.kind).toBe('none');
        }
      }),
    );
    expect(edits).toBeGreaterThan(runs / 3);
  });

  test('never changes what stands before thinking that stays, on a prefix-bound model', () => {
    let edits = 0;
    let withThinking = 0;
    fc.assert(
      fc.property(plainLog(), setup(), fc.boolean(), (log, options, warm) => {
        const planner = createMicrocompact(options);
        const { steps } = runSession(log, planner, { thinking: 'prefix-bound', warm });
        for (const { plan, after } of steps) {
          if (plan.kind !== 'edit') continue;
          edits++;
          if (hasThinking(after)) withThinking++;
          expect(violationsOf(after, PREFIX_BOUND)).toEqual([]);
        }
      }),
    );
    expect(edits).toBeGreaterThan(runs / 10);
    expect(withThinking).toBeGreaterThan(0);
  });

  test('extends the request before it, except where an edit was announced', () => {
    fc.assert(
      fc.property(plainLog(), setup(), (log, options) => {
        const { steps } = runSession(log, createMicrocompact(options));
        for (const [index, { before, after }] of steps.entries()) {
          const next = steps[index + 1];
          if (next)
            expect(next.before.messages.slice(0, after.messages.length)).toEqual(after.messages);
          expect(after.messages.slice(0, firstChanged(before, after))).toEqual(
            before.messages.slice(0, firstChanged(before, after)),
          );
        }
      }),
    );
  });
});

describe('createMicrocompact', () => {
  test('decides the same when the log is loaded again', () => {
    fc.assert(
      fc.property(workingLog(), setup(), rule(), (log, options, thinking) => {
        const { entries, views, steps } = runSession(log, createMicrocompact(options), {
          thinking,
        });
        const step = steps.findLast(({ plan }) => plan.kind === 'edit') ?? steps.at(-1);
        if (!step) return;
        const loaded = entries
          .slice(0, step.entryCount)
          .map((entry) => parseEntry(serializeEntry(entry)));
        const planner = createMicrocompact(options);
        const silent = { ...planner, plan: (): Plan => ({ kind: 'none', reason: 'test' }) };
        const resumed = runSession(loaded, silent, { thinking });
        expect(resumed.views.at(-1)?.messages).toEqual(views[step.entryCount - 1]?.messages);
        expect(planner.plan(step.context)).toEqual(step.plan);
      }),
    );
  });

  test('is not affected by plans that are asked for, nor by a fork that goes its own way', () => {
    fc.assert(
      fc.property(workingLog(), workingLog(), setup(), (log, other, options) => {
        const asked = createMicrocompact(options);
        const silent = {
          ...asked,
          plan: (context: Step['context']): Plan => ({
            ...NONE,
            reason: asked.plan(context).reason,
          }),
        };
        const { entries, views } = runSession(log, silent);
        const stepwise = createMicrocompact(options);
        for (const [index, entry] of entries.entries())
          stepwise.observe(entry, views[index] as View);
        const fork = createMicrocompact(options);
        runSession(
          [...entries, ...other.map((entry) => ({ ...entry, id: `fork-${entry.id}` }))],
          fork,
        );
        const context = contextFor(views.at(-1) ?? EMPTY, { warm: false });
        expect(stepwise.plan(context)).toEqual(asked.plan(context));
      }),
    );
  });
});

describe('microcompact', () => {
  test('does on a plain history what the planner does on its log, and touches nothing else', () => {
    let edits = 0;
    fc.assert(
      fc.property(plainLog(), setup(), rule(), fc.boolean(), (...drawn) => {
        const [log, options, thinkingRule, cacheWarm] = drawn;
        const planner = createMicrocompact(options);
        const silent = { ...planner, plan: (): Plan => NONE };
        const view = runSession(log, silent).views.at(-1) ?? EMPTY;
        const context = contextFor(view, { thinking: thinkingRule, warm: cacheWarm });
        const written = JSON.stringify(view.messages);
        const { contextTokens, atUserTurn, prices } = context;
        const result = microcompact(view.messages, {
          ...options,
          ...{ thinkingRule, contextTokens, atUserTurn, prices, cacheWarm },
          lastReplyMs: planner.candidates.lastAssistantAtMs,
        });
        const plan = planner.plan(context);
        expect(JSON.stringify(view.messages)).toBe(written);
        expect(result.reason).toBe(plan.reason);
        if (plan.kind === 'none') {
          expect(result.messages).toBe(view.messages);
          return;
        }
        edits++;
        const replaced = editsOf(plan).flatMap((edit) =>
          edit.kind === 'replace-content' ? edit.blocks : [],
        );
        expect(changedBlocks(view.messages, result.messages)).toBe(replaced.length);
        expect(tokensOf(result)).toBe(tokensOf(view) - result.savedTokens);
        expect(result.receipt).toEqual(planner.receipt(plan));
      }),
    );
    expect(edits).toBeGreaterThan(runs / 6);
  });

  test('keeps the same messages where nothing in them was cleared', () => {
    fc.assert(
      fc.property(plainLog(), setup(), (log, options) => {
        const silent = { ...createMicrocompact(), plan: (): Plan => NONE };
        const { messages } = runSession(log, silent).views.at(-1) ?? EMPTY;
        const result = microcompact(messages, { ...options, thinkingRule: 'free' });
        const touched = new Set(result.cleared.map(({ messageIndex }) => messageIndex));
        if (result.receipt.droppedThinking > 0) return;
        for (const [index, message] of messages.entries()) {
          expect(result.messages[index] === message).toBe(!touched.has(index));
        }
      }),
    );
  });
});

// A law over sessions in which nothing is ever cleared would say nothing.
const runs = fc.readConfigureGlobal().numRuns ?? 100;

const NONE: Plan = { kind: 'none', reason: 'test' };
const EMPTY: View = { messages: [], changedFrom: 0 };

const PREFIX_BOUND = anthropicProfile({ thinking: 'prefix-bound' });
const PROFILES = [
  anthropicProfile({ thinking: 'free' }),
  anthropicProfile({ thinking: 'latest-turn' }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

function violationsOf(view: View, profile: (typeof PROFILES)[number]) {
  const fingerprintAt = (count: number) => prefixFingerprint(view, count);
  return checkHistory(view.messages, profile, { fingerprintAt });
}

function expectValid({ before, after }: Step): void {
  for (const profile of PROFILES) {
    expect(violationsOf(after, profile)).toEqual(violationsOf(before, profile));
  }
}

function expectSmaller({ before, after, receipt }: Step): void {
  expect(tokensOf(after)).toBeLessThan(tokensOf(before));
  expect(receipt?.tokensBefore).toBe(tokensOf(before));
  expect(receipt?.tokensAfter).toBe(tokensOf(after));
}

const CLEARABLE = ['Read', 'shell', 'Edit', 'grep'];

/** Every block that is not the same any more is a clearable result or input before the newest round, or thinking. */
function expectProtected({ before, after }: Step): void {
  const newest = before.messages.findLastIndex((message) => toolUses(message).length > 0);
  for (const [index, message] of before.messages.entries()) {
    const now = new Set<unknown>(after.messages[index]?.content);
    const calls = new Map(
      toolUses(before.messages[index - 1] ?? message).map((call) => [call.id, call.name]),
    );
    for (const block of message.content) {
      if (now.has(block) || isThought(block)) continue;
      expect(index).toBeLessThan(newest);
      expect(CLEARABLE).toContain(nameOf(block, calls));
    }
    expect(toolResults(message).length).toBe(toolResults(after.messages[index] ?? message).length);
  }
}

function nameOf(block: Block, calls: ReadonlyMap<string, string>): string | undefined {
  if (isToolUse(block)) return block.name;
  return isToolResult(block) ? calls.get(block.tool_use_id) : block.type;
}

const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

const hasThinking = ({ messages }: View): boolean =>
  messages.some(({ content }) => content.some(isThought));

function firstChanged(before: View, after: View): number {
  const found = after.messages.findIndex((message, index) => message !== before.messages[index]);
  return found < 0 ? after.messages.length : found;
}

function changedBlocks(
  before: View['messages'],
  after: readonly Pick<View['messages'][number], 'content'>[],
): number {
  let count = 0;
  for (const [index, { content }] of before.entries()) {
    const now = new Set<unknown>(after[index]?.content);
    count += content.filter((block) => !now.has(block)).length;
  }
  return count;
}
