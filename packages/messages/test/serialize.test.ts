import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createProjection,
  type Entry,
  fingerprint,
  type Message,
  MessagesError,
  parseEntry,
  serializeEntry,
} from '../src/index.ts';
import { hostileJson } from '../src/testing.ts';
import { codeOf, text, userMessage } from './session.ts';

const stamp = { id: 'e', at: '2026-01-31T12:00:00.123Z' };
const note = (data: unknown): Entry => ({
  ...stamp,
  type: 'note',
  by: 'test',
  data: data as never,
});
const messageLine = (message: unknown): string =>
  JSON.stringify({ ...stamp, type: 'message', message });

describe('parseEntry', () => {
  const valid = userMessage('m', 'hi');
  const answer = { id: 'm', role: 'assistant', content: [text('hi')] };
  const response = { id: 'r', model: 'm', stopReason: 'end_turn' };
  const edit = (change: unknown) => ({
    ...stamp,
    type: 'edit',
    by: 'x',
    reason: 'y',
    edit: change,
  });

  test.each<[place: string, line: unknown]>([
    ['entry', 1],
    ['entry', null],
    ['entry', []],
    ['entry.id', { ...stamp, id: 1, type: 'note', by: 'x', data: 1 }],
    ['entry.at', { ...stamp, at: '31 January', type: 'note', by: 'x', data: 1 }],
    ['entry.at', { ...stamp, at: '2026-13-31T12:00:00Z', type: 'note', by: 'x', data: 1 }],
    ['entry.type', { ...stamp }],
    ['entry.type', { ...stamp, type: 'constructor' }],
    ['entry.by', { ...stamp, type: 'note', data: 1 }],
    ['entry.data', { ...stamp, type: 'note', by: 'x' }],
    [
      'entry.head.params',
      { ...stamp, type: 'head', head: { id: 'h', model: 'm', system: [], tools: [], params: [] } },
    ],
    [
      'entry.head.tools[1].name',
      {
        ...stamp,
        type: 'head',
        head: { id: 'h', model: 'm', system: [], tools: [{ name: 'a' }, {}], params: {} },
      },
    ],
    ['entry.message.role', { ...stamp, type: 'message', message: { ...valid, role: 'tool' } }],
    ['entry.message.content', { ...stamp, type: 'message', message: { ...valid, content: 'hi' } }],
    [
      'entry.message.content[1].type',
      { ...stamp, type: 'message', message: { ...valid, content: [text('a'), {}] } },
    ],
    [
      'entry.message.content[0].text',
      { ...stamp, type: 'message', message: { ...valid, content: [{ type: 'text' }] } },
    ],
    [
      'entry.message.content[0].content[1].text',
      {
        ...stamp,
        type: 'message',
        message: {
          ...valid,
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c',
              content: [text('a'), { type: 'text', text: 1 }],
            },
          ],
        },
      },
    ],
    ...[{ name: 5 }, { type: 'custom', description: 5 }, { type: 5 }, null].map(
      (tool): [string, unknown] => [
        `entry.head.tools[0]${tool === null ? '' : 'description' in tool ? '.description' : '.name'}`,
        {
          ...{ ...stamp, type: 'head' },
          head: { id: 'h', model: 'm', system: [], tools: [tool], params: {} },
        },
      ],
    ),
    [
      'entry.message.origin.kind',
      { ...stamp, type: 'message', message: { ...valid, origin: { kind: 'x' } } },
    ],
    [
      'entry.message.createdAt',
      { ...stamp, type: 'message', message: { ...valid, createdAt: 'now' } },
    ],
    [
      'entry.message.response.stopReason',
      {
        ...stamp,
        type: 'message',
        message: { ...answer, response: { ...response, stopReason: 'done' } },
      },
    ],
    [
      'entry.message.response.usage.input_tokens',
      { ...stamp, type: 'message', message: { ...answer, response: { ...response, usage: {} } } },
    ],
    [
      'entry.message.response.request.messageCount',
      {
        ...stamp,
        type: 'message',
        message: {
          ...answer,
          response: {
            ...response,
            request: { headId: 'h', messageCount: -1, fingerprint: '', startedAtMs: 0 },
          },
        },
      },
    ],
    ['entry.reason', { ...edit({ kind: 'undo', entryId: 'e' }), reason: 1 }],
    ['entry.receipt', { ...edit({ kind: 'undo', entryId: 'e' }), receipt: 'x' }],
    ['entry.edit.kind', edit({ kind: 'rewrite' })],
    ['entry.edit.entryId', edit({ kind: 'undo' })],
    ['entry.edit.params', edit({ kind: 'server', params: null })],
    ['entry.edit.then', edit({ kind: 'replace-span', fromId: 'a', toId: 'b', with: [valid] })],
    [
      'entry.edit.with[0].id',
      edit({ kind: 'replace-span', fromId: 'a', toId: 'b', with: [{}], then: [] }),
    ],
    [
      'entry.edit.blocks[0].index',
      edit({ kind: 'replace-content', blocks: [{ messageId: 'm', index: 0.5, block: null }] }),
    ],
    [
      'entry.edit.blocks[0].block',
      edit({ kind: 'replace-content', blocks: [{ messageId: 'm', index: 0 }] }),
    ],
  ])('names %s when it is wrong', (place, line) => {
    expect(() => parseEntry(JSON.stringify(line))).toThrow(`Expected ${place} to be `);
    expect(codeOf(() => parseEntry(JSON.stringify(line)))).toBe('invalid-entry');
  });

  test.each([
    ...['2024-02-29T23:59:59Z', '2026-02-31T00:00:00Z', '2026-12-31T12:00:00.123456789Z'],
    ...['0000-01-01T00:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31T24:00:00.000Z'],
  ])('takes the time %s, as Date.parse does', (at) => {
    expect(Date.parse(at)).not.toBeNaN();
    expect(parseEntry(JSON.stringify(note(1)).replace(stamp.at, at)).at).toBe(at);
  });

  test.each([
    ...['2026-00-31T12:00:00Z', '2026-13-01T12:00:00Z', '2026-01-00T12:00:00Z'],
    ...['2026-01-32T12:00:00Z', '2026-01-31T25:00:00Z', '2026-01-31T24:00:01Z'],
    ...['2026-01-31T24:00:00.001Z', '2026-01-31T12:60:00Z', '2026-01-31T12:00:60Z'],
    ...[
      '2026-01-31T12:00:00',
      '2026-01-31T12:00Z',
      '2026-01-31 12:00:00Z',
      '2026-01-31T12:00:00.Z',
    ],
  ])('refuses the time %s', (at) => {
    const line = JSON.stringify(note(1)).replace(stamp.at, at);
    expect(() => parseEntry(line)).toThrow('Expected entry.at to be ');
  });

  test.each(['', '{', '{"id":"e"', 'not JSON', '\u0000\u0000'])(
    'throws invalid-json for %j',
    (line) => {
      expect(codeOf(() => parseEntry(line))).toBe('invalid-json');
    },
  );

  test('quotes nothing of the line and keeps the cause', () => {
    const error: unknown = (() => {
      try {
        return parseEntry('secret words');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(MessagesError.is(error) && error.message).toBe('The line of 12 characters is not JSON.');
    expect((error as Error).cause).toBeInstanceOf(SyntaxError);
  });

  test.each(['thinking', 'redacted_thinking', 'tool_use', 'image', 'document', 'tool_result'])(
    'refuses a block that is nothing but %s',
    (type) => {
      const line = messageLine({ id: 'm', role: 'user', content: [{ type }] });
      expect(() => parseEntry(line)).toThrow('Expected entry.message.content[0].');
    },
  );

  test.each([
    ...['user', 'assistant', 'system'].map((role) => ({ role })),
    ...['tool', 'reminder', 'command', 'summary', 'synthetic', 're-read'].map((kind) => ({
      origin: { kind },
    })),
    { content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
  ])('takes %j', (fields) => {
    const message = { ...valid, ...fields };
    expect(parseEntry(messageLine(message))).toEqual({ ...stamp, type: 'message', message });
  });

  test.each<[string, unknown]>([
    ['entry.at to be a time like 2026-01-31T12:00:00Z', { ...note(1), at: 'now' }],
    [
      'entry.message.content[0].content to be a string or a list',
      JSON.parse(
        messageLine({ ...valid, content: [{ type: 'tool_result', tool_use_id: 'c', content: 5 }] }),
      ),
    ],
    [
      'entry.head.tools[0].name to be a string',
      {
        ...{ ...stamp, type: 'head' },
        head: {
          id: 'h',
          model: 'm',
          system: [{ type: 'text', text: 'x' }],
          tools: [{}],
          params: {},
        },
      },
    ],
  ])('says what was expected: %s', (words, line) => {
    expect(() => parseEntry(JSON.stringify(line))).toThrow(`Expected ${words}.`);
  });

  test('keeps fields and block types it has no name for', () => {
    const message = { ...userMessage('m', { type: 'novelty', data: { deep: [1] } }), extra: 1 };
    expect(parseEntry(messageLine(message))).toEqual({ ...stamp, type: 'message', message });
  });

  test('reads nesting of any depth that is not its own, and refuses its own', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(
      parseEntry(`{"id":"e","at":"${stamp.at}","type":"note","by":"x","data":${deep}}`).id,
    ).toBe('e');
    const open = '{"type":"tool_result","tool_use_id":"c","content":[';
    const nested = `${open.repeat(100_000)}${']}'.repeat(100_000)}`;
    const line = `{"id":"e","at":"${stamp.at}","type":"message","message":{"id":"m","role":"user","content":[${nested}]}}`;
    expect(() => parseEntry(line)).toThrow('Expected entry to be nested less deeply.');
  });
});

describe('serializeEntry', () => {
  test('writes keys in their own order, whatever they are called', () => {
    const data = JSON.parse(
      '{"b":1,"a":{"__proto__":{"polluted":true},"constructor":2},"10":3,"9":4}',
    );
    const line = serializeEntry(note(data));
    expect(line).toContain(
      '"data":{"9":4,"10":3,"b":1,"a":{"__proto__":{"polluted":true},"constructor":2}}',
    );
    const read = parseEntry(line) as unknown as { data: { a: object; polluted?: boolean } };
    expect(Object.hasOwn(read.data.a, '__proto__')).toBe(true);
    expect(read.data.polluted).toBeUndefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('reads back any JSON, one line each', () => {
    fc.assert(
      fc.property(hostileJson(), (data) => {
        const line = serializeEntry(note(data));
        expect(line).not.toMatch(/[\n\r\u2028\u2029]|\p{Surrogate}/u);
        expect(parseEntry(line)).toEqual(note(data));
        expect(serializeEntry(parseEntry(line))).toBe(line);
      }),
    );
  });

  test('throws not-serializable for what JSON cannot hold', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const data of [1n, cycle, deep]) {
      expect(codeOf(() => serializeEntry(note(data)))).toBe('not-serializable');
    }
  });

  test('takes texts of 50 MB through log, view and fingerprint', () => {
    const huge = '\u0000\u{1F4A5}e'.repeat(12_500_000);
    const message: Message = userMessage('m', huge);
    const line = serializeEntry({ ...stamp, type: 'message', message });
    const read = parseEntry(line);
    const view = createProjection().append(read);
    const block = view.messages[0]?.content[0];
    expect(block?.type === 'text' && block.text === huge).toBe(true);
    expect(fingerprint(huge)).not.toBe(fingerprint(`${huge.slice(0, -1)}f`));
  });
});
