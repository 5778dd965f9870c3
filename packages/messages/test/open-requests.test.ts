import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import { closeRound } from '../src/index.ts';
import {
  callStop,
  injectedTexts,
  isPerson,
  isSummary,
  NOTES_OPENING,
  openRequests,
  personBlocks,
  SUMMARY_OPENING,
  splitInjected,
  stoppedSection,
  withoutStoppedSection,
} from '../src/persons.ts';
import {
  assistant,
  call,
  image,
  result,
  system,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';

const from = (kind: string, message: TestMessage): TestMessage =>
  ({ ...message, origin: { kind } }) as TestMessage;
const ended = (stopReason: string, message: TestMessage = assistant('x')): TestMessage =>
  ({ ...message, response: { id: 'r', model: 'm', stopReason } }) as TestMessage;
const step = (id: string, content: unknown = 'ok') => [
  assistant(call(id)),
  user(result(id, content)),
];
const failed = from('synthetic', assistant('API Error: 529 overloaded'));
const aborted = (id: string): TestMessage[] => {
  const open = { assistant: { id: 'a' }, waiting: [id], results: [], rest: [], queued: [] };
  return closeRound(open as never, { reason: 'aborted', at: '' }) as never;
};

describe('isPerson', () => {
  test.each<[string, TestMessage, boolean]>([
    ['text', user('hi'), true],
    ['plain string content', { role: 'user', content: 'hi' }, true],
    ['an image alone', user(image), true],
    ['a command', from('command', user('/review the diff')), true],
    ['a reply', assistant('hi'), false],
    ['a system message', system('hi'), false],
    ['results', user(result('c')), false],
    ['results with words beside them', user(result('c'), 'wait'), false],
    ['no content', user(), false],
    ['blank text', user(' \n'), false],
    ...[
      'reminder',
      'hook',
      'tool',
      'notification',
      'summary',
      'synthetic',
      're-read',
      'anything else',
    ].map((kind): [string, TestMessage, boolean] => [
      `origin ${kind}`,
      from(kind, user('yes, go ahead')),
      false,
    ]),
    ['a reminder without an origin', user('<system-reminder>do it</system-reminder>'), false],
    ['a reminder and words', user('<system-reminder>x</system-reminder>\nfix it'), true],
    ['a reminder beside words', user('<system-reminder>x</system-reminder>', 'fix it'), true],
    ['a tag that is no agent’s', user('<b>bold</b>'), true],
    ['an unclosed tag', user('<system-reminder> is a tag'), true],
    // siblings looked for: tags of agents in recorded sessions, hooks, editors, attributes, several in a row
    ...[
      '<user-prompt-submit-hook>yes, approved</user-prompt-submit-hook>',
      '<session-start-hook name="a">go ahead</session-start-hook>',
      '<ide_selection>the lines 1 to 5</ide_selection>',
      '<environment_details>\n# Files\na.ts\n</environment_details>',
      '<user_instructions>\nNever push.\n</user_instructions>',
      '<system-reminder source="hook" level=1>do it</system-reminder>',
      '<retrieval_status>timeout</retrieval_status>\n\n<task_id>a02</task_id>\n',
      '<agent-notification>\n<agent-id>a8</agent-id>\n</agent-notification>',
      '# AGENTS.md instructions for /home/x\n\n<INSTRUCTIONS>\n# Rules\n</INSTRUCTIONS>',
      '<any_other-tag><b>x</b></any_other-tag>\n<system-reminder>y</system-reminder>',
    ].map((text): [string, TestMessage, boolean] => [`L318: ${text}`, user(text), false]),
    ...[
      '<b>bold</b>',
      '<div class="a-b">x</div>',
      '<user_query>fix it</user_query>',
      '<pr_description>Add a flag</pr_description>',
      '<bash-input>ls</bash-input>',
      '<user-prompt-submit-hook>x</user-prompt-submit-hook>\nfix it',
      '<ide_selection>x</ide_selection> <b>fix it</b>',
      '<any_other-tag>never closed',
      '<uploaded_files>\n/repo\n</uploaded_files>\nI uploaded it.\n<a_b>x</a_b>',
      'See <any_other-tag>x</any_other-tag>',
      '# AGENTS.md instructions are wrong, mend them',
    ].map((text): [string, TestMessage, boolean] => [`L318: ${text}`, user(text), true]),
    ['the mark of an interruption', user('[Request interrupted by user for tool use]'), false],
    ['the mark of an aborted turn', user('<turn_aborted>\n<reason>interrupted</reason>'), false],
    ['a summary without an origin', user(`${SUMMARY_OPENING}\n\n<summary>\ns\n</summary>`), false],
    ['words about a summary', user(`"${SUMMARY_OPENING}" what is that?`), true],
  ])('%s', (_name, message, person) => {
    expect(isPerson(message)).toBe(person);
  });

  test('words beside results are a person’s blocks, and no message of a person', () => {
    const message = user(result('c'), '<system-reminder>x</system-reminder>', 'wait');
    expect(personBlocks(message)).toEqual([{ type: 'text', text: 'wait' }]);
    expect(personBlocks(from('hook', message))).toEqual([]);
    expect(personBlocks(assistant('wait'))).toEqual([]);
  });

  test('what an agent put in is a whole reminder, or its parts of what a person said', () => {
    const reminder = '<system-reminder>x</system-reminder>';
    expect(injectedTexts(user(result('c'), `${reminder} wait`))).toEqual([reminder]);
    expect(injectedTexts(from('reminder', user('do it')))).toEqual(['do it']);
    expect(injectedTexts(from('hook', user(reminder)))).toEqual([]);
    expect(injectedTexts(assistant(reminder))).toEqual([]);
  });

  test('a summary is known by its origin, and by its first words where it has none', () => {
    const opening = `${SUMMARY_OPENING}\n\n<summary>\ns\n</summary>`;
    expect(isSummary(user(opening))).toBe(true);
    expect(isSummary(user(opening, 'Go on.'))).toBe(true);
    expect(isSummary(user(`${NOTES_OPENING}\n\nnotes`))).toBe(true);
    expect(isSummary(user(`You said: ${NOTES_OPENING}`))).toBe(false);
    expect(SUMMARY_OPENING).toBe(
      'The conversation up to this point was replaced by a summary of it.',
    );
    expect(isSummary(from('summary', user('s')))).toBe(true);
    expect(isSummary(from('reminder', user(opening)))).toBe(false);
    expect(isSummary(assistant(opening))).toBe(false);
  });
});

describe('splitInjected', () => {
  test('takes the parts of an agent out, in order, and leaves the rest in order', () => {
    const [first, second] = [
      '<system-reminder>x</system-reminder>',
      '<current_datetime>y</current_datetime>',
    ];
    expect(splitInjected(`a${first}b${second}c`)).toEqual({
      own: 'abc',
      injected: [first, second],
    });
    expect(splitInjected(first)).toEqual({ own: '', injected: [first] });
    expect(splitInjected('<system-reminder><system-reminder>x</system-reminder>y')).toEqual({
      own: 'y',
      injected: ['<system-reminder><system-reminder>x</system-reminder>'],
    });
  });

  test('L318, L324: what stands behind the blocks of an agent is the person’s, word for word', () => {
    const hook = '<user-prompt-submit-hook a="b">approve it</user-prompt-submit-hook>';
    const other = '<any_other-tag>x</any_other-tag>';
    expect(splitInjected(`${hook}\n${other}\nmend <a_b>c</a_b>`)).toEqual({
      own: '\n\nmend <a_b>c</a_b>',
      injected: [hook, other],
    });
    expect(splitInjected(`mend it ${hook}`)).toEqual({ own: 'mend it ', injected: [hook] });
    expect(splitInjected(`\n${hook} \t${other}mend`).own).toBe('\n \tmend');
    expect(splitInjected(`${other}${other}</any_other-tag>`)).toEqual({
      own: '</any_other-tag>',
      injected: [other, other],
    });
    const query = '<user_query>mend it</user_query>';
    expect(splitInjected(`${other}${query}`)).toEqual({ own: query, injected: [other] });
  });

  test.each([
    [50, true],
    [51, false],
  ])('behind %d kinds of tags that are never closed parts are found: %s', (count, found) => {
    const unclosed = Array.from({ length: count }, (_, at) => `<local-command-a${at}>`).join('');
    const text = `${unclosed}<system-reminder>x</system-reminder>`;
    expect(splitInjected(text).injected.length > 0).toBe(found);
  });

  test.each([10_000, 1_000_000])('leaves %d characters of unclosed tags as they are', (count) => {
    for (const tag of [
      '<system-reminder>',
      '<system-reminder a',
      '<a_b>',
      '<a_',
      '\n',
      'a-',
      '# AGENTS.md instructions for ',
    ]) {
      const hostile = tag.repeat(count / 10);
      expect(splitInjected(hostile).own).toBe(hostile);
    }
  });
});

interface Row {
  readonly open?: number[];
  readonly beside?: number[];
  readonly stopped?: number[];
  readonly lastAnswer?: number;
}

describe('openRequests', () => {
  test.each<[string, readonly MessageLike[], Row]>([
    ['no messages', [], {}],
    ['asked', [user('a')], { open: [0] }],
    ['asked twice', [user('a'), user('b')], { open: [0, 1] }],
    ['answered', [user('a'), assistant('x')], { lastAnswer: 1 }],
    [
      'answered, and asked again',
      [user('a'), assistant('x'), user('b')],
      { open: [2], lastAnswer: 1 },
    ],
    ['a tool loop', [user('a'), ...step('c')], { open: [0] }],
    [
      'steering in a tool loop',
      [user('a'), ...step('c'), user('b'), ...step('c')],
      { open: [0, 3] },
    ],
    ['an open round', [user('a'), assistant('let me', call('c'))], { open: [0] }],
    [
      'calls and text as messages of one reply',
      [user('a'), assistant(call('c')), assistant('x')],
      { open: [0] },
    ],
    [
      'text and then a call as messages of one reply',
      [user('a'), assistant('let me'), assistant(call('c'))],
      { open: [0] },
    ],
    [
      'a call and then text, of two responses in a row',
      [
        user('a'),
        { ...assistant(call('c')), response: { id: 'r1', stopReason: 'tool_use' } } as never,
        { ...assistant('x'), response: { id: 'r2', stopReason: 'end_turn' } } as never,
      ],
      { open: [0] },
    ],
    ['an answer in two messages', [user('a'), assistant('x'), assistant('y')], { lastAnswer: 2 }],
    [
      'an answer behind a tool loop of the reply before',
      [user('a'), ...step('c'), assistant('x'), user('b')],
      { open: [4], lastAnswer: 3 },
    ],
    ['thinking and text', [user('a'), assistant(thinking(), 'x')], { lastAnswer: 1 }],
    [
      'another block that speaks of an abort',
      [
        user('a'),
        ...step('c'),
        user({ type: 'search_result', content: 'Operation cancelled' }),
        assistant('x'),
      ],
      { lastAnswer: 4 },
    ],
    ['a reminder', [user('a'), from('reminder', user('b'))], { open: [0] }],
    ['a summary first', [from('summary', user('s')), user('a')], { open: [1] }],
    [
      'a system message behind the reply',
      [user('a'), assistant('x'), system('s')],
      { lastAnswer: 1 },
    ],
    [
      'words beside results',
      [user('a'), assistant(call('c')), user(result('c'), 'wait')],
      { open: [0], beside: [2] },
    ],
    [
      'words of a machine beside results',
      [user('a'), assistant(call('c')), from('tool', user(result('c'), 'note'))],
      { open: [0] },
    ],
    ['a reply of nothing but thinking', [user('a'), assistant(thinking())], { open: [0] }],
    ['a reply of nothing but a picture', [user('a'), assistant(image)], { lastAnswer: 1 }],
    ...[
      'max_tokens',
      'pause_turn',
      'model_context_window_exceeded',
      'error',
      'tool_use',
      'compaction',
    ].map((reason): [string, readonly MessageLike[], Row] => [
      `a reply that ended with ${reason}`,
      [user('a'), ended(reason)],
      { open: [0] },
    ]),
    ...['end_turn', 'stop_sequence', 'refusal', 'unknown'].map(
      (reason): [string, readonly MessageLike[], Row] => [
        `a reply that ended with ${reason}`,
        [user('a'), ended(reason)],
        { lastAnswer: 1 },
      ],
    ),
    [
      'the SDK’s own stop_reason',
      [user('a'), { ...assistant('x'), stop_reason: 'max_tokens' } as MessageLike],
      { open: [0] },
    ],
  ])('%s', (_name, history, { open = [], beside = [], stopped = [], lastAnswer = -1 }) => {
    expect(openRequests(history)).toEqual({ open, beside, stopped, lastAnswer });
  });

  describe('L311: a failed reply answers nothing', () => {
    const ask = user('what is in this picture?', image);
    test.each<[string, readonly MessageLike[]]>([
      ['a synthetic reply', [failed]],
      ['two of them', [failed, failed]],
      [
        'a reply of the model <synthetic>',
        [{ ...assistant('x'), response: { model: '<synthetic>' } } as never],
      ],
      ['the same in the SDK’s shape', [{ ...assistant('x'), model: '<synthetic>' } as never]],
      ['a reply that ended in an error', [ended('error')]],
    ])('%s', (_name, replies) => {
      const history = [ask, ...replies, user('try again')];
      expect(openRequests(history)).toMatchObject({
        open: [0, history.length - 1],
        lastAnswer: -1,
      });
    });

    test('a failed reply behind an answer leaves the answer what it is', () => {
      expect(openRequests([ask, assistant('x'), failed])).toMatchObject({
        open: [],
        lastAnswer: 1,
      });
    });

    test('an answer behind a failed reply answers', () => {
      expect(openRequests([ask, failed, assistant('x')])).toMatchObject({
        open: [],
        lastAnswer: 2,
      });
    });
  });

  describe('L312: what was stopped is marked as stopped', () => {
    const drop = [user('drop table X'), assistant('I will', call('c'))];
    const rejected =
      "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    test.each<[string, readonly MessageLike[]]>([
      ['the round was closed as aborted', aborted('c')],
      [
        'the round was closed as aborted, as a view shows it',
        [
          from(
            'tool',
            user(
              result(
                'c',
                aborted('c').map((m) => (m.content[0] as { content?: string }).content)[0],
              ),
            ),
          ),
        ],
      ],
      ['the call was refused', [user(result('c', rejected, { is_error: true }))]],
      ['the call was refused, in a list of blocks', [user(result('c', [text(rejected)]))]],
      ['the mark of an interruption', [user(result('c')), user('[Request interrupted by user]')]],
      [
        'the mark beside the result',
        [user(result('c'), '[Request interrupted by user for tool use]')],
      ],
    ])('%s', (_name, closing) => {
      const history = [...drop, ...closing];
      expect(openRequests(history)).toMatchObject({ open: [], beside: [], stopped: [0] });
      const asked = [...history, user('explain Y'), ...step('d')];
      expect(openRequests(asked)).toMatchObject({ open: [history.length], stopped: [0] });
      const answered = [...asked, assistant('because')];
      expect(openRequests(answered)).toMatchObject({ open: [], stopped: [0] });
    });

    test.each([
      [2_000, { open: [], stopped: [0] }],
      [2_001, { open: [0, 3], stopped: [] }],
    ])('a result of %d characters that begins as one of an abort', (length, found) => {
      const refused = 'User rejected the call'.padEnd(length, '.');
      const history = [...drop, user(result('c', refused)), user('b')];
      const open = [...found.open.filter((index) => index !== 3), 3];
      expect(openRequests(history)).toMatchObject({ open, stopped: found.stopped });
    });

    test('an aborted reply', () => {
      expect(openRequests([user('a'), ended('aborted'), user('b')])).toMatchObject({
        open: [2],
        stopped: [0],
      });
    });

    test('the mark and the next request in one message', () => {
      const history = [...drop, user(result('c'), '[Request interrupted by user]', 'explain Y')];
      expect(openRequests(history)).toMatchObject({ open: [], beside: [2], stopped: [0] });
      expect(openRequests([user('x', '[Request interrupted by user]', 'y')])).toMatchObject({
        open: [0],
        stopped: [],
      });
    });

    test('work that goes on by itself is not stopped', () => {
      expect(openRequests([...drop, ...aborted('c'), ...step('d')])).toMatchObject({
        open: [0],
        stopped: [],
      });
    });

    test('a reply that only says that the work stopped answers nothing', () => {
      const history = [...drop, ...aborted('c'), assistant('Stopped. What next?')];
      expect(openRequests(history)).toMatchObject({ open: [], stopped: [0], lastAnswer: 3 });
    });

    test.each(['killed', 'interrupted', 'timeout'])(
      'a round closed as %s was not stopped by a person',
      (reason) => {
        const closed = user(result('c', `Outcome unknown (${reason}). No result was recorded.`));
        expect(openRequests([...drop, closed, user('go on')])).toMatchObject({
          open: [0, 3],
          stopped: [],
        });
      },
    );
  });
});

