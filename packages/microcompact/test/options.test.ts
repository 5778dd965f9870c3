import { describe, expect, test } from 'vitest';
import { contextManagement } from '../src/context-management.ts';
import { createMicrocompact, explainClearing, microcompact } from '../src/index.ts';

type MicrocompactOptions = NonNullable<Parameters<typeof createMicrocompact>[0]>;

const HOSTILE = [Number.NaN, -1, '5', null];
const shown = (value: unknown): string => (typeof value === 'string' ? 'string' : String(value));

describe('options of microcompact and createMicrocompact', () => {
  test.each<[MicrocompactOptions, string]>([
    [{ keepRecent: -1 }, '`keepRecent` to be a non-negative number, got `-1`'],
    [{ keepRecent: Number.NaN }, '`keepRecent`'],
    [{ minSavingsTokens: '20K' as never }, '`minSavingsTokens`'],
    [
      { count: { candidateTokens: -5 } },
      '`count.candidateTokens` to be a non-negative number, got `-5`',
    ],
    [{ time: { idleMs: -1 } }, '`time.idleMs`'],
    [{ experimental_cacheEdits: { maxResults: -1 } }, '`experimental_cacheEdits.maxResults`'],
  ])('%j is out of range', (options, message) => {
    expect(() => createMicrocompact(options)).toThrow(RangeError);
    expect(() => microcompact([], options)).toThrow(message);
  });

  test.each<[MicrocompactOptions, string]>([
    [{ preset: 'best' as never }, "`preset` to be one of 'rent', 'classic', got `best`"],
    [{ mechanisms: ['size' as never] }, '`mechanisms`'],
    [{ mechanisms: 'rent' as never }, "`mechanisms` to be a list of 'time', 'count', 'rent'"],
    [
      { compactableTools: 'Read' as never },
      '`compactableTools` to be a list or a function, got `string`',
    ],
    [{ isProtected: true as never }, '`isProtected` to be a function, got `true`'],
    [{ sizeOf: 4 as never }, '`sizeOf`'],
    [{ handleOf: 4 as never }, '`handleOf`'],
    [{ model: '' }, '`model`'],
    [{ time: 5 as never }, '`time` to be an object, got `5`'],
    [{ server: null as never }, '`server` to be an object, got `null`'],
  ])('%j does not exist', (options, message) => {
    expect(() => createMicrocompact(options)).toThrow(TypeError);
    expect(() => microcompact([], options)).toThrow(message);
  });

  test.each<MicrocompactOptions>([
    {},
    { keepRecent: 0, minSavingsTokens: Infinity, inputTokens: Infinity, preset: undefined },
    { mechanisms: [] },
  ])('%j is fine', (options) => {
    expect(microcompact([], options).cleared).toEqual([]);
  });

  const GROUPS: readonly [keyof MicrocompactOptions | '', readonly string[]][] = [
    [
      '',
      [
        ...['keepRecent', 'minTokens', 'inputTokens', 'largeTokens', 'editingRequests'],
        'minSavingsTokens',
      ],
    ],
    ['time', ['idleMs', 'keepRecent']],
    ['count', ['candidateTokens', 'minSavingsTokens', 'minBatch', 'keepRecent']],
    ['rent', ['patience', 'caution', 'keepRecent']],
    ['server', ['triggerTokens', 'clearAtLeastTokens', 'keepToolUses', 'keepThinking']],
    ['experimental_cacheEdits', ['maxResults', 'keepRecent']],
  ];
  test.each(
    GROUPS.flatMap(([group, names]) =>
      names.flatMap((name) => HOSTILE.map((value) => [group, name, value] as const)),
    ),
  )('%s.%s: %j is refused', (group, name, value) => {
    const options = group === '' ? { [name]: value } : { [group]: { [name]: value } };
    const path = group === '' ? name : `${group}.${name}`;
    const words = new RegExp(`^Expected \`${path}\` to be .+, got \`${shown(value)}\`$`);
    for (const call of [() => createMicrocompact(options), () => microcompact([], options)]) {
      expect(call).toThrow(RangeError);
      expect(call).toThrow(words);
    }
  });

  test.each([
    ['contextTokens', -1],
    ['nowMs', Number.NaN],
    ['lastReplyMs', '5'],
    ['prices', 5],
    ['prices.read', { read: Number.NaN, write: 1, output: 1 }],
    ['thinkingRule', 'bound'],
  ])('what a plain history is in, `%s`: %j is refused', (path, value) => {
    const options = { [path.replace(/\..*/, '')]: value } as never;
    const words = new RegExp(`^Expected \`${path}\` to be .+, got `);
    expect(() => microcompact([], options)).toThrow(words);
    expect(() => explainClearing([], options)).toThrow(words);
  });

  test.each(HOSTILE)('parameters for the provider: %j is refused', (value) => {
    const options = { triggerTokens: value } as never;
    expect(() => contextManagement(options)).toThrow(/^Expected `triggerTokens` to be .+, got/);
  });
});
