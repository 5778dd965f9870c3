import { describe, expect, test } from 'vitest';
import { hasForeignSessions } from '../src/request-hashes/sessions.ts';
import {
  differences,
  FOREIGN_PREFIX,
  fixtureRows,
  foreignRows,
  hashesOf,
  type RequestRow,
  storedHashes,
  WRITE_AGAIN,
} from '../src/request-hashes.ts';
import { oneIn } from '../src/share.ts';

/** Every row has a digest and every digest a row, whether it is made in this run or not. */
async function expectAsStored(rows: readonly RequestRow[], isForeign: boolean): Promise<void> {
  const all = Object.entries(storedHashes());
  const stored = all.filter(([name]) => name.startsWith(FOREIGN_PREFIX) === isForeign);
  const names = rows.map(({ name }) => name);
  expect(names.toSorted(), ADVICE).toEqual(stored.map(([name]) => name).toSorted());
  const made = await hashesOf(oneIn(12, rows));
  const expected = Object.fromEntries(stored.filter(([name]) => name in made));
  expect(differences(expected, made), ADVICE).toEqual([]);
}

const ADVICE = `A change that only moves code leaves every request as it was. Where this one mends something, its commit names the case and brings the digests of \`${WRITE_AGAIN}\`.`;

/**
 * Each request of each strategy of the evals and of `createContext`, summary requests included, and what each log projects
 * to. Left out: what the replay reads again, which is no decision of ours.
 */
describe('the bytes of every request', () => {
  test('of our own sessions, and the views of all fixtures, are as stored', async () => {
    await expectAsStored(await fixtureRows(), false);
  });

  test.skipIf(!hasForeignSessions())('of six sessions of other agents are as stored', async () => {
    await expectAsStored(await foreignRows(), true);
  });
});
