import type { Marker } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import {
  cachePolicy,
  createBreakDetector,
  createCacheSimulator,
  explainBreak,
} from '../src/index.ts';
import { assistant, characters, head, user } from './support.ts';

const CLAUDE = cachePolicy('claude-opus-5-5');
const GPT = cachePolicy('gpt-5.5');

/** Two requests of a conversation; the second adds a round. `size` is what they have in common. */
function requests(model: string, size: number, marked: boolean) {
  const first = [user(size)];
  const second = [...first, assistant(40), user(40)];
  return [first, second].map((messages) => ({
    head: head({ model, systemTokens: 100 }),
    messages,
    markers: marked
      ? ([{ at: 'message', messageIndex: messages.length - 1, blockIndex: 0 }] as Marker[])
      : [],
    maxOutputTokens: 100,
  }));
}

// siblings: a head that is too short, a marker that comes late, a provider without markers, one that reads all the same
describe('N348: requests that leave nothing in the cache', () => {
  test.each([
    ['without a marker', CLAUDE, 'claude-opus-5-5', 5_000, false, 'no-marker', 'alarm'],
    ['below the minimum', CLAUDE, 'claude-opus-5-5', 300, true, 'below-minimum', 'expected'],
    [
      'below the minimum of a provider without markers',
      GPT,
      'gpt-5.5',
      700,
      false,
      'below-minimum',
      'expected',
    ],
  ] as const)('%s are said with the cause', (_, policy, model, size, marked, cause, kind) => {
    const [one, two] = requests(model, size, marked);
    if (!one || !two) return expect.fail('two requests');
    const options = { policy, sizeOf: characters };
    const breaks = [{ cause, lostTokens: size + 100 }];
    const cache = createCacheSimulator(policy, { sizeOf: characters });
    expect(cache.send(one, { startMs: 0 })).not.toHaveProperty('uncached');
    expect(cache.send(two, { startMs: 1_000 })).toMatchObject({ breaks: [], uncached: breaks[0] });
    const explained = explainBreak(
      { request: one, startMs: 0 },
      { request: two, startMs: 1_000 },
      options,
    );
    expect(explained.breaks).toEqual(breaks);
    const detector = createBreakDetector(options);
    const usage = (tokens: number) => ({
      input_tokens: tokens,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    });
    expect(detector.observe({ request: one, startMs: 0, usage: usage(size + 100) }).kind).toBe(
      'no-drop',
    );
    expect(
      detector.observe({ request: two, startMs: 1_000, usage: usage(size + 180) }),
    ).toMatchObject({ kind, breaks });
    const measures = detector.measures();
    expect({ ...measures.alarms, ...measures.expected }).toEqual({ [cause]: 1 });
  });

  test('what the provider read all the same is no break', () => {
    const [one, two] = requests('claude-opus-5-5', 5_000, false);
    if (!one || !two) return expect.fail('two requests');
    const detector = createBreakDetector({ policy: CLAUDE, sizeOf: characters });
    detector.observe({
      request: one,
      startMs: 0,
      usage: { input_tokens: 5_100, output_tokens: 1 },
    });
    const usage = { input_tokens: 80, cache_read_input_tokens: 5_100, output_tokens: 1 };
    expect(detector.observe({ request: two, startMs: 1_000, usage }).kind).toBe('no-drop');
  });

  test('marked requests have nothing to say', () => {
    const [one, two] = requests('claude-opus-5-5', 5_000, true);
    if (!one || !two) return expect.fail('two requests');
    const cache = createCacheSimulator(CLAUDE, { sizeOf: characters });
    cache.send(one, { startMs: 0 });
    const second = cache.send(two, { startMs: 1_000 });
    expect(second.tokens.read).toBe(5_100);
    expect(second).not.toHaveProperty('uncached');
  });
});

