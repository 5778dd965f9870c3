import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { compileCache } from './run-command.ts';
import { lawRuns, seed } from './share.ts';

/**
 * Sessions that people recorded with other agents lie beside the checkout, or where `VARVE_SESSIONS` says. Tests that need
 * them find their folder there; it is empty where they are not, and then these tests are skipped by name.
 */
const { VARVE_SESSIONS = join(import.meta.dirname, '..', '..', '..', 'shared', 'sessions') } =
  process.env;
process.env.VARVE_SESSIONS = existsSync(VARVE_SESSIONS) ? VARVE_SESSIONS : '';

/** Runs of each law: 120 in `pnpm test`, 2,500 in `.ci/run`, fewer while writing one; a quarter of that of slow ones. */
const share = Number(process.env.VARVE_LAW_SHARE ?? 1);
const numRuns = Math.max(1, Math.round(lawRuns * share));
const counts = process.env.VARVE_LAW_COUNTS;

/** Fails as fast-check does by itself; a law that held says how often it was tried. */
function report<Drawn>(details: fc.RunDetails<Drawn>): void {
  if (details.failed)
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  if (counts === undefined) return;
  const law = expect.getState().currentTestName ?? '';
  appendFileSync(counts, `${JSON.stringify({ law, runs: details.numRuns - details.numSkips })}\n`);
}

fc.configureGlobal({ numRuns, seed, reporter: report });

process.env.NODE_COMPILE_CACHE ??= compileCache;
