import { createProjection, type Edit, type Entry, type View } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidatesOf, createCandidateFold } from '../src/candidates.ts';
import { createMicrocompact } from '../src/index.ts';
import type { Microcompact } from '../src/planner.ts';
import { history, rounds, textOf, watched } from './build.ts';
import { contextFor, plainLog, runSession, workingLog } from './working-log.ts';

type Candidates = Microcompact['candidates'];

const EAGER = { preset: 'classic', minSavingsTokens: 300, count: { candidateTokens: 50 } } as const;
const ALL = { inputTokens: 40, thinking: true } as const;

describe('createCandidateFold (M5, M8)', () => {
  test('followed edit by edit, it is what a look at the whole view gives, to the token', () => {
    fc.assert(
      fc.property(workingLog(), (log) => {
        const planner = createMicrocompact({ ...EAGER, ...ALL });
        const { entries, views } = runSession(log, planner);
        const again = createCandidateFold(ALL);
        for (const [index, entry] of entries.entries()) again.observe(entry, views[index] as View);
        const last = views.at(-1);
        if (last) again.observe(LOOK_AGAIN, last);
        expect(pictureOf(planner.candidates)).toEqual(pictureOf(again));
        expectAccounted(planner.candidates);
      }),
    );
  });

  test('read at the end, it is what it is read after every entry, and so is every plan', () => {
    fc.assert(
      fc.property(workingLog(), (log) => {
        const [late, early] = [createMicrocompact(EAGER), createMicrocompact(EAGER)];
        const observe: Microcompact['observe'] = (entry, view) => {
          early.observe(entry, view);
          expect(early.candidates.largeTokensAtMost).toBeGreaterThanOrEqual(
            early.candidates.largeTokens,
          );
        };
        const lateRun = runSession(log, late);
        const earlyRun = runSession(log, { ...early, observe });
        expect(lateRun.entries).toEqual(earlyRun.entries);
        expect(pictureOf(late.candidates)).toEqual(pictureOf(early.candidates));
      }),
    );
  });

  test('reads no call while nothing can be worth clearing, and each once when something can', () => {
    const calls: string[] = [];
    const planner = createMicrocompact({
      preset: 'classic',
      isProtected: ({ key = '' }) => calls.push(key) === 0,
    });
    expect(observeRounds(planner, 30)).toEqual(['below-savings-floor']);
    expect(calls).toEqual([]);
    expect(planner.candidates.list).toHaveLength(30);
    expect(calls).toHaveLength(30);
  });

  test('a reader that throws once leaves nothing behind', () => {
    let isBroken = true;
    const planner = createMicrocompact({
      preset: 'classic',
      isProtected() {
        if (isBroken) throw new Error('broken');
        return false;
      },
    });
    const whole = createMicrocompact({ preset: 'classic', isProtected: () => false });
    observeRounds(planner, 3);
    observeRounds(whole, 3);
    expect(() => planner.candidates.list).toThrow('broken');
    isBroken = false;
    expect(pictureOf(planner.candidates)).toEqual(pictureOf(whole.candidates));
  });

  test('sees an edit of a message that stands in place of one with the same bytes', () => {
    const at = '2026-02-02T00:00:00.000Z';
    const said = (id: string) =>
      ({ id, role: 'user', content: [{ type: 'text', text: 'Go.' }] }) as const;
    const edits: readonly Edit[] = [
      { kind: 'replace-span', fromId: 'm0', toId: 'm0', with: [said('m1')], then: [] },
      {
        kind: 'replace-content',
        blocks: [{ messageId: 'm1', index: 0, block: { type: 'text', text: 'Go on, then stop.' } }],
      },
    ];
    const projection = createProjection();
    const fold = createCandidateFold();
    const first: Entry = { id: 'e0', at, type: 'message', message: said('m0') };
    fold.observe(first, projection.append(first));
    const before = fold.totalTokens;
    for (const [index, edit] of edits.entries()) {
      const entry: Entry = {
        id: `e${index + 1}`,
        at,
        type: 'edit',
        by: 'test',
        reason: 'test',
        edit,
      };
      fold.observe(entry, projection.append(entry));
    }
    expect(fold.totalTokens).toBeGreaterThan(before);
  });

  test('a plain history has the candidates of its log', () => {
    fc.assert(
      fc.property(plainLog(), (log) => {
        const fold = createCandidateFold(ALL);
        const { views } = runSession(log, { ...createMicrocompact(), observe: fold.observe });
        const messages = views.at(-1)?.messages ?? [];
        const plain = candidatesOf(
          messages.map((message, index) => ({ ...message, id: String(index) })),
          { ...ALL, model: 'model-a' },
        );
        const places = ({ list }: Candidates) =>
          list.map(({ block, ordinal, tokens, addedAt }) => ({ block, ordinal, tokens, addedAt }));
        expect(places(plain)).toEqual(places(fold));
      }),
    );
  });
});

/** Shows a planner rounds of a read and its output, with a plan after each, and says which reasons there were. */
function observeRounds(planner: Microcompact, count: number): readonly string[] {
  const [asked, ...rest] = history(rounds(count, { output: textOf(500) }));
  const log = watched(planner, asked ? [asked] : []);
  const reasons = new Set<string>();
  for (const message of rest) {
    log.say(message);
    if (!log.view.open) reasons.add(planner.plan(contextFor(log.view)).reason);
  }
  return [...reasons];
}

function expectAccounted({ list, tailTokens, totalTokens }: Candidates): void {
  const sum = list.reduce((all, { tokens, gapTokens }) => all + tokens + gapTokens, tailTokens);
  expect(sum).toBe(totalTokens);
}

const LOOK_AGAIN: Entry = {
  id: 'look',
  at: '2026-02-02T00:00:00.000Z',
  type: 'edit',
  by: 'test',
  reason: 'test',
  edit: { kind: 'undo', entryId: 'none' },
};

/** All that can be read, with orders as ranks: blocks that went leave holes in them. */
function pictureOf(candidates: Candidates) {
  const { list, thinking, requests, round, results, tailTokens, totalTokens } = candidates;
  const rank = new Map(list.map(({ order }, index) => [order, index]));
  const describeOne = (candidate: Microcompact['candidates']['list'][number]) => ({
    ...candidate,
    order: rank.get(candidate.order),
    turn: 0,
    protection: candidates.protectionOf(candidate, 2),
    lastUseAt: candidates.lastUseAt(candidate),
    superseded: candidates.isSuperseded(candidate),
  });
  return {
    list: list.map(describeOne),
    thinking: thinking.map(({ messageId, index, tokens, alone }) => ({
      messageId,
      index,
      tokens,
      alone,
    })),
    requests,
    round,
    results,
    tailTokens,
    totalTokens,
    largeTokens: 0,
    lastAssistantAtMs: candidates.lastAssistantAtMs,
  };
}