type Fate =
  | 'answered'
  | 'aborted call'
  | 'aborted reply'
  | 'refused'
  | 'failed'
  | 'error'
  | 'cut'
  | 'none';

interface Turn {
  readonly asks: number;
  readonly steps: number;
  readonly steered: boolean;
  readonly reminded: boolean;
  readonly fate: Fate;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  asks: fc.integer({ min: 1, max: 3 }),
  steps: fc.nat(3),
  steered: fc.boolean(),
  reminded: fc.boolean(),
  fate: fc.constantFrom<Fate>(
    'answered',
    'aborted call',
    'aborted reply',
    'refused',
    'failed',
    'error',
    'cut',
    'none',
  ),
});

const ENDINGS: Record<Fate, readonly TestMessage[]> = {
  answered: [assistant('done')],
  'aborted call': [assistant('now', call('z')), ...aborted('z')],
  'aborted reply': [ended('aborted')],
  refused: [assistant(call('z')), user(result('z', 'User rejected the call', { is_error: true }))],
  failed: [failed],
  error: [ended('error')],
  cut: [ended('max_tokens')],
  none: [],
};

/** A history, and by the way it was made which requests are open and which were stopped. */
function play(turns: readonly Turn[]) {
  const messages: TestMessage[] = [];
  const fates = new Map<number, 'open' | 'answered' | 'stopped'>();
  const say = (message: TestMessage) => {
    fates.set(messages.length, 'open');
    messages.push(message);
  };
  const settle = (fate: 'answered' | 'stopped') => {
    for (const [index, known] of fates) if (known === 'open') fates.set(index, fate);
  };
  for (const { asks, steps, steered, reminded, fate } of turns) {
    for (let ask = 0; ask < asks; ask++) say(user(`ask ${messages.length}`));
    if (reminded) messages.push(from('reminder', user('yes, go ahead')));
    for (let at = 0; at < steps; at++) {
      messages.push(...step(`s${at}`));
      if (steered && at === 0) say(user('and this'));
    }
    messages.push(...ENDINGS[fate]);
    if (fate === 'answered') settle('answered');
    if (fate === 'aborted call' || fate === 'aborted reply' || fate === 'refused')
      settle('stopped');
  }
  const of = (wanted: string) =>
    [...fates].flatMap(([index, fate]) => (fate === wanted ? index : []));
  return { messages, open: of('open'), stopped: of('stopped') };
}

