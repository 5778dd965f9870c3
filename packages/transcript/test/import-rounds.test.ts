import { project } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { countTools } from './count-tools.ts';
import {
  fixtureText,
  importText,
  mainEntries,
  messagesOf,
  problemKinds,
} from './import-support.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } });
const result = (id: string, content = id) => ({ type: 'tool_result', tool_use_id: id, content });

const load = (messages: readonly unknown[]) => importText(JSON.stringify(messages));

/** Roles and results of the view, in order. */
const view = (session: Awaited<ReturnType<typeof load>>) =>
  project(mainEntries(session)).messages.map(({ role, content }) =>
    [role, ...content.map((block) => String(block.tool_use_id ?? block.id ?? block.type))].join(
      ' ',
    ),
  );

describe('importSession: rounds (V2)', () => {
  test.each([
    {
      file: 'no messages after a call',
      messages: [user('Go.'), assistant(call('a'))],
      expected: ['user text', 'assistant a', 'user a'],
      problems: ['missing-result @1'],
    },
    {
      file: 'a call that was interrupted',
      messages: [
        user('Go.'),
        assistant(call('a'), call('b')),
        user([result('b')]),
        user('Stop.'),
        assistant({ type: 'text', text: 'ok' }),
      ],
      expected: ['user text', 'assistant a b', 'user a b', 'user text', 'assistant text'],
      problems: ['missing-result @1'],
    },
    {
      file: 'a result that comes late',
      messages: [
        user('Go.'),
        assistant(call('a')),
        user('Wait.'),
        assistant({ type: 'text', text: 'ok' }),
        user([result('a')]),
      ],
      expected: ['user text', 'assistant a', 'user a', 'user text', 'assistant text'],
      problems: ['late-result @1'],
    },
    {
      file: 'a result without its call',
      messages: [user('Go.'), user([result('x', 'lost')]), assistant({ type: 'text', text: 'ok' })],
      expected: ['user text', 'user text', 'assistant text'],
      problems: ['orphan-result @1'],
    },
    {
      file: 'an id that is used again',
      messages: [
        user('Go.'),
        assistant(call('a')),
        user([result('a', '1')]),
        assistant(call('a')),
        user([result('a', '2')]),
      ],
      expected: ['user text', 'assistant a', 'user a', 'assistant a', 'user a'],
      problems: [],
    },
    {
      file: 'an id that one reply uses twice',
      messages: [user('Go.'), assistant(call('a'), call('a')), user([result('a')])],
      expected: ['user text', 'assistant a', 'user a'],
      problems: ['reused-id @1'],
    },
    {
      file: 'two results for one call',
      messages: [user('Go.'), assistant(call('a')), user([result('a', '1'), result('a', '2')])],
      expected: ['user text', 'assistant a', 'user a', 'user text'],
      problems: ['orphan-result @1'],
    },
    {
      file: 'empty ids and names',
      messages: [
        user('Go.'),
        assistant({ type: 'tool_use', id: '', name: '', input: 'x' }),
        user([result('', 'y')]),
      ],
      expected: ['user text', 'assistant unnamed', 'user unnamed'],
      problems: [],
    },
    {
      file: 'a reply that comes first',
      messages: [assistant({ type: 'text', text: 'Hello.' }), user('Go.')],
      expected: ['user text', 'assistant text', 'user text'],
      problems: ['missing-start @1'],
    },
    {
      file: 'thinking that nothing follows',
      messages: [
        user('Go.'),
        assistant({ type: 'text', text: 'x' }, { type: 'thinking', thinking: 'y', signature: 'z' }),
        user('On.'),
      ],
      expected: ['user text', 'assistant text', 'user text'],
      problems: [],
    },
    {
      file: 'blank and misplaced blocks',
      messages: [
        user([{ type: 'text', text: ' \n' }, call('a'), { type: 'text', text: 'Go.' }]),
        assistant({ type: 'text', text: '' }),
        assistant(result('a'), { type: 'text', text: 'ok' }),
      ],
      expected: ['user text', 'assistant text'],
      problems: [],
    },
  ])('makes a legal log of $file', async ({ messages, expected, problems }) => {
    const session = await load(messages);
    expect(view(session)).toEqual(expected);
    expect(problemKinds(session)).toEqual(problems);
  });

  test('marks what it made up, so that it does not count as recorded', async () => {
    const session = await load([user('Go.'), assistant(call('a'), call('b')), user([result('a')])]);
    expect(countTools(session)).toMatchObject({ calls: 2, results: 1 });
    expect(messagesOf(session).at(-1)?.origin).toMatchObject({ kind: 'synthetic' });
  });

  test('gives back the results of a reused id in their own rounds', async () => {
    const session = await load([
      user('Go.'),
      assistant(call('a')),
      user([result('a', '1')]),
      assistant(call('a')),
      user([result('a', '2')]),
    ]);
    const contents = messagesOf(session).flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : [])),
    );
    expect(contents).toEqual(['1', '2']);
  });

  test('counts what it dropped', async () => {
    const session = await load([
      user('Go.'),
      assistant({ type: 'text', text: '' }),
      assistant({ type: 'thinking', thinking: 'y', signature: 'z' }),
    ]);
    expect(session.unused).toEqual({
      'blank-text-block': 1,
      'empty-reply': 2,
      'trailing-thinking-block': 1,
    });
  });
});

