import { isRecord, listOf, recordOf } from '@varve/guards';
import { type JsonRecord, textOf, wordsOf } from './json.ts';
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
  ['openai-chat', ({ trajectory_format: format }) => wordsOf(format).startsWith('mini-swe-agent')],
  [
    'opencode',
    ({ info, messages }) =>
      isRecord(info) &&
      Array.isArray(messages) &&
      (messages.length === 0 || messages.some((message) => isRecord(recordOf(message).info))),
  ],
  [
    'atif',
    ({ schema_version: version, steps }) =>
      wordsOf(version).startsWith('ATIF-') && Array.isArray(steps),
  ],
  [
    'gemini-cli',
    ({ projectHash, messages, startTime }) =>
      projectHash !== undefined && (Array.isArray(messages) || textOf(startTime) !== undefined),
  ],
  ['swe-agent', ({ history, trajectory }) => Array.isArray(history) && Array.isArray(trajectory)],
  [
    'openhands-output',
    ({ instance_id: id, history }) => id !== undefined && Array.isArray(history),
  ],
  ['goose', isGoose],
  ['codex', ({ type, payload }) => CODEX.has(type) && isRecord(payload)],
  ['copilot-cli', ({ type, data }) => COPILOT.test(wordsOf(type)) && isRecord(data)],
  [
    'pi',
    ({ type, cwd, sessionId }) =>
      type === 'session' && textOf(cwd) !== undefined && sessionId === undefined,
  ],
  [
    'varve',
    ({ id, at, type }) => textOf(id) !== undefined && textOf(at) !== undefined && ENTRIES.has(type),
  ],
  ['qwen-code', isQwen],
  [
    'claude-code',
    (value) =>
      [value.uuid, value.sessionId, value.type].every((field) => textOf(field) !== undefined) ||
      isBookkeeping(value),
  ],
];

/** The first line of a file, the object that an export is, or a message with an item that only Goose writes. */
function isGoose({ working_dir: folder, role, content, ...session }: JsonRecord): boolean {
  const isSession =
    typeof folder === 'string' &&
    (typeof session.message_count === 'number' || Array.isArray(session.conversation));
  const isMessage = role === 'user' || role === 'assistant';
  return (
    isSession ||
    (isMessage &&
      typeof session.created === 'number' &&
      listOf(content).some((item) => GOOSE_ITEMS.has(recordOf(item).type)))
  );
}

const GOOSE_ITEMS = new Set<unknown>(['toolRequest', 'toolResponse', 'frontendToolRequest']);

/** Qwen Code writes records as Claude Code does, with parts in place of content. */
function isQwen({ uuid, sessionId, type, message, systemPayload }: JsonRecord): boolean {
  if ([uuid, sessionId, type].some((field) => textOf(field) === undefined)) return false;
  return Array.isArray(recordOf(message).parts) || isRecord(systemPayload);
}

/** Whether a value may be one message of a list that is written one a line. */
export const isPlainMessage = (value: unknown): boolean =>
  isRecord(value) && (ROLES.has(value.role) || ITEMS.test(wordsOf(value.type)));

const ROLES = new Set<unknown>(['user', 'assistant', 'system', 'developer', 'tool', 'function']);
const ITEMS = /^(message|reasoning|compaction|[a-z_]+_call|[a-z_]+_call_output)$/;

/** Message lists look alike until a part or a call tells them apart; text alone is read as Anthropic's. */
export function detectMessages(messages: readonly unknown[]): SessionFormat | undefined {
  const plain = messages.filter(isPlainMessage) as JsonRecord[];
  if (plain.length === 0) return undefined;
  return TRAITS.find(([, matches]) => plain.some(matches))?.[0] ?? 'anthropic-messages';
}

const partTypes = ({ content }: JsonRecord): unknown[] =>
  listOf(content).map((part) => (isRecord(part) ? part.type : undefined));

const ANTHROPIC_PARTS = new Set<unknown>([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
]);
const RESPONSES_PARTS = new Set<unknown>([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
]);
const CHAT_ROLES = new Set<unknown>(['tool', 'function', 'developer']);

/** In order of strength: the role `developer` is known to two of them. */
const TRAITS: readonly (readonly [SessionFormat, (message: JsonRecord) => boolean])[] = [
  ['anthropic-messages', (message) => partTypes(message).some((type) => ANTHROPIC_PARTS.has(type))],
  ['openai-responses', (message) => message.role === undefined],
  ['openai-responses', (message) => partTypes(message).some((type) => RESPONSES_PARTS.has(type))],
  [
    'openai-chat',
    ({ tool_calls: calls, tool_call_id: id }) => Array.isArray(calls) || id !== undefined,
  ],
  [
    'openai-chat',
    (message) => CHAT_ROLES.has(message.role) || partTypes(message).includes('image_url'),
  ],
];

/** What Claude Code writes beside the conversation, with a field that no other agent has under that name. Files may begin with thousands of these. */
const BOOKKEEPING: ReadonlyMap<unknown, string> = new Map([
  ['summary', 'leafUuid'],
  ['file-history-snapshot', 'snapshot'],
  ['queue-operation', 'operation'],
  ['last-prompt', 'sessionId'],
  ['custom-title', 'sessionId'],
  ['ai-title', 'sessionId'],
  ['agent-name', 'sessionId'],
  ['mode', 'sessionId'],
  ['permission-mode', 'sessionId'],
  ['pr-link', 'sessionId'],
  ['fork-context-ref', 'parentSessionId'],
]);

function isBookkeeping({ type, ...fields }: JsonRecord): boolean {
  const field = BOOKKEEPING.get(type);
  return field !== undefined && fields[field] !== undefined;
}
