import { isReadOnlyCommand } from '../../replay/read-only-command.ts';
import { checkOf } from './checks.ts';
import type { FactValue } from './fact.ts';
import type { FactTable, Place } from './fact-table.ts';
import { errorLines, hasFailed, type Outcome, testCounts } from './outcome.ts';

/**
 * Takes what a shell command gave: its outcome, what was checked and how that ended, the error that is open, what failed
 * twice.
 */
export function createCommandFacts(table: FactTable) {
  const failures = new Map<string, number>();
  return (command: string, outcome: Outcome, place: Place): void => {
    const key = shortened(command);
    if (key === '' || isUnfinished(outcome)) return;
    const check = checkOf(command);
    const failed = check === undefined ? outcome.failed : hasFailed(outcome);
    table.put({ type: 'command', key, value: failed ? FAILED : SUCCEEDED }, place);
    if (check !== undefined) addCheck(table, { check, failed, outcome, place });
    if (isReadOnlyCommand(command)) return; // to look for something and not find it is no error
    const times = failed ? (failures.get(key) ?? 0) + 1 : 0;
    failures.delete(key);
    if (times > 0) failures.set(key, times);
    else for (const type of ['open-error', 'failed-approach'] as const) table.drop(type, key);
    const lines = failed ? errorLines(outcome.text) : [];
    const [name] = lines;
    if (name !== undefined)
      table.put({ type: 'open-error', key, value: { kind: 'error', name, lines } }, place);
    if (times >= 2) table.put({ type: 'failed-approach', key, value: FAILED }, place);
    const [oldest] = failures.keys();
    if (failures.size <= OPEN_ERRORS || oldest === undefined) return;
    failures.delete(oldest);
    table.drop('open-error', oldest);
  };
}

/** Of older failures nobody has tried again, nobody will. */
const OPEN_ERRORS = 5;

interface CheckRun {
  readonly check: string;
  readonly failed: boolean;
  readonly outcome: Outcome;
  readonly place: Place;
}

function addCheck(table: FactTable, { check, failed, outcome, place }: CheckRun): void {
  table.put({ type: 'outcome', key: check, value: failed ? FAILED : SUCCEEDED }, place);
  const counts = testCounts(outcome.text);
  if (counts === undefined || counts.passed + counts.failed === 0) {
    table.drop('test-status', check); // older numbers are of an older run
    return;
  }
  const name = `${counts.passed} passed, ${counts.failed} failed`;
  table.put({ type: 'test-status', key: check, value: { kind: 'counts', name, ...counts } }, place);
}

const FAILED: FactValue = { kind: 'outcome', name: 'failed' };
const SUCCEEDED: FactValue = { kind: 'outcome', name: 'ok' };

/** It goes on in the background: how it ends is not known. */
const isUnfinished = ({ text }: Outcome): boolean =>
  /\brunning in (?:the )?background\b|^Process running with session ID/im.test(text.slice(0, 400));

/** In one line, without a change of folder in front: what a person would call the command. */
const shortened = (command: string): string =>
  command
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^cd \S+ (?:&&|;) /, '')
    .slice(0, 120)
    .trim();
