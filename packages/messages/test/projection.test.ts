import { describe, expect, test } from 'vitest';
import {
  createProjection,
  type Head,
  type Message,
  type MessagesError,
  project,
  type View,
} from '../src/index.ts';
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
} from './session.ts';

type MessagesErrorCode = MessagesError['code'];

describe('createProjection', () => {
  test.each<
    [name: string, write: (session: Session) => unknown, messages: string, waiting?: string]
  >([
    ['nothing for an empty log', () => undefined, ''],
    ['one message', (s) => s.user('u1', 'hi'), 'u1'],
    [
      'user messages in a row as they are',
      (s) => [s.user('u1', 'hi'), s.user('u2', 'ho')],
      'u1 u2',
    ],
    [
      'no call before its result',
      (s) => [s.user('u1', 'hi'), s.assistant('a1', call('c1'))],
      'u1',
      'c1',
    ],
    [
      'a round once it is complete',
      (s) => [s.user('u1', 'hi'), s.assistant('a1', call('c1')), s.user('r1', result('c1'))],
      'u1 a1 r1',
    ],
    [
      'nothing of a round of which one call waits',
      (s) => [
        s.user('u1', 'hi'),
        s.assistant('a1', call('c1'), call('c2')),
        s.user('r2', result('c2')),
      ],
      'u1',
      'c1',
    ],
    [
      'all results of a round in one message',
      (s) => [
        s.user('u1', 'hi'),
        s.assistant('a1', call('c1'), call('c2')),
        s.user('r2', result('c2')),
        s.user('r1', result('c1')),
      ],
      'u1 a1 r2+r1',
    ],
    [
      'steering behind the results',
      (s) => [
        s.user('u1', 'hi'),
        s.assistant('a1', call('c1'), call('c2')),
        s.user('s1', 'stop'),
        s.user('r1', result('c1'), result('c2')),
        s.assistant('a2', 'stopped'),
      ],
      'u1 a1 r1 s1 a2',
    ],
  ])('shows %s', (_, write, messages, waiting = '') => {
    const session = createSession();
    write(session);
    const view = session.view();
    expect(shown(view)).toBe(messages);
    expect((view.open?.waiting ?? []).join(' ')).toBe(waiting);
    expect(project(session.entries)).toEqual(view);
  });

  test('puts results in the order of the calls and what stands beside them behind', () => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', call('c1'), call('c2'));
    session.user('r2', 'about c2', result('c2'));
    const open = session.view().open;
    expect(open).toMatchObject({
      results: [result('c2')],
      waiting: ['c1'],
      rest: [text('about c2')],
    });
    session.user('s1', 'go on');
    const view = session.user('r1', result('c1'));
    expect(view.open).toBeUndefined();
    expect(view.messages[2]).toEqual({
      id: 'r2',
      role: 'user',
      content: [result('c1'), result('c2'), text('about c2')],
      origin: { kind: 'tool' },
      sources: ['r2', 'r1'],
    });
    expect(shown(view)).toBe('u1 a1 r2+r1 s1');
  });

  test('leaves one message with all results in order as it was logged', () => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', call('c1'), call('c2'));
    const message = toMessage('user', 'r1', [result('c1'), result('c2'), 'reminder']);
    const view = session.put({ type: 'message', message });
    expect(view.messages[2]?.content).toBe(message.content);
  });

  test('keeps the newest head and every field of a message', () => {
    const session = createSession();
    const head: Head = { id: 'h1', model: 'm', system: [], tools: [], params: { effort: 'high' } };
    session.put({ type: 'head', head: { ...head, id: 'h0' } });
    session.put({ type: 'head', head });
    const message: Message = {
      ...toMessage('user', 'u1', ['hi']),
      origin: { kind: 'command', name: '/init' },
      createdAt: '2026-01-31T12:00:00Z',
    };
    const view = session.put({ type: 'message', message });
    expect(view).toEqual({ head, messages: [{ ...message, sources: ['u1'] }], changedFrom: 0 });
  });

  test('counts a note and a head as no change of a message', () => {
    const session = createSession();
    const { messages } = session.user('u1', 'hi');
    const view = session.put({ type: 'note', by: 'test', data: { partial: 'half an ans' } });
    expect(view).toEqual({ messages, changedFrom: 1 });
    expect(view.messages).toBe(messages);
  });
});

