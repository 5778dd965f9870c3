import { createCompaction, createSnip, type SummaryReply } from '@varve/compact';
import { createMemdir, inMemoryFolder } from '@varve/memdir';
import type { Entry, Request } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { cachePolicy } from '@varve/prompt-cache';
import { createSessionMemory, memoryNotes } from '@varve/session-memory';
import { describe, expect, test } from 'vitest';
import {
  type CallModel,
  type Context,
  type ContextCompaction,
  type ContextEvent,
  type ContextOptions,
  createContext,
} from '../src/index.ts';
import { noWait } from './compacting-support.ts';
import { smallPercent, smallWindow } from './small-window.ts';
import { call, earlyStorage, fakeClock, LATEST, OPENAI, output, says, text } from './support.ts';

/** What a session of eight rounds and two persons' messages came to. */
interface Played {
  /** Bytes of the requests. */
  readonly requests: string;
  /** Bytes of the requests for a summary. */
  readonly summaries: string;
  /** What was told, without the times. */
  readonly events: string;
  /** What the options themselves were asked or told. */
  readonly seen: string;
  /** The log, as it was written where there is one. */
  readonly log: string;
}

type Channel = keyof Played;
type Options = Partial<ContextOptions>;
type Compaction = Partial<ContextCompaction>;

/** What one option changes, beside a base where it could change anything at all. */
interface Row<Given> {
  /** Made anew for each run, with a place to note what the option was asked. */
  readonly on: (seen: string[]) => Given;
  readonly base?: (seen: string[]) => Given;
  readonly changes: readonly Channel[];
  /** What is there with the option, and not without it. */
  readonly shows?: readonly [Channel, string];
}

/** What the provider is sent, and all that follows from it. */
const ALL: readonly Channel[] = ['requests', 'summaries', 'events', 'log'];

