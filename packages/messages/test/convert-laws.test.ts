import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Conversion,
  createAISDKConverter,
  createAnthropicConverter,
  createOpenAIChatConverter,
  createOpenAIResponsesConverter,
  type MessageLike,
  type PlainMessage,
} from '../src/index.ts';
import {
  assistant,
  call,
  result,
  system,
  type TestBlock,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';
import { damagedHistory, validHistory } from './damage.ts';

interface Converter {
  to(messages: readonly MessageLike[]): Conversion<object>;
  from(messages: readonly never[]): Conversion<PlainMessage>;
}

interface Format {
  readonly name: string;
  readonly create: () => Converter;
  /** Blocks of a user message, of a result and of an assistant message that this format carries whole. */
  readonly user: readonly TestBlock[];
  readonly result: readonly TestBlock[];
  readonly assistant: readonly TestBlock[];
  readonly failures: boolean;
}

const data: TestBlock = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
};
const page: TestBlock = { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } };
const upload: TestBlock = { type: 'image', source: { type: 'file', file_id: 'f1' } };
const pdf: TestBlock = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
};
const titled: TestBlock = { ...pdf, title: 'report.pdf' };
const link: TestBlock = { type: 'document', source: { type: 'url', url: 'https://x.test/a.pdf' } };
const note: TestBlock = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'note' },
};
const redacted: TestBlock = { type: 'redacted_thinking', data: 'sealed' };
const reasoning: TestBlock = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: 'sealed',
};

const formats: readonly Format[] = [
  {
    name: 'OpenAI chat',
    create: createOpenAIChatConverter,
    user: [data, page, pdf, titled],
    result: [],
    assistant: [],
    failures: false,
  },
  {
    name: 'OpenAI Responses',
    create: createOpenAIResponsesConverter,
    user: [data, page, upload, pdf, titled, link],
    result: [data, page, upload, pdf, titled, link],
    assistant: [reasoning],
    failures: false,
  },
  {
    name: 'AI SDK',
    create: createAISDKConverter,
    user: [data, page, upload, pdf, titled, link, note],
    result: [data, page, upload, pdf, titled, link, note],
    assistant: [thinking(), redacted],
    failures: true,
  },
  {
    name: 'Anthropic',
    create: createAnthropicConverter,
    user: [data, page, upload, pdf, titled, link, note, { type: 'odd', value: 1 }],
    result: [data, note, { type: 'odd' }],
    assistant: [thinking(), redacted, { type: 'odd', value: 1 }],
    failures: true,
  },
];

const someText = () =>
  fc.constantFrom('hello', ' ', '\n', 'é😀', '{"a":1}', '5', 'cut \ud83d').map(text);

const pick = (blocks: readonly TestBlock[]) => fc.constantFrom(...blocks, text('x'));

/** What JSON holds, minus zero becoming zero; text would read back as what it spells. */
const asInput = () =>
  fc
    .jsonValue()
    .filter((value) => typeof value !== 'string')
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Histories that a format carries whole: ids used once, results first, no two messages that read back as one. */
function carried(format: Format): fc.Arbitrary<readonly TestMessage[]> {
  const content = fc.oneof(
    fc.constant('ok'),
    fc.constant(''),
    fc.array(pick(format.result), { minLength: 1, maxLength: 3 }),
  );
  const round = fc.record({
    before: fc.array(fc.oneof(someText(), pick(format.assistant)), { maxLength: 3 }),
    inputs: fc.array(asInput(), { minLength: 1, maxLength: 3 }),
    content,
    fails: fc.boolean(),
    after: fc.array(fc.oneof(someText(), pick(format.user)), { maxLength: 2 }),
  });
  const says = fc.array(fc.oneof(someText(), pick(format.user)), { minLength: 1, maxLength: 3 });
  const turn = fc.tuple(says, fc.option(someText()), fc.array(round, { maxLength: 3 }), someText());
  return fc.array(turn, { maxLength: 4 }).map((turns) => {
    let ids = 0;
    return turns.flatMap(([blocks, reminder, rounds, answer]) => [
      user(...blocks),
      ...(reminder ? [system(reminder)] : []),
      ...rounds.flatMap((each) => {
        const calls = each.inputs.map((input) => call(`id${ids++}`, input));
        const failed = each.fails && format.failures && typeof each.content === 'string';
        const results = calls.map(({ id }) =>
          result(id as string, each.content, failed ? { is_error: true } : {}),
        );
        return [assistant(...each.before, ...calls), user(...results, ...each.after)];
      }),
      assistant(answer),
    ]);
  });
}

