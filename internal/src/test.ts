import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiReportCheck } from './checks/api-report.ts';
import type { Check } from './checks/check.ts';
import { commandChecks } from './checks/commands.ts';
import { doorsCheck } from './checks/doors.ts';
import { equalRunsCheck } from './checks/equal-runs.ts';
import { hygieneCheck } from './checks/hygiene.ts';
import { independenceCheck } from './checks/independence.ts';
import { layersCheck } from './checks/layers.ts';
import { oneDefinitionCheck } from './checks/one-definition.ts';
import { packedCheck } from './checks/packed.ts';
import { readmeCheck } from './checks/readme.ts';
import { runCommand } from './run-command.ts';
import type { Failure, TestReport } from './test-report.ts';

/**
 * `pnpm test`: every check, beside them every test, then one line `N passed, N failed`; what tests print stands behind the
 * checks. Arguments go to vitest, and then the checks are left out (`pnpm test packages/tokens`); `--checks` runs them alone.
 */
const CHECKS: readonly Check[] = [
  ...commandChecks,
  layersCheck,
  oneDefinitionCheck,
  independenceCheck,
  doorsCheck,
  equalRunsCheck,
  apiReportCheck,
  readmeCheck,
  hygieneCheck,
  packedCheck,
];

/** Of one check. */
const MAX_LINES = 80;

/** Of one failed check, once more at the end. */
const MAX_AGAIN = 12;

const REPORTER = join(import.meta.dirname, 'test-report.ts');

interface Tally {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

async function runCheck({ name, run }: Check): Promise<Tally> {
  const startedAt = performance.now();
  // A check that throws has failed like one that finds something: those behind it run.
  const problems = await run().catch((error) => [String((error as Error).stack ?? error)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  const lines = problems.flatMap((problem) => problem.split('\n'));
  for (const line of lines.slice(0, MAX_LINES)) process.stdout.write(`       ${line}\n`);
  if (lines.length > MAX_LINES)
    process.stdout.write(`       … ${lines.length - MAX_LINES} more lines\n`);
  const failures = lines.length === 0 ? [] : [{ name, lines: lines.slice(0, MAX_AGAIN) }];
  return { passed: failures.length === 0 ? 1 : 0, skipped: 0, failures };
}

async function runChecks(): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  for (const check of CHECKS) tallies.push(await runCheck(check));
  return tallies;
}

/** Shows nothing before `until` has settled. */
function shownBehind(until: Promise<unknown>): (chunk: string) => void {
  let held: string | undefined = '';
  const show = (): void => {
    process.stdout.write(held ?? '');
    held = undefined;
  };
  void until.then(show, show);
  return (chunk) => {
    if (held === undefined) process.stdout.write(chunk);
    else held += chunk;
  };
}

async function runTests(args: readonly string[], checks: Promise<unknown>): Promise<Tally> {
  const dir = mkdtempSync(join(tmpdir(), 'varve-test-'));
  try {
    const [report, counts] = [join(dir, 'report.json'), join(dir, 'laws.jsonl')];
    const reporters = ['--reporter=default', `--reporter=${REPORTER}`];
    const env = { VARVE_LAW_COUNTS: counts, VARVE_TEST_REPORT: report };
    const echo = shownBehind(checks);
    const { code } = await runCommand('vitest', ['run', ...reporters, ...args], { echo, env });
    await checks;
    printLaws(counts);
    if (!existsSync(report)) return lost('vitest ended without a report');
    const { passed, skipped, failures } = JSON.parse(readFileSync(report, 'utf8')) as TestReport;
    for (const name of skipped) process.stdout.write(`skip  ${name}\n`);
    if (code === 0 || failures.length > 0) return { passed, skipped: skipped.length, failures };
    return { ...lost(`vitest ended with ${code} and named no failure`), passed };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const lost = (name: string): Tally => ({ passed: 0, skipped: 0, failures: [{ name, lines: [] }] });

interface Law {
  readonly law: string;
  readonly runs: number;
}

/** How often each law was tried, and all of them together. */
function printLaws(file: string): void {
  if (!existsSync(file)) return;
  const runs = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { law, runs: more } = JSON.parse(line) as Law;
    runs.set(law, (runs.get(law) ?? 0) + more);
  }
  for (const [law, count] of [...runs].sort())
    process.stdout.write(`law   ${count} runs: ${law}\n`);
  const total = [...runs.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`${runs.size} laws, ${total} runs\n`);
}

const args = process.argv.slice(2);
const onlyChecks = args.includes('--checks');
const checks = onlyChecks || args.length === 0 ? runChecks() : Promise.resolve([]);
const tests = onlyChecks ? undefined : await runTests(args, checks);
const tallies = [...(await checks), ...(tests === undefined ? [] : [tests])];
const sum = (pick: (tally: Tally) => number) =>
  tallies.reduce((total, tally) => total + pick(tally), 0);
const failures = tallies.flatMap((tally) => tally.failures);
// Once more at the end, where a long log is read first.
for (const { name, lines } of failures)
  process.stdout.write(`FAILED ${[name, ...lines].join('\n       ')}\n`);
const skipped = sum((tally) => tally.skipped);
const closing = `${sum((tally) => tally.passed)} passed, ${failures.length} failed`;
process.stdout.write(`\n${closing}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