const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(6)}`;
const summary = (about: string): SummaryReply => ({
  content: [text(`<summary>${about}</summary>`)],
  stopReason: 'end_turn',
});
const DONE = summary('The commands k0 to k9 were run; each printed its lines.');

/** The context of the run that is under way: a memory of notes writes into it. */
let current: Context | undefined;

async function play(
  given: Options,
  compaction: Compaction | false,
  seen: string[],
): Promise<Played> {
  const requests: Request[] = [];
  const summaries: Request[] = [];
  const events: ContextEvent[] = [];
  const { summarize = async () => DONE } = compaction || {};
  const context = createContext({
    model: LATEST,
    models: [smallWindow(given.model ?? LATEST, 4_000)],
    system: 'You fix tests.',
    tools: [TOOL],
    layers: [],
    now: fakeClock().now,
    onEvent: (event) => void events.push(event),
    ...(compaction && {
      compaction: {
        ...{ wait: noWait, percent: smallPercent(4_000) },
        ...compaction,
        summarize:
          summarize === 'ledger'
            ? summarize
            : (request: Request, calling: Parameters<typeof summarize>[1]) => {
                summaries.push(request);
                return summarize(request, calling);
              },
      },
    }),
    ...given,
  });
  current = context;
  async function turn(reply: Parameters<typeof context.reply>[0]): Promise<void> {
    if (given.call) {
      await context.send();
      requests.push(context.lastRequest()?.request as Request);
      return;
    }
    requests.push(await context.request());
    await context.reply(reply);
  }
  await context.user(`Run all of it with ${SECRET}.`);
  for (let at = 0; at < 8; at++) {
    await turn(says(text(`Step k${at}.`), call(`k${at}`, 'bash', { command: `run k${at}` })));
    await context.results([{ toolUseId: `k${at}`, content: output(`k${at}`, 2_500) }]);
    await new Promise((resolve) => setTimeout(resolve, 0)); // what is done in the background
  }
  await turn(says(text('Done.')));
  const bytes = (value: unknown) =>
    JSON.stringify(value, (_, each) => (each instanceof Error ? each.message : each));
  return {
    requests: bytes(requests),
    summaries: bytes(summaries),
    events: bytes(events),
    seen: bytes(seen),
    log: bytes(context.entries()),
  };
}

const clearing = () => [
  {
    name: 'microcompact',
    planner: createMicrocompact({
      ...{ mechanisms: ['count'], keepRecent: 1 },
      count: { candidateTokens: 100, minSavingsTokens: 1 },
    }),
  },
];

/** Each request finds the cache cold, and one that fetches something again reads a long prompt: by age it goes all the same. */
const dearToFetch = () => {
  let hours = 0;
  const now = () => hours++ * 3_600_000;
  return { layers: undefined, models: [], system: 'You fix tests. '.repeat(30_000), now };
};

/** Between any two looks at it the cache of five minutes expires. */
function withPauses(): () => number {
  let pauses = 0;
  return () => pauses++ * 400_000;
}

const TOOL = { name: 'bash', description: 'Runs a command.', input_schema: { type: 'object' } };

/** Answers as the script of the session does. */
function scripted(seen: string[]): CallModel {
  let at = 0;
  return async () => {
    seen.push('called');
    const name = `k${at++}`;
    if (at > 8) return says(text('Done.'));
    return says(text(`Step ${name}.`), call(name, 'bash', { command: `run ${name}` }));
  };
}

const retryable = () => Object.assign(new Error('overloaded'), { status: 529 });
const tooLong = () => Object.assign(new Error('too long'), { code: 'context_length_exceeded' });

/** Fails so often, and then answers. */
const failing = (times: number, error: () => Error) => {
  let left = times;
  return async () => {
    if (left-- > 0) throw error();
    return DONE;
  };
};

const OPTIONS: { readonly [Name in keyof ContextOptions]-?: Row<Options> } = {
  model: { on: () => ({ model: OPENAI }), changes: ALL, shows: ['requests', 'gpt-5.5'] },
  system: {
    on: () => ({ system: 'You write tests.' }),
    changes: ['requests', 'summaries', 'log'],
    shows: ['requests', 'You write tests.'],
  },
  tools: {
    on: () => ({ tools: [TOOL, { ...TOOL, name: 'more' }] }),
    changes: ALL,
    shows: ['requests', '"name":"more"'],
  },
  params: {
    on: () => ({ params: { effort: 'high' } }),
    changes: ['requests', 'summaries', 'log'],
    shows: ['requests', '"effort":"high"'],
  },
  storage: {
    on: () => ({ storage: earlyStorage() }),
    changes: ALL,
    shows: ['requests', 'read_stored'],
  },
  layers: {
    on: () => ({ layers: [{ name: 'snip', planner: createSnip({ budgetTokens: 2_500 }) }] }),
    changes: ALL,
    shows: ['log', '"by":"snip"'],
  },
  clearBy: {
    base: () => dearToFetch(),
    on: () => ({ ...dearToFetch(), clearBy: 'need' }),
    changes: ['requests', 'events', 'log'],
  },
  snip: {
    on: () => ({ snip: { budgetTokens: 2_500 } }),
    changes: ALL,
    shows: ['log', '"by":"snip"'],
  },
  fold: {
    base: () => ({ layers: clearing() }),
    on: () => ({ layers: clearing(), fold: { afterRequests: 2, minSavingsTokens: 1 } }),
    changes: ['requests', 'events', 'log'],
    shows: ['log', '"by":"fold"'],
  },
  call: { on: (seen) => ({ call: scripted(seen) }), changes: ['seen'], shows: ['seen', 'called'] },
  log: {
    on: (seen) => ({
      log: {
        append: async (...entries: readonly Entry[]) =>
          void seen.push(...entries.map(({ id }) => id)),
      },
    }),
    changes: ['seen'],
    shows: ['seen', 'head-1'],
  },
  entries: {
    on: () => {
      const before = createContext({ model: LATEST, now: fakeClock().now });
      return { entries: before.entries() };
    },
    changes: ALL,
  },
  models: { on: () => ({ models: [] }), changes: ALL },
  policy: {
    on: () => ({ policy: cachePolicy(OPENAI) }),
    changes: ['requests', 'summaries'],
  },
  stableTtl: {
    on: () => ({ stableTtl: '1h' }),
    base: () => ({ now: withPauses() }),
    changes: ['requests', 'summaries'],
    shows: ['requests', '"ttl":"1h"'],
  },
  maxOutputTokens: {
    on: () => ({ maxOutputTokens: 500 }),
    changes: ['requests'],
    shows: ['requests', '"maxOutputTokens":500'],
  },
  // no request is so large here: by-hand.test.ts
  blockingLimitTokens: { on: () => ({ blockingLimitTokens: 100_000 }), changes: [] },
  compaction: { on: () => ({ compaction: undefined }), changes: ALL },
  memory: {
    on: () => ({ memory: { memory: createMemdir({ folder: inMemoryFolder(), now: () => 0 }) } }),
    changes: ALL,
    shows: ['requests', '# Long-term memory'],
  },
  cleanUp: {
    on: (seen) => ({ cleanUp: [({ by }: { by: string }) => void seen.push(by)] }),
    changes: ['seen'],
    shows: ['seen', 'compact'],
  },
  redact: { on: () => ({ redact: 'on-entry' }), changes: ALL, shows: ['requests', '[redacted'] },
  onEvent: {
    on: (seen) => ({ onEvent: ({ kind }) => void seen.push(kind) }),
    changes: ['events', 'seen'],
    shows: ['seen', 'progress'],
  },
  now: {
    on: () => ({ now: () => 0 }),
    changes: ['requests', 'summaries', 'log'],
    shows: ['log', '1970-01-01'],
  },
};

const COMPACTION: {
  readonly [Name in keyof ContextCompaction | 'summarize by the ledger']-?: Row<Compaction>;
} = {
  summarize: {
    on: () => ({ summarize: async () => summary('k0 to k9 printed lines.') }),
    changes: ALL,
    shows: ['requests', 'k0 to k9 printed lines.'],
  },
  'summarize by the ledger': {
    on: () => ({ summarize: 'ledger' }),
    changes: ALL,
    shows: ['log', '"engine":"ledger"'],
  },
  keepTokens: { on: () => ({ keepTokens: 1_000 }), changes: ALL },
  maxSummaryTokens: {
    on: () => ({ maxSummaryTokens: 400 }), // what the ledger adds to a summary stays within them, too
    changes: ALL,
    shows: ['summaries', '"maxOutputTokens":400'],
  },
  minSavings: { on: () => ({ minSavings: 0.95 }), changes: ALL, shows: ['events', 'not-smaller'] },
  fallback: {
    base: () => ({ summarize: failing(99, () => new Error('no')) }),
    on: () => ({ fallback: 'none' }),
    changes: ALL,
    shows: ['events', 'model-failed'],
  },
  tooLong: {
    base: () => ({ summarize: failing(1, tooLong) }),
    on: () => ({ tooLong: 'peel' }),
    changes: ALL,
  },
  wait: {
    base: () => ({ summarize: failing(1, retryable) }),
    on: (seen) => ({ wait: async (ms) => void seen.push(`${ms}`) }),
    changes: ['seen'],
    shows: ['seen', '1000'],
  },
  mark: { on: () => ({ mark: (request) => request }), changes: ['summaries'] },
  originals: {
    on: () => ({ originals: 'log.jsonl' }),
    changes: ALL,
    shows: ['requests', 'log.jsonl'],
  },
  onAttempt: {
    base: () => ({ summarize: failing(1, retryable) }),
    on: (seen) => ({ onAttempt: ({ reason }) => void seen.push(reason) }),
    changes: ['seen'],
    shows: ['seen', 'model-failed'],
  },
  switches: {
    on: () => ({ switches: () => ({ auto: false }) }),
    changes: ALL,
    shows: ['events', 'auto-disabled'],
  },
  pins: {
    on: () => ({ pins: () => ['Never push to main.'] }),
    changes: ALL,
    shows: ['requests', 'Never push to main.'],
  },
  ledger: {
    on: () => ({ ledger: createCompaction({ summarize: async () => DONE }).ledger }),
    changes: ALL,
  },
  hooks: {
    on: () => ({
      hooks: { before: [{ name: 'focus', run: () => ({ instructions: 'Keep names.' }) }] },
    }),
    changes: ['summaries', 'events'],
    shows: ['summaries', 'Keep names.'],
  },
  hookTimeoutMs: {
    base: (seen) => slowHook(seen),
    on: () => ({ hookTimeoutMs: 7 }),
    changes: ['seen'],
    shows: ['seen', '7'],
  },
  startTimer: {
    base: (seen) => ({ ...slowHook(seen), startTimer: undefined, hookTimeoutMs: 1 }),
    on: (seen) => ({ startTimer: timer(seen) }),
    changes: ['seen'],
    shows: ['seen', '1'],
  },
  notes: {
    on: () => {
      const memory = createSessionMemory({
        file: memoryNotes('notes.md'),
        template: `# Task\n${GUIDANCE}\n`,
        async runFork({ runTool }) {
          const input = { path: 'notes.md', old_str: GUIDANCE, new_str: `${GUIDANCE}\nA parser.` };
          runTool({ id: 'n1', name: 'Edit', input });
          return { kind: 'done' };
        },
        thresholds: { firstTokens: 1_000, growthTokens: 1_000 },
        appendNote: (note) => current?.note(note),
      });
      return { notes: { memory, tail: { minTokens: 500, minTextMessages: 1 } } };
    },
    changes: ALL,
    shows: ['log', '"engine":"notes"'],
  },
  collapse: {
    on: () => ({
      collapse: { keepTokens: 600, spanTokens: 900, minSpanTokens: 400, maxSummaryTokens: 150 },
    }),
    changes: ALL,
    shows: ['log', '"by":"collapse"'],
  },
  byProvider: {
    on: () => ({
      byProvider: {
        provider: 'anthropic',
        call: async () => ({
          content: [{ type: 'compaction', content: 'k0 to k9 were run.' }],
          stopReason: 'compaction',
        }),
      },
    }),
    changes: ALL,
    shows: ['log', '"engine":"provider"'],
  },
  restore: {
    on: () => ({
      async restore({ messageId: id }) {
        const content = [text('src/a.ts as it is now')];
        return { messages: [{ id, role: 'user', content }], restored: [] };
      },
    }),
    changes: ALL,
    shows: ['requests', 'src/a.ts as it is now'],
  },
  cleanUp: {
    on: (seen) => ({ cleanUp: { 'file-reads': () => void seen.push('files') } }),
    changes: ['seen'],
    shows: ['seen', 'files'],
  },
  threadId: {
    on: () => ({ threadId: 'other' }),
    changes: ['events'],
    shows: ['events', '"threadId":"other"'],
  },
  percent: { on: () => ({ percent: smallPercent(2_000) }), changes: ALL },
  verify: { on: () => ({ verify: false }), changes: ALL },
  // nothing is refused here: compaction-recovery.test.ts
  reactive: { on: () => ({ reactive: false }), changes: [] },
};

