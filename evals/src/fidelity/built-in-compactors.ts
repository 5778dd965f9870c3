import { EvalsError } from '../error.ts';
import type { Compactor } from './compactor.ts';
import { clearResults } from './compactors/clear-results.ts';
import { collapse } from './compactors/collapse.ts';
import { dropOldest } from './compactors/keep-some.ts';
import { ledgerCompact } from './compactors/ledger-compact.ts';
import { sessionMemory } from './compactors/session-memory.ts';

/** What is compared unless others are named, beside a floor (whole messages drawn by lot) and a ceiling. */
export const BUILT_IN_COMPACTORS: readonly Compactor[] = [
  dropOldest,
  clearResults,
  ledgerCompact,
  sessionMemory,
  collapse,
];

/** Throws `unknown-strategy` for a name that no compactor has. */
export function findCompactors(names: readonly string[]): readonly Compactor[] {
  if (names.length === 0) return BUILT_IN_COMPACTORS;
  return names.map((name) => {
    const found = BUILT_IN_COMPACTORS.find((each) => each.name === name);
    if (found) return found;
    const known = BUILT_IN_COMPACTORS.map((each) => each.name).join(', ');
    throw new EvalsError(
      'unknown-strategy',
      `No compactor is named \`${name}\`; there are ${known}.`,
    );
  });
}
