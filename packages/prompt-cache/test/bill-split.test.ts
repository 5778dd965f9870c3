import { promptTokens, type Request, type Usage } from '@varve/messages';
import { priceUsage } from '@varve/tokens';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cachePolicy, createBreakDetector } from '../src/index.ts';
import { createBillSplit } from '../src/server.ts';
import { assistant, call, characters, head, message, result, user } from './support.ts';

const MODEL = 'claude-opus-5-5';
const HEAD = head({ model: MODEL, systemTokens: 2_000 });
type Messages = Request['messages'];
const request = (messages: Messages): Request => ({
  ...{ head: HEAD, messages, maxOutputTokens: 100 },
  markers: [{ at: 'message', messageIndex: messages.length - 1, blockIndex: 0 }],
});

const billed = (read: number, written: number, plain = 0, output = 10): Usage => ({
  input_tokens: plain,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
});

function splitOf(sent: readonly (readonly [Messages, Usage])[], announced: readonly string[] = []) {
  const detector = createBreakDetector({ policy: cachePolicy(MODEL), sizeOf: characters });
  const split = createBillSplit();
  for (const [index, [messages, usage]] of sent.entries()) {
    const made = request(messages);
    const reason = announced[index];
    if (reason) detector.expect(reason);
    const observation = detector.observe({ request: made, usage, startMs: index * 1_000 });
    split.add({ request: made, usage, observation, sizeOf: characters });
  }
  return split.get();
}

const tokensOf = ({ parts }: ReturnType<typeof splitOf>) =>
  Object.fromEntries(
    parts
      .filter(({ read, again, added }) => read.tokens + again.tokens + added.tokens > 0)
      .map(({ part, read, again, added }) => [
        part,
        [read, again, added].map(({ tokens }) => Math.round(tokens)),
      ]),
  );

test('a first prompt is new, and the next one reads it', () => {
  const first = [user(1_000)];
  const more = [...first, assistant(500), user(300)];
  expect(
    tokensOf(
      splitOf([
        [first, billed(0, 3_000)],
        [more, billed(3_000, 800)],
      ]),
    ),
  ).toEqual({
    system: [2_000, 0, 2_000],
    words: [1_000, 0, 1_300],
    answers: [0, 0, 500],
  });
});

test('what is sent behind an edit is paid again, what stands in place of the edited is new, and the break has its reason', () => {
  const first = [
    user(1_000),
    message('assistant', call('c1')),
    message('user', result('c1', 5_000)),
    assistant(4_000),
    user(100),
  ];
  const edited = first.with(2, { ...message('user', result('c1', 10)), id: 'cleared' });
  const size = 2_000 + 1_000 + characters.message(first[1] as Messages[number]);
  const whole = size + 5_000 + 4_000 + 100;
  const bill = splitOf(
    [
      [first, billed(0, whole)],
      [edited, billed(size, whole - size - 4_990)],
    ],
    ['', 'clearing'],
  );
  expect(tokensOf(bill)).toMatchObject({
    results: [0, 0, 5_010],
    answers: [0, 4_000, 4_000],
    words: [1_000, 100, 1_100],
  });
  expect(bill.breaks).toMatchObject([
    { cause: 'clearing', isExpected: true, count: 1, lostTokens: whole - size },
  ]);
  const [found] = bill.breaks;
  expect(found?.again.tokens).toBeCloseTo(4_100, 6);
  const [written, read] = [billed(0, 4_100, 0, 0), billed(4_100, 0, 0, 0)].map(
    (usage) => priceUsage(usage, MODEL).dollars,
  );
  expect(found?.again.dollars).toBeCloseTo(Number(written) - Number(read), 8);
});

test('reminders and summaries of the agent are no words of the person', () => {
  const origin = (kind: 'reminder' | 'summary') => ({ ...user(100), origin: { kind } });
  const messages = [origin('summary'), user(50), origin('reminder')];
  expect(tokensOf(splitOf([[messages, billed(0, 2_250)]]))).toMatchObject({
    summaries: [0, 0, 100],
    words: [0, 0, 50],
    reminders: [0, 0, 100],
  });
});

const anyUsage = fc
  .tuple(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000), fc.nat(500))
  .map(([read, written, plain, output]) => billed(read, written, plain, output));

test('law: parts and output add up to what was billed, in tokens and in dollars', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyUsage, fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 12 }),
      (turns) => {
        let messages: Messages = [user(100)];
        const sent = turns.map(([usage, count, isCut]) => {
          if (isCut) messages = [user(30), ...messages.slice(-2)];
          messages = [...messages, ...Array.from({ length: count }, () => user(200))];
          return [messages, usage] as const;
        });
        const { parts, output } = splitOf(sent);
        const amounts = [
          output,
          ...parts.flatMap(({ read, again, added }) => [read, again, added]),
        ];
        const sum = (of: (amount: typeof output) => number) =>
          amounts.reduce((total, amount) => total + of(amount), 0);
        const usages = turns.map(([usage]) => usage);
        const tokens = usages.reduce((all, it) => all + promptTokens(it) + it.output_tokens, 0);
        const dollars = usages.reduce((all, it) => all + priceUsage(it, MODEL).dollars, 0);
        expect(sum((amount) => amount.tokens)).toBeCloseTo(tokens, 3);
        expect(sum((amount) => amount.dollars)).toBeCloseTo(dollars, 8);
        expect(amounts.every((amount) => amount.tokens >= 0 && amount.dollars >= 0)).toBe(true);
      },
    ),
  );
});
