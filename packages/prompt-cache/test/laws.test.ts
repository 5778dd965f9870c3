import type { Request } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  placeMarkers,
} from '../src/index.ts';
import { renderPrefix } from '../src/server.ts';
import { createReference } from './reference.ts';
import { assistant, call, characters, message, request, result, user } from './support.ts';
import { play, type Sent, traffic } from './traffic.ts';

const ANTHROPIC_5M = cachePolicy('claude-opus-5-5');
const ANTHROPIC_1H = cachePolicy('claude-opus-5-5', { ttl: '1h', graceMs: 20_000 });

const ALL: readonly CachePolicy[] = [
  ANTHROPIC_5M,
  ANTHROPIC_1H,
  CACHE_POLICIES.openaiImplicit,
  CACHE_POLICIES.openaiBreakpoints,
  CACHE_POLICIES.geminiImplicit,
  CACHE_POLICIES.deepseek,
  CACHE_POLICIES.blocks,
  CACHE_POLICIES.none,
];

const run = (sent: readonly Sent[], policy: CachePolicy) => {
  const cache = createCacheSimulator(policy, { sizeOf: characters });
  return sent.map(({ request: each, ...options }) => cache.send(each, options));
};

/** A day of requests under one of the policies. */
const day = (policies: readonly CachePolicy[]) =>
  fc
    .tuple(traffic, fc.constantFrom(...policies))
    .map(([steps, policy]) => ({ policy, sent: play(steps, policy) }));

