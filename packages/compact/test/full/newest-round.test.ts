import { checkRequest, type Message, type ProviderProfile } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compact, createCompaction } from '../../src/index.ts';
import { contextFor, editEntry, HEAD, watchedLog } from '../plan/working-log.ts';
import {
  profilesFor,
  RULES,
  replied,
  round,
  type Said,
  said,
  textOf,
  tokensOf,
  turns,
} from './histories.ts';
import { fakeModel, GOOD, noWait, reply } from './models.ts';

const says = (text = GOOD) => ({ ...fakeModel(reply(text)), wait: noWait });

/** Texts of all results. */
const resultsOf = (messages: readonly unknown[]): string[] =>
  [
    ...JSON.stringify(messages).matchAll(
      /"tool_result","tool_use_id":"[^"]*","content":"((?:[^"\\]|\\.)*)"/g,
    ),
  ].map(([, text]) => JSON.parse(`"${text}"`) as string);

function expectValid(messages: readonly unknown[]): void {
  const head = { id: 'h', model: 'm', system: [], tools: [], params: {} };
  const full = messages.map((message, at) => {
    const { role, content, ...rest } = message as Message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { ...rest, id: `m${at}`, role, content: blocks };
  });
  for (const profile of RULES.flatMap(profilesFor) as ProviderProfile[]) {
    const request = { head, messages: [...full, asked], markers: [], maxOutputTokens: 100 };
    expect(checkRequest(request as never, profile)).toEqual([]);
  }
}

const asked = { id: 'asked', role: 'user', content: [{ type: 'text', text: 'Go on.' }] };

// siblings looked for: a round of several calls, results in blocks and with images, inputs larger than results, a large round
// under a short last reply, a window with little room, a summary that leaves too little, and no model
describe('compact: a newest round larger than its room stays, with its results cut (L322)', () => {
  const ends = (text: string) => [text.slice(0, 60), text.slice(-60)];

  test.each([0.2, 0.5, 0.75])('larger by 1 / %d than keepTokens', async (share) => {
    const [call, result] = round('big', 20_000);
    const history = [...turns(10, 1_000), said('Read the big one.'), call, result] as Said[];
    const keepTokens = 20_000 * share;
    const done = await compact(history, { ...says(), keepTokens });
    if (done.kind !== 'compacted') throw new Error(done.reason);
    const [kept, cut] = done.messages.slice(-2);
    expect(kept).toBe(call);
    const [text] = resultsOf([cut]) as [string];
    const [whole] = resultsOf([result]) as [string];
    for (const end of ends(whole)) expect(text).toContain(end);
    const left = Number(/\[(\d+) characters left out\]/.exec(text)?.[1]);
    expect(text.length - `\n[${left} characters left out]\n`.length + left).toBe(whole.length);
    const tokens = tokensOf(toMessages(done.messages.slice(-2)));
    expect(tokens).toBeLessThanOrEqual(keepTokens);
    expect(tokens).toBeGreaterThan(keepTokens * 0.85);
    expect(done.receipt.tokensAfter).toBeLessThanOrEqual(done.receipt.tokensBefore * 0.9);
    expectValid(done.messages);
  });

  test('results that are short stay whole beside a long one', async () => {
    const calls = [round('a', 100), round('b', 30_000), round('c', 200)];
    const parallel = [
      { role: 'assistant', content: calls.flatMap(([call]) => call?.content as []) },
      { role: 'user', content: calls.flatMap(([, result]) => result?.content as []) },
    ] as Said[];
    const history = [...turns(10, 1_000), said('Read three.'), ...parallel];
    const done = await compact(history, { ...says(), keepTokens: 5_000 });
    const [a, b, c] = resultsOf(done.messages.slice(-1)) as [string, string, string];
    const whole = resultsOf(parallel);
    expect([a, c]).toEqual([whole[0], whole[2]]);
    expect(b).toContain('characters left out');
    expectValid(done.messages);
  });

  test('texts in blocks are cut, and images give way where that is not enough', async () => {
    const data = 'aGk='.repeat(20_000);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const [call, result] = round('big', 100) as [Said, Said];
    const [block] = result.content as [object];
    const withBlocks = (...content: object[]) =>
      ({ ...result, content: [{ ...block, content }] }) as unknown as Said;
    const text = { type: 'text', text: textOf(20_000) };
    const history = (last: typeof result) => [...turns(10, 1_000), said('Look.'), call, last];
    const cut = await compact(history(withBlocks(text, image)), { ...says(), keepTokens: 6_000 });
    expect(JSON.stringify(cut.messages.at(-1))).toContain('characters left out');
    expect(JSON.stringify(cut.messages.at(-1))).toContain(data);
    const many = Array.from({ length: 8 }, () => image);
    const bare = await compact(history(withBlocks(text, ...many)), {
      ...says(),
      keepTokens: 2_000,
      windowTokens: 16_000,
    });
    expect(bare.messages.at(-2)).toBe(call);
    expect(JSON.stringify(bare.messages.at(-1))).toContain('[image was here]');
    for (const { messages } of [cut, bare]) expectValid(messages);
  });

  test('under a short last reply it joins what fits, with its results cut', async () => {
    const [call, result] = round('big', 30_000);
    const last = replied('The big one says yes.');
    const history = [...turns(10, 1_000), said('Read it.'), call, result, last] as Said[];
    const done = await compact(history, { ...says(), keepTokens: 10_000 });
    expect(done.messages.at(-3)).toBe(call);
    expect(done.messages.at(-1)).toBe(last);
    const tokens = tokensOf(toMessages(done.messages.slice(-3)));
    expect(tokens).toBeGreaterThan(8_500);
    expect(tokens).toBeLessThanOrEqual(10_000);
    expectValid(done.messages);
  });

  test.each([
    ['a model', says()],
    ['no model', { ...fakeModel(new Error('down')), wait: noWait }],
  ])('in a window that it fills, with %s', async (_, model) => {
    const history = [...turns(4, 500), said('Read the big one.'), ...round('big', 60_000)];
    const before = tokensOf(toMessages(history));
    const options = { ...model, windowTokens: 64_000, keepTokens: 100_000, contextTokens: before };
    const done = await compact(history, options);
    if (done.kind !== 'compacted') throw new Error(done.reason);
    expect(done.messages.at(-2)).toBe(history.at(-2));
    expect(resultsOf(done.messages.slice(-1))[0]).toContain('characters left out');
    expect(done.receipt.tokensAfter).toBeLessThanOrEqual(before * 0.9);
    expectValid(done.messages);
  });

  test('inputs are never cut: a round that is large by them stays or goes as it is', async () => {
    const input = { path: 'a.ts', content: textOf(8_000) };
    const call = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'w', name: 'write', input }],
    };
    const result = round('w', 50)[1];
    const history = [...turns(10, 1_000), said('Write it.'), call, result] as Said[];
    const done = await compact(history, { ...says(), keepTokens: 2_000 });
    expect(done.messages.at(-2)).toBe(call);
    expectValid(done.messages);
  });

  test('on a log it is one edit, and an undo brings the whole round back', async () => {
    const planner = createCompaction({ ...says(), keepTokens: 3_000 });
    const log = watchedLog(planner);
    log.append(HEAD);
    for (const { role, content } of [...turns(10, 500), said('Read.'), ...round('big', 20_000)]) {
      log.say({
        role,
        content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      });
    }
    const before = log.view.messages;
    const plan = planner.planNow(contextFor(log.view), { trigger: 'manual' });
    if (plan.kind !== 'work') throw new Error(plan.reason);
    const done = await planner.run(plan.work);
    if (done.kind !== 'compacted') throw new Error(done.reason);
    const entry = log.commit(done.compaction);
    const [call, result] = log.view.messages.slice(-2);
    expect(call?.content).toEqual(before.at(-2)?.content);
    expect(resultsOf([result])[0]).toContain('characters left out');
    expect(tokensOf(log.view.messages)).toBe(done.compaction.receipt.tokensAfter);
    expectValid(log.view.messages);
    log.append({ ...editEntry({ kind: 'undo', entryId: entry.id }, 'undone') });
    expect(log.view.messages).toEqual(before);
  });

  const drawn = fc.record({
    old: fc.integer({ min: 1, max: 12 }),
    tokens: fc.array(fc.constantFrom(20, 500, 3_000, 20_000), { minLength: 1, maxLength: 4 }),
    keepTokens: fc.constantFrom(1, 500, 4_000, 30_000),
    minSavings: fc.constantFrom(0, 0.1, 0.5),
    windowTokens: fc.constantFrom(30_000, 64_000, 200_000),
    ending: fc.constantFrom('round', 'reply', 'request'),
    down: fc.boolean(),
  });

  test('law: what is compacted holds the newest call, is valid, and saves enough', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ old, tokens, ending, down, ...options }) => {
        const newest = tokens.flatMap((each, at) => round(`n${at}`, each));
        const last = { round: [], reply: [replied()], request: [said('And now?')] }[ending];
        const history = [...turns(old), said('Read.'), ...newest, ...last];
        const model = down ? { ...fakeModel(new Error('down')), wait: noWait } : says();
        const done = await compact(history, { ...model, ...options });
        if (done.kind === 'failed') {
          expect(done.messages).toBe(history);
          return;
        }
        const { tokensBefore, tokensAfter } = done.receipt;
        expect(tokensAfter).toBeLessThanOrEqual(tokensBefore * (1 - options.minSavings));
        expect(tokensOf(toMessages(done.messages))).toBeLessThanOrEqual(tokensAfter + 1);
        if (ending !== 'reply') {
          expect(JSON.stringify(done.messages)).toContain(`"id":"n${tokens.length - 1}"`);
        }
        expectValid(ending === 'request' ? [...done.messages, replied()] : done.messages);
      }),
    );
  });
});

const toMessages = (messages: readonly { readonly role: string; readonly content: unknown }[]) =>
  messages.map(({ role, content }, at) => ({
    id: `m${at}`,
    role: role as 'user',
    content: (typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : content) as Message['content'],
  }));
