import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistoryFit } from '../src/fit.ts';
import {
  anthropicProfile,
  checkHistory,
  type Message,
  openaiChatProfile,
  repairHistory,
} from '../src/index.ts';
import { assistant, call, image, result, type TestMessage, text, user } from './build.ts';
import { done } from './repairs.ts';

const CLAUDE = anthropicProfile({ thinking: 'latest-turn' });
const CHAT = openaiChatProfile();
const codes = (messages: readonly TestMessage[], profile = CLAUDE) =>
  checkHistory(messages, profile).map(({ code }) => code);
const blocksIn = (message: TestMessage | undefined) =>
  (message?.content ?? []) as unknown as { id?: string; tool_use_id?: string }[];
/** As it is sent to Claude. */
const asSent = (messages: readonly TestMessage[]) =>
  createHistoryFit()(messages as unknown as readonly Message[], [CLAUDE]) as never as TestMessage[];

// A2. Siblings looked for: text and lists, nothing at all, white space, media that no failed result may hold, and results of tools
// that did not fail, whose empty text is accepted.
describe('a failed tool without output', () => {
  const failed = (content: unknown) => [
    user('Go.'),
    assistant(call('a')),
    user(result('a', '', { content, is_error: true })),
  ];

  test.each([
    ['empty text', ''],
    ['white space', '  \n'],
    ['no block', []],
    ['a blank block', [text(' ')]],
    ['an empty block', [text('')]],
    ['nothing', undefined],
    ['an image only', [image]],
  ])('%s: it is found, mended, and sent with our words', (_name, content) => {
    const history = failed(content);
    expect(codes(history).length).toBeGreaterThan(0);
    expect(codes(history, CHAT)).toEqual([]);
    const { messages } = repairHistory(history, { profile: CLAUDE });
    expect(codes(messages)).toEqual([]);
    expect(done(history)).toContain('filled-result@2.0');
    if (content !== undefined && !JSON.stringify(content).includes('image')) {
      expect(codes(asSent(history))).toEqual([]);
      expect(asSent(history)).toEqual(messages);
    }
  });

  test('a tool that did not fail may say nothing; a blank block goes, and text stays as it is', () => {
    const quiet = (content: unknown) => [
      user('Go.'),
      assistant(call('a')),
      user(result('a', content)),
    ];
    for (const content of ['', ' \n', [], [text('x')]]) {
      expect(codes(quiet(content))).toEqual([]);
      const history = quiet(content);
      expect(asSent(history)).toBe(history);
    }
    expect(codes(quiet([text(' '), text('x')]))).toEqual(['empty-text']);
    expect(asSent(quiet([text(' '), text('x')]))).toEqual(quiet([text('x')]));
  });
});

