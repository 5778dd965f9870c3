import { type CompactionWork, createCompaction } from '@varve/compact';
import type { Fault, ReplyLike } from '@varve/emulator';
import type { Message, Plan, Request } from '@varve/messages';
import { send } from '@varve/models';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import { resolveModel } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../src/share.ts';
import { FIXTURES, type Fixture, grownState } from './compact-fixtures.ts';
import { noWait, SUMMARY } from './compact-models.ts';
import { contextOf, editEntry, headTokens, threadOf } from './compact-thread.ts';
import { clientOf, start } from './fork-support.ts';

/** Of one summary: 7 over the whole history, 16 over parts of it, 3 with smaller parts. */
const MOST_CALLS = 26;

const WINDOW_TOKENS = 60_000;
const FILLED = [0.6, 1, 1.3, 3];

const text = (value: string) => ({ type: 'text', text: value }) as const;

interface Failing {
  readonly name: string;
  readonly reason: string;
  readonly fault?: Fault;
  readonly reply?: ReplyLike;
}

/** The known ways in which a model gives no summary, each as a provider serves it, on every call. */
const FAILURES: readonly Failing[] = [
  { name: 'is empty', reason: 'empty-summary', reply: '' },
  {
    name: 'is only a scratchpad',
    reason: 'empty-summary',
    reply: '<scratchpad>All of it.</scratchpad>',
  },
  {
    name: 'is cut by length',
    reason: 'cut-summary',
    reply: { content: [text('<summary>It was about')], stopReason: 'max_tokens' },
  },
  {
    name: 'calls a tool',
    reason: 'tool-call',
    reply: {
      content: [text(SUMMARY), { type: 'tool_use', id: 'c', name: 'read', input: { path: '/a' } }],
    },
  },
  { name: 'is an overload', reason: 'model-failed', fault: { kind: 'status', status: 529 } },
  { name: 'is a prompt too long', reason: 'prompt-too-long', fault: { kind: 'prompt-too-long' } },
  { name: 'breaks off', reason: 'model-failed', fault: { kind: 'cut', afterEvents: 3 } },
  {
    name: 'is a refusal',
    reason: 'refused',
    reply: { content: [text('I cannot help with that.')], stopReason: 'refusal' },
  },
];

/** The real SDK against a provider whose model has a small window, and fails until it is told to work again. */
async function provider({ head }: Fixture, { fault, reply }: Failing) {
  let failing = true;
  const { model } = resolveModel(head.model);
  const emulator = await start({
    models: [{ ...model, windowTokens: WINDOW_TOKENS }],
    replies: () => (failing && reply !== undefined ? reply : 'Went on.'),
    faults: fault ? [{ ...fault, when: () => failing }] : [],
    foreignThinking: 'accepted',
    thinkingBinding: 'when-asked',
  });
  const client = clientOf('anthropic', emulator);
  const mark = (request: Request) => placeMarkers(request, { policy: cachePolicy(model) });
  return {
    emulator,
    mark,
    send: (request: Request, options = {}) => send(client, mark(request), options),
    recover: () => {
      failing = false;
    },
  };
}

const GO_ON: Message = { id: 'go-on', role: 'user', content: [text('Go on.')] };

function workOf(plan: Plan<CompactionWork>): CompactionWork {
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return plan.work;
}

async function expectGoesOn(fixture: Fixture, filled: number, failure: Failing): Promise<void> {
  const { head } = fixture;
  const { emulator, recover, ...given } = await provider(fixture, failure);
  const planner = createCompaction({ summarize: given.send, mark: given.mark, wait: noWait });
  const log = threadOf(head, planner);
  const wanted = WINDOW_TOKENS * filled - headTokens(head);
  for (const message of grownState(fixture, wanted, 'after-results').messages) log.say(message);
  const { thinking } = resolveModel(head.model).model;
  const context = contextOf(log.view, { head, windowTokens: WINDOW_TOKENS, thinking });
  const work = workOf(planner.planNow(context, { trigger: 'auto' }));
  const result = await planner.run(work);
  expect(emulator.requests.length).toBeLessThanOrEqual(MOST_CALLS);
  if (result.kind === 'failed') throw new Error(result.reason);
  const { edit, receipt } = result;
  expect(receipt).toMatchObject({ engine: 'ledger', calls: emulator.requests.length });
  expect(receipt.failure).toBe(failure.reason);
  log.append(editEntry('edit', edit));
  recover();
  log.say(GO_ON);
  const { content } = await given.send({
    ...{ head, messages: log.view.messages, markers: [] },
    maxOutputTokens: 1_000,
  });
  expect(content).toEqual([text('Went on.')]);
}

/** One without thinking and one with. The emulator takes models of small windows for old ones, which are not asked to think. */
const SESSIONS = FIXTURES.flatMap((fixture): Fixture[] => {
  if (fixture.name === 'argument-files') return [fixture];
  if (fixture.name !== 'round-trip-bug') return [];
  return [{ ...fixture, head: { ...fixture.head, params: {} } }];
});

describe.each(SESSIONS)('a session over the real SDK: $name (C4, C6)', (fixture) => {
  test.each(FAILURES)('goes on from any size where each answer $name', async (failure) => {
    const sizes = fixture.name === 'argument-files' ? FILLED : [3];
    for (const filled of oneIn(4, sizes)) await expectGoesOn(fixture, filled, failure);
  });
});
