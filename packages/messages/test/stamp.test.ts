import { describe, expect, test } from 'vitest';
import type { Head } from '../src/index.ts';
import {
  createRequestStamp,
  headFingerprint,
  prefixFingerprint,
  stampHolds,
} from '../src/stamps.ts';
import { call, codeOf, createSession, result, text } from './session.ts';

const head: Head = {
  id: 'h1',
  model: 'model-a',
  system: [{ type: 'text', text: 'be brief' }],
  tools: [{ name: 'read', input_schema: { type: 'object', properties: { b: {}, a: {} } } }],
  params: { thinking: { type: 'enabled', budget_tokens: 1024 }, effort: 'low' },
};

function stampedSession() {
  const session = createSession();
  session.put({ type: 'head', head });
  session.user('u1', 'hi');
  session.assistant('a1', call('c1'));
  session.user('r1', result('c1'));
  return { ...session, stamp: createRequestStamp(session.view(), 1_000) };
}

describe('createRequestStamp', () => {
  test('names the head, how many messages were sent, and when', () => {
    const { stamp, view } = stampedSession();
    const fingerprint = prefixFingerprint(view(), 3);
    expect(stamp).toEqual({ headId: 'h1', messageCount: 3, fingerprint, startedAtMs: 1_000 });
  });

  test('throws no-head while the log has none', () => {
    const session = createSession();
    expect(codeOf(() => createRequestStamp(session.user('u1', 'hi'), 0))).toBe('no-head');
  });
});

describe('stampHolds (M7)', () => {
  type Stamped = ReturnType<typeof stampedSession>;
  test.each<[name: string, holds: boolean, change: (session: Stamped) => unknown]>([
    ['nothing', true, () => undefined],
    ['an appended message', true, (s) => s.assistant('a2', 'done')],
    ['a note', true, (s) => s.put({ type: 'note', by: 'test', data: 1 })],
    ['a server edit', true, (s) => s.edit({ kind: 'server', params: { clear: 1 } })],
    [
      'an edit behind the prefix',
      true,
      (s) => [s.assistant('a2', 'done'), s.clear(['a2', 0, text('[cut]')])],
    ],
    ['an edit that changes no byte', true, (s) => s.clear(['u1', 0, text('hi')])],
    ['an edit that was undone', true, (s) => [s.clear(['u1', 0, text('ho')]), s.undo('e4')]],
    [
      'the same head under another id',
      true,
      (s) => s.put({ type: 'head', head: { ...head, id: 'h2' } }),
    ],
    ['a cleared result', false, (s) => s.clear(['r1', 0, result('c1', '[cleared]')])],
    [
      'keys of an input in another order',
      false,
      (s) => s.clear(['a1', 0, call('c1', { b: 1, a: 1 })]),
    ],
    ['a removed message', false, (s) => s.span('a1', 'r1')],
    ['another model', false, (s) => s.put({ type: 'head', head: { ...head, model: 'model-b' } })],
    ['another system prompt', false, (s) => s.put({ type: 'head', head: { ...head, system: [] } })],
    ['other tools', false, (s) => s.put({ type: 'head', head: { ...head, tools: [] } })],
    ['other parameters', false, (s) => s.put({ type: 'head', head: { ...head, params: {} } })],
  ])('after %s is %s', (_, holds, change) => {
    const session = stampedSession();
    change(session);
    expect(stampHolds(session.view(), session.stamp)).toBe(holds);
  });

  test('is false for a view that became shorter', () => {
    const session = stampedSession();
    session.span('a1', 'r1');
    expect(prefixFingerprint(session.view(), 3)).toBeUndefined();
    expect(stampHolds(session.view(), session.stamp)).toBe(false);
  });
});

describe('headFingerprint', () => {
  test('sees the order of keys in tools, which providers render, and not in parameters', () => {
    const params = { effort: 'low', thinking: { budget_tokens: 1024, type: 'enabled' } };
    expect(headFingerprint({ ...head, params })).toBe(headFingerprint(head));
    const tools = [
      { name: 'read', input_schema: { type: 'object', properties: { a: {}, b: {} } } },
    ];
    expect(headFingerprint({ ...head, tools })).not.toBe(headFingerprint(head));
  });
});
