import { isRecord, type JsonRecord, listOf, textOf } from './json.ts';
import { listIn } from './plain.ts';
import type { SessionFormat } from './types.ts';

/** The format that a value of a file can belong to alone; undefined where it tells nothing. */
export function detect(value: unknown): SessionFormat | undefined {
  if (Array.isArray(value)) return detectMessages(value);
  if (!isRecord(value)) return undefined;
  return SHAPES.find(([, matches]) => matches(value))?.[0] ?? detectMessages(listIn(value) ?? []);
}

const CODEX = new Set<unknown>([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);
const ENTRIES = new Set<unknown>(['head', 'message', 'edit', 'note']);
const COPILOT = /^(session|assistant|user|tool|hook|subagent|system)\.[a-z_]+$/;

const SHAPES: readonly (readonly [SessionFormat, (value: JsonRecord) => boolean])[] = [
  ['opencode', ({ info, messages }) => isRecord(info) && Array.isArray(messages)],
  [
    'gemini-cli',
    ({ projectHash, messages }) => projectHash !== undefined && Array.isArray(messages),
  ],
  ['swe-agent', ({ history, trajectory }) => Array.isArray(history) && Array.isArray(trajectory)],
  [
    'openhands-output',
    ({ instance_id: id, history }) => id !== undefined && Array.isArray(history),
  ],
  ['codex', ({ type, payload }) => CODEX.has(type) && isRecord(payload)],
  ['copilot-cli', ({ type, data }) => COPILOT.test(String(type)) && isRecord(data)],
  [
    'pi',
    ({ type, cwd, sessionId }) =>
      type === 'session' && textOf(cwd) !== undefined && sessionId === undefined,
  ],
  [
    'varve',
    ({ id, at, type }) => textOf(id) !== undefined && textOf(at) !== undefined && ENTRIES.has(type),
  ],
  [
    'claude-code',
    ({ uuid, sessionId, type }) =>
      [uuid, sessionId, type].every((field) => textOf(field) !== undefined),
  ],
];

/** Whether a value may be one message of a list that is written one a line. */
export const isPlainMessage = (value: unknown): boolean =>
  isRecord(value) && (ROLES.has(value.role) || ITEMS.test(String(value.type)));

const ROLES = new Set<unknown>(['user', 'assistant', 'system', 'developer', 'tool', 'function']);
const ITEMS = /^(message|reasoning|compaction|[a-z_]+_call|[a-z_]+_call_output)$/;

/** Message lists look alike until a call, a result or a part tells them apart; text alone is read as Anthropic's. */
export function detectMessages(messages: readonly unknown[]): SessionFormat | undefined {
  const plain = messages.filter((message) => isPlainMessage(message));
  if (plain.length === 0) return undefined;
  const told = (plain as JsonRecord[]).map(formatOf).find((format) => format !== undefined);
  return told ?? 'anthropic-messages';
}

const ANTHROPIC_BLOCKS = new Set<unknown>([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
]);

function formatOf(message: JsonRecord): SessionFormat | undefined {
  if (message.role === undefined) return 'openai-responses';
  const types = listOf(message.content).map((part) => (isRecord(part) ? part.type : undefined));
  if (types.some((type) => type === 'input_text' || type === 'output_text'))
    return 'openai-responses';
  if (types.some((type) => ANTHROPIC_BLOCKS.has(type))) return 'anthropic-messages';
  const isChat = message.tool_calls !== undefined || message.tool_call_id !== undefined;
  const hasRole =
    message.role === 'tool' || message.role === 'function' || message.role === 'developer';
  return isChat || hasRole || types.includes('image_url') ? 'openai-chat' : undefined;
}
