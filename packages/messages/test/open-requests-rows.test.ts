import fc from 'fast-check';
import { expect, test } from 'vitest';
import { project } from '../src/index.ts';
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
