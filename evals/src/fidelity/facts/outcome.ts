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

/** The line that says what went wrong, without what stands before the error's name; undefined where no line does. */
export function errorLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const named =
    lines.findLast((line) => NAMED_ERROR.test(line)) ?? lines.find((line) => ERROR.test(line));
  const from = named?.search(NAMED_ERROR) ?? -1;
  return named?.slice(Math.max(0, from), Math.max(0, from) + MAX_CHARACTERS).trim();
}

const NAMED_ERROR = /\b[A-Z]\w*(?:Error|Exception)\b: \S|\berror(?:\[\w+\]| TS\d+)?: \S/;
const ERROR = /\b(?:error|failed|fatal|panic|not found|cannot)\b/i;
const MAX_CHARACTERS = 160;

/** Passed and failed tests as a runner prints them; undefined where it printed none. */
export function testCounts(
  text: string,
): { readonly passed: number; readonly failed: number } | undefined {
  const passed = lastNumber(text, /(\d+) (?:tests? )?pass(?:ed|ing)?\b/gi);
  const failed = lastNumber(text, /(\d+) (?:tests? )?fail(?:ed|ing|ures?)?\b/gi);
  if (passed === undefined && failed === undefined) return undefined;
  return { passed: passed ?? 0, failed: failed ?? 0 };
}

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
