import { shellCommand, type ToolCall } from '@varve/messages/tools';
import type { DoneCall, Extractor } from './extractor.ts';
import { oneLine } from './names.ts';
import { hasEnded, type Outcome } from './outcome.ts';
import { createSlots } from './slots.ts';
import { type TestCounts, testCounts } from './test-counts.ts';
import { saysTrouble } from './trouble.ts';

const MAX_COMMAND = 200;

/** Tests, builds, type checks and linters, with the counts of their latest run. */
export function createTestFacts(): Extractor {
  const slots = createSlots('test-status');
  const background = new Map<string, string>();
  /** Under which command a check stands: only how much of its output was shown may differ. */
  const shownAs = new Map<string, string>();
  return {
    done({ call, outcome, text }, place) {
      const command = commandOf(call, background);
      if (command === undefined) return;
      if (!hasEnded(outcome) && outcome.status !== 'running') return;
      const session = sessionOf(text);
      if (session !== undefined) background.set(session, command);
      if (outcome.status === 'running') return;
      const key = oneLine(command, MAX_COMMAND);
      const check = unfiltered(command);
      const before = shownAs.get(check) ?? key;
      if (before !== key) slots.drop(before);
      shownAs.set(check, key);
      slots.set(key, statusText(seenOutcome(command, outcome, text), testCounts(text)), place);
    },
    facts: slots.facts,
    superseded: slots.superseded,
  };
}

function commandOf(call: ToolCall, background: ReadonlyMap<string, string>): string | undefined {
  if (call.kind === 'shell') {
    const command = shellCommand(call.command).key;
    return isCheck(command) ? command : undefined;
  }
  const { session_id: id } = call.input;
  const isNamed = typeof id === 'string' || typeof id === 'number';
  return call.kind === 'shell-output' && isNamed ? background.get(`${id}`) : undefined;
}

const sessionOf = (text: string): string | undefined =>
  /Process running with session ID (\d+)/.exec(text.slice(0, 400))?.[1];

/** Programs that check the work; looks at test files do not run them. */
const CHECKS =
  /(?:^|[;&|(]\s*|\b(?:npx|bunx|pnpm|yarn|uv run|poetry run|bundle exec|exec|time|env|python3? -m|asdf exec|mise run|task|just)\s+(?:\w+=\S+\s+)*)(?:\w+=\S+\s+)*(?:\.?\S*\/)?(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|mix|make|dotnet|gradlew?|\.\/gradlew|mvn|sbt|swift|zig|rake|rails|tox|nox|just|task|mise|turbo|nx)\s+(?:-\S+\s+|--\S+(?:[= ]\S+)?\s+|run(?:-script)?\s+|exec\s+)*\S*(?:test|check|lint|build|compile|typecheck|type-check|vet|clippy|verify|spec)\S*|pytest|py\.test|unittest|jest|vitest|mocha|ava|tap|phpunit|rspec|tsc|tsgo|mypy|pyright|ruff|eslint|biome|golangci-lint|ctest|bats|shellcheck|clippy)\b/;
const TEST_SCRIPT =
  /^(?:\.\/|node |python3? |bash |sh |ruby |tsx |bun |deno run )\S*(?:test|spec|check)\S*/i;

/** Whether a command runs tests, a build, a type check or a linter. */
export function isCheck(command: string): boolean {
  if (
    /^(?:cat|head|tail|sed|ls|rg|grep|find|git|echo|mkdir|rm|cp|mv|touch|vim?|which|ps|pkill|kill)\b/.test(
      command,
    )
  )
    return /(?:&&|;)\s*(?!echo)/.test(command) && CHECKS.test(command.replace(/^[^;&]*/, ''));
  return CHECKS.test(command) || TEST_SCRIPT.test(command);
}

/** A check without what shortens its output: `npm test 2>&1 | tail -5` is `npm test`. */
function unfiltered(command: string): string {
  let check = command.replace(/\s+/g, ' ').replace(/ ?2>&1/g, '');
  for (;;) {
    const at = check.lastIndexOf('|');
    if (!SHORTENS.test(check.slice(at))) return check.trim();
    check = check.slice(0, at);
  }
}

const SHORTENS = /^\| ?(?:tail|head)\b[^;&]*$/;
const FILTERED = /\|\s*(?:tail|head|grep|rg|tee|cat|sed|awk|sort|uniq)\b/;

/** The exit code behind a pipe is that of the filter: there the output has to say it. */
function seenOutcome(command: string, outcome: Outcome, text: string): Outcome {
  if (!FILTERED.test(command) || outcome.status !== 'passed') return outcome;
  return { status: saysTrouble(text) ? 'failed' : 'passed' };
}

/** How a call ended, by its output where a pipe hides the exit code of a check. */
export function seenOutcomeOf({ call, outcome, text }: DoneCall): Outcome {
  if (call.kind !== 'shell') return outcome;
  const command = shellCommand(call.command).key;
  return isCheck(command) ? seenOutcome(command, outcome, text) : outcome;
}

function statusText(outcome: Outcome, { passed, failed }: TestCounts): string {
  const bad = (failed ?? 0) > 0 || outcome.status === 'failed';
  const counts = [
    passed === undefined ? '' : `${passed} passed`,
    failed === undefined ? '' : `${failed} failed`,
    outcome.exitCode === undefined ? '' : `exit ${outcome.exitCode}`,
  ].filter((part) => part !== '');
  return [bad ? 'fail' : 'pass', ...counts].join(', ');
}
