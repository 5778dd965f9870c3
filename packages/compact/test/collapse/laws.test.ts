import {
  anthropicProfile,
  checkHistory,
  type Entry,
  MessagesError,
  openaiChatProfile,
  openaiResponsesProfile,
  project,
  type View,
} from '@varve/messages';
import { validLog } from '@varve/messages/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCollapse } from '../../src/index.ts';
import { act, bytes, contextOf, HEAD, type Started, start } from './support.ts';

const PROFILES = [
  anthropicProfile({ thinking: 'free' }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

const OPTIONS = { spanTokens: 30, minSpanTokens: 20, keepTokens: 10 };

/** A generated log whose window is always full, so that everything old is folded as it grows. */
async function played(
  entries: readonly Entry[],
  onActed: (before: View, after: View) => void = () => {},
): Promise<Started> {
  const log = start(OPTIONS);
  log.append({ id: 'the-head', at: '2026-01-31T12:00:00Z', type: 'head', head: HEAD });
  for (const entry of entries) {
    try {
      log.append(entry);
    } catch (error) {
      // an edit that would cross a span which the generated log did not know of
      if (!MessagesError.is(error)) throw error;
      continue;
    }
    const before = log.view();
    await act(log, log.collapse.plan(contextOf(1_000)));
    onActed(before, log.view());
  }
  return log;
}

const collapses = ({ entries }: Started) =>
  entries.filter(
    (entry) =>
      entry.type === 'edit' && entry.by === 'collapse' && entry.edit.kind === 'replace-span',
  );

/** Everything a person said that the view shows. */
const said = ({ messages }: View) =>
  messages
    .filter(
      ({ role, origin, content }) =>
        role === 'user' && !origin && content.every(({ type }) => type === 'text'),
    )
    .map(({ content }) => JSON.stringify(content));

describe('laws of collapse (C12)', () => {
  test('expanding gives the view as if the collapse had not been made', () =>
    fc.assert(
      fc.asyncProperty(validLog(), fc.nat(), async (entries, choice) => {
        const log = await played(entries);
        const folds = collapses(log);
        const chosen = folds[choice % Math.max(1, folds.length)];
        if (!chosen || !log.collapse.expand(chosen.id)) return;
        // a collapse over this one names its summary, so it comes off first
        const inside = folds.slice(folds.indexOf(chosen)).toReversed();
        for (const { id } of inside) {
          const undo = log.collapse.expand(id);
          if (undo) log.add({ type: 'edit', by: 'person', reason: 'expand', edit: undo });
        }
        const without = log.entries.filter((entry) => !inside.some(({ id }) => undoes(entry, id)));
        expect(bytes(log.view())).toBe(bytes(project(without)));
        expect(log.collapse.expand(chosen.id)).toBeUndefined();
      }),
    ));

  test('a log that is loaded up to any entry sends and plans the same', () =>
    fc.assert(
      fc.asyncProperty(validLog(), fc.nat(), async (entries, cut) => {
        const log = await played(entries);
        const prefix = log.entries.slice(0, 1 + (cut % log.entries.length));
        const loaded = start(OPTIONS);
        for (const entry of prefix) loaded.append(entry);
        const atOnce = createCollapse(loaded.settings);
        const view = project(prefix);
        for (const entry of prefix) atOnce.observe(entry, view);
        expect(bytes(loaded.view())).toBe(bytes(view));
        const plan = JSON.stringify(loaded.collapse.plan(contextOf(97)));
        expect(JSON.stringify(atOnce.plan(contextOf(97)))).toBe(plan);
        expect(JSON.stringify(loaded.collapse.plan(contextOf(97)))).toBe(plan);
      }),
    ));

  test('the view stays a valid history for each provider, and nothing a person said is folded', () =>
    fc.assert(
      fc.asyncProperty(validLog(), async (entries) => {
        // What an undo brings back inside of a stretch that is folded is shown when that is unfolded.
        const log = await played(entries, (before, after) =>
          expect(said(after)).toEqual(said(before)),
        );
        for (const profile of PROFILES) {
          expect(checkHistory(log.view().messages, profile)).toEqual([]);
        }
      }),
    ));

  test('most generated logs are folded, and some twice over', async () => {
    const logs = fc.sample(validLog(), { numRuns: 100, seed: 1 });
    const counts = await Promise.all(
      logs.map(async (entries) => collapses(await played(entries)).length),
    );
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(50);
    expect(counts.filter((count) => count > 2).length).toBeGreaterThan(20);
  });
});

const undoes = (entry: Entry, id: string) =>
  entry.id === id ||
  (entry.type === 'edit' && entry.edit.kind === 'undo' && entry.edit.entryId === id);
