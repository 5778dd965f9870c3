import { describe, expect, test } from 'vitest';
import { appliedEdits, contextManagement } from '../src/context-management.ts';
import { createMicrocompact } from '../src/index.ts';
import { history, rounds, watched } from './build.ts';
import { contextFor, editsOf } from './working-log.ts';

describe('contextManagement (M3)', () => {
  test('clears at 180,000 tokens, 140,000 at least', () => {
    expect(contextManagement()).toEqual({
      context_management: {
        edits: [
          {
            type: 'clear_tool_uses_20250919',
            trigger: { type: 'input_tokens', value: 180_000 },
            clear_at_least: { type: 'input_tokens', value: 140_000 },
          },
        ],
      },
    });
  });

  test('lists thinking first', () => {
    const options = {
      keepThinking: 1,
      keepToolUses: 5,
      excludeTools: ['memory'],
      clearToolInputs: ['Write'],
    };
    expect(contextManagement({ ...options, clearAtLeastTokens: 0 })).toEqual({
      context_management: {
        edits: [
          { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } },
          {
            type: 'clear_tool_uses_20250919',
            trigger: { type: 'input_tokens', value: 180_000 },
            keep: { type: 'tool_uses', value: 5 },
            exclude_tools: ['memory'],
            clear_tool_inputs: ['Write'],
          },
        ],
      },
    });
  });

  test.each([
    { keepThinking: 'all', keep: 'all' },
    { keepThinking: 3, keep: { type: 'thinking_turns', value: 3 } },
    { keepThinking: 0, keep: { type: 'thinking_turns', value: 1 } },
  ] as const)('keeps $keepThinking turns of thinking', ({ keepThinking, keep }) => {
    const { context_management: management } = contextManagement({ keepThinking });
    expect(management).toMatchObject({ edits: [{ keep }, {}] });
  });
});

describe('appliedEdits (M3)', () => {
  test('reads what the provider cleared', () => {
    const applied_edits = [
      { type: 'clear_thinking_20251015', cleared_thinking_turns: 2, cleared_input_tokens: 900 },
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 },
      { type: 'clear_everything_20990101' },
    ];
    expect(appliedEdits({ context_management: { applied_edits } })).toEqual([
      { kind: 'thinking-turns', cleared: 2, clearedTokens: 900 },
      { kind: 'tool-uses', cleared: 8, clearedTokens: 50_000 },
      { kind: 'other', type: 'clear_everything_20990101' },
    ]);
  });

  test.each([
    [undefined],
    [null],
    ['text'],
    [{}],
    [{ context_management: null }],
    [{ context_management: { applied_edits: 'none' } }],
    [{ context_management: { applied_edits: [null, 7, {}] } }],
  ])('reads nothing out of %j', (response) => {
    expect(appliedEdits(response)).toEqual([]);
  });

  test.each([[undefined], [-1], [Number.NaN], ['8']])('takes a count of %s for none', (count) => {
    const edit = { type: 'clear_tool_uses_20250919', cleared_tool_uses: count };
    expect(appliedEdits({ context_management: { applied_edits: [edit] } })).toEqual([
      { kind: 'tool-uses', cleared: 0, clearedTokens: 0 },
    ]);
  });
});

describe('createMicrocompact with a clearing provider (M3)', () => {
  test('asks for it once, and clears nothing itself', () => {
    const planner = createMicrocompact({ preset: 'classic', server: {} });
    const log = watched(planner, history(rounds(40)));
    const plan = planner.plan(contextFor(log.view, { thinking: 'prefix-bound' }));
    expect(editsOf(plan)).toEqual([{ kind: 'server', params: contextManagement() }]);
    for (const edit of editsOf(plan)) log.edit(edit);
    expect(planner.plan(contextFor(log.view))).toEqual({ kind: 'none', reason: 'server-side' });
  });

  test('asks again when the settings change, and after the edit was undone', () => {
    const planner = createMicrocompact({ server: { triggerTokens: 50_000 } });
    const log = watched(planner, history(rounds(2)));
    log.edit({ kind: 'server', params: contextManagement() });
    const [entry] = log.entries.slice(-1);
    expect(planner.plan(contextFor(log.view)).kind).toBe('edit');
    log.edit({ kind: 'undo', entryId: entry?.id ?? '' });
    expect(planner.plan(contextFor(log.view)).kind).toBe('edit');
  });

  test('what others asked the provider for stays, behind its own', () => {
    const planner = createMicrocompact({ server: { keepThinking: 2 } });
    const log = watched(planner, history(rounds(2)));
    const theirs = { type: 'compact_20260112' };
    const old = { type: 'clear_thinking_20251015', keep: 'all' };
    log.edit({ kind: 'server', params: { context_management: { edits: [theirs, old], x: 1 } } });
    const plan = planner.plan(contextFor(log.view));
    const { edits } = contextManagement({ keepThinking: 2 }).context_management as never;
    expect(editsOf(plan)).toEqual([
      { kind: 'server', params: { context_management: { edits: [...edits, theirs], x: 1 } } },
    ]);
    for (const edit of editsOf(plan)) log.edit(edit);
    expect(planner.plan(contextFor(log.view))).toEqual({ kind: 'none', reason: 'server-side' });
  });
});
