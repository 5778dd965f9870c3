import { isSummary } from '@varve/messages/persons';
import { ModelError } from '@varve/models';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptSummary } from '../../src/full/accept-summary.ts';
import type { CompactOptions } from '../../src/full/compact.ts';
import { compact } from '../../src/index.ts';
import { replied, round, said } from './histories.ts';
import { fakeModel, GOOD, NAMED, reply } from './models.ts';

const history = [said('Fix it.'), ...Array.from({ length: 8 }, (_, at) => round(`c${at}`)).flat()];

const throwing = Object.defineProperty({ stopReason: 'end_turn' }, 'content', {
  get: () => {
    throw new Error('no content');
  },
});

describe("compact: what the model's function answers (C4, C7)", () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'done'],
    ['an empty object', {}],
    ['no blocks', { content: null, stopReason: 'end_turn' }],
    ['a text for blocks', { content: 'done', stopReason: 'end_turn' }],
    ['a block that is none', { content: [null], stopReason: 'end_turn' }],
    ['null for a stop reason', { content: [{ type: 'text', text: GOOD }], stopReason: null }],
    ['a getter that throws', throwing],
  ])('takes %s for a failed call', async (_, answer) => {
    const summarize = (async () => answer) as unknown as CompactOptions<never>['summarize'];
    const done = await compact(history, {
      head: NAMED,
      summarize,
      fallback: 'none',
      wait: async () => {},
    });
    expect(done).toMatchObject({ kind: 'failed', reason: 'model-failed' });
    expect(done.messages).toBe(history);
  });

  test.each([
    undefined,
    null,
    'over',
    Symbol('over'),
    Object.create(null),
    Object.defineProperty({}, 'message', {
      get: () => {
        throw new Error('unreadable');
      },
    }),
  ])('takes what is thrown for a failed call, whatever it is', async (thrown) => {
    const summarize = () => Promise.reject(thrown);
    const done = await compact(history, {
      head: NAMED,
      summarize,
      fallback: 'none',
      wait: async () => {},
    });
    expect(done).toMatchObject({ kind: 'failed', reason: 'model-failed' });
  });

  test('leaves out a usage that is none', async () => {
    const summarize = async () => ({ ...reply(GOOD), usage: { input_tokens: 'many' } as never });
    const done = await compact(history, { head: NAMED, summarize });
    expect(done.kind === 'compacted' && done.receipt.usage).toBeUndefined();
  });
});

describe('compact: options and histories that make no sense', () => {
  const summarize = async () => reply(GOOD);

  test.each(['windowTokens', 'maxOutputTokens', 'contextTokens'])(
    'refuses a %s that is no size',
    async (name) => {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, null]) {
        const options = { head: NAMED, summarize, [name]: value } as CompactOptions<
          (typeof history)[number]
        >;
        await expect(compact(history, options)).rejects.toThrow(`Expected \`${name}\``);
      }
    },
  );

  test.each([undefined, null, 5, {}, [null]])('refuses content of %j', async (content) => {
    const broken = [...history, { role: 'user', content }] as typeof history;
    await expect(compact(broken, { head: NAMED, summarize })).rejects.toThrow(TypeError);
  });

  test('reads a message again whose content was replaced in place', async () => {
    const first = { role: 'user', content: 'Never touch vendor/.' };
    const messages = [first, ...history.slice(1)];
    await compact(messages, { head: NAMED, summarize });
    first.content = 'Never touch legacy/.';
    const done = await compact(messages, {
      head: NAMED,
      summarize: () => Promise.reject(new Error('down')),
    });
    expect(JSON.stringify(done.messages)).toContain('Never touch legacy/.');
    expect(JSON.stringify(done.messages)).not.toContain('vendor');
  });
});

describe('compact: a newest round that no request has room for (C6)', () => {
  test('is shown in parts, whole (K304)', async () => {
    const rounds = Array.from({ length: 6 }, (_, at) => round(`c${at}`)).flat();
    const messages = [said('Fix it.'), ...rounds, replied('word '.repeat(60_000))];
    const model = fakeModel(reply(GOOD));
    const done = await compact(messages, {
      head: NAMED,
      ...{ summarize: model.summarize, fallback: 'none', windowTokens: 50_000 },
    });
    if (done.kind !== 'compacted') throw new Error(done.reason);
    expect(done.receipt.seenShare).toBeGreaterThan(0.9);
    const shown = model.requests.map(({ messages: [part] }) => JSON.stringify(part?.content));
    const words = shown.join('').match(/\bword\b/g)?.length ?? 0;
    expect(words).toBeGreaterThanOrEqual(60_000);
  });
});

