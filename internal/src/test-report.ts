import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';
import { root } from './workspace.ts';

/** What a run of vitest came to. */
export interface TestReport {
  readonly passed: number;
  /** Names of tests that were left out. */
  readonly skipped: readonly string[];
  /** Tests, hooks, files and errors outside of any test, each by its name with the beginning of its message. */
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Lines of a message. */
const MAX_LINES = 12;

interface Thrown {
  readonly message?: string;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
}
type Errors = readonly Thrown[];

const textOf = ({ message, stack, cause }: Thrown): string =>
  `${stack ?? message ?? ''}${cause ? `\nbecause: ${(cause as Thrown).message}` : ''}`;

function failureOf(name: string, errors: Errors): Failure {
  const text = errors.map(textOf).join('\n');
  const lines = stripVTControlCharacters(text).split('\n');
  const own = lines.filter((line) => !line.includes('/node_modules/'));
  return { name, lines: own.slice(0, MAX_LINES) };
}

/** Writes a {@link TestReport} to the file that `VARVE_TEST_REPORT` names. */
export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: Errors): void {
    const failures: Failure[] = [];
    const skipped: string[] = [];
    let passed = 0;
    const take = (name: string, errors: Errors): void => {
      if (errors.length > 0) failures.push(failureOf(name, errors));
    };
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      take(file, module.errors());
      for (const suite of module.children.allSuites())
        take(`${file}: ${suite.fullName}`, suite.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        const name = `${file}: ${test.fullName}`;
        if (state === 'failed') failures.push(failureOf(name, errors));
        else if (state === 'passed') passed++;
        else skipped.push(name);
      }
    }
    for (const error of unhandled) failures.push(failureOf('outside of any test', [error]));
    const report: TestReport = { passed, skipped, failures };
    writeFileSync(process.env.VARVE_TEST_REPORT as string, JSON.stringify(report));
  }
}
