import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { BUILT_IN_STRATEGIES, type Report } from '@varve/evals';
import { fingerprint } from '@varve/messages';
import { benchTable } from './bench-table.ts';
import { writeFrontPage } from './front-page.ts';
import { runCommand } from './run-command.ts';
import { verdict } from './verdict.ts';
import { root } from './workspace.ts';
import { wrapLines } from './wrap-lines.ts';

/**
 * `pnpm results <folder of sessions>`: runs the evals, the validation and the benchmarks, and writes what they print to
 * `docs/results.md`, with date, commands and versions. It takes more than an hour. Each run of the evals is kept in
 * `evals/results/parts` by its commit: what was broken off goes on there, as long as nothing was changed.
 */
const MIN_REQUESTS = 60;
const MIN_PEAK_TOKENS = 100_000;

/** These wait for a full window, which few sessions reach in one of a million tokens: only a smaller one shows them. */
const WAITING = [
  ...['ledger-compact', 'full-compact', 'provider-compact', 'session-memory', 'collapse'],
  'layers+ledger',
];
const ACTING = BUILT_IN_STRATEGIES.map(({ name }) => name).filter(
  (name) => !WAITING.includes(name),
);
/** What somebody would take, and what it is compared with: the conditions are about these. */
const CHOSEN = [
  ...['keep-all', 'drop-oldest', 'batched-clear', 'microcompact-time', 'microcompact-rent'],
  ...['layers', 'layers+1h', 'layers+fold'],
];

/** The same sessions and strategies under other conditions, each beside what it means. */
const VARIANTS = [
  ['--read-price 0.05', 'Reads at a twentieth of the input price'],
  ['--ttl none', 'Cache entries that never expire'],
  ['--window 200000', 'A window of 200K'],
  ['--reread-factor 3', 'Re-reads three times as dear'],
  ['--rereads ranges', 'Re-reads by the lines that are needed'],
  ['--thinking prefix-bound', 'A model that binds thinking to the exact prefix'],
] as const;

const [sessions] = process.argv.slice(2);
if (sessions === undefined) {
  process.stderr.write('Pass the folder of recorded sessions: pnpm results <folder>\n');
  process.exit(2);
}

interface Printed {
  readonly command: string;
  readonly text: string;
}

type Ran = Printed & { readonly report: Report | undefined };

const parts = join(root, 'evals', 'results', 'parts');
const commit = await cleanCommit();

/** Undefined where something is not committed. */
async function cleanCommit(): Promise<string | undefined> {
  const { code, stdout } = await runCommand('git', ['status', '--porcelain']);
  if (code !== 0 || stdout.trim() !== '') return undefined;
  return (await runCommand('git', ['rev-parse', 'HEAD'])).stdout.trim();
}

interface EvalsOptions {
  readonly shown?: readonly string[];
  readonly keptIn?: string;
}

/** What the command line of evals prints, as it was kept, or by a run. */
async function evals(args: readonly string[], options: EvalsOptions = {}): Promise<Ran> {
  const path = join(parts, `${fingerprint(JSON.stringify([commit ?? '', args]))}.json`);
  if (commit !== undefined && existsSync(path)) {
    return JSON.parse(readFileSync(path, 'utf8')) as Ran;
  }
  const started = Date.now();
  const ran = await runEvals(args, options);
  process.stderr.write(`${ran.command} (${Math.round((Date.now() - started) / 1_000)} s)\n`);
  if (commit !== undefined) {
    mkdirSync(parts, { recursive: true });
    writeFileSync(path, JSON.stringify(ran));
  }
  return ran;
}

