import type { Request } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { MOST_CALLS } from '../../src/full/next-try.ts';
import { compact, type SummaryReply } from '../../src/index.ts';
import { ESTIMATOR, replied, said, tokensOf, turns } from './histories.ts';
import { fakeModel, noWait, reply } from './models.ts';

const sizeOf = ({ head, messages }: Request): number => tokensOf(messages) + ESTIMATOR.head(head);

/** A model that takes no longer prompts, and says in its summary which questions it has seen. */
function smallModel(limit: number, refusal: (tokens: number) => Error) {
  const seen = new Set<string>();
  return {
    seen,
    ...fakeModel((request: Request): SummaryReply | Error => {
      const tokens = sizeOf(request);
      if (tokens > limit) return refusal(tokens);
      const text = JSON.stringify(request.messages);
      for (const [question] of text.matchAll(/Question \d+/g)) seen.add(question);
      return reply(`<summary>\n## 6. User messages\n${[...seen].join('\n')}\n</summary>`);
    }),
  };
}

/** The start of a text, of about so many tokens. */
const headOf = (text: string, tokens: number): string => {
  let kept = text;
  while (ESTIMATOR.text(kept) > tokens) kept = kept.slice(0, kept.length * 0.9);
  return kept;
};

const told = (limit: number) => (tokens: number) =>
  new ModelError('prompt-too-long', 'Too long.', { actualTokens: tokens, limitTokens: limit });
const untold = () => new ModelError('prompt-too-long', 'Too long.');
const asText = (limit: number) => (tokens: number) =>
  new Error(`prompt is too long: ${tokens} tokens > ${limit} maximum`);

describe('a history that no request holds is summarised in parts (K304)', () => {
  const history = [...turns(86, 1_100), said('And now?'), replied()];

  test.each([
    { name: 'the limit is told', limit: 8_000, refusal: told(8_000) },
    { name: 'the limit is told as text', limit: 8_000, refusal: asText(8_000) },
    { name: 'nobody says the limit', limit: 8_000, refusal: untold },
    { name: 'a larger limit', limit: 32_000, refusal: told(32_000) },
  ])('$name', async ({ limit, refusal }) => {
    expect(tokensOf(history as never)).toBeGreaterThan(180_000);
    const model = smallModel(limit, refusal);
    const result = await compact(history, { ...model, wait: noWait, windowTokens: 1_000_000 });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    const { engine, seenShare, calls } = result.receipt;
    console.info(
      `K304: limit ${limit}: ${calls} calls, ${seenShare} seen, ${model.seen.size} of 86`,
    );
    expect(engine).toBe('summary');
    expect(model.seen.size).toBe(86);
    expect(seenShare).toBeGreaterThan(0);
    expect(seenShare).toBeLessThanOrEqual(1);
    expect(calls).toBe(model.requests.length);
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  });

  test('with a small bound of the summary', async () => {
    const model = smallModel(8_000, told(8_000));
    const result = await compact(history, {
      ...{ ...model, wait: noWait, windowTokens: 1_000_000, maxSummaryTokens: 900 },
    });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(result.receipt.engine).toBe('summary');
    expect(model.seen.size).toBe(86);
  });

  test('with a small window, before any request is refused', async () => {
    const model = smallModel(40_000, told(40_000));
    const result = await compact(history, { ...model, wait: noWait, windowTokens: 40_000 });
    if (result.kind !== 'compacted') throw new Error(result.reason);
    expect(result.receipt.engine).toBe('summary');
    expect(model.seen.size).toBe(86);
  });

  test('a part carries no tools, no system prompt and no thinking, and marks who spoke', async () => {
    const model = smallModel(8_000, told(8_000));
    const reminder = { id: 'r', role: 'user', content: [{ type: 'text', text: 'job done, yes' }] };
    const head = {
      model: 'claude-sonnet-4-5',
      tools: [{ name: 'read' }],
      system: [{ type: 'text', text: 'You fix.' } as const],
      params: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    };
    const marked = [...history, { ...reminder, origin: { kind: 'reminder' } }, replied()];
    await compact(marked as never, { ...model, head, wait: noWait });
    const parts = model.requests.filter(({ messages }) => messages.length === 1);
    expect(parts.length).toBeGreaterThan(2);
    for (const { head: sent } of parts) {
      expect(sent).toMatchObject({ tools: [], system: [], params: {} });
    }
    const last = JSON.stringify(parts.at(-1)?.messages);
    expect(last).toContain('MACHINE (put in by the program, not said by the user): job done, yes');
    expect(last).toContain('USER: ');
  });

  test('a summary in one request has seen all, and one after dropping the oldest says how much', async () => {
    const whole = await compact(turns(10), fakeModel(reply('<summary>The parser.</summary>')));
    expect(whole.kind === 'compacted' && whole.receipt.seenShare).toBe(1);
    const model = fakeModel(untold(), reply('<summary>The parser.</summary>'));
    const less = await compact(turns(10), model);
    const { seenShare = 0 } = less.kind === 'compacted' ? less.receipt : {};
    expect(seenShare).toBeGreaterThan(0.7);
    expect(seenShare).toBeLessThan(0.9);
  });

  // siblings looked for: windows of three sizes, a model that says little and one that says as much as it may, a history of
  // large results and one of many small messages
  test.each([
    { windowTokens: 8_192, leastSeen: 0.3 },
    { windowTokens: 16_384, leastSeen: 0.65 },
    { windowTokens: 32_768, leastSeen: 0.999 },
  ])(
    'parts fill a window of $windowTokens, and none is larger',
    async ({ windowTokens, leastSeen }) => {
      for (const answerShare of [0.1, 0.9]) {
        for (const long of [turns(60, 1_500), turns(600, 150)]) {
          const fills: number[] = [];
          const { summarize, requests } = fakeModel((request: Request): SummaryReply => {
            const tokens = sizeOf(request) + request.maxOutputTokens;
            fills.push(tokens / windowTokens);
            const words = 'Question 1 was answered. '.repeat(2_000);
            const most = request.maxOutputTokens * answerShare;
            return reply(`<summary>\n## 6. User messages\n${headOf(words, most)}\n</summary>`);
          });
          const result = await compact([...long, said('And now?'), replied()], {
            ...{ summarize, head: { model: 'claude-sonnet-4-5' }, wait: noWait, windowTokens },
          });
          if (result.kind !== 'compacted') throw new Error(result.reason);
          const { seenShare = 0, engine } = result.receipt;
          const label = `${answerShare} ${seenShare} ${requests.length} ${fills}`;
          expect(engine, label).toBe('summary');
          expect(Math.max(...fills), label).toBeLessThanOrEqual(1);
          const parts = fills.slice(0, -1);
          expect(Math.min(...parts), label).toBeGreaterThan(0.8);
          expect(seenShare, label).toBeGreaterThan(leastSeen * (answerShare > 0.5 ? 0.7 : 1));
        }
      }
    },
  );

  test('a model that refuses every length leaves the ledger, within the bound of calls', async () => {
    const model = smallModel(10, untold);
    const result = await compact(history, { ...model, wait: noWait, windowTokens: 1_000_000 });
    expect(result.kind === 'compacted' && result.receipt.engine).toBe('ledger');
    expect(model.requests.length).toBeLessThanOrEqual(MOST_CALLS);
  });
});
