import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';

/**
 * Sessions that people recorded with other agents lie beside the checkout, or where `VARVE_SESSIONS` says. Tests that need
 * them find their folder there; it is empty where they are not, and then these tests are skipped by name.
 */
const { VARVE_SESSIONS = join(import.meta.dirname, '..', '..', '..', 'shared', 'sessions') } =
  process.env;
process.env.VARVE_SESSIONS = existsSync(VARVE_SESSIONS) ? VARVE_SESSIONS : '';

/** Runs of each law: 1,000 in `pnpm test`, 10,000 in `.ci/run` (2,500 of slow ones), fewer while writing one. */
const asked = Number(process.env.VARVE_LAW_RUNS ?? 1_000);
const numRuns = Math.min(
  asked,
  Number(process.env.VARVE_MOST_LAW_RUNS ?? Number.POSITIVE_INFINITY),
);
const seed = Number(process.env.VARVE_LAW_SEED ?? 20_261_128);
fc.configureGlobal({ numRuns, seed });

// Processes that tests start find what earlier ones compiled: a start takes half the time.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'varve-compiled');
