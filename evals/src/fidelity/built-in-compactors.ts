import { EvalsError } from '../error.ts';
import type { Compactor } from './compactor.ts';
import { clearResults } from './compactors/clear-results.ts';
import { collapse } from './compactors/collapse.ts';
import { dropOldest } from './compactors/keep-some.ts';
import { ledgerWithFiles } from './compactors/ledger-arms.ts';
import { ledgerCompact } from './compactors/ledger-compact.ts';
import { sessionMemory } from './compactors/session-memory.ts';
import { findPeerCompactor, PEER_COMPACTORS } from './peers/peer-compactors.ts';

/** What is compared unless others are named, beside a floor (whole messages drawn by lot) and a ceiling. */
export const BUILT_IN_COMPACTORS: readonly Compactor[] = [
  dropOldest,
  clearResults,
  ledgerCompact,
  ledgerWithFiles,
  sessionMemory,
  collapse,
];

/** Those of peers are loaded from their own packages. Throws `unknown-strategy` for a name that no compactor has. */
export function findCompactors(names: readonly string[]): Promise<readonly Compactor[]> {
  if (names.length === 0) return Promise.resolve(BUILT_IN_COMPACTORS);
  return Promise.all(names.map(findCompactor));
}

async function findCompactor(name: string): Promise<Compactor> {
  const builtIn = BUILT_IN_COMPACTORS.find((each) => each.name === name);
  const found = builtIn ?? (await findPeerCompactor(name));
  if (found) return found;
  const known = [...BUILT_IN_COMPACTORS.map((each) => each.name), ...PEER_COMPACTORS].join(', ');
  throw new EvalsError(
    'unknown-strategy',
    `No compactor is named \`${name}\`; there are ${known}.`,
  );
}
