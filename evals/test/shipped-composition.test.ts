import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, type ContextOptions, createContext } from '@varve/context';
import {
  isToolResult,
  isToolUse,
  type Message,
  type Request,
  stableStringify,
  toolResults,
} from '@varve/messages';
import { toolKind } from '@varve/messages/tools';
import { createMicrocompact } from '@varve/microcompact';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../internal/src/share.ts';
import { defaultSessions } from '../src/default-paths.ts';
import { BUILT_IN_STRATEGIES, type Strategy } from '../src/index.ts';
import { replayAndWait } from '../src/replay/replay.ts';
import { planSession, type SessionPlan } from '../src/replay/session-plan.ts';
import type { Pricing } from '../src/resolve-pricing.ts';
import { importNamed, mainThreads } from '../src/session/import-threads.ts';
import { findSessionFiles } from '../src/session/session-files.ts';
import { threadPricing } from '../src/thread-pricing.ts';
import { emptyBlock, emptySummary, factsOfStretch, type Input, ledgerMemory } from './stand-ins.ts';

interface Setting
  extends Pick<
    ContextOptions,
    'clearBy' | 'compaction' | 'fold' | 'layers' | 'stableTtl' | 'storage'
  > {
  readonly settle?: () => Promise<void>;
}

const stored = () => createToolStorage({ store: memoryStore(), sessionId: 'replay' });
const noModel = () => Promise.reject(new Error('There is no model here.'));
const wait = () => Promise.resolve();
/** What compacts where nothing else can. */
const byLedger = { summarize: 'ledger', keepTokens: 0 } as const;
const clearing = (mechanism: 'time' | 'count') => [
  { name: 'microcompact', planner: createMicrocompact({ mechanisms: [mechanism] }) },
];

/** What somebody writes who wants what a strategy of the report does. */
const AS_A_USER: Readonly<Record<string, (input: Input) => Setting>> = {
  'microcompact-time': () => ({ layers: clearing('time') }),
  'microcompact-count': () => ({ layers: clearing('count') }),
  'microcompact-rent': () => ({}),
  layers: () => ({ storage: stored() }),
  'layers+1h': () => ({ storage: stored(), stableTtl: '1h' }),
  'ledger-compact': () => ({ layers: [], compaction: byLedger }),
  'layers+ledger': () => ({
    storage: stored(),
    compaction: { summarize: 'ledger', keepTokens: 20_000 },
  }),
  'layers+fold': () => ({ storage: stored(), fold: {} }),
  'layers+need': () => ({ storage: stored(), clearBy: 'need' }),
  'layers+need+fold': () => ({ storage: stored(), clearBy: 'need', fold: {} }),
  offload: () => ({
    layers: [],
    storage: createToolStorage({
      ...{ store: memoryStore(), sessionId: 'replay' },
      threshold: { chars: Number.POSITIVE_INFINITY, tokens: 4_000 },
      thresholdOf: (name) => (toolKind(name) === 'read' ? Number.POSITIVE_INFINITY : undefined),
    }),
  }),
  'full-compact': (input) => ({ layers: [], compaction: { summarize: emptySummary(input), wait } }),
  'provider-compact': (input) => {
    const byProvider = emptyBlock(input);
    return { layers: [], compaction: { ...byLedger, byProvider } };
  },
  collapse: (input) => ({
    layers: [],
    compaction: { ...byLedger, collapse: { summarize: factsOfStretch(input) } },
  }),
  'session-memory': (input) => {
    const memory = ledgerMemory(input);
    const compaction = { ...byLedger, notes: { memory } };
    return { layers: [], compaction, settle: memory.settle };
  },
};

/** Small enough for every session to be compacted where something compacts; else an agent would start anew. */
const WINDOW = 90_000;
const COMPACTING = [
  'ledger-compact',
  'layers+ledger',
  'full-compact',
  'provider-compact',
  'session-memory',
  'collapse',
];
const windowOf = (strategy: string): number | 'none' =>
  COMPACTING.includes(strategy) ? WINDOW : 'none';

type Step =
  | { readonly kind: 'said'; readonly message: Message }
  | { readonly kind: 'asked'; readonly nowMs: number; readonly request: string }
  | { readonly kind: 'own'; readonly request: string };

