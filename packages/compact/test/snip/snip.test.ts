import { checkHistory, type Message, project, type ThinkingRule, type View } from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { messageHistory, validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSnip } from '../../src/index.ts';
import { planSnip } from '../../src/snip/snip.ts';
import {
  ESTIMATOR,
  profilesFor,
  RULES,
  replied,
  round,
  said,
  tokensOf,
  turns,
} from '../full/histories.ts';
import { contextFor, editEntry, feed, HEAD, watchedLog } from '../plan/working-log.ts';

const sizeOf = ESTIMATOR.message;
const toMessages = (history: ReturnType<typeof turns>): readonly Message[] =>
  history.map(({ role, content }, index) => ({
    id: `m${index}`,
    role,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }));

const options = (budgetTokens: number) => ({ budgetTokens, sizeOf, thinking: 'free' }) as const;

describe('planSnip (C11)', () => {
  const messages = toMessages(turns(4));
  const total = tokensOf(messages);
  test.each([
    { name: 'nothing', history: [], budget: 0, reason: 'below-budget' },
    { name: 'what fits', history: messages, budget: total, reason: 'below-budget' },
    {
      name: 'one answered question',
      history: toMessages([said('Hi.'), replied()]),
      budget: 1,
      reason: 'protected-tail',
    },
    {
      name: 'one open round',
      history: toMessages([said('Hi.'), ...round('a')]),
      budget: 1,
      reason: 'protected-tail',
    },
  ])('leaves $name: $reason', ({ history, budget, reason }) => {
    expect(planSnip(history, options(budget))).toEqual({ kind: 'none', reason });
  });

  test('drops as many oldest rounds as are needed, and says exactly what that frees', () => {
    const plan = planSnip(messages, options(total - 1));
    if (plan.kind === 'none') throw new Error(plan.reason);
    expect(plan).toMatchObject({ start: 0, end: 3, removedIds: ['m0', 'm1', 'm2'] });
    const after = [plan.marker, ...messages.slice(plan.end)];
    expect(plan.freedTokens).toBe(total - tokensOf(after));
    expect(plan.marker.origin?.removedIds).toEqual(plan.removedIds);
  });

  test('keeps the last assistant message and what follows it, however small the budget', () => {
    const plan = planSnip([...messages, ...toMessages([said('And?')])], options(0));
    expect(plan.kind === 'snip' && plan.end).toBe(messages.length - 1);
  });

  test('keeps an earlier summary at the start', () => {
    const summary: Message = {
      id: 's',
      role: 'user',
      content: [{ type: 'text', text: 'All.' }],
      origin: { kind: 'summary' },
    };
    expect(planSnip([summary, ...messages], options(0))).toMatchObject({ kind: 'snip', start: 1 });
  });

  test('leaves a valid history in the same order, smaller, on every model', () => {
    let snipped = 0;
    fc.assert(
      fc.property(
        messageHistory(),
        fc.constantFrom(...RULES),
        fc.nat(100),
        (history, thinking, percent) => {
          const budgetTokens = Math.floor((tokensOf(history) * percent) / 100);
          const plan = planSnip(history, { budgetTokens, sizeOf, thinking });
          if (plan.kind === 'none') return;
          snipped++;
          const after = [...history.slice(0, plan.start), plan.marker, ...history.slice(plan.end)];
          expect(tokensOf(after)).toBe(tokensOf(history) - plan.freedTokens);
          for (const profile of profilesFor(thinking)) {
            if (checkHistory(history, profile).length === 0)
              expect(checkHistory(after, profile)).toEqual([]);
          }
        },
      ),
    );
    expect(snipped).toBeGreaterThan(0);
  });
});

function violations(view: View, thinking: ThinkingRule) {
  const fingerprintAt = (count: number) => prefixFingerprint(view, count);
  return profilesFor(thinking).flatMap((profile) =>
    checkHistory(view.messages, profile, { fingerprintAt }),
  );
}

describe('createSnip (C11)', () => {
  test('makes edits that any log takes, and that an undo takes back', () => {
    let snipped = 0;
    fc.assert(
      fc.property(validLog(), fc.constantFrom(...RULES), (entries, thinking) => {
        const planner = createSnip({ budgetTokens: 100 });
        const log = watchedLog(planner);
        feed(log, [HEAD, ...entries]);
        const before = log.view;
        const plan = planner.plan(contextFor(before, { thinking }));
        if (plan.kind !== 'edit') return;
        snipped++;
        const entry = editEntry(plan.edits[0] as never, 'snip');
        log.append(entry);
        const freed = tokensOf(before.messages) - tokensOf(log.view.messages);
        expect(plan.receipt?.freedTokens).toBe(freed);
        if (violations(before, thinking).length === 0)
          expect(violations(log.view, thinking)).toEqual([]);
        log.append(editEntry({ kind: 'undo', entryId: entry.id }, 'undo'));
        expect(log.view.messages).toEqual(before.messages);
        expect(project(log.entries).messages).toEqual(before.messages);
        expect(planner.plan(contextFor(log.view, { thinking })).kind).toBe('edit');
        log.append({
          ...entry,
          id: 'again',
          edit: (planner.plan(contextFor(log.view, { thinking })) as never as typeof plan)
            .edits[0] as never,
        });
      }),
    );
    expect(snipped).toBeGreaterThan(0);
  });

  test('starts 20,000 tokens below the threshold of compaction unless told otherwise', () => {
    const planner = createSnip({ minSavings: 0 });
    const log = watchedLog(planner);
    log.append(HEAD);
    for (const { role, content } of toMessages(turns(4))) log.say({ role, content });
    const context = contextFor(log.view, { windowTokens: 100_000, overheadTokens: 0 });
    const at = (contextTokens: number) => planner.plan({ ...context, contextTokens }).kind;
    expect([at(70_000), at(70_001)]).toEqual(['none', 'edit']);
    expect(() => createSnip({ budgetTokens: 0 })).toThrow(RangeError);
  });
});