const blocks = ({ content }: TestMessage): readonly unknown[] => {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return Array.isArray(content) ? content : [];
};

const plain = (history: readonly TestMessage[]) =>
  history.map((message) => ({ role: message.role, content: blocks(message) }));

describe.each(formats)('conversion laws of $name', (format) => {
  const there = (history: readonly TestMessage[], { to, from } = format.create()) => {
    const out = to(history);
    return { out, back: from(out.messages as readonly never[]) };
  };

  test('what it carries comes back as it was, without a loss either way', () => {
    fc.assert(
      fc.property(carried(format), (history) => {
        const { out, back } = there(history);
        expect(out.losses).toEqual([]);
        expect(back.losses).toEqual([]);
        expect(back.messages).toEqual(plain(history));
      }),
    );
  });

  test('whatever does not come back as it was is listed, and it never throws', () => {
    fc.assert(
      fc.property(fc.oneof(damagedHistory(), validHistory()), (history) => {
        const { out, back } = there(history);
        const usual = history.every(({ role }) => ['user', 'assistant', 'system'].includes(role));
        if (out.losses.length === 0 && usual) expect(back.messages).toEqual(plain(history));
        for (const { messageIndex } of out.losses) expect(history[messageIndex]).toBeDefined();
      }),
    );
  });

  test('messages without a loss come back block by block, whatever happens to the others', () => {
    fc.assert(
      fc.property(damagedHistory(), (history) => {
        const { out, back } = there(history);
        const lossy = new Set(out.losses.map(({ messageIndex }) => messageIndex));
        const whole = history.filter((_, index) => !lossy.has(index)).flatMap(blocks);
        const returned = back.messages.flatMap(({ content }) =>
          content.map((block) => JSON.stringify(block)),
        );
        let at = 0;
        for (const block of returned) if (block === JSON.stringify(whole[at])) at++;
        expect(at).toBe(whole.length);
      }),
    );
  });

  test('a history that grows gives the same as one that is converted at once, and the same objects', () => {
    fc.assert(
      fc.property(fc.oneof(damagedHistory(), validHistory()), (history) => {
        const converter = format.create();
        let before: readonly object[] = [];
        for (let length = 0; length <= history.length; length++) {
          const { messages, losses } = converter.to(history.slice(0, length));
          expect(before.every((message, index) => message === messages[index])).toBe(true);
          if (length === history.length) {
            expect({ messages, losses }).toEqual(format.create().to(history));
          }
          before = messages;
        }
        const again = converter.from(before as readonly never[]);
        const twice = converter.from(before as readonly never[]);
        expect(again).toEqual(format.create().from(before as readonly never[]));
        if (new Set(before).size < before.length) return;
        expect(twice.messages.every((message, index) => message === again.messages[index])).toBe(
          true,
        );
      }),
    );
  });

  test('writes to nothing it reads, and survives any JSON on the other side', () => {
    const junk = fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'x'),
        type: fc.constantFrom(undefined, 'message', 'function_call', 'reasoning'),
        content: fc.jsonValue(),
        tool_calls: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(damagedHistory(), junk, (history, messages) => {
        there(history);
        expect(
          Array.isArray(format.create().from(messages as unknown as readonly never[]).messages),
        ).toBe(true);
      }),
    );
  });
});