/** What the replay told a strategy, re-reads included, and what that sent. */
async function replayed(plan: SessionPlan, strategy: Strategy): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let runs = 0;
  const create: Strategy['create'] = (given) => {
    const run = strategy.create(given);
    if (runs++ > 0) return run; // the second run checks that it does the same
    return {
      ...run,
      add(message) {
        steps.push({ kind: 'said', message });
        run.add(message);
      },
      request() {
        const request = run.request();
        steps.push({ kind: 'asked', nowMs: given.now(), request: bytesOf(request) });
        return request;
      },
      calls() {
        const calls = run.calls?.() ?? [];
        for (const { request } of calls.filter((call) => isFirst(call.request)))
          steps.push({ kind: 'own', request: bytesOf(request) });
        return calls;
      },
    };
  };
  await replayAndWait(plan, { ...strategy, create });
  return steps;
}

/** Drives a context as an agent does whose model gives the recorded replies, and returns its requests. */
async function driven(
  plan: SessionPlan,
  settingOf: (input: Input) => Setting,
  steps: readonly Step[],
): Promise<readonly string[]> {
  const { head, sizes } = plan.recording;
  const { model, policy, window } = plan.pricing;
  const [sent, own]: [string[], string[]] = [[], []];
  let [nowMs, billed] = [0, 0];
  const { settle, ...setting } = settingOf({
    model,
    context: () => context,
    onCall: ({ request }) => void (isFirst(request) && own.push(bytesOf(request))),
  });
  const context: Context = createContext({
    ...{ model: model.id, system: head.system, tools: head.tools },
    models: [{ ...model, aliases: [], windowTokens: window }],
    ...{ policy, now: () => nowMs, ...setting },
  });
  const results = createShownResults();
  const until = ({ createdAt = '' }: Message) => {
    nowMs = Math.max(nowMs, Date.parse(createdAt) || 0);
  };
  let heard: Message[] = [];
  for (const step of steps) {
    if (step.kind === 'asked') {
      for (const message of heard) {
        nowMs = Math.max(step.nowMs, Date.parse(message.createdAt ?? '') || 0);
        await hear(message);
      }
      heard = [];
      nowMs = step.nowMs;
      const request = await context.request();
      results.sent(request);
      const { messages } = request;
      billed = messages.reduce((sum, each) => sum + sizes.message(each), sizes.of(request.head));
      sent.push(bytesOf(request));
    } else if (step.kind === 'own') {
    } else if (step.message.role === 'assistant') {
      until(step.message);
      if (context.view().messages.at(-1)?.role === 'assistant') {
        await context.user('Go on.', { origin: { kind: 'synthetic' } });
      }
      await context.reply({
        content: answer(step.message),
        ...(billed > 0 && {
          usage: { input_tokens: billed, output_tokens: sizes.message(step.message) },
        }),
      });
      billed = 0;
      await settle?.();
    } else {
      heard.push(step.message);
    }
  }
  return [...sent, ...own];

  async function hear({ content, origin }: Message): Promise<void> {
    const outputs = content.filter(isToolResult);
    if (outputs.length > 0) {
      await context.results(
        outputs.map((each) => ({
          ...{ toolUseId: each.tool_use_id, content: each.content ?? '', isError: each.is_error },
        })),
      );
    }
    const rest = content.filter((block) => !isToolResult(block));
    const isTool = outputs.length > 0 || origin?.kind === 'tool';
    if (rest.length > 0) await context.user(rest, { origin: isTool ? undefined : origin });
  }

  function answer({ content, origin }: Message): Message['content'] {
    const name = setting.storage?.readTool.name;
    if (name === undefined || origin?.kind !== 're-read') return content;
    if (!results.isKept(`${origin.of}`)) return content;
    return content.map((block) => (isToolUse(block) ? { ...block, name } : block));
  }
}

/** Which results can be read from a storage, by what the model was sent of them. */
function createShownResults() {
  const parked = new Set<string>();
  const known = new Set<string>();
  let last = '';
  return {
    sent({ messages }: Request): void {
      last = JSON.stringify(messages);
      for (const { tool_use_id: id, content } of messages.flatMap(toolResults)) {
        known.add(id);
        if (JSON.stringify(content ?? '').includes('<persisted-output handle=')) parked.add(id);
      }
    },
    /** It was large from the first, its handle is there, or it was never sent here: what stored it is older. */
    isKept(id: string): boolean {
      const name = id.slice(0, 64).replace(/[^\w-]/g, '_');
      const handle = new RegExp(`${name}(~[0-9a-f]{8})?-[0-9a-f]{16}\\.(txt|json|bin)`);
      return parked.has(id) || !known.has(id) || handle.test(last);
    },
  };
}

