import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';

/** Runs of each law: 1,000 in `pnpm test`, 10,000 in `.ci/run`, fewer while writing one. */
const numRuns = Number(process.env.VARVE_LAW_RUNS ?? 1_000);
const seed = Number(process.env.VARVE_LAW_SEED ?? 20_261_128);
fc.configureGlobal({ numRuns, seed });

// Processes that tests start find what earlier ones compiled: a start takes half the time.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'varve-compiled');