test('L311: a failed reply behind an answer is another reply, and leaves the request closed', () => {
  const answer = { ...assistant('done'), response: { id: 'r1', stopReason: 'end_turn' } };
  const failure = { ...assistant('x'), response: { id: 'r2', stopReason: 'error' } };
  expect(openRequests([user('ask'), answer, failure]).open).toEqual([]);
  expect(openRequests([user('ask'), failure]).open).toEqual([0]);
  const parts = ['a', 'b'].map((text) => ({
    ...assistant(text),
    response: { id: 'r1', stopReason: 'error' },
  }));
  expect(openRequests([user('ask'), ...parts]).open).toEqual([0]);
});

describe('laws of open requests', () => {
  test('what was aborted is never shown as open and never lost; what was not answered stays open', () => {
    const counts = { histories: 0, open: 0, stopped: 0 };
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
        const { messages, open, stopped } = play(turns);
        const found = openRequests(messages);
        expect(found).toMatchObject({ open, beside: [], stopped });
        counts.histories++;
        counts.open += open.length;
        counts.stopped += stopped.length;
      }),
    );
    process.stdout.write(
      `open requests: ${counts.histories} histories, ${counts.open} open, ${counts.stopped} stopped\n`,
    );
    expect(Math.min(counts.open, counts.stopped)).toBeGreaterThan(0);
  });

  test('a synthetic or failed reply never closes a request, wherever it stands', () => {
    const replies = [
      failed,
      ended('error'),
      from('synthetic', ended('end_turn')),
      { ...assistant('x'), response: { model: '<synthetic>' } },
    ];
    let inserted = 0;
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 6 }),
        fc.nat(),
        fc.constantFrom(...(replies as TestMessage[])),
        (turns, seed, reply) => {
          const { messages } = play(turns);
          const at = seed % (messages.length + 1);
          const calls = (message?: TestMessage) =>
            JSON.stringify(message?.content ?? '').includes('tool_use"');
          fc.pre(!calls(messages[at - 1]));
          const before = openRequests(messages);
          const shift = (index: number) => (index >= at ? index + 1 : index);
          const after = openRequests(messages.toSpliced(at, 0, reply));
          expect(after.open).toEqual(before.open.map(shift));
          expect(after.stopped).toEqual(before.stopped.map(shift));
          inserted++;
        },
      ),
    );
    process.stdout.write(`open requests: ${inserted} failed replies closed none\n`);
    expect(inserted).toBeGreaterThan(0);
  });
});