describe('compact: what is not tried again (C7)', () => {
  test.each([
    { retryAfterMs: 60_000, calls: 2 },
    { retryAfterMs: 60_001, calls: 1 },
  ])('after $retryAfterMs ms that a provider asks for: $calls calls', async (row) => {
    const { retryAfterMs, calls } = row;
    const busy = new ModelError('rate-limited', 'busy', { retryable: true, retryAfterMs });
    const pauses: number[] = [];
    const { summarize } = fakeModel(busy, reply(GOOD));
    const done = await compact(history, {
      head: NAMED,
      ...{ summarize, wait: async (ms: number) => void pauses.push(ms), fallback: 'none' },
    });
    expect(done.kind).toBe(calls === 2 ? 'compacted' : 'failed');
    expect(pauses).toEqual(calls === 2 ? [retryAfterMs] : []);
  });

  test.each([
    { maxOutputTokens: 1_000, calls: 1 },
    { maxOutputTokens: 30_000, calls: 2 },
  ])(
    'a summary cut by length, where a reply has $maxOutputTokens tokens: $calls calls',
    async (row) => {
      const { maxOutputTokens, calls } = row;
      const { summarize } = fakeModel(reply(GOOD, 'max_tokens'));
      const done = await compact(history, {
        head: NAMED,
        summarize,
        maxOutputTokens,
        fallback: 'none',
      });
      expect(done).toMatchObject({ kind: 'failed', reason: 'cut-summary', calls });
    },
  );
});

describe('compact: what the check appends (C4, C17)', () => {
  test('counts: a summary that saves nothing with the rules it lacked is refused', async () => {
    const rules = Array.from({ length: 60 }, (_, at) => `Never touch folder number ${at}.`);
    const messages = [said(rules.join('\n')), replied('Noted.'), said('Go on.'), replied()];
    const done = await compact(messages, { head: NAMED, summarize: async () => reply(GOOD) });
    expect(done).toMatchObject({ kind: 'failed', reason: 'not-smaller', messages });
  });
});

describe('compact: small windows (C7)', () => {
  test.each([6_000, 8_000, 16_000, 24_000, 32_000])(
    'without a model keeps what was asked for in a window of %d',
    async (windowTokens) => {
      const rounds = Array.from({ length: windowTokens / 600 }, (_, at) => round(`c${at}`)).flat();
      const messages = [said('Fix the parser of the lexer.'), ...rounds, replied()];
      const summarize = () => Promise.reject(new Error('down'));
      const done = await compact(messages, {
        head: NAMED,
        summarize,
        windowTokens,
        maxOutputTokens: 2_000,
      });
      expect(done.kind === 'compacted' && done.summary).toContain('Fix the parser of the lexer.');
    },
  );
});

describe('summary look-alikes', () => {
  const opening = 'The conversation up to this point was replaced by a summary of it.';

  test('somebody who quotes the first sentence of a summary wrote none', () => {
    expect(isSummary({ role: 'user', content: `${opening} Why?` })).toBe(false);
    expect(isSummary({ role: 'user', content: `${opening}\n\n<summary>\na\n</summary>` })).toBe(
      true,
    );
  });

  test('tags that a person wrote of stay in the summary as they were written', async () => {
    const rule = 'Never print <summary> or </summary> tags in the log.';
    const messages = [said(rule), { role: 'assistant', content: 'Noted.' }, ...history];
    const done = await compact(messages, { head: NAMED, summarize: async () => reply(GOOD) });
    expect(JSON.stringify(done.messages[0])).toContain(rule);
    const again = await compact(
      [...done.messages, { role: 'assistant', content: 'x'.repeat(9_000) }],
      { head: NAMED, summarize: () => Promise.reject(new Error('down')) },
    );
    expect(JSON.stringify(again.messages[0])).toContain(rule);
  });

  test('an answer never brings an envelope of its own', () => {
    const { kind, ...rest } = acceptSummary(
      reply(`<summary>${opening}\n\n<summary>\na\n</summary></summary>`),
      {
        ...{
          replacedTokens: 1_000,
          maxTokens: 1_000,
          minSavings: 0,
          sizeOf: (text) => text.length,
        },
      },
    );
    expect({ kind, ...rest }).toMatchObject({ kind: 'accepted', text: 'a' });
  });
});

// What costs the square of an answer takes hours with these, so that a test that ends is one that passed.
describe('acceptSummary: long answers', () => {
  test.each([
    '<scratchpad>',
    '<summary>',
    '</summary>',
    '</scratchpad><scratchpad>',
    ' ',
    'error: ',
  ])('reads a million characters of %j', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const limits = { replacedTokens: 1e9, maxTokens: 1e9, minSavings: 0, sizeOf: () => 1 };
    expect(['accepted', 'refused']).toContain(acceptSummary(reply(text), limits).kind);
  });

  test.each(['*', '.', ' .', ':', '\t', '0)\n', '0)', '[', '<a', '{{'])(
    'reads a row of %j between two words',
    (part) => {
      const text = `## Goal\n\na${part.repeat(300_000 / part.length)}b`;
      const limits = { replacedTokens: 1e9, maxTokens: 1e9, minSavings: 0, sizeOf: () => 1 };
      expect(['accepted', 'refused']).toContain(acceptSummary(reply(text), limits).kind);
    },
  );

  test('cuts out every closed scratchpad and nothing else', () => {
    const part = fc.constantFrom('a', ' b\n', 'scratchpad', '<', '>', '</');
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { minLength: 1 }), (parts) => {
        const answer = parts.map(([seen, hidden]) => `${seen}x<scratchpad>${hidden}</scratchpad>`);
        const wanted = parts
          .map(([seen]) => `${seen}x`)
          .join('')
          .trim();
        const limits = { replacedTokens: 1e9, maxTokens: 1e9, minSavings: 0, sizeOf: () => 1 };
        expect(acceptSummary(reply(`<summary>${answer.join('')}</summary>`), limits)).toMatchObject(
          { text: wanted },
        );
      }),
    );
  });
});
