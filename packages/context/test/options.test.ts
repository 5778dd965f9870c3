import type { Summarize } from '@varve/compact';
import { cachePolicy } from '@varve/prompt-cache';
import { createSessionMemory, memoryNotes } from '@varve/session-memory';
import { resolveModel } from '@varve/tokens';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type CallModel, type ContextOptions, createContext } from '../src/index.ts';
import type { Reply } from '../src/options.ts';
import { fill, noWait, summarizer } from './compacting-support.ts';
import { LATEST, rejection, says, text } from './support.ts';

const cyclic = () => {
  const value: Record<string, unknown> = { type: 'object' };
  value.self = value;
  return value;
};
const deep = () => {
  let value: unknown = {};
  for (let at = 0; at < 100_000; at++) value = { value };
  return value;
};
const { model: known } = resolveModel(LATEST);
const policy = cachePolicy(known);
const hook = { name: 'says', run: () => undefined };
const { summarize } = summarizer();
const compaction = (more: object) => ({ compaction: { summarize, ...more } });
const tool = (more: object) => ({ name: 'bash', input_schema: { type: 'object' }, ...more });
const memory = createSessionMemory({
  file: memoryNotes(),
  runFork: async () => ({ kind: 'failed', reason: 'none' }) as never,
});

// siblings looked for: every option that a later call uses, at the top and in `compaction`; each part of a policy and of a
// model; lists of hooks, single hooks, phases that do not exist; values that no JSON holds in tools, system prompt and parameters
const REFUSED: readonly (readonly [string, object, RegExp])[] = [
  ['a policy that is a number', { policy: 5 }, /`policy` to be an object, got `5`/],
  ['a policy that is a text', { policy: 'anthropic' }, /`policy` to be an object, got `string`/],
  ['null for a policy', { policy: null }, /`policy` to be an object, got `null`/],
  ['an empty policy', { policy: {} }, /`policy\.name`/],
  ['a lifetime that is none', { stableTtl: '2h' }, /`stableTtl` to be .*1h.*, got `2h`/],
  [
    'a policy without lifetimes',
    { policy: { ...policy, lifetimes: {} } },
    /`policy\.lifetimes\.short`/,
  ],
  [
    'a policy with a word for rules',
    { policy: { ...policy, invalidators: 'none' } },
    /`policy\.invalidators`/,
  ],
  ['no model in models', { models: [null] }, /`models\[0\]` to be an object, got `null`/],
  ['an id in models', { models: [known, LATEST] }, /`models\[1\]` to be an object, got `string`/],
  ['a model with nothing', { models: [{}] }, /`models\[0\]\.id`/],
  [
    'a model without a window',
    { models: [{ ...known, windowTokens: undefined }] },
    /`models\[0\]\.windowTokens`/,
  ],
  [
    'a model with an unknown tokenizer',
    { models: [{ ...known, tokenizer: 'bpe' }] },
    /`models\[0\]\.tokenizer`/,
  ],
  [
    'models that are no list',
    { models: { [LATEST]: known } },
    /`models` to be a list, got `object`/,
  ],
  ['a compaction that is a word', { compaction: 'auto' }, /`compaction` to be an object/],
  [
    'a compaction without a summariser',
    { compaction: {} },
    /`compaction\.summarize` to be a function/,
  ],
  [
    'a word that no summary is written by',
    { compaction: { summarize: 'model' } },
    /`compaction\.summarize` to be a function, or 'ledger'/,
  ],
  [
    'folding that nobody writes summaries for',
    { compaction: { summarize: 'ledger', collapse: {} } },
    /`compaction\.collapse\.summarize` to be a function/,
  ],
  [
    'folding by a word',
    compaction({ collapse: { summarize: 'ledger' } }),
    /`compaction\.collapse\.summarize` to be a function/,
  ],
  ['0 for notes', compaction({ notes: 0 }), /`compaction\.notes` to be an object, got `0`/],
  ['notes without a memory', compaction({ notes: {} }), /`compaction\.notes\.memory`/],
  ['a memory that is none', compaction({ notes: { memory: {} } }), /`compaction\.notes\.memory`/],
  [
    'pins that are a list',
    compaction({ pins: ['Never push.'] }),
    /`compaction\.pins` to be a function that returns a list of texts, got `array`/,
  ],
  [
    'switches that are an object',
    compaction({ switches: { auto: false } }),
    /`compaction\.switches` to be a function/,
  ],
  [
    'a list of hooks',
    compaction({ hooks: [hook] }),
    /`compaction\.hooks` to be an object with lists/,
  ],
  ['a function for hooks', compaction({ hooks: () => undefined }), /`compaction\.hooks`/],
  [
    'one hook for a list',
    compaction({ hooks: { before: hook } }),
    /`compaction\.hooks\.before` to be a list of hooks `{ name, run }`, got `object`/,
  ],
  [
    'functions for hooks',
    compaction({ hooks: { after: [() => undefined] } }),
    /`compaction\.hooks\.after`/,
  ],
  [
    'a phase that does not exist',
    compaction({ hooks: { preCompact: [hook] } }),
    /`compaction\.hooks` to be an object with lists of hooks `before`, `sessionStart`, `after`/,
  ],
  ['a ledger that is none', compaction({ ledger: {} }), /`ledger` to be a ledger/],
  ['a list for clean-up', compaction({ cleanUp: [() => undefined] }), /`compaction\.cleanUp`/],
  [
    'a path for restore',
    compaction({ restore: 'src/a.ts' }),
    /`compaction\.restore` to be a function/,
  ],
  [
    'a tool that holds itself',
    { tools: [tool({}), tool({ name: 'b', input_schema: cyclic() })] },
    /`tools\[1\]` to be a tool that can be written as JSON/,
  ],
  ['a tool nested 100,000 deep', { tools: [tool({ input_schema: deep() })] }, /`tools\[0\]`/],
  ['a tool with a BigInt', { tools: [tool({ most: 1n })] }, /`tools\[0\]`/],
  ['null for a tool', { tools: [null] }, /`tools\[0\]` to be a tool/],
  [
    'parameters that hold themselves',
    { params: cyclic() },
    /`params` to be an object that can be written as JSON/,
  ],
  [
    'a system prompt that holds itself',
    { system: [{ type: 'text', text: 'x', more: cyclic() }] },
    /`system` to be a text or text blocks/,
  ],
  [
    'a storage that only observes',
    { storage: { observe: () => undefined } },
    /`storage` to be a ToolStorage/,
  ],
];

