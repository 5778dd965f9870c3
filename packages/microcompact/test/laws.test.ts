import {
  anthropicProfile,
  type Block,
  checkHistory,
  createProjection,
  type Entry,
  isToolResult,
  isToolUse,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type Plan,
  type PlanContext,
  parseEntry,
  serializeEntry,
  type ThinkingRule,
  toolResults,
  toolUses,
  type View,
} from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMicrocompact, microcompact } from '../src/index.ts';
import type { Microcompact } from '../src/planner.ts';
import {
  contextFor,
  ESTIMATOR,
  editsOf,
  plainLog,
  runSession,
  type Session,
  type Step,
  tokensOf,
  workingLog,
} from './working-log.ts';

type MicrocompactOptions = NonNullable<Parameters<typeof createMicrocompact>[0]>;

const RULES: readonly ThinkingRule[] = ['free', 'latest-turn', 'prefix-bound'];

const FEW: MicrocompactOptions = { minSavingsTokens: 200, count: { candidateTokens: 40 } };
const SETUPS: readonly MicrocompactOptions[] = [
  { ...FEW, preset: 'classic' },
  { ...FEW, preset: 'classic', keepRecent: 0, inputTokens: 40 },
  { ...FEW, preset: 'classic', keepRecent: 1, inputTokens: 40, thinking: true },
  { mechanisms: ['time'], time: { whenCold: true }, thinking: true },
  { mechanisms: ['count'], count: { minSavingsTokens: 0, minBatch: 2 } },
  { keepRecent: 1, minTokens: 30, inputTokens: 40, thinking: true },
  {
    ...{ keepRecent: 1, minTokens: 30, inputTokens: 40, thinking: true },
    rent: { by: 'need', caution: 0.3 },
  },
];

/** Sizes as the contexts of these tests count them. */
const setup = () =>
  fc.constantFrom(...SETUPS.map((options) => ({ ...options, sizeOf: ESTIMATOR.block })));
const rule = () => fc.constantFrom(...RULES);

