import { legalCuts, type Message } from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TailOptions } from '../src/tail.ts';
import { tailStart } from '../src/tail.ts';

const text = (value: string) => [{ type: 'text', text: value }];
const user = (size: number) => ({ role: 'user', content: text('u'.repeat(size)) });
const reply = (size: number) => ({ role: 'assistant', content: text('a'.repeat(size)) });
const call = (id: string) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: {} }],
});
const result = (id: string, size: number) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'r'.repeat(size) }],
});
type Plain = { readonly role: string; readonly content: readonly { readonly type: string }[] };

/** A character is a token. */
const sizeOf = ({ content }: Plain): number =>
  content.reduce((sum, block) => {
    const { text: said = '', content: gave = '' } = block as { text?: string; content?: string };
    return sum + said.length + gave.length;
  }, 0);

/** Ten turns of a request and a reply, 2,000 each. */
const turns: readonly Plain[] = Array.from({ length: 20 }, (_, at) =>
  at % 2 === 0 ? user(2_000) : reply(2_000),
);

describe('tailStart (N6)', () => {
  test.each<[string, readonly Plain[], number, object, number]>([
    ['nothing', [], -1, {}, 0],
    ['one message, covered', [user(10)], 0, {}, 0],
    ['nothing covered', turns, -1, {}, 0],
    ['all covered: back to 10,000 tokens and 5 texts', turns, 19, {}, 15],
    ['back to 5 texts, which hold more', Array.from({ length: 9 }, () => user(3_000)), 8, {}, 4],
    ['back to 10,000 tokens, at the limit', turns, 19, { minTextMessages: 0 }, 15],
    ['back to just more than that', turns, 19, { minTextMessages: 0, minTokens: 10_001 }, 14],
    ['back to 8 texts', turns, 19, { minTextMessages: 8 }, 12],
    [
      'never beyond the most, at the limit',
      turns,
      19,
      { minTextMessages: 99, maxTokens: 8_000 },
      16,
    ],
    ['never beyond the most, one below', turns, 19, { minTextMessages: 99, maxTokens: 7_999 }, 17],
    [
      'zero: only what is behind the cursor',
      turns,
      15,
      { minTokens: 0, minTextMessages: 0, maxTokens: 0 },
      16,
    ],
    ['all behind the cursor stays, however large', turns, 3, { maxTokens: 100 }, 4],
    ['the default most is 40,000', [user(100), reply(41_000), user(10)], 1, {}, 2],
  ])('%s', (_what, messages, cursorIndex, limits, expected) => {
    expect(tailStart(messages, { sizeOf, cursorIndex, ...limits })).toBe(expected);
  });

  test('case 1: the newest request stays where it fits, the whole turn with it', () => {
    const messages = [user(5_000), reply(10), user(10), ...rounds(6, 3_000), reply(10)];
    const options = { sizeOf, cursorIndex: messages.length - 1, minTextMessages: 0 };
    expect(tailStart(messages, options)).toBe(2);
    expect(tailStart(messages, { ...options, maxTokens: 15_000 })).toBeGreaterThan(2);
  });

  test('case 33: a single long tool loop is cut between its rounds', () => {
    const messages = [user(100), ...rounds(10, 5_000)];
    const start = tailStart(messages, { sizeOf, cursorIndex: 20, maxTokens: 12_000 });
    expect(start).toBe(17);
    expect(messages[start]?.role).toBe('assistant');
  });

  test('case 9: an earlier summary is never kept', () => {
    const summary = { ...user(10), origin: { kind: 'summary' } };
    const messages = [user(9), summary, user(10), reply(10), user(10)];
    expect(tailStart(messages, { sizeOf, cursorIndex: 3 })).toBe(2);
  });
});

