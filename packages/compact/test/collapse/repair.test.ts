import { describe, expect, test } from 'vitest';
import type { SummaryReply } from '../../src/index.ts';
import { act, contextOf, message, type Started, says, start, text } from './support.ts';

/** An edit, and a test run that fails, in a stretch that is large enough to be folded. */
async function folded(reply: SummaryReply): Promise<Started> {
  const log = start({ summarize: async () => reply, spanTokens: 1_000, maxSummaryTokens: 400 });
  const system = [{ type: 'text', text: 'Read docs/rules.md.' }] as const;
  log.add({ type: 'head', head: { id: 'head', model: 'm', system, tools: [], params: {} } });
  log.add(message('u', 'user', text('do it')));
  call(log, 'c1', 'Edit', { file_path: 'src/lexer.ts', old_string: 'a', new_string: 'b' }, 'done');
  call(log, 'c2', 'Bash', { command: 'npm run check' }, 'Error: E4711 in src/lexer.ts:9', true);
  for (let n = 0; n < 40; n++) call(log, `r${n}`, 'Read', { file_path: `lib/${n}.ts` }, 'x');
  log.add(message('last', 'assistant', text('done')));
  for (const tokens of [90, 95]) await act(log, log.collapse.plan(contextOf(tokens)));
  return log;
}

function call({ add }: Started, id: string, name: string, input: object, out: string, bad = false) {
  add(message(`${id}-a`, 'assistant', { type: 'tool_use', id, name, input: input as never }));
  const result = { type: 'tool_result', tool_use_id: id, content: out, is_error: bad } as const;
  add(message(`${id}-r`, 'user', result));
}

const summaryOf = (log: Started): string => {
  const [found] = log.view().messages.filter(({ origin }) => origin?.by === 'collapse');
  return String(found?.content[0]?.text);
};

describe('summaries of folded stretches (C12, C17)', () => {
  test('what one lacks is appended from the facts of its stretch', async () => {
    const summary = summaryOf(await folded(says('Work on the lexer went on.')));
    expect(summary).toContain('Work on the lexer went on.');
    for (const fact of ['src/lexer.ts', 'npm run check', 'E4711']) expect(summary).toContain(fact);
  });

  test('what nobody wrote is marked; what stands in the stretch or the system prompt is not', async () => {
    const names = 'Read lib/3.ts and docs/rules.md, then src/made-up.ts.';
    const summary = summaryOf(await folded(says(names)));
    expect(summary).toContain('Read lib/3.ts and docs/rules.md, then src/made-up.ts (not in');
  });

  test('words put in the mouth of the user are taken out', async () => {
    const summary = summaryOf(
      await folded(says('The user said: "paint the moon green today please".')),
    );
    expect(summary).not.toContain('moon green');
  });

  test('the receipt says what was found, and the sizes before and after', async () => {
    const log = await folded(says('Wrote src/made-up.ts beside the lexer.'));
    const [edit] = log.entries.filter(({ type }) => type === 'edit');
    if (edit?.type !== 'edit') throw new Error('nothing was folded');
    const [span] = (edit.receipt?.spans ?? []) as { summaryTokens: number; tokens: number }[];
    expect(span).toMatchObject({ repaired: { 'invented-name': 1, 'missing-facts': 1 } });
    expect(span?.summaryTokens).toBeGreaterThan(3);
    expect(span?.summaryTokens).toBeLessThan((span?.tokens ?? 0) * 0.7);
  });
});