describe('importSession: sub-agents (V2)', () => {
  test('a sub-agent that has a file to itself is the main thread of that file', async () => {
    const base = { sessionId: 's', agentId: 'a1', isSidechain: true, version: '2.1.40' };
    const lines = [
      { ...base, type: 'user', uuid: '1', parentUuid: null, message: user('Look around.') },
      {
        ...base,
        type: 'assistant',
        uuid: '2',
        parentUuid: '1',
        message: { ...assistant({ type: 'text', text: 'Nothing.' }), id: 'm', model: 'x' },
      },
    ];
    const session = await importText(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(session.threads.map(({ kind }) => kind)).toEqual(['main']);
    expect(messagesOf(session)).toHaveLength(2);
  });

  test('calls of sub-agents are counted apart', async () => {
    const session = await importText(fixtureText('claude-code/sub-agents.jsonl'));
    const counts = { calls: 4, results: 4, subAgentCalls: 2, subAgentResults: 2 };
    expect(countTools(session)).toEqual(counts);
    const parents = session.threads.map(({ parentCallId }) => parentCallId);
    expect(parents).toEqual([undefined, 'toolu_t1', 'toolu_t2']);
  });
});

describe('importSession: compactions (V2)', () => {
  test('Codex: an older compaction holds its summary as text', async () => {
    const item = (role: string, text: string) => ({
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
    });
    const lines = [
      item('user', 'Count the sheep.'),
      item('assistant', 'Nine.'),
      { type: 'compacted', payload: { message: 'There are nine sheep.' } },
      item('user', 'And the goats?'),
    ];
    const session = await importText(lines.map((line) => JSON.stringify(line)).join('\n'));
    const { messages } = project(mainEntries(session));
    expect(messages.map(({ content }) => content[0]?.text)).toEqual([
      'There are nine sheep.',
      'And the goats?',
    ]);
  });

  test.each([
    { file: 'claude-code/session.jsonl', first: 'Hello again.' },
    { file: 'codex/session.jsonl', first: 'Which star is brighter, Vega or Deneb?' },
    {
      file: 'copilot-cli/session.jsonl',
      first: '<overview>The red kite is torn; there is no thread.</overview>',
    },
    { file: 'opencode/session.json', first: '[everything before this point was summarised]' },
    { file: 'pi/session.jsonl', first: '# Clock\nWound; it is right.' },
    { file: 'pi/tree.jsonl', first: 'Polish the bell.' },
  ])('the view of $file starts as the model saw it last', async ({ file, first }) => {
    const { messages } = project(mainEntries(await importText(fixtureText(file))));
    expect(messages[0]?.content[0]?.text).toBe(first);
  });
});

test.each([
  ['behind a reminder, in one block', '<system-reminder>x</system-reminder>\nFix it.'],
  ['behind a reminder, in the next block', '<system-reminder>x</system-reminder>', 'Fix it.'],
])(
  'L318: words of a person %s stay a person’s in a log of Claude Code',
  async (_name, ...texts) => {
    const line = (uuid: string, content: readonly string[]) =>
      JSON.stringify({
        ...{
          type: 'user',
          uuid,
          parentUuid: null,
          sessionId: 's',
          timestamp: '2026-01-01T00:00:00Z',
        },
        message: user(content.map((text) => ({ type: 'text', text }))),
      });
    const origins = async (content: readonly string[]) =>
      messagesOf(await importText(line('a', content))).map(({ origin }) => origin?.kind);
    expect(await origins(texts)).toEqual([undefined]);
    expect(await origins(['<system-reminder>x</system-reminder>'])).toEqual(['reminder']);
  },
);