/** What the tail is, said in another way: over the whole history, by trying every cut. */
function expectedStart(messages: readonly Message[], given: TailOptions<Message>): number {
  const { cursorIndex, sizeOf: size, minTokens = 0, minTextMessages = 0, maxTokens = 0 } = given;
  const rest = (cut: number) => messages.slice(cut);
  const tokens = (cut: number) => rest(cut).reduce((sum, message) => sum + size(message), 0);
  const said = ({ role, origin, content }: Message) =>
    role === 'user' && origin === undefined && content.every(({ type }) => type !== 'tool_result');
  const says = ({ content }: Message) =>
    content.some((block) => block.type === 'text' && /\S/.test(String(block.text)));
  const isOld = ({ origin }: Message, index: number) =>
    origin?.kind === 'summary' && index <= cursorIndex;
  const cuts = legalCuts(messages, { behindSummary: true }).filter(
    (cut) => cut <= cursorIndex + 1 && cut > messages.findLastIndex(isOld),
  );
  const least = cuts.at(-1) ?? 0;
  const allowed = cuts.filter((cut) => cut === least || tokens(cut) <= maxTokens);
  const newest = messages.findLastIndex(said);
  const canKeepNewest = allowed.some((cut) => cut <= newest && tokens(cut) <= maxTokens);
  const isEnough = (cut: number) =>
    tokens(cut) >= minTokens &&
    rest(cut).filter(says).length >= minTextMessages &&
    (cut <= newest || !canKeepNewest);
  return allowed.findLast(isEnough) ?? allowed[0] ?? 0;
}

describe('legalCuts behind a summary (N6)', () => {
  test('case 38: results out of order stay with their calls', () => {
    const both = { role: 'assistant', content: [...call('m').content, ...call('n').content] };
    const messages = [user(1), both, result('n', 1), user(2), result('m', 1), user(3)];
    expect(legalCuts(messages, { behindSummary: true })).toEqual([0, 1, 5, 6]);
  });

  test('case 39: an id that later turns use again pairs within its turn', () => {
    const messages = [
      user(1),
      ...Array.from({ length: 5 }, () => [call('k'), result('k', 1)]).flat(),
    ];
    expect(legalCuts(messages, { behindSummary: true })).toEqual([0, 1, 3, 5, 7, 9, 11]);
  });

  test('parts of one response stay together', () => {
    expect(
      legalCuts([user(1), reply(1), call('a'), result('a', 1)], { behindSummary: true }),
    ).toEqual([0, 1, 4]);
  });

  test('case 36: never a call without its result, and every cut that is legal before a user message is one', () => {
    fc.assert(
      fc.property(messageHistory(), (messages) => {
        const cuts = legalCuts(messages, { behindSummary: true });
        expect(cuts).toEqual(expect.arrayContaining([...legalCuts(messages)]));
        for (const cut of cuts) {
          const [before, after] = [messages.slice(0, cut), messages.slice(cut)];
          expect(unpaired(before)).toEqual([]);
          expect(unpaired(after)).toEqual([]);
        }
      }),
    );
  });

  test('any history, any cursor, any limits: at a cut, at or before the cursor, and no larger than allowed', () => {
    fc.assert(
      fc.property(
        messageHistory(),
        fc.nat(60),
        fc.nat(300),
        fc.nat(400),
        (messages, at, minTokens, maxTokens) => {
          const cursorIndex = Math.min(at, messages.length - 1);
          const sizes = (message: Message) => message.content.length * 10;
          const minTextMessages = at % 7;
          const options = { sizeOf: sizes, cursorIndex, minTokens, minTextMessages, maxTokens };
          const start = tailStart(messages, options);
          expect(start).toBe(expectedStart(messages, options));
          expect(legalCuts(messages, { behindSummary: true })).toContain(start);
          expect(start).toBeLessThanOrEqual(cursorIndex + 1);
          const total = (from: number) =>
            messages.slice(from).reduce((sum, each) => sum + sizes(each), 0);
          const least =
            legalCuts(messages, { behindSummary: true }).findLast(
              (cut) => cut <= cursorIndex + 1,
            ) ?? 0;
          if (start < least) expect(total(start)).toBeLessThanOrEqual(maxTokens);
        },
      ),
    );
  });
});

function rounds(count: number, size: number): Plain[] {
  return Array.from({ length: count }, (_, at) => [call(`c${at}`), result(`c${at}`, size)]).flat();
}

/** Calls and results that are alone; a turn is over with the next reply. */
function unpaired(messages: readonly Message[]): string[] {
  const open = new Map<string, number>();
  const alone: string[] = [];
  for (const { content } of messages) {
    for (const block of content) {
      const { type, id, tool_use_id: of } = block as unknown as Record<string, string>;
      if (type === 'tool_use') open.set(id as string, (open.get(id as string) ?? 0) + 1);
      if (type !== 'tool_result') continue;
      const count = open.get(of as string) ?? 0;
      if (count === 0) alone.push(of as string);
      open.set(of as string, count - 1);
    }
  }
  return [...alone, ...[...open].flatMap(([id, count]) => (count > 0 ? id : []))];
}