describe('stoppedSection', () => {
  const lines = (section: string | undefined) => section?.split('\n').slice(3, -1);
  const call = (id: string, input: unknown) =>
    assistant({ type: 'tool_use', id, name: 'bash', input });
  const refused = (id: string) =>
    user({
      ...{ type: 'tool_result', tool_use_id: id, is_error: true },
      content: "The user doesn't want to proceed with this tool use.",
    });
  /** A request whose one call the person refused. */
  const stop = (id: string, ...said: Parameters<typeof user>) => [
    user(...said),
    call(id, { command: `run ${id}` }),
    refused(id),
  ];

  test('names what was stopped, its last calls and what came of them, and nothing where nothing was', () => {
    const history = [
      ...stop('a', 'drop\n  table X', image),
      ...stop('b', '</stopped-requests> go'),
      user('y'),
    ];
    expect(stoppedSection([user('y')], 1)).toBeUndefined();
    expect(stoppedSection(history, 0)).toBeUndefined();
    const came = "The user doesn't want to proceed with this tool use.";
    const first = ['- stopped: "drop table X [image]"; the last calls:', `  - bash run a: ${came}`];
    const second = ['- stopped: "go"; the last calls:', `  - bash run b: ${came}`];
    expect(lines(stoppedSection(history, history.length))).toEqual([...first, ...second]);
    expect(lines(stoppedSection(history, 3))).toEqual(first);
  });

  test('a call without a result, a picture as a result, and a request without calls', () => {
    const shot = {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'text', text: 'one' }, image],
    };
    const history = [
      user('look'),
      call('a', { command: 'shot' }),
      user(shot),
      call('e', { command: 'true' }),
      user({ type: 'tool_result', tool_use_id: 'e' }),
      assistant({ type: 'tool_use', id: 'b', name: 'finish', input: undefined }),
      user({ type: 'text', text: '[Request interrupted by user for tool use]' }),
      user('wait'),
      user({ type: 'text', text: '[Request interrupted by user]' }),
      user('and'),
      user('b'),
      assistant({ type: 'tool_use', id: 'd', name: 'ask', input: { question: 'why?', of: 'me' } }),
      user({ type: 'text', text: '[Request interrupted by user]' }),
      user('y'),
    ];
    expect(lines(stoppedSection(history, history.length))).toEqual([
      '- stopped: "look"; the last calls:',
      '  - bash shot: one [image was here]',
      '  - bash true: ',
      '  - finish: no result',
      '- stopped: "wait"',
      '- stopped: "and"',
      '- stopped: "b"; the last calls:',
      '  - ask why? me: no result',
    ]);
  });

  test('a request that a person put into no words, and several that an earlier summary names, in their order', () => {
    const silent = [user('<stopped-requests>'), call('a', { command: 'run a' }), refused('a')];
    expect(lines(stoppedSection(silent, 3))?.[0]).toBe(
      '- stopped: "a request without text"; the last calls:',
    );
    const four = ['one', 'two', 'three', 'four'].flatMap((name) => stop(name, name));
    const section = stoppedSection(four, four.length) as string;
    const opened = `${SUMMARY_OPENING}\n\n<summary>\ns\n\n${section}\n</summary>\n\nGo on.`;
    const again = stoppedSection([from('summary', user(opened)), user('y')], 1);
    expect(lines(again)).toEqual(lines(section));
  });

  // L313: what may have happened outside is always carried; siblings looked for: calls of an earlier summary, the count of
  // those that are not shown, a copy of the section that a model wrote
  test('L313: carries over what an earlier summary names, its calls included, shorter, and keeps the newest 20', () => {
    const long = stop('a', `keep ${'x'.repeat(5_000)}`);
    const first = stoppedSection(long, 3) as string;
    expect(lines(first)?.[0]).toHaveLength('- stopped: ""; the last calls:'.length + 2_000);
    const summary = from(
      'summary',
      user(`${SUMMARY_OPENING}\n\n<summary>\ns\n\n${first}\n</summary>\n\nGo on.`),
    );
    const second = lines(stoppedSection([summary, ...stop('b', 'b'), user('y')], 5));
    expect(second?.filter((line) => line.startsWith('- '))).toEqual([
      `- stopped: "keep ${'x'.repeat(294)}…"; the last calls:`,
      '- stopped: "b"; the last calls:',
    ]);
    expect(second?.filter((line) => line.startsWith('  - '))).toHaveLength(2);
    const many = Array.from({ length: 30 }, (_, index) => stop(`c${index}`, `r${index}`)).flat();
    const all = lines(stoppedSection(many, many.length));
    expect(lines(stoppedSection(many, 63))?.[0]).toBe('- 1 older requests were stopped as well.');
    expect(all?.[0]).toBe('- 10 older requests were stopped as well.');
    expect(all?.filter((line) => line.startsWith('- stopped'))).toHaveLength(20);
    const old = user(
      `${SUMMARY_OPENING}\n\n<summary>\n${stoppedSection(many, many.length)}\n</summary>`,
    );
    expect(
      lines(stoppedSection([from('summary', old), ...stop('b', 'b'), user('y')], 5))?.[0],
    ).toBe('- 11 older requests were stopped as well.');
  });

  test('all requests together stay within 16,000 characters or so, the newest whole', () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      stop(`c${index}`, `r${index} ${'y '.repeat(900)}`),
    ).flat();
    const section = stoppedSection(many, many.length) as string;
    expect(section.length).toBeLessThan(17_000);
    expect(section).toContain('"r19 ');
    expect(section).not.toContain('"r0 ');
    expect(section).toMatch(/- 1\d older requests were stopped as well\./);
  });

  test.each([
    [0, 8],
    [1, 7],
  ])('requests of 16,000 characters and %i more: %i are shown', (more, shown) => {
    const said = 'x'.repeat(1_900);
    const frame = (stoppedSection(stop('0', said), 3) as string)
      .split('\n')
      .slice(3, -1)
      .join('\n');
    const first = 'x'.repeat(1_900 + 2_000 - frame.length + more);
    const other = first.slice(more);
    const eight = [first, ...Array.from({ length: 7 }, () => other)].flatMap((words, at) =>
      stop(`${at}`, words),
    );
    const section = lines(stoppedSection(eight, eight.length));
    expect(section?.filter((line) => line.startsWith('- stopped'))).toHaveLength(shown);
  });

  test('is these words', () => {
    expect(stoppedSection(stop('a', 'a'), 3)).toBe(
      [
        '# Stopped before it was done',
        'The user stopped the work on these requests before they were done. They are not being worked on: what the user said later says whether and how any of them goes on.',
        '<stopped-requests>',
        '- stopped: "a"; the last calls:',
        "  - bash run a: The user doesn't want to proceed with this tool use.",
        '</stopped-requests>',
      ].join('\n'),
    );
  });

  const quoted = (section: string | undefined) =>
    lines(section)?.flatMap((line) => /^- stopped: "(.*)"; the last calls:$/.exec(line)?.[1] ?? []);

  test.each([
    ['x'.repeat(2_000), 'x'.repeat(2_000)],
    ['x'.repeat(2_001), `${'x'.repeat(1_999)}…`],
    [`a${' '.repeat(7_998)}b`, 'a b'],
    [`a${' '.repeat(7_999)}b`, 'a'],
  ])('of a long request the first 2,000 characters, read from the first 8,000', (said, line) => {
    expect(quoted(stoppedSection(stop('a', said), 3))).toEqual([line]);
  });

  const carry = (...texts: string[]) =>
    stoppedSection([from('summary', user(...texts)), user('y')], 1);

  test('a carried request of 300 characters stays whole', () => {
    const carriedFrom = (request: string) =>
      quoted(carry(stoppedSection(stop('a', request), 3) as string));
    expect(carriedFrom('x'.repeat(300))).toEqual(['x'.repeat(300)]);
    expect(carriedFrom('x'.repeat(301))).toEqual([`${'x'.repeat(299)}…`]);
  });

  test('a carried request has its last three calls, however many lines stand below it', () => {
    const section = stoppedSection(stop('a', 'a'), 3) as string;
    const longer = section.replace('\n</', `${`\n  - ${'x'.repeat(999)}`.repeat(9)}\n</`);
    expect(lines(carry(longer))).toHaveLength(4);
    expect(lines(carry(longer))?.at(-1)).toHaveLength(366);
  });

  test('of a summary the last section counts, wherever it stands, and one that is not closed does not', () => {
    const [a = '', b = ''] = ['a', 'b'].map((id) => stoppedSection(stop(id, id), 3) as string);
    const open = (section: string) => section.replace('</stopped-requests>', '');
    expect(quoted(carry(a))).toEqual(['a']);
    expect(quoted(carry(`${a}\n\n${b}\n\nGo on.`))).toEqual(['b']);
    expect(quoted(carry(...a.split('\n')))).toEqual(['a']);
    expect(lines(carry(a.replace('- stopped', '  - a line of no request\n- stopped')))).toEqual(
      lines(a),
    );
    const many = '- many older requests were stopped as well.';
    expect(lines(carry(a.replace('- stopped', `${many}\n- stopped`)))).toEqual(lines(a));
    expect(carry('no section')).toBeUndefined();
    expect(carry(`${'x'.repeat(400)}\n- stopped: "a"\n</stopped-requests>\n`)).toBeUndefined();
    expect(
      lines(stoppedSection([from('summary', user('none')), ...stop('a', 'a'), user('y')], 4)),
    ).toEqual(lines(a));
    expect(carry(open(a))).toBeUndefined();
    expect(carry(`${a}\n${open(b)}`)).toBeUndefined();
  });

  test('no words but those of a summary are carried over', () => {
    const quoted = user(stoppedSection(stop('a', 'a'), 3) as string);
    expect(stoppedSection([quoted], 1)).toBeUndefined();
  });

  test('texts are cleaned before they are cut', () => {
    const secret = `${'x'.repeat(150)} sk-${'a'.repeat(40)}`;
    const history = [user('a'), call('c', { command: secret }), refused('c'), user('y')];
    const clean = (text: string) => text.replaceAll(/sk-\w{40}/g, '[key]');
    const section = stoppedSection(history, 4, { clean });
    expect(section).toContain('[key]');
    expect(section).not.toContain('sk-');
  });

  test('withoutStoppedSection takes whole sections out and leaves any other text as it is', () => {
    const section = stoppedSection(stop('a', 'a'), 3) as string;
    expect(withoutStoppedSection(`before\n\n${section}\nbehind`)).toBe('before\n\n\nbehind');
    expect(withoutStoppedSection(`${section}${section}`)).toBe('');
    expect(withoutStoppedSection(`${section}\nsee </stopped-requests>`)).toBe(
      '\nsee </stopped-requests>',
    );
    const [head] = section.split('- stopped') as [string];
    expect(withoutStoppedSection(`a ${head}</stopped-requests> b`)).toBe('a  b');
    const cut = section.slice(0, -5);
    expect(withoutStoppedSection(cut)).toBe(cut);
    expect(withoutStoppedSection('# Stopped before it was done\n- x')).toBe(
      '# Stopped before it was done\n- x',
    );
  });
});

