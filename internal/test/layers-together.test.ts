import {
  anthropicProfile,
  checkHistory,
  type Entry,
  MessagesError,
  openaiChatProfile,
  openaiResponsesProfile,
  parseEntry,
  project,
  serializeEntry,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { prefixFingerprint } from '@varve/messages/stamps';
import { validLog } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTIONS, type Action, createThread, type LayeredThread } from './layers.ts';

const HEAD: Entry = {
  id: 'head',
  at: '2026-02-01T00:00:00.000Z',
  type: 'head',
  head: { id: 'h', model: 'claude-opus-5-5', system: [], tools: [{ name: 'read' }], params: {} },
};

interface Step {
  readonly action: Action;
  readonly draw: number;
  /** Entries that come before it. */
  readonly after: number;
}

const step = (): fc.Arbitrary<Step> =>
  fc.record({ action: fc.constantFrom(...ACTIONS), draw: fc.nat(1_000), after: fc.nat(12) });

const drawn = () =>
  fc.record({
    entries: validLog(),
    steps: fc.array(step(), { minLength: 4, maxLength: 12 }),
    thinking: fc.constantFrom<ThinkingRule>('free', 'latest-turn', 'prefix-bound'),
  });

function violations(view: View, thinking: ThinkingRule) {
  const fingerprintAt = (count: number) => prefixFingerprint(view, count);
  const profiles = [anthropicProfile({ thinking }), openaiChatProfile(), openaiResponsesProfile()];
  return profiles.flatMap((profile) => checkHistory(view.messages, profile, { fingerprintAt }));
}

/** A log as it grows, with what layers do in between. */
async function played(
  { entries, steps }: { readonly entries: readonly Entry[]; readonly steps: readonly Step[] },
  thread: LayeredThread,
  onActed: (step: Step, before: View, edited: boolean) => void,
): Promise<void> {
  thread.feed(HEAD);
  let fed = 0;
  for (const each of steps) {
    for (const entry of entries.slice(fed, fed + each.after)) thread.feed(entry);
    fed += each.after;
    const before = thread.view;
    const edited = await thread.act(each.action, each.draw);
    onActed(each, before, edited);
  }
}

/** What both views show, in the order of the first. */
function common(one: View, other: View): readonly string[] {
  const shown = new Set(other.messages.flatMap(({ sources }) => sources));
  return one.messages.flatMap(({ sources }) => sources.filter((id) => shown.has(id)));
}

/** Undefined where an entry is legal only after what a layer did. */
function withoutLayers(entries: readonly Entry[]): View | undefined {
  try {
    return project(entries.filter(({ id }) => !id.startsWith('layer-')));
  } catch (error) {
    if (MessagesError.is(error)) return undefined;
    throw error;
  }
}

describe('all layers that edit, in any order, with undos between them', () => {
  test('leave a valid history for each provider, in order, that any reader of the log has; all taken back, it is as it was', async () => {
    const counts = new Map<Action, number>();
    await fc.assert(
      fc.asyncProperty(drawn(), async (draw) => {
        const thread = createThread(draw.thinking);
        await played(draw, thread, ({ action }, before, edited) => {
          if (!edited) return;
          counts.set(action, (counts.get(action) ?? 0) + 1);
          // thinking of a later time is bound to what an undo takes away; calls, results and order are not
          const rule = action === 'undo' ? 'free' : draw.thinking;
          if (violations(before, rule).length > 0) return;
          expect(violations(thread.view, rule), action).toEqual([]);
          expect(common(thread.view, before), action).toEqual(common(before, thread.view));
        });
        const { entries, view } = thread;
        const read = project(entries.map((entry) => parseEntry(serializeEntry(entry))));
        expect(JSON.stringify(read.messages)).toBe(JSON.stringify(view.messages));
        const untouched = withoutLayers(entries);
        if (untouched === undefined) return;
        thread.undoAll();
        expect(JSON.stringify(thread.view.messages)).toBe(JSON.stringify(untouched.messages));
      }),
    );
    for (const action of ACTIONS) expect(counts.get(action) ?? 0, action).toBeGreaterThan(0);
  });
});
