import { createProjection, type Entry, type Message } from '@varve/messages';
import { expect, test } from 'vitest';
import { createMicrocompact } from '../src/index.ts';

const call = (at: number): readonly Message[] => [
  {
    id: `a${at}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id: `t${at}`, name: 'Read', input: { file_path: `${at}.ts` } }],
  },
  {
    id: `r${at}`,
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: `t${at}`, content: 'line of text\n'.repeat(200) },
    ],
  },
];

test('a decision of one’s own is cleared by the same edits', () => {
  const planner = createMicrocompact({
    decide: ({ list }) => ({ clear: list.slice(0, 1), reason: 'own' }),
  });
  const projection = createProjection();
  const messages: readonly Message[] = [
    { id: 'u', role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    ...[1, 2].flatMap(call),
  ];
  for (const [at, message] of messages.entries()) {
    const entry: Entry = { id: `e${at}`, at: '2026-01-01T00:00:00.000Z', type: 'message', message };
    planner.observe(entry, projection.append(entry));
  }
  const plan = planner.plan({
    ...{ nowMs: 0, atUserTurn: false, contextTokens: 10_000, thinking: 'free', sizeOf: () => 1 },
    limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
    cache: { warm: true, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
  });
  expect(plan).toMatchObject({ kind: 'edit', reason: 'own' });
  const [edit] = plan.kind === 'edit' ? plan.edits : [];
  expect(edit).toMatchObject({ kind: 'replace-content', blocks: [{ messageId: 'r1', index: 0 }] });
  expect(() => createMicrocompact({ decide: 'rent' as never })).toThrow(TypeError);
});