const GUIDANCE = '_What was asked for._';

const timer =
  (seen: string[]) =>
  (ms: number, done: () => void): (() => void) => {
    seen.push(`${ms}`);
    queueMicrotask(done);
    return () => {};
  };

function slowHook(seen: string[]): Compaction {
  const run = () => new Promise<undefined>(() => {});
  return { hooks: { before: [{ name: 'slow', run }] }, startTimer: timer(seen) };
}

async function compare<Given extends object>(
  { on, base = () => ({}) as Given, shows }: Omit<Row<Given>, 'changes'>,
  run: (given: Given, seen: string[]) => Promise<Played>,
) {
  const without: string[] = [];
  const before = await run(base(without), without);
  const seen: string[] = [];
  const after = await run({ ...base(seen), ...on(seen) }, seen);
  const changes = (Object.keys(before) as Channel[]).filter((each) => before[each] !== after[each]);
  const shown =
    shows && [before, after].map((played) => plain(played[shows[0]]).includes(shows[1]));
  return { changes, shown };
}

const plain = (json: string): string => json.replaceAll('\\"', '"');

describe('every option, off and on: what it changes, and nothing else', () => {
  test.each(Object.entries(OPTIONS))('%s', async (_, row) => {
    const { changes, shown } = await compare(row, (given, seen) => play(given, {}, seen));
    expect(changes).toEqual(row.changes);
    if (row.shows) expect(shown).toEqual([false, true]);
  });

  test.each(Object.entries(COMPACTION))('compaction.%s', async (_, row) => {
    const { changes, shown } = await compare(row, (given, seen) => play({}, given, seen));
    expect(changes).toEqual(row.changes);
    if (row.shows) expect(shown).toEqual([false, true]);
  });

  test('the same options give the same bytes', async () => {
    const same = { on: (): Options => ({}) };
    const { changes } = await compare(same, (given, seen) => play(given, {}, seen));
    expect(changes).toEqual([]);
  });
});