/** What a provider gets; ids of ours are not sent. */
const bytesOf = ({ head, messages, markers, maxOutputTokens, server = {} }: Request): string =>
  stableStringify({
    ...{ ...head, id: '' },
    ...{ markers, maxOutputTokens, server },
    messages: messages.map(({ role, content }) => ({ role, content })),
  } as never);

/** A second request for notes shows the edits of the first reply, which each stand-in makes in its own way. */
const isFirst = ({ messages }: Pick<Request, 'messages'>): boolean =>
  !messages.some(({ content }) => content.some((block) => isToolUse(block) && EDIT.test(block.id)));

const EDIT = /^edit-\d+$/;

interface Session {
  readonly name: string;
  readonly plan: (strategy: string) => SessionPlan;
}

/** The requests of the conversation, and behind them those for summaries and notes. */
const requestsOf = (steps: readonly Step[]): readonly string[] =>
  (['asked', 'own'] as const).flatMap((kind) =>
    steps.flatMap((step) => (step.kind === kind ? [step.request] : [])),
  );

/** Where two texts part. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const near = (text: string): string => text.slice(Math.max(0, at - 60), at + 120);
  return `${near(one)}\n≠\n${near(other)}`;
}

async function sessionsIn(paths: readonly string[]): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for (const file of await findSessionFiles(paths)) {
    const [named] = mainThreads(await importNamed(file), file.name);
    if (named === undefined) continue;
    const { thread, session: name } = named;
    const plan = (strategy: string): SessionPlan =>
      planSession(
        thread,
        threadPricing(thread, { ttl: '5m', window: windowOf(strategy) }) as Pricing,
      );
    sessions.push({ name, plan });
  }
  return sessions;
}

const { VARVE_SESSIONS: folder = '' } = process.env;
/** Recorded by six different agents. */
const FOREIGN = [
  'claude-code/claude-skills-20260427.jsonl',
  'codex/codex-agentv-b9220e.jsonl',
  'copilot-cli/copilot-agentv-20260624.jsonl',
  'gemini-cli/gemini-bridge-a.json',
  'opencode/opencode-bridge-cmp.json',
  'swe-agent/sweagent-smith-pydantic8316.traj',
]
  .map((name) => join(folder, name))
  .filter((path) => folder !== '' && existsSync(path));

const builtIn = (name: string): Strategy =>
  BUILT_IN_STRATEGIES.find((each) => each.name === name) as Strategy;

const own = await sessionsIn([defaultSessions()]);
const foreign = await sessionsIn(FOREIGN);
const cases = (sessions: readonly Session[]) =>
  sessions.flatMap((session) =>
    Object.keys(AS_A_USER).map((strategy) => [strategy, session.name, session] as const),
  );

describe('what is measured is what ships', () => {
  const same = async (strategy: string, session: Session): Promise<void> => {
    const plan = session.plan(strategy);
    const steps = await replayed(plan, builtIn(strategy));
    const sent = requestsOf(steps);
    const settingOf = AS_A_USER[strategy] as (input: Input) => Setting;
    const got = await driven(plan, settingOf, steps);
    const differs = got.findIndex((request, at) => request !== sent[at]);
    expect(differs === -1 ? 'the same' : difference(sent[differs] ?? '', got[differs] ?? '')).toBe(
      'the same',
    );
    expect(got).toHaveLength(sent.length);
    expect(sent.length).toBeGreaterThan(0);
  };

  test.each(oneIn(16, cases(own)))(
    '%s on %s: a context gives the same bytes',
    (strategy, _, session) => same(strategy, session),
  );

  test.skipIf(foreign.length === 0).each(oneIn(24, cases(foreign)))(
    '%s on the recorded %s: a context gives the same bytes',
    (strategy, _, session) => same(strategy, session),
  );

  test('an option that only one side has shows', async () => {
    const plan = (own[0] as Session).plan('layers+ledger');
    const steps = await replayed(plan, builtIn('layers+ledger'));
    const compaction = { summarize: noModel, wait, keepTokens: 10_000 };
    const got = await driven(plan, () => ({ storage: stored(), compaction }), steps);
    expect(got).not.toEqual(requestsOf(steps));
  });
});
