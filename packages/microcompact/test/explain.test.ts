import { describe, expect, test } from 'vitest';
import { createMicrocompact, explainClearing, microcompact } from '../src/index.ts';
import { history, type Round, rounds, textOf, watched } from './build.ts';
import { contextFor, editsOf, receiptOf } from './working-log.ts';

const BASE = { mechanisms: ['count'], thinkingRule: 'free', keepRecent: 1 } as const;
const LONG = textOf(30_000);

const ROUNDS: readonly Round[] = [
  { output: LONG, input: { file_path: 'old.ts' } },
  { output: LONG, input: { file_path: 'AGENTS.md' } },
  { output: LONG, name: 'mcp__web__read' },
  { output: LONG, name: 'Bash', input: { command: 'npm test' }, isError: true },
  { output: LONG, input: { file_path: 'app.ts' } },
  { name: 'Edit', input: { file_path: 'app.ts' }, output: 'ok' },
  { output: LONG, input: { file_path: 'recent.ts' } },
  { output: LONG, input: { file_path: 'newest.ts' } },
];

describe('explainClearing', () => {
  test('says of every result what would happen and why, and changes nothing', () => {
    const messages = history(ROUNDS);
    const rows = explainClearing(messages, { ...BASE, keepRecent: 2 });
    expect(rows.map(({ action, reason }) => `${action} ${reason}`)).toEqual([
      'clear count',
      'keep protected-path',
      'keep protected-tool',
      'keep unacted-error',
      'keep still-edited-file',
      'keep below-minimum',
      'keep recent',
      'keep newest-round',
    ]);
    expect(rows[0]).toMatchObject({
      toolUseId: 'call-0',
      toolName: 'Read',
      path: 'old.ts',
      messageIndex: 2,
    });
    expect(messages).toEqual(history(ROUNDS));
  });

  test('agrees with what is cleared, and calls it cleared afterwards', () => {
    const messages = history(ROUNDS);
    const result = microcompact(messages, BASE);
    const cleared = result.cleared.map(({ toolUseId }) => toolUseId);
    const idsOf = (all: readonly { readonly content: unknown }[], reason: string) =>
      explainClearing(all as typeof messages, BASE)
        .filter((row) => row.reason === reason)
        .map(({ toolUseId }) => toolUseId);
    expect(idsOf(messages, 'count')).toEqual(cleared);
    expect(idsOf(result.messages, 'cleared')).toEqual(cleared);
  });

  test.each([
    { messages: [], rows: 0 },
    { messages: history([]), rows: 0 },
    { messages: history(rounds(1)), rows: 1 },
  ])('has $rows rows', ({ messages, rows }) => {
    expect(explainClearing(messages, BASE)).toHaveLength(rows);
  });

  test('names the trigger that holds back where nothing else does', () => {
    const rows = explainClearing(history(rounds(6)), BASE);
    expect(rows.map(({ reason }) => reason).slice(0, 4)).toEqual(
      Array(4).fill('below-savings-floor'),
    );
  });

  test('a planner explains its log', () => {
    const planner = createMicrocompact({
      ...BASE,
      experimental_cacheEdits: { maxResults: 2, keepRecent: 1 },
    });
    const { view } = watched(planner, history(ROUNDS));
    const rows = planner.explain(contextFor(view));
    expect(rows.filter(({ action }) => action === 'clear').map(({ reason }) => reason)).toEqual(
      Array(2).fill('cache-edits'),
    );
  });
});

describe('the receipt', () => {
  test('names calls, files to forget and sizes, and is JSON', () => {
    const planner = createMicrocompact({ ...BASE, inputTokens: 300 });
    const write = {
      name: 'Write',
      input: { file_path: 'new.ts', content: textOf(2_000) },
      output: 'ok',
    };
    const log = watched(planner, history([write, ...rounds(14, { input: { file_path: 'a.ts' } })]));
    const plan = planner.plan(contextFor(log.view));
    const receipt = receiptOf(plan);
    expect(receipt).toMatchObject({
      clearedInputIds: ['call-0'],
      droppedThinking: 0,
      paths: ['new.ts', 'a.ts'],
      handles: [],
      expectedDropTokens: 0,
    });
    expect(receipt?.clearedToolUseIds).toHaveLength(13);
    expect(JSON.parse(JSON.stringify(receipt))).toEqual(receipt);
    for (const edit of editsOf(plan)) log.edit(edit);
    expect(planner.candidates.totalTokens).toBe(receipt?.tokensAfter);
  });

  test('of nothing is empty', () => {
    const { receipt } = microcompact([]);
    expect(receipt).toEqual({
      clearedToolUseIds: [],
      clearedInputIds: [],
      droppedThinking: 0,
      paths: [],
      handles: [],
      tokensBefore: 0,
      tokensAfter: 0,
      expectedDropTokens: 0,
    });
  });

  test('a plan that clears nothing has none', () => {
    const planner = createMicrocompact(BASE);
    const { view } = watched(planner, history(rounds(2)));
    expect(planner.plan(contextFor(view))).not.toHaveProperty('receipt');
  });
});
