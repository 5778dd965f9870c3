import { checkHistory, type Message, type Request } from '@varve/messages';
import { isSummary } from '@varve/messages/persons';
import { describe, expect, test } from 'vitest';
import { MOST_CALLS } from '../../src/full/next-try.ts';
import { stripMedia } from '../../src/full/strip-media.ts';
import { compact, createCompaction, type Summarize } from '../../src/index.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import {
  ESTIMATOR,
  profilesFor,
  replied,
  round,
  type Said,
  said,
  textOf,
  tokensOf,
  turns,
} from './histories.ts';
import { brokenStream, FAILING, fakeModel, GOOD, NAMED, noWait, reply, tooLong } from './models.ts';

const WINDOW = {
  windowTokens: 200_000,
  maxOutputTokens: 20_000,
  thinking: 'free',
  wait: noWait,
} as const;

const image = (data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});

const says = (text: string) => fakeModel(reply(`<summary>${text}</summary>`));

/** What a model that adds nothing of its own gives back: everything it was shown. */
const echo: Summarize = async ({ messages }) =>
  reply(messages.map(({ content }) => JSON.stringify(content)).join('\n'));

const logged = (history: readonly Said[], prefix: string): readonly Message[] =>
  history.map(({ role, content }, index) => ({
    id: `${prefix}-${index}`,
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }));

async function compacted<M extends Said>(
  history: readonly M[],
  options: Parameters<typeof compact<M>>[1],
) {
  const result = await compact(history, { ...WINDOW, ...options });
  if (result.kind === 'failed') throw new Error(result.reason);
  return result;
}