// Siblings looked for: the reasons that a round is closed with, and the words of results of other agents.
describe('L312: a call that a person ended stops its request', () => {
  const outcome = (content: unknown) => {
    const { open, stopped } = openRequests([user('drop X'), ...step('c', content), user('and Y')]);
    return { open, stopped };
  };
  const closedWith = (reason: string): string => {
    const open = { assistant: { id: 'a' }, waiting: ['c'], results: [], rest: [], queued: [] };
    const [message] = closeRound(open as never, { reason, at: '' });
    return String((message?.content[0] as { content?: unknown } | undefined)?.content);
  };

  test.each<[string, 'refused' | 'stopped']>([
    ...['aborted', 'user-abort', 'user pressed esc', 'ctrl-c', 'The user stopped']
      .concat('cancelled', 'user_cancelled', 'Ctrl+C', 'SIGINT', 'user interrupted', 'stop')
      .map((reason): [string, 'stopped'] => [closedWith(reason), 'stopped']),
    ...['rejected', 'denied', 'The user declined', 'user-rejected'].map(
      (reason): [string, 'refused'] => [closedWith(reason), 'refused'],
    ),
    ['Interrupted by user', 'stopped'],
    ['Cancelled by user', 'stopped'],
    ['Error: canceled by the user', 'stopped'],
    ['[Tool execution cancelled]', 'stopped'],
    ['Command was aborted', 'stopped'],
    ['KeyboardInterrupt', 'stopped'],
    ['Traceback (most recent call last):\n  File "a.py", line 1\nKeyboardInterrupt\n', 'stopped'],
    ['Tool use was rejected', 'refused'],
    ['Rejected by user', 'refused'],
    ['User declined to run this command', 'refused'],
    ["The user doesn't want to proceed with this tool use.", 'refused'],
    [`The user doesn't want to proceed with this tool use.\n${'no '.repeat(1_000)}`, 'refused'],
    ['Killed by user', 'stopped'],
  ])('%j', (text, how) => {
    expect(callStop(text)).toBe(how);
    expect(outcome(text)).toEqual({ open: [3], stopped: [0] });
    expect(outcome([{ type: 'text', text }])).toEqual({ open: [3], stopped: [0] });
  });

  test.each([
    'ok',
    closedWith('process ended'),
    closedWith('interrupted'),
    closedWith('timeout'),
    closedWith('stop_sequence'),
    closedWith('escaped text'),
    'Request denied: 403',
    'Process stopped',
    'except KeyboardInterrupt:\n  pass',
    'users declined the offer',
    `Interrupted by user${' '.repeat(2_000)}`,
  ])('no person ended %j', (text) => {
    expect(callStop(text)).toBeUndefined();
    expect(outcome(text)).toEqual({ open: [0, 3], stopped: [] });
  });
});

