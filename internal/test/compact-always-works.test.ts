import {
  type CompactionWork,
  type Compactor,
  compact,
  createCompaction,
  type Summarize,
} from '@varve/compact';
import {
  checkHistory,
  checkRequest,
  type Message,
  type Plan,
  type Request,
  type ThinkingRule,
} from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import { describe, expect, test } from 'vitest';
import { isWhole, oneIn } from '../src/share.ts';
import {
  CUT_KINDS,
  type CutKind,
  FIXTURES,
  type Fixture,
  type GrownState,
  grownState,
  hasThoughts,
  type PlainState,
  plainState,
} from './compact-fixtures.ts';
import {
  ANSWER_NAMES,
  type Answer,
  type AnsweringModel,
  answering,
  noWait,
} from './compact-models.ts';
import {
  type ContextOptions,
  contextOf,
  editEntry,
  headTokens,
  limitsOf,
  profilesFor,
  sizesOf,
  type Thread,
  threadOf,
} from './compact-thread.ts';

/** Of one summary: 7 over the whole history, 16 over parts of it, 3 with smaller parts. */
const MOST_CALLS = 26;

const WINDOW_TOKENS = 60_000;
const FILLED = [0.6, 1, 1.3, 3];
const RULES: readonly ThinkingRule[] = ['free', 'latest-turn', 'prefix-bound'];

/** Each state meets every other answer, and its neighbours the ones between; `pnpm soak` tries all answers in all states. */
const meets = (state: number, answer: Answer): boolean =>
  process.env.VARVE_SOAK !== undefined || (state + ANSWER_NAMES.indexOf(answer)) % 2 === 0;

/** What only the conversation itself can be the reason for, whatever a model does. */
const ALLOWED: readonly string[] = ['not-smaller', 'nothing-to-compact', 'thinking-bound'];

interface Case {
  readonly fixture: Fixture;
  readonly kind: CutKind;
  readonly filled: number;
  readonly rule: ThinkingRule;
  readonly state: GrownState;
  readonly windowTokens: number;
}

type Shape = Pick<Case, 'kind' | 'filled' | 'rule'>;

/** A session in every size and cut; the one with thinking by every rule. */
function shapesOf(fixture: Fixture, index: number): readonly Shape[] {
  const rules = hasThoughts(fixture) ? RULES : [RULES[index % RULES.length] as ThinkingRule];
  return CUT_KINDS.flatMap((kind) =>
    FILLED.flatMap((filled) => rules.map((rule) => ({ kind, filled, rule }))),
  );
}

function grown(fixture: Fixture, shape: Shape): Case {
  const { kind, filled } = shape;
  const state = grownState(fixture, WINDOW_TOKENS * filled, kind);
  const windowTokens = Math.round((state.tokens + headTokens(fixture.head)) / filled);
  return { ...shape, fixture, state, windowTokens };
}

const BOUND = ['thinking-bound', 'prefix-bound', 'in-round'];

const SESSIONS = FIXTURES.map(
  (fixture, index) => [fixture.name, fixture, shapesOf(fixture, index)] as const,
);

const GO_ON: Message = { id: 'go-on', role: 'user', content: [{ type: 'text', text: 'Go on.' }] };

/** The request that a conversation is sent with next. Somebody has to say something to a reply. */
function nextRequest(messages: readonly Message[], { fixture: { head } }: Case): Request {
  const sent = messages.at(-1)?.role === 'assistant' ? [...messages, GO_ON] : messages;
  return { head, messages: sent, markers: [], maxOutputTokens: 1_000 };
}

function expectSendable(
  request: Request,
  { rule, windowTokens, fixture }: Case,
  fingerprintAt?: (count: number) => string | undefined,
): void {
  const marked = placeMarkers(request, { policy: cachePolicy(fixture.head.model) });
  const [anthropic, ...others] = profilesFor(rule);
  if (anthropic) expect(checkRequest(marked, anthropic, { fingerprintAt })).toEqual([]);
  // only its messages: the parameters of the head are those of its own provider
  for (const profile of others) expect(checkHistory(request.messages, profile)).toEqual([]);
  const sizeOf = sizesOf(fixture.head);
  const tokens = request.messages.reduce((sum, message) => sum + sizeOf(message), 0);
  expect(tokens + headTokens(fixture.head)).toBeLessThan(
    limitsOf(fixture.head, windowTokens).effectiveTokens,
  );
}

