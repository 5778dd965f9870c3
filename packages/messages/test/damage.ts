import fc from 'fast-check';
import type { MessageLike } from '../src/blocks.ts';
import {
  assistant,
  call,
  image,
  result,
  system,
  type TestBlock,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';

const HALF = '\ud83d';

/** Few ids, so that they collide, are used again and miss each other. */
const id = () => fc.constantFrom('a', 'b', 'c', '', `d${HALF}`);

const someText = () =>
  fc.constantFrom('hello', '', ' ', '\n', '\0', 'é😀', `cut${HALF}`, '__proto__');

const anyBlock = (): fc.Arbitrary<TestBlock> =>
  fc.oneof(
    someText().map(text),
    fc
      .tuple(
        id(),
        fc.constantFrom<unknown>({}, { path: 'x' }, '{"pa', undefined, null, { [HALF]: 1 }),
      )
      .map(([of, input]) => ({ ...call(of), input })),
    {
      weight: 2,
      arbitrary: fc
        .tuple(id(), resultContent(), fc.boolean())
        .map(([of, content, failed]) => ({ ...result(of), content, is_error: failed })),
    },
    fc.constantFrom('signed', '').map(thinking),
    fc.constantFrom(
      image,
      { type: 'redacted_thinking', data: 'x' },
      { type: 'redacted_thinking', data: HALF },
      { type: 'server_tool_use', id: 's', name: 'search', input: { q: HALF } },
      { type: 'compaction', content: 'c' },
      { type: 'thinking', thinking: HALF, signature: 'signed' },
      { type: 'text' },
      { type: 'tool_use', id: 'a', name: '', input: {} },
    ),
  );

const resultContent = () =>
  fc.oneof(
    fc.constantFrom<unknown>('ok', '', HALF, undefined, null, [], 7),
    fc.array(
      fc.oneof(
        someText().map(text),
        fc.constant(image),
        fc.constant(call('a')),
        fc.constant({ type: 'odd' }),
      ),
      { maxLength: 3 },
    ),
  );

const anyContent = () =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(anyBlock(), { maxLength: 5 }) },
    someText(),
    fc.constantFrom(null, undefined, [null], [[]], {}),
  );

const anyMessage = (): fc.Arbitrary<TestMessage> =>
  fc.record({
    role: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('user', 'assistant', 'system') },
      fc.constantFrom('tool', ''),
    ),
    content: anyContent() as fc.Arbitrary<TestMessage['content']>,
  });

/** Histories that break every rule there is, alone and together. Frozen, so that whoever writes to one throws. */
export const damagedHistory = (): fc.Arbitrary<readonly TestMessage[]> =>
  fc.oneof(fc.array(anyMessage(), { maxLength: 12 }), brokenValid()).map(frozen);

/** Freezes a JSON value all the way down. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

/** Valid for every profile: turns of text, calls with thinking and their results, a reminder now and then. */
export const validHistory = (): fc.Arbitrary<readonly TestMessage[]> =>
  fc.array(turn(), { maxLength: 8 }).map((turns) => frozen(turns.flat()));

const goodText = () => fc.constantFrom('hello', 'é😀', '\0', 'a\nb');

const turn = (): fc.Arbitrary<readonly TestMessage[]> =>
  fc
    .tuple(goodText(), fc.array(round(), { maxLength: 3 }), fc.boolean())
    .map(([prompt, rounds, reminds]) => [
      user(prompt),
      ...(reminds ? [system('reminder')] : []),
      ...rounds.flat(),
      assistant('done'),
    ]);

const round = (): fc.Arbitrary<readonly TestMessage[]> =>
  fc
    .record({
      ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }),
      thinks: fc.boolean(),
      says: fc.option(goodText(), { nil: undefined }),
      steers: fc.boolean(),
      content: fc.constantFrom<unknown>('ok', '', undefined, [], [text('ok'), image]),
    })
    .map(({ ids, thinks, says, steers, content }) => [
      assistant(
        ...(thinks ? [thinking()] : []),
        ...(says === undefined ? [] : [says]),
        ...ids.map((of) => call(of)),
      ),
      user(
        ...ids.toReversed().map((of) => ({ ...result(of), content })),
        ...(steers ? ['and then?'] : []),
      ),
    ]);

/** A valid history after one to four accidents. */
const brokenValid = (): fc.Arbitrary<readonly TestMessage[]> =>
  fc
    .tuple(
      validHistory(),
      fc.array(accident(), { minLength: 1, maxLength: 4 }),
      fc.option(fc.tuple(fc.nat(20), anyMessage())),
    )
    .map(([history, accidents, stray]) => {
      const damaged = accidents.reduce((left, strike) => strike(left), history);
      return stray ? damaged.toSpliced(stray[0], 0, stray[1]) : damaged;
    });

type Accident = <M extends MessageLike>(history: readonly M[]) => readonly M[];

/** One thing that happens to a history: messages get lost, doubled or swapped, or lose what they hold. */
export const accident = (): fc.Arbitrary<Accident> =>
  fc.tuple(fc.nat(60), fc.nat(60)).chain(([at, other]) =>
    fc.constantFrom<Accident>(
      (history) => history.slice(0, at),
      (history) => history.slice(at % 7),
      (history) => history.toSpliced(at, 1),
      (history) => swap(history, at, other),
      (history) => history.flatMap((each, index) => (index === at ? [each, each] : [each])),
      (history) => emptied(history, at, other),
    ),
  );

function swap<M>(history: readonly M[], at: number, other: number): readonly M[] {
  const [left, right] = [history[at], history[other]];
  return left && right ? history.with(at, right).with(other, left) : history;
}

function emptied<M extends MessageLike>(history: readonly M[], at: number, block: number) {
  return history.map((message, index) => {
    if (index !== at || typeof message.content === 'string') return message;
    return { ...message, content: message.content.toSpliced(block % 3, 1) };
  });
}
