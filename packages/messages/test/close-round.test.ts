import { describe, expect, test } from 'vitest';
import { closeRound, project, type View } from '../src/index.ts';
import { call, createSession, result, type Session, shown } from './session.ts';

const options = { reason: 'aborted', at: '2026-01-31T12:00:00Z' };

function close(session: Session): View {
  const { open } = session.view();
  for (const message of open ? closeRound(open, options) : [])
    session.put({ type: 'message', message });
  return session.view();
}

function openSession(...callIds: string[]): Session {
  const session = createSession();
  session.user('u1', 'hi');
  session.assistant('a1', ...callIds.map((id) => call(id)));
  return session;
}

const results = (view: View) => view.messages.at(-1)?.content;
const unknown = (id: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  is_error: true,
  content: expect.stringMatching(/^Outcome unknown \(aborted\)\. .*may have run/),
});

describe('closeRound', () => {
  test('makes one message for each call that waits, the same for the same round', () => {
    const { open } = openSession('c1', 'c2').view();
    if (!open) throw new Error('the round is open');
    const messages = closeRound(open, options);
    expect(messages.map(({ id }) => id)).toEqual(['closed:a1:c1', 'closed:a1:c2']);
    expect(messages[0]).toMatchObject({
      role: 'user',
      content: [unknown('c1')],
      origin: { kind: 'synthetic', reason: 'aborted' },
      createdAt: options.at,
    });
    expect(closeRound(open, options)).toEqual(messages);
  });

  test('gives the same call of a later round another message id', () => {
    const session = openSession('c1');
    close(session);
    session.assistant('a2', call('c1'));
    expect(shown(close(session))).toBe('u1 a1 closed:a1:c1 a2 closed:a2:c1');
  });

  test('case 41: a call that a crash left open gets an unknown outcome, and nothing else changes', () => {
    const session = openSession('a');
    const healthy = session.user('r1', result('a')).messages;
    session.assistant('a2', call('b'));
    const resumed = project(session.entries);
    expect(resumed.open?.waiting).toEqual(['b']);
    const view = close(session);
    expect(view.messages.slice(0, 3)).toEqual(healthy);
    expect(results(view)).toEqual([unknown('b')]);
    expect(close(session)).toBe(view);
  });

  test('case 42: only missing results of a batch are filled in, in the order of the calls', () => {
    const session = openSession('r1', 'r2', 'r3', 'r4');
    session.user('m1', result('r1'));
    session.user('m3', result('r3'));
    expect(results(close(session))).toEqual([
      result('r1'),
      unknown('r2'),
      result('r3'),
      unknown('r4'),
    ]);
  });

  test.each([
    [
      'one was rejected and one is done',
      [{ ...result('c1', 'rejected by the user'), is_error: true }, result('c2')],
    ],
    ['one is done', [result('c2')]],
    ['none is done', []],
  ])('case 43: every call of an interrupted round has one result when %s', (_, known) => {
    const session = openSession('c1', 'c2');
    for (const [index, block] of known.entries()) session.user(`m${index}`, block);
    const view = close(session);
    expect(view.open).toBeUndefined();
    const ids = results(view)?.map((block) => block.type === 'tool_result' && block.tool_use_id);
    expect(ids).toEqual(['c1', 'c2']);
    expect(results(view)).toEqual(expect.arrayContaining(known));
  });
});
