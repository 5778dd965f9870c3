import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { FLOOR, REACH_FLOOR } from '../report/pick.ts';
import type { Report, ReportRow } from '../report/report-schema.ts';
import { type RunEvalOptions, runEval } from '../run-eval.ts';
import { findSessionFiles } from '../session/session-files.ts';
import { GRID_CELLS } from './cells.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import { openGridCache } from './grid-cache.ts';
import { type GridReport, gridReport } from './grid-report.ts';
import { scoresOf } from './scores.ts';

export interface RunGridOptions extends RunEvalOptions {
  /** Where cells that were replayed before are kept. */
  readonly cacheFolder: string;
  /** @default 60 settings of batched clearing */
  readonly cells?: readonly string[] | undefined;
  /** What a cell has to keep at hand, and at hand or one call away, means. @default those of every verdict, 0.85 and 0.95 */
  readonly floor?: number | undefined;
  readonly reachFloor?: number | undefined;
}

/** So many cells are replayed before they are written down. */
const CELLS_AT_ONCE = 20;

/**
 * Replays fixed thresholds and other strategies on the same sessions and compares them. A cell is replayed once for the
 * same sessions, settings and code; the rest is arithmetic. Throws an `EvalsError` as `runEval` does, and `not-written`.
 */
export async function runGrid(options: RunGridOptions): Promise<GridReport> {
  const {
    cacheFolder,
    cells = GRID_CELLS,
    floor = FLOOR,
    reachFloor = REACH_FLOOR,
    ...rest
  } = options;
  const others = await runEval(rest);
  const cache = await openGridCache(cacheFolder, await cacheKey(rest, others));
  const missing = cells.filter((cell) => !cache.rows.has(cell));
  for (let at = 0; at < missing.length; at += CELLS_AT_ONCE) {
    const strategies = missing.slice(at, at + CELLS_AT_ONCE);
    const { rows } = await runEval({ ...rest, peers: false, strategies });
    await cache.add(rows.filter(({ strategy }) => strategies.includes(strategy)));
  }
  const rows: ReportRow[] = cells.flatMap((cell) => cache.rows.get(cell) ?? []);
  const grid = scoresOf({ rows, sessions: others.sessions });
  const { read, leftOut, skipped, refused } = others;
  return {
    ...gridReport({ grid, others: scoresOf(others) }, { cells, floor, reachFloor }),
    ...{ read, leftOut, skipped, refused },
  };
}

/** Which words count as demand depends on all sessions of a run, so that all are part of the key. */
async function cacheKey({ sessions }: RunEvalOptions, { settings }: Report): Promise<string> {
  const files = await findSessionFiles(sessions);
  const hashes = await Promise.all(
    files.map(async ({ path, name }) => {
      const hash = createHash('sha256').update(await bytesAt(path));
      return `${name} ${hash.digest('hex')}`;
    }),
  );
  return JSON.stringify([await codeFingerprint(), settings, hashes]);
}

/** A session in a database has its id behind the path. */
const bytesAt = (place: string): Promise<Buffer> =>
  readFile(place).catch((error) => {
    const at = place.lastIndexOf('#');
    if (at === -1) throw error;
    return readFile(place.slice(0, at));
  });