describe('createContext: options that would fail later are refused at once, by name', () => {
  test.each(REFUSED)('%s', (_, options, words) => {
    const make = () => createContext({ model: LATEST, ...options } as ContextOptions);
    expect(make).toThrow(/^Expected `/);
    expect(make).toThrow(words);
  });

  test('`setHead` refuses a cyclic tool, and nothing has changed', async () => {
    const context = createContext({ model: LATEST });
    await context.user('Go.');
    const before = context.entries();
    const change = { tools: [tool({ input_schema: cyclic() })] } as never;
    expect(await rejection(context.setHead(change))).toMatchObject({
      message: expect.stringMatching(/^Expected `tools\[0\]`/),
    });
    expect(context.entries()).toEqual(before);
  });

  test('what is right passes', () => {
    const right: ContextOptions = {
      model: LATEST,
      policy,
      models: [known],
      tools: [{ name: 'bash', input_schema: { type: 'object' } }],
      params: { thinking: { type: 'adaptive' } },
      compaction: {
        summarize,
        pins: () => ['Never push.'],
        switches: () => ({ auto: true }),
        hooks: { before: [hook], sessionStart: [], after: undefined },
        notes: { memory },
        cleanUp: { 'file-reads': () => undefined, recall: undefined },
        restore: async () => ({ messages: [], restored: [] }),
        threadId: 'main',
      },
    };
    expect(() => createContext(right)).not.toThrow();
  });

  test('pins that give no texts are an outcome that says so', async () => {
    const pins = (() => [5]) as never;
    const context = createContext({ model: LATEST, ...compaction({ pins, wait: noWait }) });
    await context.user('Fix the parser.');
    await fill(context, 'k0');
    const before = context.view().messages;
    expect(await context.compact()).toMatchObject({
      kind: 'failed',
      reason: 'plan-threw',
      cause: { message: 'Expected `pins()` to be a list of texts, got `array`' },
    });
    expect(context.view().messages).toEqual(before);
  });
});

describe('summarize: the function that `call` is', () => {
  test('a plain function whose reply says no stop reason fits both, and its summary is taken', async () => {
    const call = async (): Promise<Reply> => says(text('<summary>The parser was read.</summary>'));
    expectTypeOf<CallModel>().toExtend<Summarize>();
    const context = createContext({
      model: LATEST,
      call,
      compaction: { summarize: call, fallback: 'none', wait: noWait },
    });
    await context.user('Fix the parser.');
    await fill(context, 'k0', 20_000);
    expect(await context.compact()).toMatchObject({
      kind: 'compacted',
      receipt: { engine: 'summary' },
    });
  });

  test('an answer that breaks off is none, where nobody says how it ended', async () => {
    const cut = async (): Promise<Reply> => says(text('<summary>The parser was'));
    const context = createContext({
      model: LATEST,
      compaction: { summarize: cut, fallback: 'none', wait: noWait },
    });
    await context.user('Fix the parser.');
    await fill(context, 'k0', 20_000);
    expect(await context.compact()).toMatchObject({ kind: 'failed', reason: 'cut-summary' });
  });
});
