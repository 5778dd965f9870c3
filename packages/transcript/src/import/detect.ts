import { isRecord, type JsonRecord, textOf } from './json.ts';
import type { SessionFormat } from './types.ts';

/** The format that a record of a file can belong to alone; undefined where it tells nothing. */
export function detect(value: unknown): SessionFormat | undefined {
  if (!isRecord(value)) return undefined;
  if (isCodex(value)) return 'codex';
  if (value.type === 'session' && textOf(value.cwd) !== undefined) return 'pi';
  if (isClaudeCode(value)) return 'claude-code';
  return undefined;
}

const CODEX_TYPES = new Set<unknown>([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);

const isCodex = (value: JsonRecord): boolean =>
  CODEX_TYPES.has(value.type) && isRecord(value.payload);

const isClaudeCode = (value: JsonRecord): boolean =>
  textOf(value.uuid) !== undefined &&
  textOf(value.sessionId) !== undefined &&
  textOf(value.type) !== undefined;