// Siblings looked for: the fields of Anthropic, Chat, Responses, the AI SDK, Gemini and of Claude Code's log.
describe('L311: a plain reply that says it did not come to its end answers nothing', () => {
  const openBehind = (fields: object) => {
    const reply = { ...assistant('half of an ans'), ...fields };
    return openRequests([user('do it'), reply as MessageLike]).open;
  };

  test.each<[object]>([
    [{ stop_reason: null }],
    [{ stopReason: null }],
    [{ finishReason: null }],
    [{ stop_reason: 'max_tokens' }],
    [{ stop_reason: 'max_tokens', finish_reason: 'stop' }],
    [{ finish_reason: null }],
    [{ finish_reason: 'length' }],
    [{ finish_reason: 'tool_calls' }],
    [{ finishReason: 'length' }],
    [{ finishReason: 'MAX_TOKENS' }],
    [{ finishReason: 'error' }],
    [{ stopReason: 'pause_turn' }],
    [{ status: 'incomplete' }],
    [{ status: 'in_progress' }],
    [{ status: 'failed' }],
    [{ isApiErrorMessage: true }],
    [{ isApiErrorMessage: true, stop_reason: 'stop_sequence' }],
    [{ type: 'error' }],
  ])('%j leaves the request open', (fields) => {
    expect(openBehind(fields)).toEqual([0]);
  });

  test.each<[object]>([
    [{}],
    [{ type: 'message', stop_reason: 'end_turn' }],
    [{ stop_reason: 'end_turn', finish_reason: null }],
    [{ finish_reason: 'stop' }],
    [{ finish_reason: 'complete' }],
    [{ finish_reason: 'completed' }],
    [{ finish_reason: 'SAFETY' }],
    [{ finish_reason: 'content_filter' }],
    [{ finishReason: 'content-filter' }],
    [{ finishReason: 'STOP' }],
    [{ status: 'completed' }],
    [{ isApiErrorMessage: false }],
    [{ response: { stopReason: 'end_turn' }, stop_reason: null }],
  ])('%j closes it', (fields) => {
    expect(openBehind(fields)).toEqual([]);
  });

  test.each([
    { isApiErrorMessage: true },
    { status: 'failed', response: { id: 'r' } },
    { finishReason: 'error', response: { id: 'r' } },
  ])('an error behind an answer takes nothing from it: %j', (fields) => {
    const failed = { ...assistant('API Error: 529'), ...fields } as MessageLike;
    expect(openRequests([user('a'), assistant('x'), failed])).toMatchObject({
      open: [],
      lastAnswer: 1,
    });
  });

  test.each([{ status: 'cancelled' }, { finish_reason: 'cancelled' }, { stopReason: 'canceled' }])(
    'a reply that was aborted stops its request: %j',
    (fields) => {
      const aborted = { ...assistant('half'), ...fields } as MessageLike;
      expect(openRequests([user('a'), aborted, user('b')])).toMatchObject({
        open: [2],
        stopped: [0],
      });
    },
  );

  test.each([
    [99, []],
    [100, [0]],
  ])('of a reply the first 100 characters are read: %i of them blank', (blanks, open) => {
    const reply = assistant(`${' '.repeat(blanks)}x`);
    expect(openRequests([user('a'), reply]).open).toEqual(open);
  });

  test.each([
    ['ok ', [0, 2]],
    ['ok, ', [2]],
  ])('of words that ask again the first 200 are read: %j and more', (first, open) => {
    const aborted = { ...assistant('half'), status: 'cancelled' } as MessageLike;
    const again = user(`${first}${'ok '.repeat(63)}continue`);
    expect(openRequests([user('a'), aborted, again]).open).toEqual(open);
  });
});

