import type { ToolResultBlock } from '@varve/messages';

/** What came of a call. */
export interface Outcome {
  readonly text: string;
  readonly failed: boolean;
}

export function outcomeOf(result: ToolResultBlock): Outcome {
  const text = textOf(result);
  const code = text.match(EXIT_CODE)?.[1];
  const failed = code === undefined ? result.is_error === true : Number(code) !== 0;
  return { text, failed };
}

function textOf({ content = '' }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n');
}

const EXIT_CODE = /\bexit(?:ed)?[ _]?(?:with )?(?:code|status)\b["']?\s*[:=]?\s*(-?\d+)/i;

/** The lines that say what went wrong, without what stands before an error's name; the best one first. */
export function errorLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const named = lines.filter((line) => NAMED_ERROR.test(line)).toReversed();
  const tests = lines.filter((line) => FAILING_TEST.test(line));
  const others = lines.filter((line) => ERROR.test(line)).slice(0, 1);
  return [
    ...new Set([...named.slice(0, MOST_LINES), ...tests.slice(0, MOST_LINES), ...others]),
  ].map((line) => {
    const from = Math.max(0, line.search(NAMED_ERROR));
    return line.slice(from, from + MAX_CHARACTERS).trim();
  });
}

/** Of a kind. */
const MOST_LINES = 4;
const NAMED_ERROR = /\b[A-Z]\w*(?:Error|Exception)\b: \S|\berror(?:\[\w+\]| TS\d+)?: \S/;
const FAILING_TEST = /^(?:[✖✗×]|not ok \d+ -|--- FAIL:|FAIL(?:ED)?) +\S/;
const ERROR = /\b(?:error|failed|fatal|panic|not found|cannot)\b/i;
const MAX_CHARACTERS = 160;

/**
 * Whether a test, a build or a check failed: by the tests it counts, by the code it ended with, and where that is not known,
 * because its output went through another program, by errors that it printed.
 */
export function hasFailed(outcome: Outcome): boolean {
  const counts = testCounts(outcome.text);
  if (outcome.failed || (counts?.failed ?? 0) > 0) return true;
  const isKnown = counts !== undefined || EXIT_CODE.test(outcome.text);
  return !isKnown && PRINTED_ERRORS.test(outcome.text);
}

const PRINTED_ERRORS =
  /\berror(?: TS\d+|\[\w+\]): |^(?:BUILD )?FAILED\b|\b[1-9]\d* errors?\b|^npm ERR!|\bELIFECYCLE\b|^make: \*\*\* /m;

/** Passed and failed tests as a runner prints them; undefined where it printed none. */
export function testCounts(
  text: string,
): { readonly passed: number; readonly failed: number } | undefined {
  const passed = lastNumber(text, /(\d+) (?:tests? )?pass(?:ed|ing)?\b|^[#ℹ] pass (\d+)$/gim);
  const failed = lastNumber(text, /(\d+) (?:tests? )?fail(?:ed|ing|ures?)?\b|^[#ℹ] fail (\d+)$/gim);
  if (passed === undefined && failed === undefined) return undefined;
  return { passed: passed ?? 0, failed: failed ?? 0 };
}

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const last = [...text.matchAll(pattern)].at(-1);
  const found = last?.[1] ?? last?.[2];
  return found === undefined ? undefined : Number(found);
}
