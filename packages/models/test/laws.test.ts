import {
  checkHistory,
  type Marker,
  type Message,
  openaiChatProfile,
  type Request,
} from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnthropicWriter } from '../src/anthropic/request.ts';
import { type ModelEvent, send, withReminder } from '../src/index.ts';
import { createOpenAIChatWriter } from '../src/openai/chat-request.ts';
import { createOpenAIResponsesWriter } from '../src/openai/responses-request.ts';
import { ANTHROPIC, answering, CHAT, type Provider, RESPONSES, request } from './providers.ts';

// histories are long and there are three writers: a thousand of each take minutes
const { numRuns: asked = 1_000, ...config } = fc.readConfigureGlobal();
fc.configureGlobal({ ...config, numRuns: Math.min(Math.ceil(asked / 4), 300) });

// each run is an exchange or two through a real SDK: at least 30
const SDK_RUNS = { numRuns: Math.min(Math.max(30, Math.ceil(asked / 10)), 100) };

const WRITERS = [
  { name: 'Anthropic', create: createAnthropicWriter, field: 'messages', model: 'claude-opus-5-5' },
  { name: 'chat', create: createOpenAIChatWriter, field: 'messages', model: 'gpt-5.6-sol' },
  { name: 'Responses', create: createOpenAIResponsesWriter, field: 'input', model: 'gpt-5.6-sol' },
] as const;

const withMessages = (
  model: string,
  messages: readonly Message[],
  markers: readonly Marker[] = [],
) => request(model, { messages, markers });

const lastMarker = (messages: readonly Message[]): Marker[] => {
  const message = messages.at(-1);
  if (!message) return [];
  return [
    { at: 'system', ttl: '1h' },
    { at: 'message', messageIndex: messages.length - 1, blockIndex: message.content.length - 1 },
  ];
};

describe.each(WRITERS)('a writer of $name', ({ create, field, model }) => {
  test('writes the same bytes for the same request, also after others and for copies', () => {
    fc.assert(
      fc.property(messageHistory(), (history) => {
        const write = create();
        const made = withMessages(model, history, lastMarker(history));
        const bytes = JSON.stringify(write(made).body);
        write(withMessages(model, history.slice(0, 3)));
        expect(JSON.stringify(write(made).body)).toBe(bytes);
        const copy: Request = JSON.parse(JSON.stringify(made));
        expect(JSON.stringify(create()(copy).body)).toBe(bytes);
      }),
    );
  });

  test('begins a history that grew with the bytes of the one before', () => {
    fc.assert(
      fc.property(messageHistory(), fc.nat(), (history, at) => {
        const write = create();
        const count = history.length === 0 ? 0 : at % history.length;
        const before = JSON.stringify(write(withMessages(model, history.slice(0, count))).body);
        const after = JSON.stringify(write(withMessages(model, history)).body);
        expect(before.endsWith(']}')).toBe(true);
        expect(after.startsWith(before.slice(0, -2))).toBe(true);
      }),
    );
  });

  test('markers change nothing but themselves', () => {
    fc.assert(
      fc.property(messageHistory(), (history) => {
        const plain = create()(withMessages(model, history)).body;
        const marked = create()(withMessages(model, history, lastMarker(history))).body;
        const unmarked = JSON.parse(JSON.stringify(marked), (name, value) =>
          name === 'cache_control' || name === 'prompt_cache_breakpoint' ? undefined : value,
        );
        expect(asParts(unmarked)).toEqual(asParts(JSON.parse(JSON.stringify(plain))));
      }),
    );
  });

  test('reads only what is new, and changes nothing of what it reads', () => {
    fc.assert(
      fc.property(messageHistory(), fc.nat(), (history, at) => {
        const write = create();
        const reads: number[] = [];
        const watched = history.map((message, index) => watch(message, () => reads.push(index)));
        const start = JSON.stringify(history);
        const count = history.length === 0 ? 0 : at % history.length;
        write(withMessages(model, watched.slice(0, count), lastMarker(watched.slice(0, count))));
        reads.length = 0;
        write(withMessages(model, watched, lastMarker(watched.slice(0, count))));
        expect(reads.every((index) => index >= count)).toBe(true);
        expect(JSON.stringify(history)).toBe(start);
      }),
    );
  });

  test('puts messages last', () => {
    expect(Object.keys(create()(request(model)).body).at(-1)).toBe(field);
  });
});

/** A message whose blocks tell when one of their fields is read; type and ids are what places are found by. */
function watch(message: Message, read: () => void): Message {
  const content = message.content.map(
    (block) =>
      new Proxy(block, {
        get(target, name, receiver) {
          if (name === 'text' || name === 'input' || name === 'content' || name === 'thinking')
            read();
          return Reflect.get(target, name, receiver);
        },
      }),
  );
  return { ...message, content };
}

/** OpenAI's text that stands alone is a part once it is marked. */
function asParts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, each) => {
    const isText = (name === 'content' || name === 'output') && typeof each === 'string';
    return isText ? [{ type: 'text', text: each }] : retyped(each);
  });
}

const retyped = (value: unknown) =>
  typeof value === 'object' && value !== null && (value as { type?: string }).type === 'input_text'
    ? { ...value, type: 'text' }
    : value;

