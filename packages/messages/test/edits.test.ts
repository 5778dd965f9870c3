import { describe, expect, test } from 'vitest';
import type { Block, Message, MessagesError } from '../src/index.ts';
import {
  call,
  codeOf,
  createSession,
  result,
  type Session,
  shown,
  text,
  thinking,
  toMessage,
  userMessage,
} from './session.ts';

type MessagesErrorCode = MessagesError['code'];

/** `u1 [a1 r1] u2 [a2 r2 r3, s1 while it waits] a3`: entries e0 to e8. */
function longSession(): Session {
  const session = createSession();
  session.user('u1', 'first');
  session.assistant('a1', thinking, text('reading'), call('c1'));
  session.user('r1', result('c1'), text('reminder'));
  session.user('u2', 'second');
  session.assistant('a2', call('c1'), call('c2'));
  session.user('r3', result('c2'));
  session.user('s1', 'hurry');
  session.user('r2', result('c1'));
  session.assistant('a3', 'done');
  return session;
}

const ALL = 'u1 a1 r1 u2 a2 r3+r2 s1 a3';
const summary = (id = 'sum'): Message => ({
  ...userMessage(id, `summary ${id}`),
  origin: { kind: 'summary' },
});
const extra = (id = 'extra'): Message => userMessage(id, `extra ${id}`);

const contentOf = (session: Session, id: string): readonly Block[] | undefined =>
  session.view().messages.find(({ sources }) => sources.includes(id))?.content;

describe('replace-content (S3)', () => {
  test.each<
    [name: string, ...Parameters<Session['clear']>[number], content: Block[], changedFrom: number]
  >([
    ['a text', 'u1', 0, text('[cut]'), [text('[cut]')], 0],
    [
      'a result',
      'r1',
      0,
      result('c1', '[cleared]'),
      [result('c1', '[cleared]'), text('reminder')],
      2,
    ],
    [
      'a result of a merged message',
      'r2',
      0,
      result('c1', '[x]'),
      [result('c1', '[x]'), result('c2')],
      5,
    ],
    [
      'the input of a call',
      'a2',
      1,
      call('c2', { cut: true }),
      [call('c1'), call('c2', { cut: true })],
      4,
    ],
    ['thinking with nothing', 'a1', 0, null, [text('reading'), call('c1')], 1],
    ['text beside a result with nothing', 'r1', 1, null, [result('c1')], 2],
    ['a block with an equal one', 'u2', 0, text('second'), [text('second')], 8],
  ])('replaces %s', (_, id, index, block, content, changedFrom) => {
    const session = longSession();
    const view = session.clear([id, index, block]);
    expect(contentOf(session, id)).toEqual(content);
    expect(view.changedFrom).toBe(changedFrom);
    expect(shown(view)).toBe(ALL);
  });

  test.each<[MessagesErrorCode, name: string, ...Parameters<Session['clear']>]>([
    ['unknown-message', 'a message nobody logged', ['nobody', 0, text('x')]],
    ['unknown-block', 'a position behind the content', ['u1', 1, text('x')]],
    ['invalid-entry', 'a position that is none', ['u1', -1, null]],
    ['duplicate-replacement', 'a block twice', ['u1', 0, text('x')], ['u1', 0, text('y')]],
    ['broken-pairing', 'a call with nothing', ['a1', 2, null]],
    ['broken-pairing', 'a result with nothing', ['r1', 0, null]],
    ['broken-pairing', 'a call with another id', ['a1', 2, call('c9')]],
    ['broken-pairing', 'a call of another tool', ['a1', 2, { ...call('c1'), name: 'write' }]],
    ['broken-pairing', 'a result of another call', ['r1', 0, result('c9')]],
    ['broken-pairing', 'a result with text', ['r1', 0, text('x')]],
    ['broken-pairing', 'text with a result', ['r1', 1, result('c1')]],
    ['opaque-block', 'thinking with other thinking', ['a1', 0, { ...thinking, thinking: 'ho' }]],
    ['opaque-block', 'thinking with text', ['a1', 0, text('x')]],
    ['empty-text', 'text with nothing to read', ['u1', 0, text('')]],
    ['empty-content', 'the only block with nothing', ['u1', 0, null]],
    [
      'misplaced-block',
      'text of the model with an image',
      ['a3', 0, { type: 'image', source: {} }],
    ],
  ])('throws %s for replacing %s', (code, _, ...blocks) => {
    const session = longSession();
    const before = session.view();
    expect(codeOf(() => session.clear(...blocks))).toBe(code);
    expect(session.put({ type: 'note', by: 'test', data: 1 })).toEqual({
      ...before,
      changedFrom: 8,
    });
  });

  test('throws trailing-thinking for dropping all that follows thinking', () => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', thinking, 'answer');
    expect(codeOf(() => session.clear(['a1', 1, null]))).toBe('trailing-thinking');
    expect(contentOf(session, 'a1')).toEqual([thinking, text('answer')]);
  });

  test('keeps nothing of an edit of which one replacement is refused', () => {
    const session = longSession();
    expect(codeOf(() => session.clear(['u1', 0, text('[cut]')], ['u2', 0, null]))).toBe(
      'empty-content',
    );
    expect(contentOf(session, 'u1')).toEqual([text('first')]);
    session.clear(['u2', 0, text('[cut]')]);
    expect(contentOf(session, 'u1')).toEqual([text('first')]);
  });

  test('shows the latest replacement of a block and the earlier one after its undo', () => {
    const session = longSession();
    session.clear(['u1', 0, text('[one]')]);
    session.clear(['u1', 0, text('[two]')]);
    expect(contentOf(session, 'u1')).toEqual([text('[two]')]);
    session.undo('e10');
    expect(contentOf(session, 'u1')).toEqual([text('[one]')]);
    session.undo('e9');
    expect(contentOf(session, 'u1')).toEqual([text('first')]);
    session.undo('e11');
    expect(contentOf(session, 'u1')).toEqual([text('[two]')]);
  });

  test('reaches into a round that waits, which shows it once complete', () => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', thinking, call('c1', { big: 'input' }), call('c2'));
    session.user('r2', result('c2'));
    const view = session.clear(
      ['a1', 1, call('c1', { cut: true })],
      ['r2', 0, result('c2', '[x]')],
    );
    expect(view.changedFrom).toBe(1);
    expect(view.open?.assistant.content).toEqual([thinking, call('c1', { cut: true }), call('c2')]);
    expect(view.open?.results).toEqual([result('c2', '[x]')]);
    session.user('r1', result('c1'));
    expect(contentOf(session, 'r1')).toEqual([result('c1'), result('c2', '[x]')]);
  });

  test('reaches messages that a span brought', () => {
    const session = longSession();
    session.span('u1', 'r1', { with: [summary()], then: [extra()] });
    session.clear(['sum', 0, text('[short]')], ['extra', 0, text('[gone]')]);
    expect(contentOf(session, 'sum')).toEqual([text('[short]')]);
    expect(contentOf(session, 'extra')).toEqual([text('[gone]')]);
  });
});

