import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, project } from '../src/index.ts';
import { openRequests } from '../src/persons.ts';
import { createProjection } from '../src/projection.ts';
import { validLog } from '../src/testing.ts';

test('of a log that grows, in any order of asking, they are those of a history that is read for the first time', () => {
  let open = 0;
  fc.assert(
    fc.property(validLog(), fc.infiniteStream(fc.nat()), (entries, picks) => {
      const projection = createProjection();
      const views = entries.map((entry) => projection.append(entry).messages);
      for (let asked = 0; asked < views.length; asked++) {
        // in the order of the log half of the time, and then any view again
        for (const at of [asked, (picks.next().value as number) % views.length]) {
          const messages = views[at] ?? [];
          const found = openRequests(messages);
          expect(found).toEqual(openRequests([...messages]));
          open += found.open.length;
        }
      }
      expect(openRequests(views.at(-1) ?? [])).toEqual(openRequests(project(entries).messages));
    }),
  );
  expect(open).toBeGreaterThan(0);
});

describe('a log that grows', () => {
  /** A log, and how often what one of its blocks says was read. */
  const watched = () => {
    const said = { reads: 0, isBroken: false };
    const block = {
      type: 'text' as const,
      get text(): string {
        said.reads++;
        if (said.isBroken) throw new Error('cannot be read');
        return 'a';
      },
    };
    const projection = createProjection();
    const say = (id: string, said: Block) =>
      projection.append({
        ...{ id: `entry ${id}`, at: '2026-01-31T12:00:00Z', type: 'message' },
        message: { id, role: 'user', content: [said] },
      }).messages;
    return { said, say, block };
  };

  const words: Block = { type: 'text', text: 'go on' };

  test('is read on from where it was read to', () => {
    const { said, say, block } = watched();
    say('a', block);
    openRequests(say('b', words));
    const before = said.reads;
    for (const id of ['c', 'd', 'e']) {
      const messages = say(id, words);
      expect(openRequests(messages)).toEqual(openRequests(messages));
    }
    expect(said.reads).toBe(before);
  });

  test('is read from its beginning where it could not be read to its end before', () => {
    const { said, say, block } = watched();
    say('a', words);
    openRequests(say('b', words));
    say('c', words);
    say('d', block);
    const messages = say('e', words);
    said.isBroken = true;
    expect(() => openRequests(messages)).toThrow('cannot be read');
    said.isBroken = false;
    expect(openRequests(messages).open).toEqual([0, 1, 2, 3, 4]);
  });
});
