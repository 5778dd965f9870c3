import { isReadOnlyCommand } from '../../replay/read-only-command.ts';
import type { FactValue } from './fact.ts';
import type { FactTable, Place } from './fact-table.ts';
import { errorLine, type Outcome, testCounts } from './outcome.ts';

/** Takes what a shell command gave: its outcome, the error that is open, the state of the tests, what failed twice. */
export function createCommandFacts(table: FactTable) {
  const failures = new Map<string, number>();
  return (command: string, outcome: Outcome, place: Place): void => {
    const key = shortened(command);
    if (key === '') return;
    table.put({ type: 'command', key, value: outcome.failed ? FAILED : SUCCEEDED }, place);
    addTests(table, { command: key, outcome, place });
    if (isReadOnlyCommand(command)) return; // to look for something and not find it is no error
    const times = outcome.failed ? (failures.get(key) ?? 0) + 1 : 0;
    failures.delete(key);
    if (times > 0) failures.set(key, times);
    else for (const type of ['open-error', 'failed-approach'] as const) table.drop(type, key);
    addError(table, { key, outcome, place });
    if (times >= 2) table.put({ type: 'failed-approach', key, value: FAILED }, place);
    const [oldest] = failures.keys();
    if (failures.size <= OPEN_ERRORS || oldest === undefined) return;
    failures.delete(oldest);
    table.drop('open-error', oldest);
  };
}

/** Of older failures nobody has tried again, nobody will. */
const OPEN_ERRORS = 5;

function addError(
  table: FactTable,
  { key, outcome, place }: { key: string; outcome: Outcome; place: Place },
): void {
  const error = outcome.failed ? errorLine(outcome.text) : undefined;
  if (error === undefined) return;
  table.put({ type: 'open-error', key, value: { name: error, words: literally(error) } }, place);
}

function addTests(
  table: FactTable,
  { command, outcome, place }: { command: string; outcome: Outcome; place: Place },
): void {
  if (!TESTS.test(command)) return;
  const counts = testCounts(outcome.text);
  if (counts === undefined || counts.passed + counts.failed === 0) return;
  table.put({ type: 'test-status', key: programOf(command), value: statusOf(counts) }, place);
}

function statusOf({ passed, failed }: { passed: number; failed: number }): FactValue {
  const parts = [`${passed}\\b[^\\d]{0,12}pass|pass\\w*\\W{0,3}${passed}\\b`];
  const words = failed > 0 ? [`${failed}\\b[^\\d]{0,12}fail|fail\\w*\\W{0,3}${failed}\\b`] : parts;
  return { name: `${passed} passed, ${failed} failed`, words: new RegExp(words.join('|'), 'i') };
}

const BAD = /fail|error|exit(?:ed)?[^\d]{0,12}[1-9]|✗|non-?zero/i;
const GOOD = /\bok\b|pass|succe|exit(?:ed)?\D{0,12}0\b|✓|done/i;
const FAILED: FactValue = { name: 'failed', words: BAD };
const SUCCEEDED: FactValue = { name: 'ok', words: GOOD };
const TESTS = /\b(?:tests?|pytest|vitest|jest|mocha|rspec|ctest|tox|check)\b/i;

/** The program and what it is told to do: further arguments are another run of the same tests. */
function programOf(command: string): string {
  const run = command.split(/&&|;|\|/).find((part) => TESTS.test(part)) ?? command;
  return run.trim().split(/\s+/).slice(0, 3).join(' ');
}

/** The first line, without a change of folder in front: what a person would call the command. */
const shortened = (command: string): string =>
  (command.trim().split('\n')[0] as string)
    .replace(/^cd \S+ (?:&&|;) /, '')
    .slice(0, 120)
    .trim();

export const literally = (text: string): RegExp =>
  new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'), 'i');
