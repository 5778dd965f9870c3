import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  checkHistory,
  createProjection,
  type Entry,
  MessagesError,
  parseEntry,
  project,
  serializeEntry,
  type View,
} from '../src/index.ts';
import { prefixFingerprint, stampHolds } from '../src/stamps.ts';
import { validLog } from '../src/testing.ts';
import { bytes, EMPTY, undoOf, viewsOf } from './views.ts';

const refusals = new Map<string, number>();

afterAll(() => {
  const codes = [...refusals].map(([code, count]) => `${code} ${count}`).join(', ');
  process.stdout.write(`laws of projections: refused ${codes}\n`);
});

describe('undo (laws)', () => {
  test('restores the bytes from before an edit', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const views = viewsOf(log);
        for (const [index, entry] of log.entries()) {
          if (entry.type !== 'edit') continue;
          const undone = project([...log.slice(0, index + 1), undoOf(entry.id)]);
          expect(bytes(undone)).toEqual(bytes(views[index - 1] ?? EMPTY));
        }
      }),
    );
  });

  test('leaves a log as if the edit had never been made, whatever came later', () => {
    let compared = 0;
    fc.assert(
      fc.property(validLog(), fc.nat(), (log, number) => {
        const edits = log.filter(({ type }) => type === 'edit');
        for (const entry of new Set(
          [0, 1, 2].map((next) => edits[(number + next) % edits.length]),
        )) {
          if (!entry) continue;
          const without = attempt(() => project(log.filter((other) => other !== entry)));
          const undone = attempt(() => project([...log, undoOf(entry.id)]));
          if (!without || !undone) continue;
          compared++;
          expect(bytes(undone)).toEqual(bytes(without));
        }
      }),
    );
    expect(compared).toBeGreaterThan(0);
  });

  test('is undone by an undo of its own', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const last = log.findLast(({ type }) => type === 'edit');
        const undone = last && attempt(() => project([...log, undoOf(last.id)]));
        if (!last || !undone) return;
        const redone = project([...log, undoOf(last.id), undoOf('undo', 'redo')]);
        expect(bytes(redone)).toEqual(bytes(project(log)));
      }),
    );
  });
});

describe('MessagesError (laws)', () => {
  test('is thrown with nothing changed, so that the view stays valid whatever is offered', () => {
    fc.assert(
      fc.property(validLog(), validLog(), (log, strange) => {
        const projection = createProjection();
        const accepted: Entry[] = [];
        const offer = (entry: Entry) => {
          if (attempt(() => projection.append(entry))) accepted.push(entry);
        };
        for (const [index, entry] of log.entries()) {
          offer(entry);
          const other = strange[index];
          if (other) offer({ ...other, id: index % 9 === 0 ? other.id : `strange-${index}` });
        }
        const note: Entry = {
          id: 'last',
          at: '2026-01-31T12:00:00Z',
          type: 'note',
          by: 'test',
          data: 1,
        };
        const after = projection.append(note);
        // Where system messages stand is not the projection's to judge; all else holds whatever is offered.
        const profile = {
          ...anthropicProfile({ thinking: 'free' }),
          systemMessages: 'anywhere',
        } as const;
        expect(checkHistory(after.messages, profile)).toEqual([]);
        expect(JSON.stringify(after)).toBe(JSON.stringify(project([...accepted, note])));
      }),
    );
  });
});

describe('serializeEntry (laws)', () => {
  test('is read back to the same value and the same bytes', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const lines = log.map(serializeEntry);
        const read = lines.map(parseEntry);
        if (!isDeepStrictEqual(read, log)) expect(read).toEqual(log); // many times faster where it is
        expect(read.map(serializeEntry)).toEqual(lines);
        expect(lines.join('')).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(JSON.stringify(project(read))).toBe(JSON.stringify(project(log)));
      }),
    );
  });
});

describe('createRequestStamp (laws)', () => {
  test('holds exactly while the view starts with the bytes and the head it was made for', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const prefix = ({ head, messages }: View, count: number) =>
          JSON.stringify([
            head && [head.model, head.system, head.tools, head.params],
            messages.slice(0, count).map(({ role, content }) => [role, content]),
          ]);
        const views = viewsOf(log);
        const last = views.at(-1) ?? EMPTY;
        for (const [index, entry] of log.entries()) {
          const stamp = entry.type === 'message' ? entry.message.response?.request : undefined;
          if (!stamp) continue;
          const then = views[index - 1] as View;
          expect(stampHolds(then, stamp)).toBe(true);
          const same = last.messages.length >= stamp.messageCount;
          const holds =
            same && prefix(last, stamp.messageCount) === prefix(then, stamp.messageCount);
          expect(stampHolds(last, stamp)).toBe(holds);
        }
      }),
    );
  });

  test('is the same for a view that grew and for one that was projected at once', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const views = viewsOf(log);
        for (const { head, messages } of [
          views.at(-1) ?? EMPTY,
          views[views.length >> 1] ?? EMPTY,
        ]) {
          const fresh = {
            ...(head && { head }),
            messages: messages.map((message) => ({ ...message })),
          };
          for (let count = 0; count <= messages.length + 1; count++) {
            const running = prefixFingerprint({ ...(head && { head }), messages }, count);
            expect(running).toBe(prefixFingerprint(fresh, count));
          }
        }
      }),
    );
  });
});

function attempt(run: () => View): View | undefined {
  try {
    return run();
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
    refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
    return undefined;
  }
}
