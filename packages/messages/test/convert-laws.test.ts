import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import type { Conversion } from '../src/convert/conversion.ts';
import {
  createAISDKConverter,
  createAnthropicConverter,
  createOpenAIChatConverter,
  createOpenAIResponsesConverter,
  type fromOpenAIChat,
} from '../src/convert.ts';
import { messageHistory } from '../src/testing.ts';
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
import { damagedHistory } from './damage.ts';

interface Converter {
  to(messages: readonly MessageLike[]): Conversion<object>;
  from(
    messages: readonly never[],
  ): Conversion<ReturnType<typeof fromOpenAIChat>['messages'][number]>;
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

/** Blocks of a message; without the mark a call has not failed, so `is_error: false` says nothing. */
const blocks = ({ content }: TestMessage): readonly unknown[] => {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  if (!Array.isArray(content)) return [];
  return content.map((block) =>
    block?.is_error === false ? { ...block, is_error: undefined } : block,
  );
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
        expect(plain(back.messages as never)).toEqual(plain(history));
      }),
    );
  });

  test('lists whatever does not come back as it was, and throws on nothing', () => {
    fc.assert(
      fc.property(damagedHistory(), (history) => {
        const { out, back } = there(history);
        const lossy = new Set(out.losses.map(({ messageIndex }) => messageIndex));
        const usual = history.every(({ role }) => ROLES.includes(role));
        if (lossy.size === 0 && usual)
          expect(plain(back.messages as never)).toEqual(plain(history));
        const whole = history.filter((_, index) => !lossy.has(index)).flatMap(blocks);
        expect(
          isSubsequence(whole, (back.messages as never as TestMessage[]).flatMap(blocks)),
        ).toBe(true);
      }),
    );
  });

  test('gives for a history that grew what it gives at once, with the same objects', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 9, arbitrary: damagedHistory() },
          { weight: 1, arbitrary: messageHistory() },
        ),
        fc.nat(40),
        (history: readonly MessageLike[], length) => {
          const converter = format.create();
          const before = converter.to(history.slice(0, length)).messages;
          const after = converter.to(history);
          expect(before.every((message, index) => message === after.messages[index])).toBe(true);
          expect(after).toEqual(format.create().to(history));
          const theirs = after.messages as readonly never[];
          const again = converter.from(theirs).messages;
          expect(again).toEqual(format.create().from(theirs).messages);
          const isKnown = converter
            .from(theirs)
            .messages.every((message, index) => message === again[index]);
          expect(isKnown || new Set(theirs).size < theirs.length).toBe(true);
        },
      ),
    );
  });

  test('reads any JSON on the other side without throwing', () => {
    const junk = fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'x'),
      type: fc.constantFrom(undefined, null, 'message', 'function_call', 'reasoning', 'x'),
      content: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(junk), (messages) => {
        const { from } = format.create();
        expect(Array.isArray(from(messages as unknown as readonly never[]).messages)).toBe(true);
      }),
    );
  });
});

const ROLES = ['user', 'assistant', 'system'];

function isSubsequence(part: readonly unknown[], whole: readonly unknown[]): boolean {
  const wanted = part.map((item) => JSON.stringify(item));
  let at = 0;
  for (const item of whole) if (JSON.stringify(item) === wanted[at]) at++;
  return at === wanted.length;
}