/**
 * A request for a summary is one the provider takes, and leaves room for the answer. Every request is measured with the head
 * that it is sent with: that of the conversation, or, where its transcript goes in parts, one without system prompt and tools.
 */
function expectAsked(requests: readonly Request[], { rule, windowTokens, fixture }: Case): void {
  const sizeOf = sizesOf(fixture.head);
  const [anthropic] = profilesFor(rule);
  const conversationTokens = headTokens(fixture.head);
  for (const { head, messages, maxOutputTokens } of requests) {
    const tokens = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    const isPart = head.system.length + head.tools.length === 0;
    const prompt = tokens + (isPart ? headTokens(head) : conversationTokens);
    expect(prompt + maxOutputTokens).toBeLessThanOrEqual(windowTokens);
  }
  // a call that is made again sends the same
  const sent = new Map(requests.map((request) => [kindOf(request), request]));
  for (const request of sent.values()) {
    if (anthropic) expect(checkRequest(request, anthropic)).toEqual([]);
  }
}

const kindOf = ({ messages }: Request) => `${messages.length} ${messages.at(-1)?.id}`;

/** Below the window a conversation may stay as it is. */
const isFull = ({ filled }: Case) => filled >= 1;

describe.each(SESSIONS)(
  'a recorded session that has grown: %s (C4, C6, C7)',
  (_, fixture, shapes) => {
    let made: readonly PlainCase[] | undefined;
    const plain = () => {
      made ??= oneIn(8, shapes.filter(isPlain))
        .map((shape) => grown(fixture, shape))
        .map((each) => ({ ...each, ...plainState(each.state, fixture.head) }));
      return made;
    };

    test.each(ANSWER_NAMES)('compact leaves one that can go on, model: %s', async (answer) => {
      for (const [at, each] of plain().entries()) {
        if (meets(at, answer)) await expectPlain(each, answer);
      }
    });

    test('a planner leaves a log that can go on, whatever the model answers', async () => {
      for (const [at, shape] of oneIn(12, shapes).entries()) {
        const answers = ANSWER_NAMES.filter((answer) => meets(at, answer));
        await expectLogged(grown(fixture, shape), answers);
      }
    });
  },
);

describe('every state of a recorded session (C4, C6, C7)', () => {
  test.each(FIXTURES)('can go on after each message: $name', async (fixture) => {
    let model = answering('a summary');
    const summarize: Summarize = (request, options) => model.summarize(request, options);
    const planner = createCompaction({ summarize, wait: noWait });
    const log = threadOf(fixture.head, planner);
    let compacted = 0;
    const drawn = new Set(oneIn(4, [...fixture.messages.keys()]));
    for (const [index, message] of fixture.messages.entries()) {
      log.say(message);
      if (log.view.open || !drawn.has(index)) continue;
      const given = stateAt(log, fixture, index);
      model = answering(ANSWER_NAMES[index % ANSWER_NAMES.length] as Answer);
      const context = contextOf(log.view, { ...given, head: fixture.head, thinking: given.rule });
      const plan = planner.planNow(context, { trigger: 'auto' });
      const done = await expectRun(given, { log, planner, work: workOf(plan), model });
      if (done) compacted++;
    }
    expect(compacted).toBeGreaterThan(isWhole ? 20 : 3);
  });
});

/** The window is what makes a state of any size a small or a large one; nobody has one smaller than this. */
const LEAST_WINDOW_TOKENS = 32_000;

