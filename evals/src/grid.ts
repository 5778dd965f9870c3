import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArguments, REPLAY_FLAGS } from './arguments.ts';
import { defaultOut, sessionsOr } from './default-paths.ts';
import { formatGrid } from './grid/grid-text.ts';
import { runGrid } from './grid/run-grid.ts';
import { asTyped } from './help.ts';
import { createProgress } from './progress.ts';
import { exitCode } from './report/exit-code.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const HELP = `Compares strategies with fixed thresholds: 60 settings of batched clearing, each replayed once, and
the best of them chosen on other projects' sessions than those it is scored on.

  varve-evals grid [flags]

  All flags of a replay; --strategy and --peers name what is compared. Replayed settings are kept
  beside the report in --out (grid-*.json, which can be deleted) and used again for the same
  sessions, flags and code.
`;

/** Runs `grid` with its own arguments and returns the exit code: 1 where a session was refused. */
export async function grid(args: readonly string[]): Promise<number> {
  const {
    help,
    out = defaultOut(),
    json,
    ...settings
  } = parseArguments(args, { only: REPLAY_FLAGS });
  if (help) {
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const wanted = sessionsOr(settings.sessions);
  await ensureWritable(out);
  const progress = createProgress({ stream: process.stderr, silent: json });
  const report = await runGrid({
    jobs: availableParallelism(),
    ...settings,
    sessions: wanted,
    cacheFolder: join(out, 'grid'),
    onProgress: ({ file, done, total }) => progress.show(done / total, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(out, { 'grid.json': document });
  process.stdout.write(json ? document : `${formatGrid(report)}Report: ${out}\n`);
  return exitCode(report);
}