const text = () => fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const input = () => fc.dictionary(text(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const size = () => fc.integer({ min: 1, max: 9 });

const anthropicBlock = () =>
  fc.oneof(
    fc.record({ type: fc.constant('text'), text: text() }),
    fc.record({ type: fc.constant('thinking'), thinking: text(), signature: text() }),
    fc.record({ type: fc.constant('redacted_thinking'), data: text() }),
    fc.record({ type: fc.constant('tool_use'), id: text(), name: text(), input: input() }),
    fc.record({
      type: fc.constant('compaction'),
      content: fc.option(text()),
      encrypted_content: fc.option(text()),
    }),
    fc.record({ type: fc.constant('from_the_future'), field: fc.jsonValue() }),
  );

const anthropicMessage = () =>
  fc
    .record({
      content: fc.array(anthropicBlock(), { maxLength: 5 }),
      stop_reason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'refusal', 'compaction'),
      usage: fc.record({
        input_tokens: fc.nat(1000),
        cache_read_input_tokens: fc.option(fc.nat(1000)),
        output_tokens: fc.integer({ min: 1, max: 999 }),
      }),
    })
    .map((changes) => ({ ...ANTHROPIC.whole, ...changes }));

const chatCompletion = () =>
  fc
    .record({
      reasoning: fc.option(text()),
      content: fc.option(text()),
      calls: fc.array(fc.record({ id: fc.uuid(), name: text(), input: input() }), { maxLength: 3 }),
      finish: fc.constantFrom('stop', 'length', 'content_filter'),
    })
    .map(({ reasoning, content, calls, finish }) => {
      const written = calls.map(({ id, name, input: value }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(value) },
      }));
      const message = {
        role: 'assistant',
        content,
        ...(reasoning !== null && { reasoning_content: reasoning }),
        ...(calls.length > 0 && { tool_calls: written }),
      };
      return { ...CHAT.whole, choices: [{ index: 0, message, finish_reason: finish }] };
    });

const responsesItem = () =>
  fc.oneof(
    fc.array(text(), { minLength: 1, maxLength: 3 }).map((texts) => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: texts.map((each) => ({ type: 'output_text', text: each, annotations: [] })),
    })),
    text().map((each) => ({
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: each }],
    })),
    fc.record({ id: fc.uuid(), input: input() }).map(({ id, input: value }) => ({
      type: 'function_call',
      call_id: id,
      name: 'read',
      arguments: JSON.stringify(value),
      status: 'completed',
    })),
    text().map((each) => ({ type: 'compaction', id: 'c', encrypted_content: each })),
  );

const response = () =>
  fc
    .record({
      output: fc.array(responsesItem(), { maxLength: 4 }),
      reason: fc.option(fc.constantFrom('max_output_tokens', 'content_filter', 'steered')),
    })
    .map(({ output, reason }) => ({
      ...RESPONSES.whole,
      output: output.map((item, index) => ({
        ...item,
        ...(item.type === 'message' && { id: `i${index}` }),
      })),
      status: reason === null ? 'completed' : 'incomplete',
      incomplete_details: reason === null ? null : { reason },
    }));

const ANSWERS: readonly {
  provider: Provider;
  whole: () => fc.Arbitrary<Record<string, unknown>>;
}[] = [
  { provider: ANTHROPIC, whole: anthropicMessage },
  { provider: CHAT, whole: chatCompletion },
  { provider: RESPONSES, whole: response },
];

describe.each(ANSWERS)('an answer of $provider.name', ({ provider, whole }) => {
  const { connect, frames, model } = provider;

  test('case 67: assembled from its stream is the one that was not streamed, bill included', async () => {
    await fc.assert(
      fc.asyncProperty(whole(), size(), async (answer, pieces) => {
        const streaming = connect({ fetch: answering(frames(answer, pieces).join('')) });
        const waiting = connect({ fetch: answering(answer), streaming: false });
        const [streamed, plain] = await Promise.all(
          [streaming, waiting].map((client) => send(client, request(model))),
        );
        expect(streamed).toEqual(plain);
      }),
      SDK_RUNS,
    );
  });

  test('has its blocks in its events, whole, in order and with what their deltas said', async () => {
    await fc.assert(
      fc.asyncProperty(whole(), size(), async (answer, pieces) => {
        const stream = connect({ fetch: answering(frames(answer, pieces).join('')) }).stream(
          request(model),
        );
        const events: ModelEvent[] = [];
        for await (const event of stream) events.push(event);
        const { content } = await stream.response();
        const ended = events.flatMap((event) => (event.type === 'block-end' ? [event] : []));
        expect([...ended].sort((a, b) => a.index - b.index).map(({ block }) => block)).toEqual(
          content,
        );
        for (const { index, block } of ended) {
          const deltas = events.map((event) =>
            event.type === 'text-delta' && event.index === index ? event.text : '',
          );
          if (block.type === 'text') expect(deltas.join('')).toBe(block.text);
        }
      }),
      SDK_RUNS,
    );
  });
});

describe('withReminder (P6)', () => {
  const profile = openaiChatProfile();

  test('only appends, legally, and the same for the same history', () => {
    fc.assert(
      fc.property(messageHistory(), text(), fc.boolean(), (history, reminder, systemMessages) => {
        const result = withReminder(history, reminder, { systemMessages });
        const again = withReminder(structuredClone([...history]), reminder, { systemMessages });
        expect(again).toEqual(result);
        if (result.kind === 'unchanged') {
          expect(result.messages).toBe(history);
          return;
        }
        expect(result.messages.slice(0, -1)).toEqual(history);
        for (const [index, message] of history.entries())
          expect(result.messages[index]).toBe(message);
        const before = checkHistory(history, profile);
        expect(checkHistory(result.messages, profile)).toEqual(before);
      }),
    );
  });
});
