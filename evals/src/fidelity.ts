import { availableParallelism } from 'node:os';
import { parseArguments } from './arguments.ts';
import { defaultOut, defaultSummaries, sessionsOr } from './default-paths.ts';
import { BUILT_IN_COMPACTORS } from './fidelity/built-in-compactors.ts';
import { formatFidelity, markdownFidelity } from './fidelity/fidelity-text.ts';
import { PEER_COMPACTORS } from './fidelity/peers/peer-compactors.ts';
import { runFidelity } from './fidelity/run-fidelity.ts';
import { asTyped } from './help.ts';
import { createProgress } from './progress.ts';
import { exitCode } from './report/exit-code.ts';
import { wrap } from './report/wrap.ts';
import { ensureWritable, writeFiles } from './report/write-files.ts';

const INDENT = ' '.repeat(24);
const listed = (names: readonly string[]): string =>
  wrap(names.join(', '), { width: 74 }).join(`\n${INDENT}`);
const OWN = listed(BUILT_IN_COMPACTORS.map(({ name }) => name));
const PEERS = listed(PEER_COMPACTORS);

const HELP = `Compacts recorded sessions and says what is left of what was said, done and needed next.

  varve-evals fidelity [flags]

  --sessions <path> …   session files or folders (default: the project's own, in its
                        repository only)
  --strategy <name> …   what compacts, none of the strategies of a replay:
                        ${OWN}
                        (default: these), and of other projects
                        ${PEERS}
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
    process.stdout.write(asTyped(HELP));
    return 0;
  }
  const wanted = sessionsOr(given.sessions);
  await ensureWritable(out);
  const progress = createProgress({ stream: process.stderr, silent: json });
  const report = await runFidelity({
    jobs: given.jobs ?? availableParallelism(),
    sessions: wanted,
    compactors: given.strategies,
    peers: given.peers,
    summaries: defaultSummaries(),
    onProgress: ({ file, done, total }) => progress.show(done / total, file),
  }).finally(progress.close);
  const document = `${JSON.stringify(report, undefined, 2)}\n`;
  await writeFiles(out, { 'fidelity.json': document, 'fidelity.md': markdownFidelity(report) });
  process.stdout.write(json ? document : `${formatFidelity(report)}Report: ${out}\n`);
  return exitCode(report);
}
