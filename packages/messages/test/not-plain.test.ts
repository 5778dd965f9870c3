import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import {
  anthropicProfile,
  checkHistory,
  checkRequest,
  MessagesError,
  repairHistory,
  serializeEntry,
  stableStringify,
} from '../src/index.ts';
import { assistant, call, result, user } from './build.ts';

const cyclic: { self?: unknown; list: unknown[] } = { list: [] };
cyclic.self = cyclic;
const cyclicList: unknown[] = [];
cyclicList.push({ inside: cyclicList });

let deep: unknown = 'x';
for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { deep };

const throwing = {
  get path(): string {
    throw new Error('no');
  },
};

const profile = anthropicProfile({ thinking: 'free' });
const requestOf = (messages: readonly MessageLike[]) => ({ messages, maxOutputTokens: 100 });

// siblings: every function that walks a value or writes it
const FUNCTIONS: Record<string, (messages: readonly MessageLike[]) => unknown> = {
  checkHistory: (messages) => checkHistory(messages, profile),
  checkRequest: (messages) => checkRequest(requestOf(messages), profile),
  'checkRequest of a head': (messages) =>
    checkRequest(
      {
        ...requestOf([user('hi')]),
        head: { system: [], tools: [{ name: 't', input_schema: messages }], params: {} },
      },
      profile,
    ),
  repairHistory: (messages) => repairHistory(messages),
  stableStringify: (messages) => stableStringify(messages),
  serializeEntry: (messages) =>
    serializeEntry({ id: 'e', at: '', type: 'note', by: 'x', data: messages as never }),
};

describe('M336: a value that no request can carry is refused at once', () => {
  const values = {
    'holds itself': cyclic,
    'a list that holds itself': cyclicList,
    'is nested 100,000 deep': deep,
    'has a getter that throws': throwing,
  };
  for (const [what, value] of Object.entries(values)) {
    test.each(Object.keys(FUNCTIONS))(`a tool input that ${what}: %s`, (name) => {
      const messages = [user('hi'), assistant(call('c', value)), user(result('c', 'ok'))];
      const start = process.cpuUsage();
      let thrown: unknown;
      try {
        FUNCTIONS[name]?.(messages);
      } catch (error) {
        thrown = error;
      }
      expect(MessagesError.is(thrown) && thrown.code).toBe('not-serializable');
      const { user: spent } = process.cpuUsage(start);
      expect(spent / 1e6).toBeLessThan(2); // seconds; what reads each level again takes minutes
    });
  }

  test('a value that stands in two places is plain JSON', () => {
    const shared = { list: Array.from({ length: 4_000 }, (_, index) => `${index}`) };
    const input = { a: shared, b: [shared, shared] };
    const messages = [user('hi'), assistant(call('c', input)), user(result('c', 'ok'))];
    expect(checkHistory(messages, profile)).toEqual([]);
  });
});
