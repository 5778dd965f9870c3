import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { findCompactors } from '../src/fidelity/built-in-compactors.ts';
import { PEER_COMPACTORS, peersAnswered } from '../src/fidelity/peers/peer-compactors.ts';
import { readKept } from '../src/fidelity/peers/summariser.ts';
import { summariesIn } from '../src/fidelity/summaries-in.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step } from './sessions.ts';

const SESSION: readonly Step[] = Array.from({ length: 20 }, (_, at): readonly Step[] => [
  { user: `Step ${at}: change part ${at}.` },
  read(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});\n`.repeat(40)),
  edit(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});`),
  { say: 'Done.' },
]).flat();
const { head, history, sizes } = planOf(SESSION).recording;
const sizeOf = sizes.message;
const total = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0);

describe('peersAnswered (EVALS)', () => {
  test('each peer shows the summary it was given and the newest messages as they were, within the budget', async () => {
    const budgetTokens = Math.floor(total(history) * 0.2);
    const left = await peersAnswered(history, {
      summary: 'Parts are changed.',
      budgetTokens,
      sizeOf,
    });
    expect(left.map(({ name }) => name)).toEqual(['langchain-summary', 'deepagents-summary']);
    for (const { messages, synthesised } of left) {
      expect(synthesised).toEqual(['Parts are changed.']);
      expect(summariesIn(messages).join()).toContain('Parts are changed.');
      expect(total(messages)).toBeLessThanOrEqual(budgetTokens);
      expect(messages.length).toBeGreaterThan(3);
      expect(messages.slice(1)).toEqual(history.slice(1 - messages.length));
    }
  });

  test('what fits is left alone', async () => {
    const all = { summary: 'x', budgetTokens: total(history), sizeOf };
    for (const { messages, synthesised } of await peersAnswered(history, all)) {
      expect(messages).toBe(history);
      expect(synthesised).toEqual([]);
    }
  });
});

describe('readKept', () => {
  const result = (id: string) =>
    ({ type: 'tool_result', tool_use_id: id, content: `result of ${id}` }) as const;
  const words = { type: 'text', text: 'Go on.' } as const;
  const source: Message = { id: 'c', role: 'user', content: [result('one'), words, result('two')] };
  const parts = ['one', 'two', 'words'].map((content) => ({ content }));
  const written = { content: 'A summary.' };
  const [one, two, last] = parts;

  test.each([
    ['all parts: the same message', [one, two, last], [source]],
    ['one result', [two], [{ ...source, content: [result('two')] }]],
    ['only the words', [last], [{ ...source, content: [words] }]],
    ['nothing', [], []],
  ])('%s', (_, left, expected) => {
    const there = [written, ...left.filter((part) => part !== undefined)];
    expect(readKept([{ source, parts }], there)).toEqual({ text: 'A summary.', kept: expected });
  });
});

test.each(PEER_COMPACTORS)(
  '%s compacts again what it compacted, and gives the same again',
  async (name) => {
    const compactors = await findCompactors([name, name]);
    const runs = compactors.map((compactor) => compactor.create({ head, sizeOf }));
    const half = history.length / 2;
    const results = await Promise.all(
      runs.map(async (run) => {
        for (const message of history.slice(0, half)) run.add(message);
        await run.compact(Math.floor(total(history) * 0.1));
        for (const message of history.slice(half)) run.add(message);
        return run.compact(Math.floor(total(history) * 0.1));
      }),
    );
    expect(results[0]).toEqual(results[1]);
    expect(total(results[0]?.messages ?? [])).toBeLessThanOrEqual(total(history) * 0.1);
    expect(results[0]?.synthesised).toEqual([]);
  },
);
