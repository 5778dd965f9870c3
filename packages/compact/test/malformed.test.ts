import { describe, expect, test } from 'vitest';
import { largestProducers } from '../src/auto/producers.ts';
import { compact, createCollapse, createCompaction } from '../src/index.ts';
import { createCompactionPipeline } from '../src/pipeline.ts';
import { mediaEdit } from '../src/recovery.ts';
import { planSnip } from '../src/snip/snip.ts';

const answer = {
  content: [{ type: 'text', text: '<summary>Done.</summary>' }],
  stopReason: 'end_turn',
} as const;
const summarize = async () => answer;
const head = { model: 'claude-opus-4-8' };
const malformed: readonly (readonly [string, object, string])[] = [
  [
    'a text block without text',
    { role: 'user', content: [{ type: 'text' }] },
    '[1].content[0].text` to be a text',
  ],
  [
    'a result with content 5',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 5 }] },
    '[1].content[0].content` to be a text or a list of blocks, got `5`',
  ],
  [
    'content 5',
    { role: 'user', content: 5 },
    '[1].content` to be a text or a list of blocks, got `5`',
  ],
  ['null', null as never, '[1]` to be a message, got `null`'],
];
const sizeOf = () => 10;

// siblings looked for: every function of the package that takes messages; the same rows stand in the tests of microcompact and
// of session-memory
describe.each(malformed)('%s is refused with its place by', (_, message, words) => {
  const history = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, message] as never;
  test.each<readonly [string, () => unknown]>([
    ['compact', () => compact(history, { summarize, head })],
    ['compact of a side', () => compact(history, { summarize, head, direction: 'from', pivot: 0 })],
    ['planSnip', () => planSnip(history, { budgetTokens: 5, sizeOf, thinking: 'free' })],
    ['mediaEdit', () => mediaEdit(history, { find: () => undefined, thinking: 'free' })],
    ['largestProducers', () => largestProducers(history, sizeOf)],
  ])('%s', async (_name, deed) => {
    const error = await Promise.resolve()
      .then(deed)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(words);
  });
});

describe('options that would fail later', () => {
  const hook = { name: 'says', run: () => undefined };
  test.each<readonly [string, () => unknown, string]>([
    [
      'a ledger that is none',
      () => compact([], { summarize, head, ledger: {} as never }),
      '`ledger` to be a ledger, as `createLedger`',
    ],
    [
      'the same beside a pivot',
      () => compact([], { summarize, head, direction: 'from', pivot: 0, ledger: {} as never }),
      '`ledger`',
    ],
    [
      'a ledger of a planner',
      () => createCompaction({ summarize, ledger: {} as never }),
      '`ledger`',
    ],
    [
      'pins of a planner that are a list',
      () => createCompaction({ summarize, pins: ['a'] as never }),
      '`pins` to be a function',
    ],
    [
      'pins that are no texts',
      () => compact([], { summarize, head, pins: [5] as never }),
      '`pins` to be a list of texts',
    ],
    [
      'a model that is none',
      () => createCompaction({ summarize, models: [null] as never }),
      '`models[0]` to be an object, got `null`',
    ],
    [
      'tools that are no list',
      () => compact([], { summarize, head: { ...head, tools: {} as never } }),
      '`head.tools` to be a list',
    ],
    [
      'one hook for a list',
      () => createCompactionPipeline({ hooks: { before: hook as never } }),
      '`hooks.before` to be a list of hooks',
    ],
    [
      'a list of hooks',
      () => createCompactionPipeline({ hooks: [hook] as never }),
      '`hooks` to be an object with lists',
    ],
    [
      'no summariser of spans',
      () => createCollapse({ sizeOfText: () => 1 } as never),
      '`summarize` to be a function',
    ],
  ])('%s', async (_, deed, words) => {
    const error = await Promise.resolve()
      .then(deed)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(words);
  });
});
