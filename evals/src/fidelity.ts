import { availableParallelism } from 'node:os';
import { parseArguments } from './arguments.ts';
import { defaultOut, defaultSessions, defaultSummaries } from './default-paths.ts';
import { formatFidelity, markdownFidelity } from './fidelity/fidelity-text.ts';
import { runFidelity } from './fidelity/run-fidelity.ts';
import { createProgress } from './progress.ts';
import { writeFiles } from './report/write-files.ts';

const HELP = `Compacts recorded sessions and says what is left of what was said, done and needed next.

  varve-evals fidelity [flags]

  --sessions <path> …   session files or folders (default: the project's own sessions)
  --strategy <name> …   what compacts: drop-oldest, clear-results, … (default: all)
  --peers               adds the summarisers of LangChain and deepagents, from their own packages
  --jobs <n>            worker threads (default: one a core)
  --out <folder>        where fidelity.json and fidelity.md go (default: evals/results)
  --json                print the report as one JSON document and nothing else
  -h, --help            this text
`;

const FLAGS = ['sessions', 'strategy', 'peers', 'jobs', 'out', 'json', 'help'] as const;

/** Runs `fidelity` with its own arguments and returns the exit code: 1 where a session was refused. */
export async function fidelity(args: readonly string[]): Promise<number> {
  const { help, out = defaultOut(), json, ...given } = parseArguments(args, { only: FLAGS });
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  const progress = createProgress({ stream: process.stderr, silent: json });
  const report = await runFidelity({
    jobs: given.jobs ?? availableParallelism(),
    sessions: given.sessions.length > 0 ? given.sessions : [defaultSessions()],
    compactors: given.strategies,
    peers: given.peers,
    summaries: defaultSummaries(),
    onProgress: ({ file, done, total }) => progress.show(done / total, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(out, { 'fidelity.json': document, 'fidelity.md': markdownFidelity(report) });
  process.stdout.write(json ? document : `${formatFidelity(report)}Report: ${out}\n`);
  return report.refused.length > 0 ? 1 : 0;
}
