import { type Block, checkRequest, type Message, type ProviderProfile } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole, lawRuns } from '../../../../internal/src/share.ts';
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

/** A run takes tens of milliseconds. */
const RUNS = { numRuns: isWhole ? lawRuns : Math.ceil(lawRuns / 4) };

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
    const data = 'aGlo'.repeat(20_000);
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
    const entry = log.commit(done);
    const [call, result] = log.view.messages.slice(-2);
    expect(call?.content).toEqual(before.at(-2)?.content);
    expect(resultsOf([result])[0]).toContain('characters left out');
    expect(tokensOf(log.view.messages)).toBe(done.receipt.tokensAfter);
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
      RUNS,
    );
  });
});

// siblings looked for: text, documents of text and of blocks, search results, many small blocks, images, many parallel results,
// words and machine texts beside, a call that is itself too large, words that are, an answer of the person in place of a result
describe('compact: whatever the newest round holds, it fits keepTokens (L322)', () => {
  const WORDS = 'also check the docs, "ÄÖ" 👩‍👩‍👧 included';
  const words = { type: 'text', text: WORDS };
  const data = 'aGlo'.repeat(20_000);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const documentOf = (text: string) => ({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: text },
  });
  const documentOfBlocks = (text: string) => ({
    type: 'document',
    title: 'a.txt',
    source: { type: 'content', content: [{ type: 'text', text }, image] },
  });
  const foundIn = (text: string, at: number) => ({
    type: 'search_result',
    source: `https://example.com/${at}`,
    title: `Page ${at}`,
    content: [{ type: 'text', text }],
  });
  const found = (count: number, tokens: number) =>
    Array.from({ length: count }, (_, at) => foundIn(textOf(tokens / count), at));

  type Content = string | readonly object[];

  function parallel(contents: readonly Content[], beside: readonly object[] = [], input = {}) {
    return [
      {
        role: 'assistant',
        content: contents.map((_, at) => ({
          ...{ type: 'tool_use', id: `n${at}`, name: 'fetch' },
          input: { at, ...input },
        })),
      },
      {
        role: 'user',
        content: [
          ...contents.map((content, at) => ({
            ...{ type: 'tool_result', tool_use_id: `n${at}`, content },
          })),
          ...beside,
        ],
      },
    ] as unknown as Said[];
  }

  /** Tokens of the messages from the newest call on, and of what of them may not be cut. */
  function sizesOf(messages: readonly Said[]) {
    const kept = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant'));
    const bare = kept.map(({ role, content }) => ({
      role,
      content: (content as readonly Block[]).map((block) =>
        block.type === 'tool_result' ? { ...block, content: '' } : block,
      ),
    }));
    return { kept: tokensOf(toMessages(kept)), bare: tokensOf(toMessages(bare)) };
  }

  const down = () => ({ ...fakeModel(new Error('down')), wait: noWait });
  const rows: [string, readonly Said[]][] = [
    ['a text', parallel([textOf(80_000)])],
    ['a text with words beside', parallel([textOf(80_000)], [words])],
    ['a document', parallel([[documentOf(textOf(80_000))]])],
    ['a document with words beside', parallel([[documentOf(textOf(80_000))]], [words])],
    ['a document of blocks', parallel([[documentOfBlocks(textOf(80_000))]])],
    ['search results', parallel([found(90, 80_000)])],
    ['small search results', parallel([found(900, 80_000)], [words])],
    ['hundreds of small texts', parallel([Array(900).fill({ type: 'text', text: textOf(90) })])],
    ['images', parallel([[...Array(40).fill(image), { type: 'text', text: textOf(40_000) }]])],
    ['images with words beside', parallel([Array(40).fill(image)], [words])],
    [
      'a machine text beside',
      parallel(
        ['ok'],
        [{ type: 'text', text: `<system-reminder>${textOf(80_000)}</system-reminder>` }, words],
      ),
    ],
  ];
  const cases = rows.flatMap(([name, newest]) =>
    [3_000, 20_000].flatMap((keepTokens) =>
      [1, 10].map((old) => ({ name, newest, keepTokens, old })),
    ),
  );

  test.each(cases)('$name, keepTokens $keepTokens, behind $old', async ({ newest, ...given }) => {
    const { keepTokens, old } = given;
    const history = [...turns(old, 1_000), said('Fix it.'), ...newest];
    const done = await compact(history, { ...down(), keepTokens, windowTokens: 1_000_000 });
    if (done.kind !== 'compacted') throw new Error(done.reason);
    expect(done.messages.at(-2)).toBe(newest[0]);
    const { kept } = sizesOf(done.messages);
    expect(kept).toBeLessThanOrEqual(keepTokens);
    const hasText = !given.name.startsWith('images with');
    if (hasText && keepTokens === 3_000) expect(kept).toBeGreaterThan(keepTokens * 0.85);
    if (given.name.includes('words')) expect(done.messages.at(-1)?.content.at(-1)).toBe(words);
    expectValid(done.messages);
  });

  test('a document stays a document, and a search result one, while lines of each fit', async () => {
    const newest = parallel([[documentOf(textOf(40_000))], found(4, 40_000)]);
    const history = [...turns(10, 1_000), said('Fix it.'), ...newest];
    const done = await compact(history, { ...says(), keepTokens: 5_000 });
    const results = done.messages.at(-1)?.content as unknown as { content: Block[] }[];
    const types = results.map(({ content }) => content.map(({ type }) => type));
    expect(types).toEqual([['document'], Array(4).fill('search_result')]);
    expect(JSON.stringify(results).match(/characters left out/g)).toHaveLength(5);
    expectValid(done.messages);
  });

  test.each([3_000, 20_000])('200 small results: only their calls are beyond %i', async (keep) => {
    const newest = parallel(Array(200).fill(textOf(190)), [words]);
    const history = [...turns(20, 3_000), said('Fix it.'), ...newest];
    const done = await compact(history, { ...down(), keepTokens: keep, windowTokens: 1_000_000 });
    const { kept, bare } = sizesOf(done.messages as Said[]);
    expect(kept).toBeLessThanOrEqual(Math.max(keep, bare + keep / 3));
    expect(done.messages.at(-2)).toBe(newest[0]);
    expect((done.messages.at(-1) as Said).content.at(-1)).toBe(words);
    expectValid(done.messages);
  });

  test('beside a call or words that are larger than that, results have a quarter of it', async () => {
    const long = { type: 'text', text: `Look at this: ${textOf(20_000)}` };
    for (const [beside, input] of [
      [[], { text: textOf(20_000) }],
      [[long], {}],
    ] as const) {
      const newest = parallel([textOf(40_000)], beside, input);
      const history = [...turns(20, 3_000), said('Fix it.'), ...newest];
      const done = await compact(history, { ...down(), keepTokens: 4_000 });
      const { kept, bare } = sizesOf(done.messages as Said[]);
      expect(done.messages.at(-2)).toBe(newest[0]);
      expect(kept - bare).toBeGreaterThan(850);
      expect(kept - bare).toBeLessThanOrEqual(1_000);
      if (beside.length > 0) expect((done.messages.at(-1) as Said).content.at(-1)).toBe(long);
      expectValid(done.messages);
    }
  });

  test('what the person said in place of a result, and media of theirs, stay', async () => {
    const refusal = `The user doesn't want to proceed with this tool use. They said: ${'Use pnpm. '.repeat(60)}`;
    const newest = parallel([refusal, textOf(40_000)], [image, words]);
    const history = [...turns(10, 1_000), said('Fix it.'), ...newest];
    const done = await compact(history, { ...says(), keepTokens: 1_000 });
    const last = done.messages.at(-1) as Said;
    const given = newest[1] as Said;
    expect(last.content[0]).toBe(given.content[0]);
    expect(last.content.slice(-2)).toEqual([image, words]);
    expectValid(done.messages);
  });

  test('without keepTokens the round goes and the words stay', async () => {
    const newest = parallel([textOf(40_000)], [words]);
    const history = [...turns(10, 1_000), said('Fix it.'), ...newest];
    const done = await compact(history, says());
    expect(done.messages.slice(1).map(({ content }) => content)).toEqual(['Fix it.', [words]]);
  });

  const text = fc.constantFrom(5, 400, 9_000).map(textOf);
  const block = fc.oneof(
    text.map((each) => ({ type: 'text', text: each })),
    text.map(documentOf),
    text.map(documentOfBlocks),
    fc.tuple(text, fc.nat(9)).map(([each, at]) => foundIn(each, at)),
    fc.constant(image),
  );
  const content = fc.oneof(text, fc.array(block, { minLength: 1, maxLength: 8 }));
  const newestRound = fc.record({
    contents: fc.oneof(
      fc.array(content, { minLength: 1, maxLength: 3 }),
      fc.array(
        text.map((each) => each.slice(0, 2_000)),
        { minLength: 20, maxLength: 30 },
      ),
    ),
    beside: fc.constantFrom([], [words], [words, { type: 'text', text: textOf(2_000) }]),
    input: fc.constantFrom({}, { text: textOf(4_000) }),
  });
  const given = fc.record({
    newest: newestRound,
    keepTokens: fc.constantFrom(1_000, 3_000),
    old: fc.constantFrom(1, 10),
    windowTokens: fc.constantFrom(200_000, 1_000_000),
    isDown: fc.boolean(),
  });

  test('law: keepTokens, and beyond it only calls and words; or the history as it was', async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ newest, old, isDown, ...options }) => {
        const { contents, beside, input } = newest;
        const round = parallel(contents, beside, input);
        const history = [...turns(old, 300), said('Fix it.'), ...round];
        const before = JSON.stringify(history);
        const done = await compact(history, { ...(isDown ? down() : says()), ...options });
        expect(JSON.stringify(history)).toBe(before);
        if (done.kind === 'failed') {
          expect(done.messages).toBe(history);
          return;
        }
        const from = done.messages.findLastIndex(({ role }) => role === 'assistant');
        const last = done.messages.at(-1) as Said;
        if (beside.length > 0) expect(last.content.slice(-beside.length)).toEqual(beside);
        if (from >= 0) {
          const { kept, bare } = sizesOf(done.messages as Said[]);
          expect(kept).toBeLessThanOrEqual((options.keepTokens + bare) * 1.1);
          if (options.keepTokens >= 2 * bare) {
            expect(kept).toBeLessThanOrEqual(options.keepTokens * 1.105);
          }
        }
        expectValid(done.messages);
      }),
      RUNS,
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
