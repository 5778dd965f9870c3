import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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
import { root } from './workspace.ts';

/**
 * `pnpm test`: every check, then every test, then one line `N passed, N failed`. Arguments go to vitest, and then the
 * checks are left out (`pnpm test packages/tokens`); `--checks` runs them alone.
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

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function runCheck({ name, run }: Check): Promise<Tally> {
  const startedAt = performance.now();
  const problems = await run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  const lines = problems.flatMap((problem) => problem.split('\n'));
  for (const line of lines.slice(0, MAX_LINES)) process.stdout.write(`       ${line}\n`);
  if (lines.length > MAX_LINES)
    process.stdout.write(`       … ${lines.length - MAX_LINES} more lines\n`);
  return {
    passed: problems.length === 0 ? 1 : 0,
    failed: problems.length === 0 ? 0 : 1,
    skipped: 0,
  };
}

async function runTests(args: readonly string[]): Promise<Tally> {
  const dir = mkdtempSync(join(tmpdir(), 'varve-test-'));
  const file = join(dir, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const counts = join(dir, 'laws.jsonl');
  const env = { VARVE_LAW_COUNTS: counts };
  const { code } = await runCommand('vitest', ['run', ...reporters, ...args], { echo: true, env });
  printLaws(counts);
  const tally = readTally(file);
  rmSync(dir, { recursive: true, force: true });
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

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

/** Tests that were left out, by name. */
function printSkipped(report: TestReport): void {
  for (const { name, assertionResults } of report.testResults ?? []) {
    for (const { fullName, status } of assertionResults) {
      if (status === 'passed' || status === 'failed') continue;
      process.stdout.write(`skip  ${relative(root, name)}: ${fullName}\n`);
    }
  }
}

/** What is read of a report of vitest. */
interface TestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function readTally(file: string): Tally {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as TestReport;
    printSkipped(report);
    const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
    return {
      passed: report.numPassedTests ?? 0,
      failed: report.numFailedTests ?? 0,
      skipped,
    };
  } catch (cause) {
    process.stdout.write(`vitest wrote no report: ${String(cause)}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const args = process.argv.slice(2);
const onlyChecks = args.includes('--checks');
const tallies: Tally[] = [];
if (onlyChecks || args.length === 0)
  for (const check of CHECKS) tallies.push(await runCheck(check));
if (!onlyChecks) tallies.push(await runTests(args));
const sum = (pick: (tally: Tally) => number) =>
  tallies.reduce((total, tally) => total + pick(tally), 0);
const failed = sum((tally) => tally.failed);
const skipped = sum((tally) => tally.skipped);
const closing = `${sum((tally) => tally.passed)} passed, ${failed} failed`;
process.stdout.write(`\n${closing}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