// A3. Siblings looked for: ids and names, results in a message of their own each, two ids that look alike without their odd
// characters, an id that is what another one becomes, an id that is used again, long ones, and calls that the provider ran.
describe('M332: ids and names of calls that another provider made', () => {
  const ODD = ['call_x|fc_y', 'functions.bash:0', 'a b', 'é', 'x'.repeat(80)];

  test.each(ODD)('%s: it is found, and call and result get the same other one', (id) => {
    const history = [user('Go.'), assistant(call(id), call('b')), user(result(id), result('b'))];
    expect(codes(history)).toEqual(['call-id', 'call-id']);
    expect(codes(history, CHAT)).toEqual([]);
    const { messages, repairs } = repairHistory(history, { profile: CLAUDE });
    expect(repairs.map(({ kind }) => kind)).toEqual(['renamed-call']);
    expect(codes(messages)).toEqual([]);
    expect(asSent(history)).toEqual(messages);
    expect(repairHistory(messages, { profile: CLAUDE }).messages).toBe(messages);
    expect(asSent(messages)).toBe(messages);
  });

  test('ids that differ stay different, whatever they become, and an id that is used again pairs again', () => {
    const alike = ['a.b', 'a:b', 'a|b', 'a_b'];
    const [, first] = asSent([user('Go.'), assistant(...alike.map((id) => call(id)))]);
    const ids = blocksIn(first).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids[3]).toBe('a_b');
    const taken = ids[0] as string;
    const rounds = [
      user('Go.'),
      ...[0, 1].flatMap(() => [
        assistant(call(taken), call('a.b')),
        user(result('a.b', 'of the dotted')),
        user(result(taken, 'of the plain')),
      ]),
    ];
    const [, calls, dotted, plain] = asSent(rounds);
    expect(codes(repairHistory(rounds, { profile: CLAUDE }).messages)).toEqual([]);
    const names = blocksIn(calls).map(({ id }) => id);
    expect(names[0]).toBe(taken);
    expect(names[1]).not.toBe(taken);
    expect(dotted?.content).toMatchObject([{ tool_use_id: names[1], content: 'of the dotted' }]);
    expect(plain?.content).toMatchObject([{ tool_use_id: taken, content: 'of the plain' }]);
  });

  test('a name: it is found and becomes another, two stay two', () => {
    const named = (name: string) => ({ ...call(name.replace(/\W/g, '')), name });
    const history = [
      user('Go.'),
      assistant(named('functions.bash'), named('functions:bash2')),
      user(result('functionsbash'), result('functionsbash2')),
    ];
    expect(codes(history)).toEqual(['call-name', 'call-name']);
    expect(done(history)).toEqual(['renamed-tool@1.0', 'renamed-tool@1.1']);
    const sent = asSent(history);
    expect(codes(sent)).toEqual([]);
    expect(sent).toEqual(repairHistory(history, { profile: CLAUDE }).messages);
    expect(JSON.stringify(sent)).toContain('"name":"functions_bash_');
  });

  test('calls that the provider ran, with their results, in the same message', () => {
    const ran = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} });
    const gave = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
    const history = [
      user('Go.'),
      assistant(ran(''), gave(''), ran('ws|1'), gave('ws|1'), ran(''), gave(''), 'Done.'),
    ];
    expect(new Set(codes(history))).toEqual(new Set(['empty-id', 'call-id']));
    const [, sent] = asSent(history);
    const ids = blocksIn(sent).map((block) => block.id ?? block.tool_use_id);
    expect(ids.slice(0, 2)).toEqual(['srvtoolu_1', 'srvtoolu_1']);
    expect(ids[2]).toBe(ids[3]);
    expect(ids.slice(4, 6)).toEqual(['srvtoolu_2', 'srvtoolu_2']);
    const { messages } = repairHistory(history, { profile: CLAUDE });
    expect(codes(messages)).toEqual([]);
    expect(messages[1]).toEqual(sent);
  });

  test('nothing else changes: the same list, the same messages, and where nobody refuses them they stay', () => {
    const plain = [user('Go.'), assistant(call('toolu_01-A')), user(result('toolu_01-A'))];
    expect(asSent(plain)).toBe(plain);
    const news: unknown[] = [];
    const fitter = createHistoryFit((each) => news.push(each));
    const odd = [...plain, assistant(call('a.b')), user(result('a.b'))] as unknown as Message[];
    expect(fitter(odd, [CHAT])).toBe(odd);
    expect(fitter(odd, [CLAUDE, CHAT])).toBe(odd);
    const sent = fitter(odd, [CLAUDE]);
    expect(sent.slice(0, 3)).toEqual(odd.slice(0, 3));
    expect(sent[0]).toBe(odd[0]);
    expect(fitter(odd, [CLAUDE])[3]).toBe(sent[3]);
    expect(news).toMatchObject([
      { reason: 'call-ids', count: 1 },
      { reason: 'call-ids', count: 1 },
    ]);
    expect(createHistoryFit()(odd, [CLAUDE])).toEqual(sent);
  });

  // a request more often than not begins with the one before it: what both have is taken over
  // siblings looked for: two providers by turns, profiles that are made anew, two histories by turns
  test('M332: what another provider or another history was sent in between changes no object, and is heard of once', () => {
    const history = [
      user('Go.'),
      assistant(call('a|1')),
      user(result('a|1', '', { is_error: true })),
    ] as unknown as readonly Message[];
    const other = [...history.slice(0, 1), assistant(call('b|1')), user(result('b|1', 'x'))];
    const heard: string[] = [];
    const sent = createHistoryFit(({ reason }) => heard.push(reason));
    const types = () =>
      [{ callIds: 'plain', blankText: 'refused', mediaTypes: ['image/png'] }] as const;
    const [claude, images] = [sent(history, [CLAUDE]), sent(history, types())];
    const count = heard.length;
    sent(other as unknown as readonly Message[], [{ ...CLAUDE, callIds: 'any' } as typeof CLAUDE]);
    const known = heard.length;
    expect(count).toBe(6);
    for (const [at, message] of sent(history, [CLAUDE]).entries()) expect(message).toBe(claude[at]);
    for (const [at, message] of sent(history, types()).entries()) expect(message).toBe(images[at]);
    expect(heard.length).toBe(known);
  });

  test('law: a history that was cut, changed, or sent to another provider in between is written as a new one is', () => {
    const ids = fc.constantFrom('toolu_1', 'a.b', 'a|b', 'c');
    const round = fc
      .tuple(ids, fc.boolean())
      .map(([id, fails]) => [
        assistant(call(id)),
        user(fails ? result(id, '', { is_error: true }) : result(id), image),
      ]);
    const step = fc.record({
      kept: fc.nat(8),
      added: fc.array(round, { maxLength: 3 }),
      profile: fc.constantFrom(CLAUDE, CHAT, { ...CLAUDE, mediaTypes: ['image/png'] }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const fitter = createHistoryFit();
        let history = [user('Go.')] as unknown as readonly Message[];
        for (const { kept, added, profile } of steps) {
          history = [...history.slice(0, kept + 1), ...(added.flat() as unknown as Message[])];
          const sent = fitter(history, [profile]);
          expect(sent).toEqual(createHistoryFit()(history, [profile]));
          expect(sent === history).toBe(sent.every((message, at) => message === history[at]));
          expect(fitter(history, [profile])).toEqual(sent);
        }
      }),
    );
  });
});