// Ten thousand runs of the slowest of these take longer than a test usually may.
describe('createCacheSimulator laws (P3)', { timeout: 300_000 }, () => {
  test('what is read, written and plain is the whole prompt, and nothing is negative', () => {
    fc.assert(
      fc.property(day(ALL), ({ sent, policy }) => {
        for (const { tokens, dollars, inputUnits } of run(sent, policy)) {
          const { read, write5m, write1h, plain, total } = tokens;
          expect(read + write5m + write1h + plain).toBe(total);
          expect(Math.min(read, write5m, write1h, plain)).toBeGreaterThanOrEqual(0);
          expect(dollars).toBeGreaterThanOrEqual(0);
          expect(inputUnits ?? 0).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test('no read exceeds what the request has in common with some earlier one', () => {
    fc.assert(
      fc.property(day(ALL), ({ sent, policy }) => {
        const rendered = sent.map(({ request: each }) => renderedWithSizes(each));
        run(sent, policy).forEach(({ tokens }, index) => {
          const now = rendered[index] as Rendered;
          const common = rendered.slice(0, index).map((earlier) => commonTokens(earlier, now));
          expect(tokens.read).toBeLessThanOrEqual(Math.max(0, ...common));
        });
      }),
    );
  });

  test('what is lost is told in full', () => {
    fc.assert(
      fc.property(day(ALL), ({ sent, policy }) => {
        for (const { breaks, expectedReadTokens, tokens } of run(sent, policy)) {
          const lost = breaks.reduce((sum, { lostTokens }) => sum + lostTokens, 0);
          expect(lost).toBe(Math.max(0, expectedReadTokens - tokens.read));
          expect(breaks.every(({ lostTokens }) => lostTokens > 0)).toBe(true);
        }
      }),
    );
  });

  test('the same requests give the same numbers, whatever objects they are made of', () => {
    fc.assert(
      fc.property(day(ALL), ({ sent, policy }) => {
        expect(run(structuredClone(sent), policy)).toEqual(run(sent, policy));
      }),
    );
  });

  test('reading requests ahead, also those that are never sent, changes no number', () => {
    fc.assert(
      fc.property(day(ALL), fc.infiniteStream(fc.boolean()), ({ sent, policy }, isSent) => {
        const kept = sent.filter(() => isSent.next().value);
        const cache = createCacheSimulator(policy, { sizeOf: characters });
        const numbers = sent.flatMap((each) => {
          cache.read(each.request, each.thread);
          const { request: next, ...options } = each;
          return kept.includes(each) ? [cache.send(next, options)] : [];
        });
        expect(numbers).toEqual(run(kept, policy));
      }),
    );
  });

  test('gives the numbers of a cache that hashes every prefix anew (G11)', () => {
    fc.assert(
      fc.property(
        day(ALL.filter((each) => each !== CACHE_POLICIES.openaiBreakpoints)),
        ({ sent, policy }) => {
          const reference = createReference(policy);
          const expected = sent.map((each) =>
            reference(each.request, each.startMs, each.firstTokenMs),
          );
          expect(run(sent, policy).map(({ tokens }) => tokens)).toEqual(expected);
        },
      ),
    );
  });
});

describe('appending (P1, P2)', { timeout: 300_000 }, () => {
  const turns = fc.array(
    fc.record({
      calls: fc.integer({ min: 0, max: 40 }),
      texts: fc.integer({ min: 1, max: 30 }),
      tokens: fc.integer({ min: 1, max: 60 }),
      gapMs: fc.nat(200_000),
    }),
    { minLength: 1, maxLength: 10 },
  );

  test('a history that only grows never breaks while its cache is warm', () => {
    fc.assert(
      fc.property(turns, (steps) => {
        const cache = createCacheSimulator(ANTHROPIC_5M, { sizeOf: characters });
        const messages = [user(500)];
        let startMs = 0;
        cache.send(placeMarkers(request(messages), { policy: ANTHROPIC_5M }), { startMs });
        for (const { calls, texts, tokens, gapMs } of steps) {
          const ids = Array.from({ length: calls }, (_, index) => `${messages.length}-${index}`);
          messages.push(
            message('assistant', ...assistant(tokens).content, ...ids.map(call)),
            message('user', ...ids.map((id) => result(id, tokens))),
            ...Array.from({ length: texts }, () => user(tokens)),
          );
          startMs += gapMs;
          const sent = placeMarkers(request(messages, { markers: [] }), { policy: ANTHROPIC_5M });
          const { breaks, tokens: billed, expectedReadTokens } = cache.send(sent, { startMs });
          expect(breaks).toEqual([]);
          expect(billed.read).toBe(expectedReadTokens);
        }
      }),
    );
  });
});

describe('markers are no part of the prefix (P1)', () => {
  test('moving them changes no bytes and invalidates nothing', () => {
    fc.assert(
      fc.property(traffic, fc.array(fc.nat(), { maxLength: 4 }), (steps, places) => {
        const [last] = play(steps, ANTHROPIC_5M).slice(-1);
        const before = (last as Sent).request;
        const { messages } = before;
        const markers = [...new Set(places.map((place) => place % Math.max(1, messages.length)))]
          .filter((messageIndex) => messages[messageIndex])
          .map((messageIndex) => ({ at: 'message' as const, messageIndex, blockIndex: 0 }));
        const after = { ...before, markers };
        const cache = createCacheSimulator(ANTHROPIC_5M, { sizeOf: characters });
        cache.send(before, { startMs: 0 });
        const { change, commonPrefixTokens, tokens } = cache.send(after, { startMs: 1 });
        expect(change).toBeUndefined();
        expect(commonPrefixTokens).toBe(tokens.total);
        expect(renderPrefix(after)).toEqual(renderPrefix(before));
      }),
    );
  });
});

interface Rendered {
  readonly model: string;
  readonly texts: readonly string[];
  readonly sizes: readonly number[];
}

function renderedWithSizes(each: Request): Rendered {
  const { head, messages } = each;
  const sizes = [
    ...head.tools.map(({ description = '' }) => description.length),
    ...head.system.map(characters.block),
    ...messages.flatMap(({ content }) => content.map(characters.block)),
  ];
  return { model: head.model, texts: renderPrefix(each), sizes };
}

function commonTokens(left: Rendered, right: Rendered): number {
  if (left.model !== right.model) return 0;
  const count = right.texts.findIndex((text, index) => text !== left.texts[index]);
  return right.sizes
    .slice(0, count < 0 ? right.sizes.length : count)
    .reduce((sum, size) => sum + size, 0);
}