describe('replace-span (C9, C10, C11, C12)', () => {
  test.each<[name: string, from: string, to: string, view: string, changedFrom: number]>([
    ['from the start', 'u1', 'r1', 'sum u2 a2 r3+r2 s1 a3 extra', 0],
    ['in the middle', 'a1', 'u2', 'u1 sum a2 r3+r2 s1 a3 extra', 1],
    ['one message', 'u2', 'u2', 'u1 a1 r1 sum a2 r3+r2 s1 a3 extra', 3],
    ['to the last message', 'u2', 'a3', 'u1 a1 r1 sum extra', 3],
    ['everything', 'u1', 'a3', 'sum extra', 0],
    ['up to a round but not the steering inside it', 'u1', 'r2', 'sum s1 a3 extra', 0],
    ['from the steering inside a round', 's1', 'a3', 'u1 a1 r1 u2 a2 r3+r2 sum extra', 6],
  ])(
    'replaces %s and puts the rest behind all that was logged',
    (_, from, to, messages, changedFrom) => {
      const session = longSession();
      const view = session.span(from, to, { with: [summary()], then: [extra()] });
      expect(shown(view)).toBe(messages);
      expect(view.changedFrom).toBe(changedFrom);
      expect(shown(session.user('u9', 'next'))).toBe(`${messages} u9`);
      session.undo('e9');
      expect(shown(session.view())).toBe(`${ALL} u9`);
    },
  );

  test.each<[MessagesErrorCode, name: string, (session: Session) => unknown]>([
    ['unknown-message', 'a start nobody logged', (s) => s.span('nobody', 'a3')],
    ['unknown-message', 'an end nobody logged', (s) => s.span('u1', 'nobody')],
    ['reversed-span', 'an end before its start', (s) => s.span('u2', 'u1')],
    ['split-group', 'an end between call and result', (s) => s.span('u1', 'a1')],
    ['split-group', 'an end between two results', (s) => s.span('u1', 'r3', { with: [summary()] })],
    ['split-group', 'a start at a result', (s) => s.span('r1', 'u2')],
    ['first-not-user', 'leaving the model first', (s) => s.span('u1', 'u1')],
    [
      'first-not-user',
      'putting the model first',
      (s) => s.span('u1', 'u1', { with: [toMessage('assistant', 'x', ['hi'])] }),
    ],
    [
      'duplicate-message',
      'a replacement with a known id',
      (s) => s.span('u2', 'u2', { with: [summary('u1')] }),
    ],
    [
      'duplicate-message',
      'two new messages of one id',
      (s) => s.span('u2', 'u2', { with: [summary()], then: [summary()] }),
    ],
    [
      'empty-content',
      'a replacement without content',
      (s) => s.span('u2', 'u2', { with: [userMessage('x')] }),
    ],
    [
      'incomplete-round',
      'a replacement with a call that waits',
      (s) => s.span('u2', 'u2', { with: [toMessage('assistant', 'x', [call('c')])] }),
    ],
    [
      'orphan-result',
      'a replacement with half a round',
      (s) => s.span('u2', 'u2', { with: [userMessage('x', result('c'))] }),
    ],
  ])('throws %s for %s', (code, _, attempt) => {
    const session = longSession();
    const before = session.view();
    expect(codeOf(() => attempt(session))).toBe(code);
    expect(session.put({ type: 'note', by: 'test', data: 1 })).toEqual({
      ...before,
      changedFrom: 8,
    });
  });

  test('lets a span hold earlier ones and shows only the outermost', () => {
    const session = longSession();
    session.span('a1', 'r1', { with: [extra('inner')] });
    session.span('u1', 'u2', { with: [summary('outer')] });
    expect(shown(session.view())).toBe('outer a2 r3+r2 s1 a3');
    session.undo('e10');
    expect(shown(session.view())).toBe('u1 inner u2 a2 r3+r2 s1 a3');
  });

  test('keeps a span inside a replaced one out of sight until the outer one is undone', () => {
    const session = longSession();
    session.span('u1', 'u2', { with: [summary('outer')] });
    const view = session.span('a1', 'r1', { with: [extra('inner')] });
    expect(shown(view)).toBe('outer a2 r3+r2 s1 a3');
    expect(view.changedFrom).toBe(5);
    session.clear(['inner', 0, text('[cut]')]);
    expect(shown(session.undo('e9'))).toBe('u1 inner u2 a2 r3+r2 s1 a3');
    expect(contentOf(session, 'inner')).toEqual([text('[cut]')]);
  });

  test('takes the later of two equal spans as the outer one', () => {
    const session = longSession();
    session.span('a1', 'r1', { with: [summary('one')] });
    session.span('a1', 'r1', { with: [summary('two')] });
    expect(shown(session.view())).toBe('u1 two u2 a2 r3+r2 s1 a3');
    session.undo('e10');
    expect(shown(session.view())).toBe('u1 one u2 a2 r3+r2 s1 a3');
  });

  test('refuses crossing spans, also when an undo would bring one back', () => {
    const session = longSession();
    session.span('a1', 'u2');
    expect(codeOf(() => session.span('u2', 's1'))).toBe('crossing-span');
    expect(codeOf(() => session.span('u1', 'r1', { with: [summary('x')] }))).toBe('crossing-span');
    session.undo('e9');
    session.span('u2', 's1');
    expect(codeOf(() => session.undo('e10'))).toBe('crossing-span');
    expect(shown(session.view())).toBe('u1 a1 r1 a3');
  });

  test('hides what an earlier edit put behind, once a span covers its place', () => {
    const session = longSession();
    session.span('u1', 'r1', { with: [summary('one')], then: [extra('behind')] });
    session.user('u9', 'next');
    expect(shown(session.view())).toBe('one u2 a2 r3+r2 s1 a3 behind u9');
    session.span('u2', 'a3');
    expect(shown(session.view())).toBe('one behind u9');
    session.span('one', 'u9', { with: [summary('two')] });
    expect(shown(session.view())).toBe('two');
    session.undo('e9');
    expect(shown(session.view())).toBe('two');
    expect(shown(session.undo('e12'))).toBe('u1 a1 r1 u9');
  });

  test('names a replaced span by the messages that stand for it', () => {
    const session = longSession();
    session.span('u1', 'r1', { with: [summary('one'), toMessage('assistant', 'two', ['ok'])] });
    expect(codeOf(() => session.span('two', 'u2'))).toBe('split-group');
    expect(codeOf(() => session.span('u1', 'one'))).toBe('split-group');
    session.span('one', 'u2', { with: [summary('all')] });
    expect(shown(session.view())).toBe('all a2 r3+r2 s1 a3');
  });

  test('does not know the messages of an undone edit', () => {
    const session = longSession();
    session.span('u1', 'r1', { with: [summary()], then: [extra()] });
    session.undo('e9');
    expect(codeOf(() => session.span('sum', 'u2'))).toBe('unknown-message');
    expect(codeOf(() => session.clear(['extra', 0, text('x')]))).toBe('unknown-message');
    expect(codeOf(() => session.user('extra', 'x'))).toBe('duplicate-message');
  });

  test('brings whole rounds, with ids that other rounds use', () => {
    const session = longSession();
    const round = [toMessage('assistant', 'x', [call('c1')]), userMessage('y', result('c1'))];
    const more = [
      toMessage('assistant', 'z', [call('c1'), call('c2')]),
      userMessage('v', result('c2')),
      userMessage('w', result('c1')),
    ];
    const view = session.span('a1', 'a3', { with: round, then: more });
    expect(shown(view)).toBe('u1 x y z v+w');
    expect(contentOf(session, 'w')).toEqual([result('c1'), result('c2')]);
  });

  test('leaves nothing behind when everything is rewound, and starts anew', () => {
    const session = longSession();
    const view = session.span('u1', 'a3');
    expect(view).toEqual({ messages: [], changedFrom: 0 });
    expect(codeOf(() => session.assistant('a9', 'hi'))).toBe('first-not-user');
    expect(shown(session.user('u9', 'again'))).toBe('u9');
  });
});

