import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  type Block,
  type Edit,
  type Entry,
  type Head,
  type Message,
  parseEntry,
} from '../src/index.ts';
import { blockSchema, editSchema, entrySchema, headSchema, messageSchema } from '../src/schema.ts';
import { hostileJson, validLog } from '../src/testing.ts';

/** One entry of each kind, with every optional field. */
const full: readonly Entry[] = [
  {
    id: 'e1',
    at: '2026-11-28T10:00:00Z',
    type: 'head',
    head: {
      id: 'h1',
      model: 'm',
      system: [{ type: 'text', text: 's' }],
      tools: [{ name: 't', description: 'd', input_schema: {} }],
      params: { effort: 'high' },
    },
  },
  {
    id: 'e2',
    at: '2026-11-28T10:00:00.5Z',
    type: 'message',
    message: {
      id: 'm1',
      role: 'assistant',
      content: [
        { type: 'text', text: 'x', citations: null },
        { type: 'thinking', thinking: '', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'tool_use', id: 'a', name: 'n', input: null },
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: 'x' }],
          is_error: true,
        },
        { type: 'image', source: {} },
        { type: 'document', source: {} },
        { type: 'odd' },
      ],
      origin: { kind: 'summary', by: 'x' },
      createdAt: '2026-11-28T10:00:00Z',
      response: {
        id: 'r',
        model: 'm',
        stopReason: 'end_turn',
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_creation_input_tokens: null,
          cache_read_input_tokens: 3,
          cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 },
          output_tokens_details: { thinking_tokens: 1 },
        },
        request: { headId: 'h1', messageCount: 1, fingerprint: 'f', startedAtMs: 1 },
      },
    },
  },
  { id: 'e3', at: '2026-11-28T10:00:00Z', type: 'note', by: 'x', data: [1, null] },
  {
    id: 'e4',
    at: '2026-11-28T10:00:00Z',
    type: 'edit',
    by: 'x',
    reason: 'r',
    receipt: { saved: 1 },
    edit: { kind: 'replace-content', blocks: [{ messageId: 'm1', index: 0, block: null }] },
  },
  {
    id: 'e5',
    at: '2026-11-28T10:00:00Z',
    type: 'edit',
    by: 'x',
    reason: 'r',
    edit: { kind: 'replace-span', fromId: 'm1', toId: 'm1', with: [], then: [] },
  },
  {
    id: 'e6',
    at: '2026-11-28T10:00:00Z',
    type: 'edit',
    by: 'x',
    reason: 'r',
    edit: { kind: 'server', params: {} },
  },
  {
    id: 'e7',
    at: '2026-11-28T10:00:00Z',
    type: 'edit',
    by: 'x',
    reason: 'r',
    edit: { kind: 'undo', entryId: 'e5' },
  },
];

const accepts = (value: unknown): boolean => {
  try {
    parseEntry(JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

/** Every place in a JSON value, as the keys that lead there. */
function placesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key])),
  ];
}

/** A copy with something else in one place; `undefined` takes the field out. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  const inner = replaced(copy[key], rest, by);
  if (inner === undefined) delete copy[key];
  else
    Object.defineProperty(copy, key, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

const junk: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  1.5,
  '',
  'text',
  'user',
  true,
  [],
  {},
  [null],
  { type: 'text' },
  '2026-11-28',
  '2026-13-01T00:00:00Z',
];

describe('entrySchema', () => {
  test.each(full)('takes an entry of type $type with all it may hold: $id', (entry) => {
    expect(entrySchema.parse(entry)).toEqual(entry);
    expect(parseEntry(JSON.stringify(entry))).toEqual(entry);
  });

  test('agrees with parseEntry wherever anything stands in place of anything', () => {
    for (const entry of full) {
      for (const path of placesOf(entry)) {
        for (const by of junk) {
          const value = JSON.parse(JSON.stringify(replaced(entry, path, by) ?? null));
          const verdict = { path, by, accepted: entrySchema.safeParse(value).success };
          expect(verdict).toEqual({ path, by, accepted: accepts(value) });
        }
      }
    }
  });

  test('refuses a number that is too large for one, like parseEntry', () => {
    const line = JSON.stringify(full[1]).replace('"input_tokens":1', '"input_tokens":1e999');
    expect(entrySchema.safeParse(JSON.parse(line)).success).toBe(false);
    expect(() => parseEntry(line)).toThrow('input_tokens');
  });

  test('refuses more than it takes of these', () => {
    const verdicts = full.flatMap((entry) =>
      placesOf(entry).flatMap((path) =>
        junk.map((by) => accepts(replaced(entry, path, by) ?? null)),
      ),
    );
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(100);
    expect(verdicts.filter((each) => !each).length).toBeGreaterThan(500);
  });

  test('agrees with parseEntry on logs, and on logs with any JSON in any place', () => {
    fc.assert(
      fc.property(validLog(), fc.nat(), fc.nat(), hostileJson(), (log, at, place, by) => {
        const entry = log[at % Math.max(1, log.length)];
        fc.pre(entry !== undefined);
        const places = placesOf(entry);
        const damaged = replaced(entry, places[place % places.length] ?? [], by);
        for (const each of [entry, damaged]) {
          const value = JSON.parse(JSON.stringify(each));
          expect(entrySchema.safeParse(value).success).toBe(accepts(value));
        }
        expect(entrySchema.parse(JSON.parse(JSON.stringify(entry)))).toEqual(
          JSON.parse(JSON.stringify(entry)),
        );
      }),
    );
  });

  test('has the types of the package', () => {
    expectTypeOf<z.infer<typeof entrySchema>>().toEqualTypeOf<Entry>();
    expectTypeOf<z.infer<typeof messageSchema>>().toEqualTypeOf<Message>();
    expectTypeOf<z.infer<typeof blockSchema>>().toEqualTypeOf<Block>();
    expectTypeOf<z.infer<typeof editSchema>>().toEqualTypeOf<Edit>();
    expectTypeOf<z.infer<typeof headSchema>>().toEqualTypeOf<Head>();
  });
});

describe('the smaller schemas', () => {
  test.each([
    [blockSchema, { type: 'odd', any: 1 }, { type: 'text' }],
    [messageSchema, { id: 'm', role: 'user', content: [] }, { id: 'm', role: 'tool', content: [] }],
    [headSchema, { id: 'h', model: 'm', system: [], tools: [], params: {} }, { id: 'h' }],
    [editSchema, { kind: 'undo', entryId: 'e' }, { kind: 'redo', entryId: 'e' }],
  ])('%# take one of theirs and refuse another', (schema, good, bad) => {
    expect(schema.safeParse(good).success).toBe(true);
    expect(schema.safeParse(bad).success).toBe(false);
  });
});
