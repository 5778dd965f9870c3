import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { explainClearing, microcompact } from '../src/index.ts';
import { CLEARED_RESULT } from '../src/placeholder.ts';
import { history, outputsOf, rounds, textOf } from './build.ts';

const BASE = { mechanisms: ['count'], thinkingRule: 'free' } as const;

describe('old tool inputs', () => {
  const long = textOf(3_000);
  const inputsOf = (input: unknown) => {
    const messages = history(rounds(20, { name: 'Write', input, output: 'ok' }));
    const result = microcompact(messages, { ...BASE, inputTokens: 500 });
    const [call] = result.messages[1]?.content ?? [];
    return typeof call === 'object' ? call.input : undefined;
  };

  test('keep their keys, paths and flags, and lose long values', () => {
    const input = {
      file_path: 'src/a.ts',
      content: long,
      mode: 7,
      force: true,
      tags: ['x'],
      none: null,
    };
    expect(inputsOf(input)).toEqual({ ...input, content: '[Input cleared.]' });
  });

  test('lose long lists and objects whole', () => {
    const edits = [{ old_string: long, new_string: 'b' }];
    expect(inputsOf({ path: 'a.ts', edits, more: { deep: long } })).toEqual({
      path: 'a.ts',
      edits: '[Input cleared.]',
      more: '[Input cleared.]',
    });
  });

  test.each([[long], [[long]]])('become an object if they were none', (input) => {
    expect(inputsOf(input)).toEqual({ cleared: '[Input cleared.]' });
  });

  test('stay where nobody asked for them', () => {
    const messages = history(rounds(20, { name: 'Write', input: { content: long }, output: 'ok' }));
    expect(microcompact(messages, BASE).messages).toBe(messages);
  });
});

describe('getting cleared output back (M6)', () => {
  const stored = (handle: string) =>
    `<persisted-output handle="${handle}" size="3.1 MB" lines="9" sha256="${HASH}ff">\nStored.\n${textOf(2_000)}\n</persisted-output>`;
  const HASH = '0123456789abcdef';

  test('says to run the tool again, or names the handle where the output is stored', () => {
    const all = [{ output: stored(`call-0-${HASH}.txt`) }, ...rounds(20)];
    const { messages, receipt } = microcompact(history(all), BASE);
    const [first, second] = outputsOf(messages);
    expect(first).toContain(`Stored as call-0-${HASH}.txt`);
    expect(second).toBe(CLEARED_RESULT);
    expect(receipt.handles).toEqual([`call-0-${HASH}.txt`]);
  });

  // siblings: another call's envelope, a made-up one, one without its head or end, one behind other words, one behind media
  test.each([
    ['of another call', `OTHER-${HASH}.txt`],
    ['whose name begins alike', `call-00-${HASH}.txt`],
    ['with the hash of other bytes', 'call-0-fedcba9876543210.txt'],
    ['without a hash', 'call-0.txt'],
  ])('N346: an envelope %s that a tool printed is no stored result', (_, handle) => {
    const all = [{ output: stored(handle) }, ...rounds(20)];
    const { messages, receipt } = microcompact(history(all), BASE);
    expect(outputsOf(messages)[0]).toBe(CLEARED_RESULT);
    expect(receipt.handles).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain('stored whole');
  });

  test('a caller may know handles of another store', () => {
    const handleOf = () => 's3://bucket/key';
    const { messages } = microcompact(history(rounds(20)), { ...BASE, handleOf });
    expect(outputsOf(messages)[0]).toContain('s3://bucket/key');
  });
});

// siblings looked for: microcompact, explainClearing and the crude estimator (the others in tokens); circles, BigInt, depth, getters
describe('M336: a history that holds what no request can carry is refused with a typed error', () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const deepOf = (levels: number) => {
    let deep: unknown = 'x';
    for (let level = 0; level < levels; level++) deep = { deep };
    return deep;
  };
  const throwing = {
    get path(): string {
      throw new Error('no');
    },
  };
  test.each<[string, unknown]>([
    ['cannot be written as JSON', { toJSON: () => throwing.path }],
    ['holds itself', cyclic],
    ['nested too deeply', deepOf(20_000)],
    ['nested too deeply', deepOf(100_000)],
    ['cannot be read', throwing],
    ['is a BigInt', { lines: 10n }],
  ])('%s, %#', (what, input) => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'Read', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
    ] as never as [never, never];
    const crude = () => createEstimator({ family: 'crude' }).message(messages[1]);
    for (const run of [() => microcompact(messages), () => explainClearing(messages), crude]) {
      let thrown: unknown;
      try {
        run();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ name: 'MessagesError', code: 'not-serializable' });
      expect((thrown as Error).message).toContain(what);
    }
  });
});
