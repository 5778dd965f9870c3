import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Report } from '@varve/evals';
import { benchTable } from './bench-table.ts';
import { runCommand } from './run-command.ts';
import { root } from './workspace.ts';

/**
 * `pnpm results <folder of sessions>`: runs the evals, the validation and the benchmarks, and writes what they print to
 * `docs/results.md`, with date, commands and versions.
 */
const MIN_REQUESTS = 60;
const MIN_PEAK_TOKENS = 100_000;

const [sessions] = process.argv.slice(2);
if (sessions === undefined) {
  process.stderr.write('Pass the folder of recorded sessions: pnpm results <folder>\n');
  process.exit(2);
}

interface Printed {
  readonly command: string;
  readonly text: string;
}

async function evals(
  args: readonly string[],
  shown = args,
): Promise<Printed & { readonly out: string }> {
  const out = mkdtempSync(join(tmpdir(), 'varve-results-'));
  const { code, stdout, output } = await runCommand('node', [
    'evals/src/cli.ts',
    ...args,
    '--out',
    out,
  ]);
  if (code > 1) throw new Error(output);
  const text = stdout.replace(/^Report: .*\n/m, '').trimEnd();
  return { command: `pnpm eval ${shown.join(' ')}`, text, out };
}

const read = (folder: string, file: string): string => {
  const text = readFileSync(join(folder, file), 'utf8');
  rmSync(folder, { recursive: true, force: true });
  return text;
};

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

/** The strategies' table of a run on our own sessions, between two marks of the front page. */
function writeFrontPage({ command, text, out }: Printed & { readonly out: string }): void {
  rmSync(out, { recursive: true, force: true });
  const [table = ''] = text.split('\n\nCost of each session');
  const path = join(root, 'README.md');
  const marked = /(<!-- results -->\n).*?(<!-- \/results -->)/s;
  const shown = `\`${command.trim()}\`\n\n\`\`\`\n${table}\n\`\`\`\n`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(marked, `$1${shown.replaceAll('$', '$$$$')}$2`),
  );
}

const all = await evals(['--sessions', sessions]);
const report = JSON.parse(read(all.out, 'report.json')) as Report;
const long = longSessions(report);
const paths = long.flatMap(({ session }) => ['--sessions', join(sessions, session)]);
const shown = ['--sessions', '<the sessions above>'];
const warm = await evals(paths, shown);
const endless = await evals([...paths, '--ttl', 'none'], [...shown, '--ttl', 'none']);
const validated = await evals(['validate', '--sessions', sessions]);
for (const { out } of [warm, endless, validated]) rmSync(out, { recursive: true, force: true });

const page = `# Results

Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}, varve ${report.version}, estimator ${report.estimator.name}
${report.estimator.version}; ${report.sessions.length} recorded sessions from public repositories. Written by \`pnpm results\`; nothing here is
edited by hand. Replays are deterministic; the benchmarks are ratios of one run on this machine and move by about a third.

## All sessions

${block(all)}
## Long sessions

Those with ${MIN_REQUESTS} requests and a peak of ${MIN_PEAK_TOKENS / 1000}K tokens and more:

${long.map(({ line }) => line).join('\n')}

${block(warm)}
Cache entries that never expire, nothing parked unless the name says so:

${block(endless)}
## The simulator against billed usage

${block(validated)}
## Benchmarks

${await benchTable()}
`;
const target = join(root, 'docs', 'results.md');
writeFileSync(target, page);
writeFrontPage(await evals([]));
process.stdout.write(`${relative('', target)} written\n`);
