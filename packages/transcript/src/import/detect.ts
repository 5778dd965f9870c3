import { isRecord, type JsonRecord, textOf } from './json.ts';
import type { SessionFormat } from './types.ts';

/** The format that a record of a file can belong to alone; undefined where it tells nothing. */
export function detect(value: unknown): SessionFormat | undefined {
  if (!isRecord(value)) return undefined;
  if (isClaudeCode(value)) return 'claude-code';
  return undefined;
}

const isClaudeCode = (value: JsonRecord): boolean =>
  textOf(value.uuid) !== undefined &&
  textOf(value.sessionId) !== undefined &&
  textOf(value.type) !== undefined;
