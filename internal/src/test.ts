import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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

/** Of one failed test, once more at the end. */
const MAX_MESSAGE_LINES = 12;

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
  const file = join(dir, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const counts = join(dir, 'laws.jsonl');
  const env = { VARVE_LAW_COUNTS: counts };
  const echo = shownBehind(checks);
  const { code } = await runCommand('vitest', ['run', ...reporters, ...args], { echo, env });
  await checks;
  printLaws(counts);
  const tally = readTally(file);
  rmSync(dir, { recursive: true, force: true });
  if (code === 0 || tally.failed > 0) return tally;
  process.stdout.write('FAILED outside of any test: look above for "Unhandled"\n');
  return { ...tally, failed: 1 };
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

/**
 * What failed, by name and with the beginning of its message, once more at the end, where a long log is read first:
 * tests, and files that could not be loaded. Returns how many.
 */
function printFailed(report: TestReport): number {
  let count = 0;
  const print = (name: string, message = '') => {
    count++;
    process.stdout.write(`FAILED ${name}\n`);
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => !line.includes('/node_modules/'));
    for (const line of lines.slice(0, MAX_MESSAGE_LINES)) process.stdout.write(`       ${line}\n`);
  };
  for (const { name, message, assertionResults } of report.testResults ?? []) {
    const failures = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failures)
      print(`${relative(root, name)}: ${fullName}`, failureMessages?.[0]);
    if (failures.length === 0 && message) print(relative(root, name), message);
  }
  return count;
}

/** What is read of a report of vitest. */
interface TestReport {
  readonly numPassedTests?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function readTally(file: string): Tally {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as TestReport;
    printSkipped(report);
    const failed = printFailed(report);
    const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
    return {
      passed: report.numPassedTests ?? 0,
      failed,
      skipped,
    };
  } catch (cause) {
    process.stdout.write(`vitest wrote no report: ${String(cause)}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const args = process.argv.slice(2);
const onlyChecks = args.includes('--checks');
const checks = onlyChecks || args.length === 0 ? runChecks() : Promise.resolve([]);
const tests = onlyChecks ? undefined : await runTests(args, checks);
const tallies = [...(await checks), ...(tests === undefined ? [] : [tests])];
const sum = (pick: (tally: Tally) => number) =>
  tallies.reduce((total, tally) => total + pick(tally), 0);
const failed = sum((tally) => tally.failed);
const skipped = sum((tally) => tally.skipped);
const closing = `${sum((tally) => tally.passed)} passed, ${failed} failed`;
process.stdout.write(`\n${closing}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 ? 1 : 0;