// siblings: one such bill, a prompt near the minimum or without markers, fields that are null or missing, a gateway that is mended,
// providers that cache by themselves
describe('N348: bills of a gateway that strips the markers, or says nothing of the cache', () => {
  type Bill = {
    input_tokens?: number;
    cache_read_input_tokens?: number | null;
    cache_creation_input_tokens?: number | null;
  };
  const M = 'markers-ignored';
  const NONE: Bill = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

  /** What is said of requests of one conversation that grows. */
  function said(bills: readonly Bill[], { size = 6_200, marked = true, announced = '' } = {}) {
    const kinds: string[] = [];
    const detector = createBreakDetector({ policy: CLAUDE, sizeOf: characters });
    const messages = [user(size)];
    const seen = bills.map((bill, at) => {
      if (at > 0) messages.push(assistant(40), user(40));
      const markers: Marker[] = marked
        ? [{ at: 'message', messageIndex: messages.length - 1, blockIndex: 0 }]
        : [];
      const request = {
        head: head({ model: 'claude-opus-5-5', systemTokens: 100 }),
        messages: [...messages],
        markers,
        maxOutputTokens: 100,
      };
      const prompt = 100 + size + at * 80;
      const cached = (bill.cache_read_input_tokens ?? 0) + (bill.cache_creation_input_tokens ?? 0);
      const usage = { input_tokens: prompt - cached, output_tokens: 1, ...bill };
      if (announced) detector.expect(announced);
      const observation = detector.observe({ request, startMs: at * 1_000, usage });
      kinds.push(observation.kind);
      return observation.kind === 'no-drop'
        ? ''
        : observation.breaks.map(({ cause }) => cause).join();
    });
    return { seen, kinds, measures: detector.measures() };
  }

  test('nothing read and nothing written, four times: it is said once, with its cause', () => {
    const { seen, measures } = said([NONE, NONE, NONE, NONE]);
    expect(seen).toEqual(['', 'markers-ignored', '', '']);
    expect(measures).toMatchObject({ hitShare: 0, alarms: { 'markers-ignored': 1 } });
  });

  // siblings: bills that leave out one of the two counts, that come and go, that hold no prompt, an announced edit between
  test.each<[string, Bill[], string[]]>([
    ['read 0, and no field of what was written', [{ cache_read_input_tokens: 0 }], ['', M, '', '']],
    [
      'read 0, and null written',
      [{ cache_read_input_tokens: 0, cache_creation_input_tokens: null }],
      ['', M, '', ''],
    ],
    [
      'written 0, and no field of what was read',
      [{ cache_creation_input_tokens: 0 }],
      ['', M, '', ''],
    ],
    ['bills of both kinds by turns', [NONE, {}], ['', '', M, '']],
    ['a bill without a prompt', [{ ...NONE, input_tokens: 0 }], ['', 'not-reported', '', '']],
  ])('%s: it is said once', (_name, bills, expected) => {
    const given = [0, 1, 2, 3].map((at) => bills[at % bills.length] as Bill);
    expect(said(given).seen).toEqual(expected);
  });

  test.each<[string, Bill, string]>([
    ['markers that are ignored', NONE, 'markers-ignored'],
    ['no field of the cache', {}, 'not-reported'],
  ])('an announced edit does not explain %s', (_name, bill, cause) => {
    const { seen, kinds } = said([bill, bill, bill], { announced: 'clearing' });
    expect(seen).toEqual(['', cause, '']);
    expect(kinds).toEqual(['no-drop', 'alarm', 'no-drop']);
  });

  test('one such bill is none; after a bill that cached something it is said again', () => {
    const write = { cache_read_input_tokens: 0, cache_creation_input_tokens: 6_380 };
    expect(said([NONE]).seen).toEqual(['']);
    const cached = { cache_read_input_tokens: 6_380, cache_creation_input_tokens: 80 };
    const { seen } = said([NONE, NONE, write, cached, NONE, NONE]);
    expect(seen.slice(0, 4)).toEqual(['', 'markers-ignored', '', '']);
    expect(seen[4]).not.toBe('');
    expect(seen[5]).toContain('markers-ignored');
  });

  test('prompts that are too short, and requests without markers, say what they said', () => {
    expect(said([NONE, NONE, NONE], { size: 300 }).seen.join()).not.toContain('markers-ignored');
    expect(said([NONE, NONE], { marked: false }).seen).toEqual(['', 'no-marker']);
  });

  test.each<[string, Bill]>([
    ['missing', {}],
    ['null', { cache_read_input_tokens: null, cache_creation_input_tokens: null }],
  ])('fields that are %s: it is said once that the bill does not say', (_name, bill) => {
    const { seen, measures } = said([bill, bill, bill, bill]);
    expect(seen).toEqual(['', 'not-reported', '', '']);
    expect(measures.alarms).toEqual({ 'not-reported': 1 });
  });
});
