import { describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  checkHistory,
  type Entry,
  type Message,
  parseEntry,
  project,
  serializeEntry,
  type View,
} from '../src/index.ts';
import { prefixFingerprint } from '../src/stamps.ts';
import {
  call,
  codeOf,
  createSession,
  result,
  type Session,
  shown,
  text,
  userMessage,
} from './session.ts';

const stored = (entries: readonly Entry[]): View =>
  project(entries.map(serializeEntry).map(parseEntry));
const bytes = ({ messages }: View): string[] =>
  messages.map(({ role, content }) => JSON.stringify([role, content]));
const profile = anthropicProfile({ thinking: 'free' });

describe('project', () => {
  test('case 38: parallel results out of order are kept or dropped together with their calls', () => {
    const ids = ['u1', 'a1', 'rn', 'note', 'rm', 'a2'];
    const outOfOrder = (): Session => {
      const session = createSession();
      session.user('u1', 'hi');
      session.assistant('a1', call('m'), call('n'));
      session.user('rn', result('n'));
      session.user('note', 'by the way');
      session.user('rm', result('m'));
      session.assistant('a2', 'done');
      return session;
    };
    for (const from of ids) {
      for (const to of ids) {
        const session = outOfOrder();
        codeOf(() => session.span(from, to, { with: [userMessage('sum', 'so far')] }));
        expect(checkHistory(session.view().messages, profile)).toEqual([]);
      }
    }
    expect(shown(outOfOrder().span('a1', 'rm'))).toBe('u1 note a2');
  });

  test('case 39: an id that every round uses again loses no result', () => {
    const session = createSession();
    session.user('u', 'hi');
    for (let turn = 0; turn < 50; turn++) {
      session.assistant(`a${turn}`, call('k0'));
      session.user(`r${turn}`, result('k0', `result ${turn}`));
      expect(codeOf(() => session.user(`again${turn}`, result('k0', 'again')))).toBe(
        'orphan-result',
      );
    }
    const contents = session.view().messages.flatMap(({ content }) => content);
    const results = contents.filter((block) => block.type === 'tool_result');
    expect(results).toEqual(
      Array.from({ length: 50 }, (_, turn) => result('k0', `result ${turn}`)),
    );
  });

  test('case 51: what an aborted answer left is kept as a note and never sent', () => {
    const session = createSession();
    session.user('u1', 'hi');
    const partial = { reason: 'aborted', reasoning: 'so', text: 'half an ans', arguments: '{"pa' };
    session.put({ type: 'note', by: 'test', data: partial });
    session.user('u2', 'again');
    session.assistant('a2', 'a whole answer');
    const view = stored(session.entries);
    expect(shown(view)).toBe('u1 u2 a2');
    expect(checkHistory(view.messages, profile)).toEqual([]);
    expect(session.entries[1]).toMatchObject({ type: 'note', data: partial });
  });

  test('case 77: a log that was stored sends the bytes it sent before', () => {
    const session = createSession();
    const head = {
      id: 'h',
      model: 'm',
      system: [text('be brief') as { type: 'text'; text: string }],
      tools: [{ name: 'read', input_schema: { type: 'object', required: ['b', 'a'] } }],
      params: { thinking: { type: 'adaptive' } },
    };
    session.put({ type: 'head', head });
    session.user(
      'u1',
      { type: 'text', text: 'hi', citations: null },
      { text: 'reminder', type: 'text' },
    );
    session.assistant(
      'a1',
      call('c1', { path: 'x', content: 'y', '10': 1, '9': 2 }),
      call('c2', {}),
    );
    session.user('r1', { ...result('c1'), content: [text('as blocks')] });
    session.user('r2', { cache_control: { type: 'ephemeral' }, ...result('c2', 'as a string') });
    const view = stored(session.entries);
    expect(bytes(view)).toEqual(bytes(session.view()));
    expect(prefixFingerprint(view, 3)).toBe(prefixFingerprint(session.view(), 3));
  });

  test('case 79: clearing moves the prefix when it is done and never again, after a restart as well', () => {
    const session = createSession();
    session.user('u', 'hi');
    const breaks: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      session.assistant(`a${turn}`, call('c'));
      const before = session.view().messages.length;
      if (session.user(`r${turn}`, result('c', `result ${turn}`)).changedFrom < before)
        breaks.push(turn);
      if (turn % 8 !== 7) continue;
      const old = Array.from({ length: 8 }, (_, back) => turn - back);
      const view = session.clear(
        ...old.map((back) => [`r${back}`, 0, result('c', '[cleared]')] as const),
      );
      if (view.changedFrom < view.messages.length) breaks.push(turn);
    }
    expect(breaks).toEqual([7, 15]);
    const cleared = bytes(session.view()).filter((line) => line.includes('[cleared]'));
    expect(cleared).toHaveLength(16);
    expect(bytes(stored(session.entries))).toEqual(bytes(session.view()));
  });

  test('case 89: an edit that names what was never written is refused, and all else stays in reach', () => {
    const session = createSession();
    session.user('a', 'old');
    session.assistant('b', 'old answer');
    expect(
      codeOf(() => session.span('missing', 'b', { with: [userMessage('sum', 'so far')] })),
    ).toBe('unknown-message');
    session.user('c', 'new');
    expect(shown(session.assistant('d', 'new answer'))).toBe('a b c d');
  });
});

describe('serializeEntry', () => {
  const entryOf = (message: Message): Entry => ({
    ...{ id: 'e', at: '2026-01-31T12:00:00Z', type: 'message' },
    message,
  });

  test('case 49: half a surrogate pair is stored as it is, in valid UTF-8, and found by the check', () => {
    const pairs = '\u{1F469}\u{1F4BB}'.repeat(3);
    for (let end = 1; end <= pairs.length; end++) {
      const message = userMessage('m', `x${pairs.slice(0, end)}`);
      const line = serializeEntry(entryOf(message));
      expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(line))).toBe(
        line,
      );
      expect(parseEntry(line)).toEqual(entryOf(message));
      const codes = checkHistory([message], profile).map(({ code }) => code);
      expect(codes).toEqual(end % 2 === 0 ? [] : ['half-surrogate']);
    }
  });

  test('case 86: breaks, separators, marks and quotes inside a value stay one line and come back', () => {
    const value = 'a\nb\r\nc\u2028d\u2029e\uFEFF"f"\\g\u0000h\u0085';
    const entry = entryOf(userMessage('m', value, { ...result('c'), content: value }));
    const line = serializeEntry(entry);
    expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
    expect(parseEntry(`${line}\r\n`)).toEqual(entry);
  });
});