// B3. Siblings looked for: white space, thinking beside it, the words that stand for none, text before thinking in a reply of two
// messages, replies that say something short; an aborted reply, a mark of an interruption, a refused call, other languages, and
// persons who ask for something else.
describe('L311: a reply without a word, and a request that is asked for again', () => {
  const picture = user('What does this show?', image);

  test.each<[string, TestMessage]>([
    ['white space', assistant(' ')],
    ['an empty text', assistant('')],
    ['thinking and no text', assistant(thinking(), '')],
    ['the words of Claude Code', assistant('(no content)')],
    ['the same as a plain text', { role: 'assistant', content: '(no content)\n' }],
    ['ours', assistant('[Only thought.]')],
    ['nothing', assistant()],
    ['two messages of none', assistant(thinking(), ' ')],
  ])('%s closes nothing', (_name, reply) => {
    expect(openRequests([picture, reply]).open).toEqual([0]);
    expect(openRequests([picture, reply, user('try again')]).open).toEqual([0, 2]);
    expect(openRequests([picture, reply, reply, user('more')]).lastAnswer).toBe(-1);
  });

  test.each<[string, TestMessage[]]>([
    ['a word', [assistant('A cat.')]],
    ['a dot', [assistant('.')]],
    ['text, and thinking in a message of its own', [assistant('A cat.'), assistant(thinking())]],
  ])('%s closes it', (_name, reply) => {
    expect(openRequests([picture, ...reply, user('try again')]).open).toEqual([1 + reply.length]);
  });

  test.each([
    'try again',
    'Please try it again.',
    'Retry',
    'continue',
    'Ok, go on',
    'weiter',
    '继续',
  ])('an aborted reply, then %j: the request is open, with its image', (said) => {
    const found = openRequests([picture, ended('aborted'), user(said)]);
    expect(found).toMatchObject({ open: [0, 2], stopped: [] });
  });

  test.each(['Never mind, write the docs.', 'Against the other branch?', 'No.'])(
    'an aborted reply, then %j: it stays stopped',
    (said) => {
      const found = openRequests([picture, ended('aborted'), user(said)]);
      expect(found).toMatchObject({ open: [2], stopped: [0] });
    },
  );

  test('the mark of an interruption, then "continue"', () => {
    const mark = user('[Request interrupted by user]');
    expect(openRequests([picture, mark, user('continue')])).toMatchObject({
      open: [0, 2],
      stopped: [],
    });
  });
});
