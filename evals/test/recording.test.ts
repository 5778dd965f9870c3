import type { Entry, Message, Usage } from '@varve/messages';
import { anthropicProfile, checkHistory } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';
import { describe, expect, test } from 'vitest';
import { headSize } from '../src/session/head-size.ts';
import { createRecording } from '../src/session/recording.ts';
import { ASSUMED_GAP_MS, requestTimes } from '../src/session/request-times.ts';
import { createSizes } from '../src/session/sizes.ts';
import { read, threadOf } from './sessions.ts';

const estimator = createEstimator({ family: 'claude-new' });
const profile = anthropicProfile({ thinking: 'latest-turn' });
const recordingOf = (thread: ImportedThread) =>
  createRecording(thread, { profile, modelId: 'claude-opus-4-8', estimator });

const STEPS = [{ user: 'Go.' }, read('src/a.ts', 'a'), { say: 'Done.' }];

const withEntries = (change: (entries: readonly Entry[]) => readonly Entry[]): ImportedThread => {
  const thread = threadOf(STEPS);
  return { ...thread, entries: change(thread.entries) };
};

const entryOf = (message: Message): Entry => ({
  id: `entry-${message.id}`,
  at: '2026-06-01T09:00:00.000Z',
  type: 'message',
  message,
});

const text = (id: string, role: 'user' | 'assistant', words: string, rest = {}): Message => ({
  id,
  role,
  content: [{ type: 'text', text: words }],
  ...rest,
});

describe('createRecording', () => {
  test('is the messages in order, frozen, with a request for each reply', () => {
    const { history, replies } = recordingOf(threadOf(STEPS));
    expect(history.map(({ id }) => id)).toEqual(['m0', 'm1', 'm1r', 'm2']);
    expect(replies).toEqual([1, 3]);
    expect(history.every((message) => Object.isFrozen(message.content[0]))).toBe(true);
  });

  test('leaves out recorded compactions and prunings, and their summaries', () => {
    const compaction: Entry = {
      id: 'edit',
      at: '2026-06-01T09:00:30.000Z',
      type: 'edit',
      by: 'import',
      reason: 'recorded-compaction',
      edit: {
        kind: 'replace-span',
        fromId: 'm0',
        toId: 'm1r',
        with: [text('summary', 'user', 'So far…', { origin: { kind: 'summary' } })],
        then: [],
      },
    };
    const summary = entryOf(text('again', 'user', 'So far…', { origin: { kind: 'summary' } }));
    const thread = withEntries((entries) => [
      ...entries.slice(0, 3),
      compaction,
      summary,
      ...entries.slice(3),
    ]);
    const recording = recordingOf(thread);
    expect(recording.history.map(({ id }) => id)).toEqual(['m0', 'm1', 'm1r', 'm2']);
    expect(recording.removedEdits).toBe(1);
  });

  test('keeps a summary that the file begins with', () => {
    const summary = text('first', 'user', 'So far…', { origin: { kind: 'summary' } });
    const thread = withEntries((entries) => [entryOf(summary), ...entries]);
    expect(recordingOf(thread).history[0]?.id).toBe('first');
  });

  test('mends what a provider would refuse, and says what', () => {
    const steps = STEPS.map((step) => ('call' in step ? { ...step, thinking: 'Hm.' } : step));
    const thread = threadOf(steps, { signature: '' });
    const { history, repairs } = recordingOf(thread);
    expect(checkHistory(history, profile)).toEqual([]);
    expect(repairs).toEqual({ 'dropped-thinking': 1 });
  });

  test('puts results of one turn into one message', () => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
    const result = (id: string) =>
      entryOf({
        id: `result-${id}`,
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: id }],
      });
    const both = entryOf({ id: 'both', role: 'assistant', content: [call('a'), call('b')] });
    const thread = withEntries((entries) => [
      entries[0] as Entry,
      both,
      result('a'),
      result('b'),
      ...entries.slice(3),
    ]);
    const { history, replies } = recordingOf(thread);
    expect(history.map(({ content }) => content.length)).toEqual([1, 2, 2, 1]);
    expect(replies).toEqual([1, 3]);
  });

  test('ends with a call that nothing answered', () => {
    const thread = withEntries((entries) => entries.slice(0, 2));
    expect(recordingOf(thread).replies).toEqual([1]);
  });

  test('sends no request for a second part of a reply, nor for text that no model wrote', () => {
    const more = entryOf(text('more', 'assistant', 'And more.'));
    const synthetic = text('error', 'assistant', 'It failed.', { origin: { kind: 'synthetic' } });
    const thread = withEntries((entries) => [
      ...entries,
      more,
      entryOf(text('asked', 'user', 'Again.')),
      entryOf(synthetic),
    ]);
    expect(recordingOf(thread).replies).toEqual([1, 3]);
  });

  test('puts a stand-in where the file holds no system prompt', () => {
    const { head } = recordingOf(threadOf(STEPS));
    expect(head.system).toHaveLength(1);
    expect(head.model).toBe('claude-opus-4-8');
  });
});