describe('compact', () => {
  test('case 1: a newest request of three steps stays word for word, in the last place', async () => {
    const last = said('First plum-4, then dune-9, and oak-7 at the end.');
    const { messages } = await compacted([...turns(40, 2_000), last], says('Do plum-4 and oak-7.'));
    expect(messages.at(-1)).toBe(last);
  });

  test('case 2: rules from their source stand exactly once after each of four compactions, as they are now', async () => {
    let history: readonly Message[] = logged(turns(6), 'a');
    const rules = ['Zephyr-31', 'Zephyr-31', 'Quartz-8', 'Quartz-8'].map(
      (folder) => `Never touch folder ${folder}.`,
    );
    for (const [index, rule] of rules.entries()) {
      const source = {
        id: `rules-${index}`,
        role: 'user',
        content: [{ type: 'text', text: rule }],
        origin: { kind: 'reminder' },
      } as const;
      const more = logged(turns(6), `more-${index}`);
      const done = await compact([...history, ...more], {
        ...WINDOW,
        ...says('ok'),
        attach: () => [source],
      });
      history = done.messages;
      expect(done.kind).toBe('compacted');
      expect(JSON.stringify(history).split(rule).length - 1).toBe(1);
    }
    expect(JSON.stringify(history)).not.toContain('Zephyr-31');
  });

  test('case 9: six compactions by a model that repeats its input stay under the bound, and nothing nests', async () => {
    let history: readonly Said[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const marker = said(`Marker number-${turn}.`);
      const done = await compacted([...history, marker, ...turns(8, 400)], {
        head: NAMED,
        summarize: echo,
        maxSummaryTokens: 3_000,
      });
      history = done.messages;
      expect(ESTIMATOR.text(done.summary)).toBeLessThan(4_500);
      expect(JSON.stringify(history).split('was replaced by a summary').length - 1).toBe(1);
      expect(JSON.stringify(history).split('Marker number-0.').length - 1).toBe(1);
    }
  });

  test('case 11: pictures of a request that is not done stay with it', async () => {
    const last = {
      role: 'user' as const,
      content: [{ type: 'text', text: 'Compare.' }, image('AAAA'), image('BBBB'), image('CCCC')],
    };
    const { messages } = await compacted([...turns(6), last, ...round('now')], says(GOOD));
    expect(messages.length).toBe(2);
    expect(messages[1]).toBe(last);
  });

  test('case 15: what is kept is exactly the newest pairs', async () => {
    const pairs = ['a', 'b', 'c', 'd'].map((id) => round(id, 1_000));
    const history = [said('Go.'), ...pairs.flat(), replied()];
    const keepTokens = tokensOf(pairs.slice(2).flat() as unknown as Message[]) + 100;
    const { messages } = await compacted(history, { ...says(GOOD), keepTokens });
    expect(messages.slice(1)).toEqual(history.slice(5));
    expect(messages.slice(1).every((message, index) => message === history[5 + index])).toBe(true);
  });

  test('case 16: an overhead that fills the window leads to no attempt at all, and is named', () => {
    const planner = createCompaction({ ...fakeModel(reply(GOOD)) });
    const log = watchedLog(planner);
    log.append(HEAD);
    log.say({ role: 'user', content: [{ type: 'text', text: 'Hi.' }] });
    const context = contextFor(log.view, { windowTokens: 32_000, overheadTokens: 30_000 });
    expect(planner.plan(context)).toEqual({ kind: 'none', reason: 'irreducible-overhead' });
    expect(planner.decide(context)).toMatchObject({
      windowTokens: 32_000,
      thresholdTokens: 28_800,
    });
    expect(planner.planNow(context, { trigger: 'manual' }).kind).toBe('work');
  });

  test('case 17: two compactions that gain nothing are followed by a pause that names the tool, until the user speaks', async () => {
    const planner = createCompaction({ ...fakeModel(reply(GOOD)), keepTokens: 0 });
    const log = watchedLog(planner);
    log.append(HEAD);
    log.say({ role: 'user', content: [{ type: 'text', text: 'Search for it.' }] });
    const plans: string[] = [];
    for (let call = 0; call < 12; call++) {
      for (const { role, content } of round(`c${call}`, 20_000, 'grep'))
        log.say({ role, content: content as Message['content'] });
      const plan = planner.plan(contextFor(log.view, { windowTokens: 50_000 }));
      plans.push(plan.kind === 'none' ? plan.reason : 'work');
      if (plan.reason === 'no-headroom' && !planner.breaker().paused) {
        const data = { kind: 'compaction-paused' };
        log.append({ id: `p${call}`, at: HEAD.at, type: 'note', by: 'compact', data });
      }
      if (plan.kind !== 'work') continue;
      const done = await planner.run(plan.work);
      if (done.kind === 'compacted') log.commit(done);
    }
    expect(log.entries.filter(({ type }) => type === 'note').length).toBe(1);
    expect(plans.filter((plan) => plan === 'work').length).toBe(2);
    expect(plans.filter((plan) => plan === 'no-headroom').length).toBeGreaterThan(0);
    expect(planner.producers(ESTIMATOR.message)[0]).toMatchObject({ toolName: 'grep' });
    log.say({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
    expect(planner.plan(contextFor(log.view, { windowTokens: 50_000 })).kind).toBe('work');
  });

  test('case 19: 115 % of the window with one huge result is compacted by a provider that refuses what is over it', async () => {
    const history = [
      ...turns(20, 2_000),
      said('Look at all of it.'),
      ...round('huge', 120_000),
      ...turns(4, 1_000),
      said('And now?'),
    ];
    const missing = 230_000 - tokensOf(history as unknown as Message[]);
    const filled = [...turns(1, missing / 2), ...history];
    const summarize: Summarize = async (request) => {
      const tokens = tokensOf(request.messages) + request.maxOutputTokens;
      if (tokens > 200_000) throw tooLong(tokens, 200_000);
      return reply(GOOD);
    };
    expect(tokensOf(filled as unknown as Message[])).toBeGreaterThan(225_000);
    const done = await compacted(filled, { head: NAMED, summarize, keepTokens: 3_000 });
    expect(done.receipt).toMatchObject({ engine: 'summary', calls: 1 });
    expect(done.messages.at(-1)).toBe(filled.at(-1));
    for (const profile of profilesFor('free'))
      expect(checkHistory(done.messages, profile)).toEqual([]);
  });

  test.each([
    { name: 'a small most', maxOutputTokens: 8_192, asked: 8_192 },
    { name: 'a large most', maxOutputTokens: 128_000, asked: 20_000 },
    { name: 'an unknown most', maxOutputTokens: undefined, asked: 20_000 },
  ])(
    'case 20: asks no more output than a model with $name gives',
    async ({ maxOutputTokens, asked }) => {
      const model = says(GOOD);
      await compact(turns(20, 1_000), { ...model, windowTokens: 400_000, maxOutputTokens });
      expect(model.requests[0]?.maxOutputTokens).toBe(asked);
    },
  );

  test('case 21: input and output of the request fit the window together, however full it is', async () => {
    const history = turns(1, 98_900);
    const model = fakeModel((request: Request) => {
      expect(tokensOf(request.messages) + request.maxOutputTokens).toBeLessThanOrEqual(200_000);
      return reply(GOOD);
    });
    expect(tokensOf(history as unknown as Message[])).toBeGreaterThan(197_000);
    await compacted(history, { ...model, maxOutputTokens: 8_192 });
    expect(model.requests.length).toBe(1);
  });

  test.each([
    { name: 'a rate limit', error: Object.assign(new Error('secret words'), { status: 429 }) },
    { name: 'a reset', error: Object.assign(new Error('secret words'), { code: 'ECONNRESET' }) },
  ])(
    'case 22: after $name everything is as before, and no word of the error is in it',
    async ({ error }) => {
      const history = turns(6);
      const written = JSON.stringify(history);
      const result = await compact(history, {
        ...fakeModel(error),
        wait: noWait,
        fallback: 'none',
      });
      expect(result).toMatchObject({ kind: 'failed', reason: 'model-failed', messages: history });
      expect(JSON.stringify(history)).toBe(written);
      const fallen = await compacted(history, fakeModel(error));
      expect(JSON.stringify(fallen.messages)).not.toContain('secret words');
    },
  );

  test.each(['empty', 'blank', 'only thinking', 'an open summary', 'cut by length'])(
    'case 24: an answer that is %s gets one more call with more room, then everything stays',
    async (kind) => {
      const model = fakeModel(FAILING[kind] as never);
      const history = turns(6);
      const result = await compact(history, {
        ...WINDOW,
        ...model,
        maxSummaryTokens: 1_000,
        fallback: 'none',
      });
      expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([1_000, 2_000]);
      expect(result).toMatchObject({ kind: 'failed', calls: 2 });
      expect(result.messages).toBe(history);
    },
  );

  test.each([
    {
      name: 'below the limit, everything stays',
      factor: 1.2,
      contextTokens: 100_000,
      kind: 'failed',
    },
    {
      name: 'below the limit, everything stays',
      factor: 0.97,
      contextTokens: 100_000,
      kind: 'failed',
    },
    {
      name: 'above it, the facts take its place',
      factor: 1.2,
      contextTokens: 190_000,
      kind: 'compacted',
    },
    {
      name: 'above it, the facts take its place',
      factor: 0.97,
      contextTokens: 190_000,
      kind: 'compacted',
    },
  ])(
    'case 26: a summary of $factor times its input saves too little: $name',
    async ({ factor, contextTokens, kind }) => {
      const history = turns(10, 5_000);
      const text = textOf(tokensOf(history as unknown as Message[]) * factor);
      const result = await compact(history, { ...WINDOW, ...says(text), contextTokens });
      expect(result.kind).toBe(kind);
      if (result.kind === 'compacted')
        expect(result.receipt).toMatchObject({ engine: 'ledger', failure: 'not-smaller' });
      else expect(result).toMatchObject({ reason: 'not-smaller', messages: history });
    },
  );

  test('case 28: a second attempt that is aborted leaves what the first one made', async () => {
    const first = await compacted(turns(6), says(GOOD));
    const history = [...first.messages, ...turns(6)];
    const written = JSON.stringify(history);
    const controller = new AbortController();
    const summarize: Summarize = async () => {
      controller.abort();
      return new Promise(() => {});
    };
    await expect(
      compact(history, { head: NAMED, summarize, signal: controller.signal }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(JSON.stringify(history)).toBe(written);
  });

  test.each(['ends well', 'fails', 'is aborted'] as const)(
    'case 31: what is typed while a compaction runs that $0 stands once, in order, behind it',
    async (ending) => {
      const controller = new AbortController();
      const planner = createCompaction({
        wait: noWait,
        fallback: 'none',
        async summarize() {
          for (const text of ['u-1', 'u-2'])
            log.say({ role: 'user', content: [{ type: 'text', text }] });
          if (ending === 'is aborted') controller.abort();
          if (ending === 'fails') throw new Error('It broke.');
          return reply(GOOD);
        },
      });
      const log = watchedLog(planner);
      log.append(HEAD);
      for (const { role, content } of turns(4))
        log.say({
          role,
          content:
            typeof content === 'string'
              ? [{ type: 'text', text: content }]
              : (content as Message['content']),
        });
      const plan = planner.planNow(contextFor(log.view, { windowTokens: 100_000 }), {
        trigger: 'auto',
      });
      const result =
        plan.kind === 'work'
          ? await planner
              .run(plan.work, { signal: controller.signal })
              .catch((error: Error) => error)
          : plan;
      if ('edit' in result) log.commit(result);
      const texts = log.view.messages.map(({ content }) => content[0]?.text);
      expect(texts.slice(-2)).toEqual(['u-1', 'u-2']);
      expect(texts.filter((text) => text === 'u-1' || text === 'u-2').length).toBe(2);
      expect(log.view.messages.length).toBe(ending === 'ends well' ? 3 : 26);
    },
  );

  test('case 33: a last round larger than what should be kept stays whole, and what stands before it goes', async () => {
    const calls = ['a', 'b', 'c', 'd'];
    const big: Said[] = [
      {
        role: 'assistant',
        content: calls.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
      },
      {
        role: 'user',
        content: calls.map((id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: textOf(5_500),
        })),
      },
    ];
    const history = [...turns(60, 1_000), said('Read four.'), ...big];
    const { messages } = await compacted(history, { ...says(GOOD), keepTokens: 20_000 });
    expect(messages.slice(-2)).toEqual(big);
    expect(messages.length).toBe(4);
    for (const profile of profilesFor('free')) expect(checkHistory(messages, profile)).toEqual([]);
  });

  test.each([
    {
      name: 'three times, then answers',
      steps: [brokenStream(), brokenStream(), reply(GOOD)],
      engine: 'summary',
      calls: 3,
    },
    { name: 'always', steps: [brokenStream()], engine: 'ledger', calls: 3 },
  ])(
    'case 35: a stream that drops $name ends in a conversation that goes on',
    async ({ steps, engine, calls }) => {
      const { receipt, messages } = await compacted(turns(6), fakeModel(...steps));
      expect(receipt).toMatchObject({ engine, calls });
      for (const profile of profilesFor('free'))
        expect(checkHistory(messages, profile)).toEqual([]);
    },
  );

  test('case 36: no cut parts a call from its result, whatever should be kept', async () => {
    const history = [...turns(3, 50), said('Go.'), ...round('x', 50), ...round('y', 50)];
    for (let keepTokens = 0; keepTokens < 1_200; keepTokens += 20) {
      const { messages } = await compacted(history, {
        ...says('Short.'),
        keepTokens,
        minSavings: 0,
      }).catch(() => ({ messages: [] }));
      for (const profile of profilesFor('free'))
        expect(checkHistory(messages, profile)).toEqual([]);
    }
  });

  test('case 38: results out of order and a word between them are kept or replaced together', async () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
    const result = (id: string): Said => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: textOf(300) }],
    });
    const mixed: Said[] = [
      { role: 'assistant', content: [call('m'), call('n')] },
      result('n'),
      said('Faster, please.'),
      result('m'),
    ];
    for (const keepTokens of [0, 1, 300, 700]) {
      const { messages } = await compacted([...turns(4), ...mixed, replied()], {
        ...says(GOOD),
        keepTokens,
      });
      const text = JSON.stringify(messages.slice(1));
      expect(text.includes('"id":"m"')).toBe(text.includes('"tool_use_id":"m"'));
      expect(text.includes('"id":"n"')).toBe(text.includes('"tool_use_id":"n"'));
    }
  });

  test('case 39: results of an id that every turn uses again all stay', async () => {
    const history = Array.from({ length: 50 }, (_, index) => [
      said(`Question ${index}.`),
      ...round('k0', 60),
      replied(),
    ]).flat();
    const { messages } = await compacted(history, { ...says(GOOD), keepTokens: 1_000 });
    const kept = messages.slice(1);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept).toEqual(history.slice(-kept.length));
  });

  test('case 45: thinking of an open tool loop is never touched: all of it stays, or nothing of the loop', async () => {
    const thought = (signature: string) => ({ type: 'thinking', thinking: 'Hm.', signature });
    const [call, result] = round('now', 300) as [Said, Said];
    const open: Said[] = [
      { ...call, content: [thought('c2ln'), thought('c2lo'), ...(call.content as [])] },
      result,
    ];
    const history = [...turns(6), said('Go.'), ...open];
    for (const thinking of ['free', 'latest-turn', 'prefix-bound'] as const) {
      const { messages } = await compacted(history, { ...says(GOOD), thinking, keepTokens: 500 });
      const kept = messages.filter((message) => open.includes(message as Said));
      expect(kept).toEqual(thinking === 'prefix-bound' ? [] : open);
      expect(JSON.stringify(messages).split('signature').length - 1).toBe(kept.length);
    }
  });

  test('case 47: no empty text or message is ever made', async () => {
    for (const answer of ['', ' ', '<summary></summary>', '<summary> </summary>']) {
      const { messages } = await compacted(turns(6), says(answer));
      for (const profile of profilesFor('free'))
        expect(checkHistory(messages, profile)).toEqual([]);
      expect(isSummary(messages[0] as Said)).toBe(true);
    }
  });

  test('case 53: documents of 35 MB are no part of the request for the summary', async () => {
    const document = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(7_000_000) },
    };
    const history = Array.from({ length: 5 }, () => [
      { role: 'user' as const, content: [{ type: 'text', text: 'Read it.' }, document] },
      replied(textOf(500)),
    ]).flat();
    const model = says(GOOD);
    await compact(history, { ...WINDOW, ...model });
    expect(JSON.stringify(model.requests[0]).length).toBeLessThan(1_000_000);
    expect(stripMedia(model.requests[0]?.messages ?? [])).toBe(model.requests[0]?.messages);
  });

  test('never calls a model more often than it says', async () => {
    const model = fakeModel(
      brokenStream(),
      reply(''),
      tooLong(),
      tooLong(),
      brokenStream(),
      tooLong(),
      tooLong(),
      reply(''),
    );
    await compact(turns(30), { ...WINDOW, ...model });
    expect(model.requests.length).toBeGreaterThan(4);
    expect(model.requests.length).toBeLessThanOrEqual(MOST_CALLS);
  });
});