// Sessions are dear to make, so that each law is asked of one session together with others.
describe('createMicrocompact (M1, M4, M5, M7, M8)', () => {
  test('keeps every provider satisfied, saves tokens, leaves what is protected alone and is done at once; decides the same when the log is loaded, and in a fork', () => {
    let edits = 0;
    fc.assert(
      fc.property(workingLog(), rule(), setup(), fc.boolean(), (...drawn) => {
        const [log, thinking, options, warm] = drawn;
        const planner = createMicrocompact(options);
        const session = runSession(log, planner, { thinking, warm });
        for (const step of session.steps) {
          if (step.plan.kind !== 'edit') continue;
          edits++;
          expectValid(step);
          expectSmaller(step);
          expectProtected(step);
          expect(step.again.kind).toBe('none');
        }
        expectSameElsewhere(session, planner, options);
      }),
    );
    expect(edits).toBeGreaterThan(runs / 3);
  });

  test('extends the request before it except where an edit was announced, and on a prefix-bound model never changes what stands before thinking that stays', () => {
    let edits = 0;
    let withThinking = 0;
    fc.assert(
      fc.property(plainLog(), setup(), fc.boolean(), (log, options, warm) => {
        const planner = createMicrocompact(options);
        const { steps } = runSession(log, planner, { thinking: 'prefix-bound', warm });
        for (const [index, { plan, after }] of steps.entries()) {
          const next = steps[index + 1]?.before.messages.slice(0, after.messages.length);
          if (next) expect(next.every((message, at) => message === after.messages[at])).toBe(true);
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
});

describe('microcompact', () => {
  test('does on a plain history what the planner does on its log, and touches nothing else', () => {
    let edits = 0;
    fc.assert(
      fc.property(plainLog(), setup(), rule(), fc.boolean(), (...drawn) => {
        const [log, options, thinkingRule, warm] = drawn;
        const planner = createMicrocompact(options);
        const view = runSession(log, silent(planner)).views.at(-1) ?? EMPTY;
        const context = contextFor(view, { thinking: thinkingRule, warm });
        const plan = planner.plan(context);
        const written = JSON.stringify(view.messages);
        const result = microcompact(view.messages, {
          ...options,
          ...situationOf(context, planner),
        });
        expect(JSON.stringify(view.messages)).toBe(written);
        expect(result.reason).toBe(plan.reason);
        expect(result.receipt.tokensAfter).toBe(tokensOf(result));
        if (plan.kind !== 'edit') {
          expect(result.messages).toBe(view.messages);
          return;
        }
        edits++;
        expect(result.receipt).toEqual(plan.receipt);
        expectSameChanges(view, result.messages, plan);
      }),
    );
    expect(edits).toBeGreaterThan(runs / 6);
  });
});

/** One that read the log, and was never asked, decides as the one that wrote it; what a fork adds changes neither. */
function expectSameElsewhere(
  { entries, views, steps }: Session,
  asked: Microcompact,
  options: MicrocompactOptions,
): void {
  const step = steps.findLast(({ plan }) => plan.kind === 'edit');
  const projection = createProjection();
  const fork = createMicrocompact(options);
  let view = EMPTY;
  const observe = (entry: Entry): void => {
    view = projection.append(entry);
    fork.observe(entry, view);
  };
  for (const [index, entry] of entries.entries()) {
    observe(parseEntry(serializeEntry(entry)));
    if (index + 1 !== step?.entryCount) continue;
    expect(fingerprintOf(view)).toBe(fingerprintOf(views[index] ?? EMPTY));
    expect(fork.plan(step.context)).toEqual(step.plan);
  }
  const last = views.at(-1);
  if (!last || last.open) return;
  const context = contextFor(last, { warm: false });
  const plan = asked.plan(context);
  expect(fork.plan(context)).toEqual(plan);
  for (const entry of FORKED) observe(entry);
  expect(asked.plan(context)).toEqual(plan);
}

const fingerprintOf = (view: View) => prefixFingerprint(view, view.messages.length);

const FORKED: readonly Entry[] = ['a', 'b', 'c'].map((id) => ({
  id: `fork-${id}`,
  at: '2026-02-01T00:00:00.000Z',
  type: 'message',
  message: { id: `fork-${id}`, role: 'user', content: [{ type: 'text', text: 'Another way.' }] },
}));

const silent = (planner: Microcompact): Microcompact => ({ ...planner, plan: () => NONE });

function situationOf(
  context: PlanContext,
  { candidates }: Microcompact,
): NonNullable<Parameters<typeof microcompact>[1]> {
  const { contextTokens, atUserTurn, prices, cache, thinking: thinkingRule } = context;
  const lastReplyMs = candidates.lastAssistantAtMs;
  return { contextTokens, atUserTurn, prices, cacheWarm: cache.warm, thinkingRule, lastReplyMs };
}

/** The blocks of the plan and no others are other blocks, in messages that are other messages. */
function expectSameChanges(
  before: View,
  after: readonly Pick<Message, 'content'>[],
  plan: Plan,
): void {
  const replaced = editsOf(plan).flatMap((edit) =>
    edit.kind === 'replace-content' ? edit.blocks : [],
  );
  expect(changedBlocks(before.messages, after)).toBe(replaced.length);
  const touched = new Set(replaced.map(({ messageId }) => messageId));
  for (const [index, message] of before.messages.entries()) {
    const isTouched = message.sources.some((id) => touched.has(id));
    expect(after[index] === message).toBe(!isTouched);
  }
}

// A law over sessions in which nothing is ever cleared would say nothing.
const runs = fc.readConfigureGlobal().numRuns ?? 100;

const NONE: ReturnType<Microcompact['plan']> = { kind: 'none', reason: 'test' };
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
    const violations = violationsOf(after, profile);
    if (violations.length > 0) expect(violations).toEqual(violationsOf(before, profile));
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
    if (message === after.messages[index]) continue;
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

function changedBlocks(
  before: View['messages'],
  after: readonly Pick<View['messages'][number], 'content'>[],
): number {
  let count = 0;
  for (const [index, { content }] of before.entries()) {
    if (content === after[index]?.content) continue;
    const now = new Set<unknown>(after[index]?.content);
    count += content.filter((block) => !now.has(block)).length;
  }
  return count;
}