describe('headSize', () => {
  const usage = (prompt: number): Usage => ({
    input_tokens: 10,
    cache_read_input_tokens: prompt - 10,
    output_tokens: 1,
  });
  const sizeFor = (prompt: number | undefined, systemTokens = 0, startsMidSession = false) => {
    const message = text('m', 'user', 'x');
    const response = { id: 'r', model: 'm', stopReason: 'end_turn' as const };
    const reply = text('r', 'assistant', 'y', {
      response: prompt === undefined ? response : { ...response, usage: usage(prompt) },
    });
    const head = { id: 'h', model: 'm', system: [], tools: [], params: {} };
    const counts = { message: () => 100, head: () => systemTokens };
    const history = [message, reply];
    return headSize({ thread: { startsMidSession }, history, head, estimator: counts });
  };

  test.each([
    ['the first billed prompt minus its messages', sizeFor(20_100), 20_000, 'first-prompt'],
    ['at least 5,000', sizeFor(200), 5_000, 'first-prompt'],
    ['at most 45,000', sizeFor(90_000), 45_000, 'first-prompt'],
    ['the recorded text without usage', sizeFor(undefined, 9_000), 9_000, 'recorded-text'],
    ['an assumption without either', sizeFor(undefined), 15_000, 'assumed'],
    [
      'an assumption where the file begins in the middle',
      sizeFor(90_000, 0, true),
      15_000,
      'assumed',
    ],
  ])('is %s', (_, size, tokens, source) => {
    expect(size).toEqual({ tokens, source });
  });
});

describe('createSizes', () => {
  const block = (words: string) => ({ type: 'text', text: words }) as const;
  const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
  const head = { id: 'h', model: 'm', system: [block('a b c'), block('d')], tools, params: {} };
  const sizes = createSizes(estimator, { head, tokens: 12_000 });

  test('gives the recorded head the size it is known to have', () => {
    expect(sizes.of(head)).toBe(12_000);
  });

  test('gives a part of it its share, and what was added its own size', () => {
    const withoutTools = sizes.head({ ...head, tools: [] });
    expect(withoutTools).toBeGreaterThan(0);
    expect(withoutTools).toBeLessThan(12_000);
    const added = block('The time is nine.');
    const longer = sizes.head({ ...head, system: [added, ...head.system] });
    expect(longer).toBe(12_000 + estimator.block(added));
  });

  test.each([
    ['has tools', tools],
    ['is recorded without its tools', []],
  ])(
    'a tool that is added to a head that %s takes its definition, and not what the presence of tools takes',
    (_, own) => {
      const recorded = { ...head, tools: own };
      const added = { name: 'read_stored', input_schema: { type: 'object' } };
      const more =
        createSizes(estimator, { head: recorded, tokens: 12_000 }).head({
          ...recorded,
          tools: [...own, added],
        }) - 12_000;
      const [one, two] = [[added], [added, added]].map((each) =>
        estimator.head({ system: [], tools: each }),
      ) as [number, number];
      expect(Math.abs(more - (two - one))).toBeLessThanOrEqual(1);
      expect(more).toBeLessThan(one);
    },
  );

  test('gives its blocks and tools, each for itself, shares that add up to it', () => {
    const system = head.system.reduce((sum, each) => sum + sizes.block(each), 0);
    const own = sizes.head({ ...head, system: [], tools: head.tools.map((tool) => tool) });
    expect(Math.abs(system + own - 12_000)).toBeLessThanOrEqual(2);
  });
});

describe('requestTimes', () => {
  const timesOf = (stamps: readonly (string | undefined)[], known = new Map<string, number>()) => {
    const history = stamps.flatMap((createdAt, at) => [
      text(`u${at}`, 'user', 'x', createdAt === undefined ? {} : { createdAt }),
      text(`a${at}`, 'assistant', 'y'),
    ]);
    const replies = stamps.map((_, at) => at * 2 + 1);
    return requestTimes({ history, replies, knownStarts: known });
  };
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const assumed = (count: number) => ({
    startMs: Array.from({ length: count }, (_, each) => each * ASSUMED_GAP_MS),
    source: 'assumed',
  });

  test('are when the last input arrived', () => {
    expect(timesOf([at(5), at(9)])).toEqual({ startMs: [5_000, 9_000], source: 'recorded' });
  });

  test('are those of a retry where one is known', () => {
    expect(timesOf([at(5), at(9)], new Map([['a1', 60_000]])).startMs).toEqual([5_000, 60_000]);
  });

  test('never run backwards', () => {
    expect(timesOf([at(5), at(3), at(9)]).startMs).toEqual([5_000, 5_000, 9_000]);
  });

  test.each([
    ['no stamps', [undefined, undefined]],
    ['a clock that runs backwards three times', [9, 8, 7, 6].map(at)],
    ['stamps that repeat', [1, 1, 1, 1, 2].map(at)],
  ])('are assumed for %s', (_, stamps) => {
    expect(timesOf(stamps)).toEqual(assumed(stamps.length));
  });

  test('are none without replies', () => {
    expect(timesOf([])).toEqual({ startMs: [], source: 'recorded' });
  });
});
