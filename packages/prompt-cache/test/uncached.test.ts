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