describe('undo', () => {
  test.each<[MessagesErrorCode, name: string, entryId: string]>([
    ['unknown-entry', 'an entry nobody logged', 'nobody'],
    ['not-an-edit', 'a message', 'e0'],
    ['already-undone', 'an edit twice', 'e9'],
  ])('throws %s for %s', (code, _, entryId) => {
    const session = longSession();
    session.span('u2', 'u2');
    session.undo('e9');
    const before = session.view();
    expect(codeOf(() => session.undo(entryId))).toBe(code);
    expect(session.view()).toBe(before);
  });

  test('can itself be undone, and that again', () => {
    const session = longSession();
    const cut = shown(session.span('u2', 'u2'));
    expect(shown(session.undo('e9'))).toBe(ALL);
    expect(shown(session.undo('e10'))).toBe(cut);
    expect(shown(session.undo('e11'))).toBe(ALL);
    expect(shown(session.undo('e12'))).toBe(cut);
  });

  test('holds while any undo of the edit stands', () => {
    const session = longSession();
    const cut = shown(session.span('u2', 'u2'));
    session.undo('e9');
    expect(shown(session.undo('e10'))).toBe(cut);
    session.undo('e9');
    session.undo('e11');
    expect(shown(session.undo('e12'))).toBe(ALL);
    expect(shown(session.undo('e13'))).toBe(cut);
  });

  test('is refused where the view would not start with the user', () => {
    const session = createSession();
    session.user('u1', 'hi');
    session.user('u2', 'anybody there?');
    session.assistant('a2', 'yes');
    session.span('u1', 'u1');
    session.undo('e3');
    expect(shown(session.span('u2', 'u2'))).toBe('u1 a2');
    expect(codeOf(() => session.undo('e4'))).toBe('first-not-user');
    expect(shown(session.undo('e5'))).toBe('u1 u2 a2');
    expect(shown(session.undo('e4'))).toBe('u2 a2');
  });
});

describe('server', () => {
  test('merges parameters in log order, whole key by key, and without undone edits', () => {
    const session = longSession();
    session.edit({ kind: 'server', params: { context_management: { edits: [1] }, effort: 'low' } });
    const view = session.edit({ kind: 'server', params: { context_management: { edits: [2] } } });
    expect(view.server).toEqual({ context_management: { edits: [2] }, effort: 'low' });
    expect(view.changedFrom).toBe(8);
    expect(session.undo('e10').server).toEqual({
      context_management: { edits: [1] },
      effort: 'low',
    });
    expect(session.undo('e9').server).toBeUndefined();
  });
});
