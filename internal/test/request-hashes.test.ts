import { describe, expect, test } from 'vitest';
import { hasForeignSessions } from '../src/request-hashes/sessions.ts';
import {
  differences,
  FOREIGN_PREFIX,
  fixtureHashes,
  foreignHashes,
  type RequestHashes,
  storedHashes,
  WRITE_AGAIN,
} from '../src/request-hashes.ts';

/** What is stored of our own sessions, or of foreign ones. */
function stored(foreign: boolean): RequestHashes {
  const rows = Object.entries(storedHashes());
  return Object.fromEntries(rows.filter(([name]) => name.startsWith(FOREIGN_PREFIX) === foreign));
}

const ADVICE = `A change that only moves code leaves every request as it was. Where this one mends something, its commit names the case and brings the digests of \`${WRITE_AGAIN}\`.`;

/**
 * Each request of each strategy of the evals and of `createContext`, summary requests included, and what each log projects
 * to. Left out: what the replay reads again, which is no decision of ours.
 */
describe('the bytes of every request', () => {
  test('of our own sessions, and the views of all fixtures, are as stored', async () => {
    expect(differences(stored(false), await fixtureHashes()), ADVICE).toEqual([]);
  });

  test.skipIf(!hasForeignSessions())('of six sessions of other agents are as stored', async () => {
    expect(differences(stored(true), await foreignHashes()), ADVICE).toEqual([]);
  });
});