/** Runs the command line of evals; `report` is what it wrote, where it is a replay. */
async function runEvals(
  args: readonly string[],
  { shown = args, keptIn }: EvalsOptions,
): Promise<Ran> {
  const out = keptIn ?? mkdtempSync(join(tmpdir(), 'varve-results-'));
  const command = ['evals/src/cli.ts', ...args, '--out', out];
  const { code, stdout, output } = await runCommand('node', command);
  if (code > 1) throw new Error(output);
  const text = stdout.replace(/^Report: .*\n/m, '').trimEnd();
  const report = readReport(join(out, 'report.json'));
  if (keptIn === undefined) rmSync(out, { recursive: true, force: true });
  return { command: `pnpm eval ${shown.join(' ')}`.trim(), text, report };
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Sessions that are long enough for a context strategy to matter. */
function longSessions({ rows }: Report): { readonly session: string; readonly line: string }[] {
  return rows
    .filter(({ strategy }) => strategy === 'keep-all')
    .filter(({ requests, peakTokens }) => requests >= MIN_REQUESTS && peakTokens >= MIN_PEAK_TOKENS)
    .map(({ session, requests, peakTokens }) => ({
      session,
      line: `- ${session}: ${requests} requests, peak ${Math.round(peakTokens / 1000)}K`,
    }));
}

const block = ({ command, text }: Printed): string => `\`${command}\`\n\n\`\`\`\n${text}\n\`\`\`\n`;

/** The strategies' table and what was assumed, without the legend and the sessions. */
function short({ command, text }: Printed): Printed {
  const [table = ''] = text.split('\n\nacted: ');
  const assumed = text.slice(text.lastIndexOf('\n\nPriced as '));
  return { command, text: `${table}${assumed}` };
}

const judged = ({ report }: { readonly report: Report | undefined }): string =>
  report === undefined ? '' : wrapLines(verdict(report));

const all = await evals(['--sessions', sessions, '--all']);
if (all.report === undefined) throw new Error('the replay wrote no report');
const long = longSessions(all.report);
const paths = long.flatMap(({ session }) => ['--sessions', join(sessions, session)]);
const shown = ['--sessions', '<the sessions above>', '--peers'];
const main = await evals([...paths, '--peers', '--all'], { shown: [...shown, '--all'] });
const variants: string[] = [];
for (const [flags, title] of VARIANTS) {
  const args = flags.split(' ');
  const chosen = flags.startsWith('--window') ? [] : ['--strategy', CHOSEN.join(',')];
  const peers = chosen.length > 0 ? [] : ['--peers'];
  const run = await evals([...paths, ...peers, ...chosen, ...args, '--all'], {
    shown: ['--sessions', '<the sessions above>', ...peers, ...chosen, ...args, '--all'],
  });
  variants.push(`### ${title}\n\n${block(short(run))}\n${judged(run)}`);
}
const grid = await evals(['grid', ...paths, '--peers', '--strategy', ACTING.join(',')], {
  shown: ['grid', ...shown],
  // cells that were replayed before are kept there
  keptIn: join(root, 'evals', 'results'),
});
const fidelity = await evals(['fidelity', '--sessions', sessions]);
const ownFidelity = await evals(['fidelity', '--peers']);
const validated = await evals(['validate', '--sessions', sessions]);
const memory = await evals(['memory', '--all']);

const { version, estimator } = all.report;
const page = `# Results

Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}, varve ${version}, estimator ${estimator.name} ${estimator.version};
${all.report.sessions.length} recorded sessions from public repositories. Written by \`pnpm results\`; nothing here is
edited by hand. Replays are deterministic; the benchmarks are ratios of one run on this machine and
move by about a third.

## All sessions

${block(all)}
## Long sessions

Those with ${MIN_REQUESTS} requests and a peak of ${MIN_PEAK_TOKENS / 1000}K tokens and more:

${long.map(({ line }) => line).join('\n')}

${block(main)}
${judged(main)}
## The long sessions under other conditions

${variants.join('\n')}
## Fixed thresholds, chosen on other projects

${block(grid)}
## What a compaction leaves

On the recorded sessions, compacted at 25, 40, 55, 70 and 85 % of their tokens:

${block(fidelity)}
On our own sessions:

${block(ownFidelity)}
## What long-term memory keeps and misses

On the chains of \`evals/chains\`, with answers that a model wrote once to exactly these requests; no provider was called. All rows
but those that ship are controls, whose figures have to come out as they do:

${block(memory)}
## The simulator against billed usage

${block(validated)}
## Benchmarks

${await benchTable()}
`;
const target = join(root, 'docs', 'results.md');
writeFileSync(target, page);
await writeFrontPage();
process.stdout.write(`${relative('', target)} written\n`);