describe('append', () => {
  const refused: [MessagesErrorCode, name: string, attempt: (session: Session) => unknown][] = [
    ['empty-id', 'a message without an id', (s) => s.user('', 'hi')],
    ['empty-id', 'a call without an id', (s) => s.assistant('x', call(''))],
    ['empty-id', 'a result without an id', (s) => s.user('x', result(''))],
    ['duplicate-message', 'a message id again', (s) => s.user('u1', 'hi')],
    ['empty-content', 'a message without content', (s) => s.user('x')],
    ['empty-text', 'an empty text', (s) => s.user('x', 'hi', '')],
    ['empty-text', 'white space', (s) => s.user('x', ' \n')],
    [
      'empty-text',
      'an empty text in a result',
      (s) => s.user('x', { ...result('c9'), content: [text('')] }),
    ],
    ['misplaced-block', 'a call of the user', (s) => s.user('x', call('c9'))],
    ['misplaced-block', 'a result of the model', (s) => s.assistant('x', result('c9'))],
    ['misplaced-block', 'thinking of the user', (s) => s.user('x', thinking, 'hi')],
    [
      'duplicate-call',
      'a call id twice in one message',
      (s) => s.assistant('x', call('c9'), call('c9')),
    ],
    ['orphan-result', 'a result of a complete round', (s) => s.user('x', result('c1'))],
    ['orphan-result', 'a result nobody called for', (s) => s.user('x', result('c9'))],
  ];
  test.each(refused)('throws %s for %s and changes nothing', (code, _, attempt) => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', call('c1'));
    session.user('r1', result('c1'));
    const before = session.view();
    expect(codeOf(() => attempt(session))).toBe(code);
    const after = session.put({ type: 'note', by: 'test', data: null });
    expect(after).toEqual({ ...before, changedFrom: 3 });
  });

  const refusedInside: [MessagesErrorCode, name: string, attempt: (session: Session) => unknown][] =
    [
      ['round-open', 'an assistant message', (s) => s.assistant('x', 'hi')],
      ['duplicate-result', 'a second result of a call', (s) => s.user('x', result('c1'))],
      [
        'duplicate-result',
        'two results of a call at once',
        (s) => s.user('x', result('c2'), result('c2')),
      ],
      [
        'orphan-result',
        'one good and one strange result',
        (s) => s.user('x', result('c2'), result('c9')),
      ],
      ['round-open', 'a span that ends in the round', (s) => s.span('u1', 'a1')],
      ['round-open', 'a span at its steering', (s) => s.span('s1', 's1')],
      [
        'round-open',
        'messages that would stand behind it',
        (s) =>
          s.span('u1', 'u1', {
            with: [toMessage('user', 'x', ['y'])],
            then: [toMessage('user', 'z', ['z'])],
          }),
      ],
      ['first-not-user', 'a span that leaves the round first', (s) => s.span('u1', 'u1')],
    ];
  test.each(refusedInside)('throws %s for %s while a call waits', (code, _, attempt) => {
    const session = createSession();
    session.user('u1', 'hi');
    session.assistant('a1', call('c1'), call('c2'));
    session.user('r1', result('c1'));
    session.user('s1', 'hurry');
    const before = session.view();
    expect(codeOf(() => attempt(session))).toBe(code);
    expect(session.put({ type: 'note', by: 'test', data: null })).toEqual({
      ...before,
      changedFrom: 1,
    });
    expect(shown(session.user('r2', result('c2')))).toBe('u1 a1 r1+r2 s1');
  });

  test.each([
    ['assistant', 'hi'],
    ['system', 'hi'],
  ] as const)('throws first-not-user for an %s message in front', (role, words) => {
    const session = createSession();
    expect(codeOf(() => session[role]('x', words))).toBe('first-not-user');
  });

  test('takes a compaction of the server in front', () => {
    const session = createSession();
    const view = session.assistant('a1', { type: 'compaction', content: 'so far' });
    expect(shown(view)).toBe('a1');
  });

  test('throws duplicate-entry and empty-id for ids of entries', () => {
    const projection = createProjection();
    const note = {
      id: 'e',
      at: '2026-01-31T12:00:00Z',
      type: 'note',
      by: 'test',
      data: 1,
    } as const;
    projection.append(note);
    expect(codeOf(() => projection.append(note))).toBe('duplicate-entry');
    expect(codeOf(() => projection.append({ ...note, id: '' }))).toBe('empty-id');
  });
});

describe('append at any length', () => {
  /** A session of which every read of a block or of a list of blocks is recorded by message. */
  function watchedSession(turns: number) {
    const session = createSession();
    const read = new Set<string>();
    const watch = <T extends object>(value: T, id: string): T =>
      new Proxy(value, {
        get(target, name, receiver) {
          read.add(id);
          return Reflect.get(target, name, receiver);
        },
      });
    const put = (message: Message) => {
      const content = watch(
        message.content.map((block) => watch(block, message.id)),
        message.id,
      );
      return session.put({ type: 'message', message: { ...message, content } });
    };
    put(toMessage('user', 'u', ['hi']));
    for (let turn = 0; turn < turns; turn++) {
      put(toMessage('assistant', `a${turn}`, [call('c')]));
      put(toMessage('user', `r${turn}`, [result('c')]));
    }
    read.clear();
    return { ...session, read };
  }

  test('reads no content of an earlier message', () => {
    const { read, ...session } = watchedSession(100);
    session.assistant('x', call('c1'), call('c2'));
    session.user('y', result('c2'));
    session.user('z', 'steer');
    session.user('w', result('c1'));
    session.put({ type: 'note', by: 'test', data: null });
    expect([...read]).toEqual([]);
  });

  test('reads only what an edit touches', () => {
    const { read, ...session } = watchedSession(100);
    session.clear(['r5', 0, result('c', '[cleared]')]);
    expect([...read].sort()).toEqual(['r5']);
    read.clear();
    const summary = toMessage('user', 's', ['so far']);
    session.span('a8', 'r20', { with: [summary] });
    expect([...read]).toEqual(['a8']);
    read.clear();
    session.undo(session.entries.at(-1)?.id as string);
    expect([...read]).toEqual(['a8']);
  });

  test('hands out the same message objects', () => {
    const { read: _, ...session } = watchedSession(3);
    const before: View = session.view();
    const after = session.user('x', 'next');
    before.messages.forEach((message, index) => {
      expect(after.messages[index]).toBe(message);
    });
  });
});
