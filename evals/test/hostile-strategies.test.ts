import type { Message, Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { EvalsError, type Strategy } from '../src/index.ts';
import { choosing, planOf, rowFor } from './replays.ts';
import { generatedSteps } from './sessions.ts';

const plan = planOf(generatedSteps({ seed: 4, calls: 8, lines: 4 }));

const user = (...content: unknown[]): Message => ({ id: 'x', role: 'user', content }) as Message;
const text = (value: unknown) => ({ type: 'text', text: value });

/** Sends everything, changed by `change`, whose result need not be a request. */
const returning = (change: (request: Request) => unknown): Strategy =>
  choosing('hostile', (all) => all, change as (request: Request) => Request);

const behind = (message: Message): Strategy =>
  returning((request) => ({ ...request, messages: [...request.messages, message] }));

const cyclic: Record<string, unknown> = text('a');
cyclic.self = cyclic;

const failureOf = (strategy: Strategy): unknown => {
  try {
    return rowFor(plan, strategy);
  } catch (error) {
    return error;
  }
};

describe('a hostile strategy is named', () => {
  test.each<[string, Strategy, string]>([
    ['returns nothing', returning(() => undefined), 'returned no request'],
    ['returns a number', returning(() => 7), 'returned no request'],
    ['returns a promise', returning(async (request) => request), 'returned a promise'],
    [
      'leaves the head out',
      returning((request) => ({ ...request, head: null })),
      'its head is malformed',
    ],
    ['has no messages', returning(({ head }) => ({ head })), 'malformed at messages'],
    [
      'has markers of nothing',
      returning((request) => ({ ...request, markers: [null] })),
      'malformed at markers.0',
    ],
    ['sends null for a block', behind(user(null)), 'malformed at content.0'],
    ['sends text without text', behind(user({ type: 'text' })), 'malformed at content.0.text'],
    ['sends a number for text', behind(user(text(7))), 'malformed at content.0.text'],
    ['sends what is no JSON', behind(user(cyclic)), 'cannot be written as JSON'],
    [
      'sends a result of an object',
      behind(user({ type: 'tool_result', tool_use_id: 'a', content: {} })),
      'malformed at content.0.content',
    ],
    [
      'asks for another model',
      returning((request) => ({ ...request, head: { ...request.head, model: 'm' } })),
      'asked for the model m',
    ],
    [
      'has no methods',
      { name: 'hostile', create: () => ({}) as never },
      'failed in create(): it did not return',
    ],
    [
      'is asynchronous',
      { name: 'hostile', create: async () => ({}) as never } as unknown as Strategy,
      'failed in create(): it did not return',
    ],
    [
      'adds asynchronously',
      {
        name: 'hostile',
        create: () => ({ add: async () => {}, request: () => undefined as never }),
      },
      'failed in add(): it returned a promise',
    ],
    [
      'throws two lines',
      returning(() => {
        throw new Error('one\n  two.');
      }),
      'failed in request(): one two.',
    ],
    [
      'throws nothing',
      returning(() => {
        throw null;
      }),
      'failed in request(): null.',
    ],
  ])('that %s', (_, strategy, reason) => {
    const error = failureOf(strategy);
    if (!EvalsError.is(error)) throw new Error(`expected an EvalsError, got ${error}`);
    expect(error.code).toBe('strategy-failed');
    expect(error.message).toContain('`hostile`');
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain('\n');
  });

  test('that changes what it has sent', () => {
    const note = { type: 'text' as const, text: '' };
    const strategy = returning((request) => {
      note.text = `${request.messages.length} so far`;
      return { ...request, messages: [user(note), ...request.messages] };
    });
    expect(failureOf(strategy)).toMatchObject({ code: 'strategy-failed' });
    expect(String(failureOf(strategy))).toContain('it has to copy what it changes');
  });
});

describe('an invalid request is counted and has no price', () => {
  const first = { at: 'system' } as const;
  test.each<[string, Strategy, string]>([
    ['no messages', choosing('none', () => []), 'no-messages'],
    [
      'results without calls',
      choosing('orphan', (all) => all.filter(({ role }) => role === 'user')),
      'orphan-result',
    ],
    ['empty text', behind(user(text(''))), 'empty-text'],
    [
      'five markers',
      returning((request) => ({ ...request, markers: Array(5).fill(first) })),
      'too-many-markers',
    ],
    [
      'no output limit',
      returning((request) => ({ ...request, maxOutputTokens: Number.NaN })),
      'max-output-tokens',
    ],
    [
      'a marker on thinking',
      returning(({ messages, ...request }) => ({
        ...request,
        messages: messages.map((message) =>
          message.role === 'assistant'
            ? {
                ...message,
                content: [{ type: 'thinking', thinking: 'h', signature: 's' }, ...message.content],
              }
            : message,
        ),
        markers: [{ at: 'message', messageIndex: 1, blockIndex: 0 }],
      })),
      'marker-target',
    ],
  ])('with %s', (_, strategy, code) => {
    const row = rowFor(plan, strategy);
    expect(row.violations[code]).toBeGreaterThan(0);
    expect(row.invalidRequests).toBeGreaterThan(0);
    expect(row.relativeToKeepAll).toBeNull();
  });
});

test('a strategy may send the same list each time, and the same request', () => {
  const same: Strategy = {
    name: 'same',
    create({ head }) {
      const messages: Message[] = [];
      const request = { head, messages, markers: [], maxOutputTokens: 8_000 };
      return { add: (message) => void messages.push(message), request: () => request };
    },
  };
  expect(rowFor(plan, same)).toMatchObject({ relativeToKeepAll: 1, repeatable: true });
});

test('what a request says twice in different ways is read once', () => {
  let reads = 0;
  const strategy = returning(({ messages, ...request }) => ({
    ...request,
    get messages() {
      reads += 1;
      return messages;
    },
  }));
  const { requests, relativeToKeepAll } = rowFor(plan, strategy);
  // the second run asks again
  expect([reads, relativeToKeepAll]).toEqual([2 * requests, 1]);
});

test('random bytes are marked, and nothing behind them is read', () => {
  const strategy = returning((request) => ({
    ...request,
    messages: [user(text(String(Math.random()))), ...request.messages],
  }));
  const row = rowFor(plan, strategy);
  const { tokens } = plan.recording.headSize;
  expect(row.repeatable).toBe(false);
  expect([row.breaks, row.readTokens]).toEqual([row.requests - 1, (row.requests - 1) * tokens]);
});
