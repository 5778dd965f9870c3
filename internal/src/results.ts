import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
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
 * `docs/results.md`, with dates, commands and commits. It takes more than an hour; `--only Benchmarks`, which may be repeated,
 * makes one section again and leaves the others as they are. Each run of the evals is kept in
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
  ...['keep-all', 'drop-oldest', 'batched-clear', 'batched-clear+parked', 'microcompact-time'],
  ...['microcompact-rent', 'layers', 'layers+1h', 'layers+fold', 'layers+need+fold'],
];

/** Each with and without the fold. */
const FOLDS = ['layers', 'layers+fold', 'layers+need', 'layers+need+fold'];

/** The same sessions and strategies under other conditions, each beside what it means. */
const VARIANTS = [
  ['--read-price 0.05', 'Reads at a twentieth of the input price'],
  ['--ttl none', 'Cache entries that never expire'],
  ['--window 200000', 'A window of 200K'],
  ['--reread-factor 3', 'Re-reads three times as dear'],
  ['--rereads ranges', 'Re-reads by the lines that are needed'],
  ['--thinking prefix-bound', 'A model that binds thinking to the exact prefix'],
] as const;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: [] } },
});
const [sessions] = positionals;
const { only } = values;
if (sessions === undefined) {
  process.stderr.write('Pass the folder of recorded sessions: pnpm results <folder>\n');
  process.exit(2);
}
const folder: string = sessions;

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

/** The replay of every session, which more than one section is about. */
const all = once(async () => {
  const ran = await evals(['--sessions', folder, '--all']);
  if (ran.report === undefined) throw new Error('the replay wrote no report');
  return { ...ran, report: ran.report };
});

/** Those that are long enough, as lines of the page and as arguments. */
const long = once(async () => {
  const found = longSessions((await all()).report);
  const paths = found.flatMap(({ session }) => ['--sessions', join(folder, session)]);
  return { lines: found.map(({ line }) => line), paths };
});

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const THE_LONG = ['--sessions', '<the sessions above>'];

/** The page, part by part. */
const SECTIONS: Readonly<Record<string, () => Promise<string>>> = {
  'All sessions': async () => block(await all()),
  'Long sessions': async () => {
    const { lines, paths } = await long();
    const shown = [...THE_LONG, '--peers', '--all'];
    const main = await evals([...paths, '--peers', '--all'], { shown });
    return `Those with ${MIN_REQUESTS} requests and a peak of ${MIN_PEAK_TOKENS / 1000}K tokens and more:

${lines.join('\n')}

${block(main)}
${judged(main)}`;
  },
  'The long sessions under other conditions': async () => {
    const { paths } = await long();
    const variants: string[] = [];
    for (const [flags, title] of VARIANTS) {
      const args = flags.split(' ');
      const chosen = flags.startsWith('--window') ? [] : ['--strategy', CHOSEN.join(',')];
      const peers = chosen.length > 0 ? [] : ['--peers'];
      const run = await evals([...paths, ...peers, ...chosen, ...args, '--all'], {
        shown: [...THE_LONG, ...peers, ...chosen, ...args, '--all'],
      });
      variants.push(`### ${title}\n\n${block(short(run))}\n${judged(run)}`);
    }
    return variants.join('\n');
  },
  'Fixed thresholds, chosen on other projects': async () => {
    const { paths } = await long();
    const grid = await evals(['grid', ...paths, '--peers', '--strategy', ACTING.join(',')], {
      shown: ['grid', ...THE_LONG, '--peers'],
      // cells that were replayed before are kept there
      keptIn: join(root, 'evals', 'results'),
    });
    return block(grid);
  },
  'What a compaction leaves': async () => {
    const fidelity = await evals(['fidelity', '--sessions', folder]);
    const ownFidelity = await evals(['fidelity', '--peers']);
    return `On the recorded sessions, compacted at 25, 40, 55, 70 and 85 % of their tokens:

${block(fidelity)}
On our own sessions:

${block(ownFidelity)}`;
  },
  'What one can go on from': async () => {
    const asked = await evals(['questions', '--sessions', folder]);
    const sent = await evals(['questions', '--strategy', FOLDS.join(','), '--sessions', folder]);
    return `Three questions at each of 20 places of the recorded sessions, written from what came after and before any summary, answered by two
readers from what each arm leaves (\`evals/questions\`):

${block(asked)}
What the requests of strategies hold of the answers, and of what the assistant said that it comes back to; a fold beside the same without it:

${block(sent)}`;
  },
  'What long-term memory keeps and misses': async () => {
    const open = await evals(['memory', '--all']);
    const heldBack = await evals(['memory', '--all', '--held-back']);
    return `On the chains of \`evals/chains\`, with answers that a model wrote once to exactly these requests; no provider was called. All rows
but those that ship are controls, whose figures have to come out as they do:

${block(open)}
On the two chains that nothing was chosen on:

${block(heldBack)}`;
  },
  'The simulator against billed usage': async () =>
    block(await evals(['validate', '--sessions', folder])),
  Benchmarks: benchTable,
};

const target = join(root, 'docs', 'results.md');
const title = (name: string): string => `## ${name}\n\n`;

/** A section with the state of the sources that it is of. */
async function measured(name: string, make: () => Promise<string>): Promise<string> {
  const text = await make();
  const day = new Date().toISOString().slice(0, 10);
  const at = commit === undefined ? 'sources that are not committed' : commit.slice(0, 8);
  return `${title(name)}Measured on ${day} at ${at}.\n\n${text.trim()}\n`;
}

/** A section as the page has it. */
function kept(name: string): string {
  const page = readFileSync(target, 'utf8');
  const start = page.indexOf(title(name));
  if (start === -1) throw new Error(`${relative('', target)} has no section "${name}"`);
  const end = page.indexOf('\n## ', start + 1);
  return `${page.slice(start, end === -1 ? undefined : end).trim()}\n`;
}

const unknown = only.filter((name) => !(name in SECTIONS));
if (unknown.length > 0) {
  const names = Object.keys(SECTIONS).map((name) => `"${name}"`);
  process.stderr.write(`No section ${unknown.join(', ')}; there are ${names.join(', ')}.\n`);
  process.exit(2);
}
const written: string[] = [];
for (const [name, make] of Object.entries(SECTIONS)) {
  const isWanted = only.length === 0 || only.includes(name);
  written.push(isWanted ? await measured(name, make) : kept(name));
}
const page = `# Results

Written by \`pnpm results\` with Node ${process.version}; nothing here is edited by hand. The sessions are recorded ones of public
repositories. Replays are deterministic; the benchmarks are ratios of one run on this machine and
move by about a third.

${written.join('\n')}`;
writeFileSync(target, page);
if (only.length === 0) await writeFrontPage();
process.stdout.write(`${relative('', target)} written\n`);