function stateAt({ view }: Thread, fixture: Fixture, index: number): Case {
  const wanted = FILLED[index % FILLED.length] as number;
  const rule = RULES[index % RULES.length] as ThinkingRule;
  const sizeOf = sizesOf(fixture.head);
  const tokens = view.messages.reduce((sum, each) => sum + sizeOf(each), 0);
  const contextTokens = tokens + headTokens(fixture.head);
  const windowTokens = Math.max(LEAST_WINDOW_TOKENS, Math.round(contextTokens / wanted));
  const filled = contextTokens / windowTokens;
  const state = { messages: [], results: [], tokens };
  return { fixture, kind: 'after-results', filled, rule, state, windowTokens };
}

type PlainCase = Case & PlainState;

/** Every other one: a plain history is read from its beginning each time. */
const isPlain = ({ kind, filled }: Shape) =>
  (CUT_KINDS.indexOf(kind) + FILLED.indexOf(filled)) % 2 === 0;

async function expectPlain(given: PlainCase, answer: Answer): Promise<void> {
  const { fixture, history, windowTokens, rule } = given;
  const model = answering(answer);
  const result = await compact(history, {
    ...{ summarize: model.summarize, wait: noWait, head: fixture.head, windowTokens },
    thinking: rule,
  });
  expectAsked(model.requests, given);
  expect(model.requests.length).toBeLessThanOrEqual(MOST_CALLS);
  if (result.kind === 'failed') {
    expect(result.messages).toBe(history);
    expect(ALLOWED).toContain(result.reason);
    expect(result.calls).toBe(model.requests.length);
    // only where the calls that wait belong to thinking that is bound to what would go
    if (isFull(given)) expect([result.reason, rule, given.kind]).toEqual(BOUND);
    return;
  }
  expect(result.receipt.calls).toBe(model.requests.length);
  expectSendable(nextRequest([...result.messages, ...given.next], given), given);
}

/** Compacts the log with each model, looks at the next request, and takes the compaction back. */
async function expectLogged(given: Case, answers: readonly Answer[]): Promise<void> {
  const { fixture, state, windowTokens, rule } = given;
  let model = answering('a summary');
  const summarize: Summarize = (request, options) => model.summarize(request, options);
  const planner = createCompaction({ summarize, wait: noWait });
  const log = threadOf(fixture.head, planner);
  for (const message of state.messages) log.say(message);
  const options: ContextOptions = { head: fixture.head, windowTokens, thinking: rule };
  const plan = () => planner.planNow(contextOf(log.view, options), { trigger: 'auto' });
  if (given.kind === 'in-round') {
    expect(plan()).toEqual({ kind: 'none', reason: 'round-open' });
    for (const result of state.results) log.say(result);
  }
  for (const answer of answers) {
    model = answering(answer);
    await expectRun(given, { log, planner, work: workOf(plan()), model });
  }
}

function workOf(plan: Plan<CompactionWork>): CompactionWork {
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return plan.work;
}

interface LoggedRun {
  readonly log: Thread;
  readonly planner: Compactor;
  readonly work: CompactionWork;
  readonly model: AnsweringModel;
}

/** Whether it was compacted. */
async function expectRun(given: Case, { log, planner, work, model }: LoggedRun): Promise<boolean> {
  const before = log.view;
  const result = await planner.run(work);
  expect(log.view).toBe(before);
  expectAsked(model.requests, given);
  expect(model.requests.length).toBeLessThanOrEqual(MOST_CALLS);
  if (result.kind === 'failed') {
    expect(ALLOWED).toContain(result.reason);
    expect(result.calls).toBe(model.requests.length);
    expect(isFull(given)).toBe(false);
    return false;
  }
  const { edit, receipt } = result;
  expect(receipt.calls).toBe(model.requests.length);
  const id = `edit-${log.entries.length}`;
  log.append(editEntry(id, edit));
  const { view } = log;
  expectSendable(nextRequest(view.messages, given), given, (count) =>
    prefixFingerprint(view, count),
  );
  log.append(editEntry(`${id}-undo`, { kind: 'undo', entryId: id }));
  expect(log.view.messages).toEqual(before.messages);
  return true;
}
