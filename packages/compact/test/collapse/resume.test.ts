import {
  createProjection,
  type Entry,
  isToolResult,
  MessagesError,
  parseEntry,
  project,
  serializeEntry,
  type View,
} from '@varve/messages';
import { validLog } from '@varve/messages/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { act, bytes, contextOf, HEAD, type Started, start, turn } from './support.ts';

const OPTIONS = { spanTokens: 30, minSpanTokens: 20, keepTokens: 10 };

/** A log that is folded as it grows. */
async function folded(entries: readonly Entry[]): Promise<Started> {
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
    await act(log, log.collapse.plan(contextOf(1_000)));
  }
  return log;
}

describe('a folded log that is written and read again (C12)', () => {
  test('shows after any prefix what it showed then, and goes on to the same bytes', () =>
    fc.assert(
      fc.asyncProperty(validLog(), fc.nat(), fc.nat(), async (entries, first, second) => {
        const log = await folded(entries);
        const looks = [first, second].map((each) => 1 + (each % log.entries.length));
        const resumed = createProjection();
        for (const [index, entry] of log.entries.entries()) {
          const view = resumed.append(parseEntry(serializeEntry(entry)));
          const isLast = index === log.entries.length - 1;
          if (!looks.includes(index + 1) && !isLast) continue;
          expect(bytes(view)).toBe(bytes(log.views[index] as View));
        }
        const [end] = looks;
        const written = log.entries.slice(0, end).map(serializeEntry);
        expect(bytes(project(written.map(parseEntry)))).toBe(
          bytes(log.views[Number(end) - 1] as View),
        );
      }),
    ));
});

const CLEARED = '[cleared]';

/** Clears one result, as another layer would. */
function clear({ add, entries }: Started, choice: number): void {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const results = messages.filter(({ content }) => content.some(isToolResult));
  const chosen = results[choice % Math.max(1, results.length)];
  const block = chosen?.content[0];
  if (!chosen || !block) return;
  const blocks = [{ messageId: chosen.id, index: 0, block: { ...block, content: CLEARED } }];
  add({
    type: 'edit',
    by: 'microcompact',
    reason: 'test',
    edit: { kind: 'replace-content', blocks },
  });
}

const cleared = ({ messages }: View): readonly string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      isToolResult(block) && block.content === CLEARED ? [block.tool_use_id] : [],
    ),
  );

describe('expanding what was cleared before and after it was folded (C12)', () => {
  test('gives the view as if it had not been folded: what was cleared stays cleared', async () => {
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 6, max: 12 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 2 }),
        async (rounds, earlier, later) => {
          const log = start();
          log.add({ type: 'head', head: HEAD });
          turn(log, 't1', rounds);
          for (const choice of earlier) clear(log, choice);
          const before = cleared(log.view());
          expect(before.length).toBeGreaterThan(0);
          for (let step = 0; step < 3; step++) {
            await act(log, log.collapse.plan(contextOf(1_000)));
          }
          if (cleared(log.view()).length < before.length) hidden++;
          for (const choice of later) clear(log, choice);
          const folds = log.entries.filter(
            ({ type }, index) => type === 'edit' && isFold(log, index),
          );
          for (const { id } of folds.toReversed()) {
            const undo = log.collapse.expand(id);
            if (undo) log.add({ type: 'edit', by: 'person', reason: 'expand', edit: undo });
          }
          const ids = new Set(folds.map(({ id }) => id));
          const without = log.entries.filter((entry) => !ids.has(entry.id) && !undoes(entry, ids));
          expect(bytes(log.view())).toBe(bytes(project(without)));
          expect(cleared(log.view())).toEqual(expect.arrayContaining([...before]));
        },
      ),
    );
    expect(hidden).toBeGreaterThan((fc.readConfigureGlobal().numRuns ?? 100) / 4);
  });
});

function isFold({ entries }: Started, index: number): boolean {
  const entry = entries[index];
  return entry?.type === 'edit' && entry.by === 'collapse' && entry.edit.kind === 'replace-span';
}

const undoes = (entry: Entry, ids: ReadonlySet<string>): boolean =>
  entry.type === 'edit' && entry.edit.kind === 'undo' && ids.has(entry.edit.entryId);
