import { describe, expect, test } from 'vitest';
import {
  compact,
  createCollapse,
  createProviderCompaction,
  createSnip,
  createThresholdCompaction,
} from '../../src/index.ts';
import { said, turns } from './histories.ts';
import { fakeModel, GOOD, NAMED, reply } from './models.ts';

const good = { ...fakeModel(reply(GOOD)), head: NAMED };
const sizeOfText = (text: string) => text.length / 4;

describe('options that make no sense are refused with one wording', () => {
  test.each<[string, object, string, typeof RangeError | typeof TypeError]>([
    [
      'no function',
      { summarize: 5 },
      "`summarize` to be a function, or 'ledger', got `5`",
      TypeError,
    ],
    [
      'a share',
      { minSavings: 1 },
      '`minSavings` to be a number from 0 and below 1, got `1`',
      RangeError,
    ],
    [
      'NaN',
      { minSavings: Number.NaN },
      '`minSavings` to be a number from 0 and below 1, got `NaN`',
      RangeError,
    ],
    [
      'less than nothing',
      { keepTokens: -1 },
      '`keepTokens` to be a non-negative integer, got `-1`',
      RangeError,
    ],
    [
      'nothing',
      { maxSummaryTokens: 0 },
      '`maxSummaryTokens` to be a positive integer, got `0`',
      RangeError,
    ],
    [
      'no window',
      { windowTokens: 0 },
      '`windowTokens` to be a positive integer, got `0`',
      RangeError,
    ],
    [
      'no output',
      { maxOutputTokens: 0.5 },
      '`maxOutputTokens` to be a positive integer, got `0.5`',
      RangeError,
    ],
    [
      'no size',
      { contextTokens: Infinity },
      '`contextTokens` to be a non-negative number, got `Infinity`',
      RangeError,
    ],
    [
      'an unknown word',
      { fallback: 'never' },
      "`fallback` to be one of 'ledger', 'when-full', 'none', got `never`",
      TypeError,
    ],
    [
      'an unknown word',
      { tooLong: 'cut' },
      "`tooLong` to be one of 'drop-oldest', 'peel', got `cut`",
      TypeError,
    ],
    ['no function', { attach: 3 }, '`attach` to be a function, got `3`', TypeError],
    ['no text', { focus: 5 }, '`focus` to be a text, got `5`', TypeError],
    ['no signal', { signal: 5 }, '`signal` to be an AbortSignal, got `5`', TypeError],
    ['no texts', { pins: [5] }, '`pins` to be a list of texts', TypeError],
    ['no function', { wait: 3 }, '`wait` to be a function, got `3`', TypeError],
    ['no model', { head: {} }, '`head.model` to be the id of the model', TypeError],
  ])('compact: %s', async (_, options, words, kind) => {
    const run = compact(turns(1), { ...good, ...options } as never);
    await expect(run).rejects.toThrow(`Expected ${words}`);
    await expect(run).rejects.toBeInstanceOf(kind);
  });

  test.each([[null], [5], [[null]], [[said('x'), 5]]])(
    'a history that is none: %j',
    async (history) => {
      const run = compact(history as never, good);
      await expect(run).rejects.toThrow(TypeError);
      await expect(run).rejects.toThrow('Expected `history');
    },
  );

  test('a side of it', async () => {
    const run = (options: object) =>
      compact(turns(3), { ...good, direction: 'from', pivot: 1, ...options } as never);
    await expect(run({ pivot: -1 })).rejects.toThrow(
      'Expected `pivot` to be a non-negative integer',
    );
    await expect(run({ pivot: undefined })).rejects.toThrow('Expected `pivot` to be');
    await expect(run({ direction: undefined })).rejects.toThrow('Expected `direction` to be');
    await expect(run({ direction: 'both' })).rejects.toThrow(
      "Expected `direction` to be one of 'from', 'up-to', got `both`",
    );
  });

  // M334. Siblings looked for: the other two doors that take a head, a context, forks and agents; every wrong tool of their tests.
  const bash = { name: 'bash', input_schema: { type: 'object' } };
  const cyclic: Record<string, unknown> = { name: 'a' };
  cyclic.self = cyclic;
  const wrong: [string, unknown, string][] = [
    ['two of one name', [bash, bash], 'Expected `head.tools` to have different names, got `bash`'],
    ['three, the outer two alike', [bash, { name: 'x' }, bash], 'got `bash` twice'],
    ['an empty name', [bash, { name: '' }], 'Expected `head.tools[1]` to be a tool with a `name`'],
    ['a name with a blank', [{ name: 'x y' }], 'Expected `head.tools[0].name` to be'],
    ['no name', [{ description: 'x' }], 'Expected `head.tools[0]` to be'],
    ['nothing in the list', [null], 'Expected `head.tools[0]` to be'],
    ['no schema', [{ name: 'a', input_schema: null }], 'Expected `head.tools[0].input_schema`'],
    ['a schema of a text', [{ name: 'a', input_schema: { type: 'string' } }], 'input_schema`'],
    ['the schema of the AI SDK', [{ name: 'a', inputSchema: {} }], 'input_schema`'],
    ['a cycle', [cyclic], 'Expected `head.tools[0]` to be a tool that can be written as JSON'],
  ];

  test.each(wrong)('M334: no model is asked with tools as %s', async (_, tools, words) => {
    const model = fakeModel(reply(GOOD));
    const options = { ...model, head: { ...NAMED, tools } } as never;
    const runs = [
      compact(turns(3), options),
      compact(turns(3), { ...(options as object), direction: 'from', pivot: 1 } as never),
    ];
    for (const run of runs) {
      await expect(run).rejects.toBeInstanceOf(TypeError);
      await expect(run).rejects.toThrow(words);
    }
    expect(model.requests).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    [
      'createSnip',
      () => createSnip({ budgetTokens: 0 }),
      '`budgetTokens` to be a positive integer',
    ],
    ['createSnip', () => createSnip({ minSavings: 2 }), '`minSavings` to be a number from 0'],
    [
      'createThresholdCompaction',
      () => createThresholdCompaction({ triggerTokens: 49_999 }),
      '`triggerTokens` to be an integer from 50000 up, got `49999`',
    ],
    [
      'createProviderCompaction',
      () =>
        createProviderCompaction({
          ...{ provider: 'anthropic', instructions: 'x'.repeat(16_385) },
          call: async () => ({ content: [], stopReason: 'end_turn' }),
        }),
      '`instructions` to be a text of at most 16384 characters, got `16385`',
    ],
    ...[Number.NaN, 1, -1].map((minSavings): [string, () => unknown, string] => [
      'createProviderCompaction',
      () =>
        createProviderCompaction({
          ...{ provider: 'anthropic', minSavings },
          call: async () => ({ content: [], stopReason: 'end_turn' }),
        }),
      `\`minSavings\` to be a number from 0 and below 1, got \`${minSavings}\``,
    ]),
    [
      'createCollapse',
      () => createCollapse({ ...good, sizeOfText, stageAt: 0.99 }),
      '`stageAt` to be a number from 0 and at most 0.95, got `0.99`',
    ],
    [
      'createCollapse',
      () => createCollapse({ ...good, sizeOfText, targetAt: Number.NaN }),
      '`targetAt` to be a number from 0 and at most 0.9, got `NaN`',
    ],
  ])('%s: %#', (_, make, words) => {
    expect(make).toThrow(RangeError);
    expect(make).toThrow(`Expected ${words}`);
  });
});
