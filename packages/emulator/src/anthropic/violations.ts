import { type Fields, listOf, recordOf } from '@varve/guards';
import type { checkHistory, Message } from '@varve/messages';
import type { Refusal } from '../core/endpoint.ts';
import { invalid } from './error-body.ts';

type Violation = ReturnType<typeof checkHistory>[number];

/** Where a rule is broken, and what stands there. */
interface Spot {
  readonly path: string;
  readonly messagePath: string;
  /** Id of the call or result that stands there. */
  readonly pairId: string;
  /** The rest of the path to an image or a document whose data is no base64. */
  readonly badBase64: string | undefined;
  readonly model: string;
}

/** The provider's words for each broken rule; its shapes are those of public error reports. */
const WORDS: Readonly<Record<Violation['code'], (spot: Spot) => string>> = {
  'malformed-message': ({ messagePath }) => `${messagePath}.content: Input should be a valid list`,
  'malformed-block': ({ path }) =>
    `${path}: Input does not match any of the expected content blocks`,
  'unknown-role': ({ messagePath }) =>
    `${messagePath}.role: Input should be 'user', 'assistant' or 'system'`,
  'role-refused': ({ messagePath }) =>
    `${messagePath}: role 'system' is not supported on this model`,
  'system-placement': ({ messagePath }) =>
    `${messagePath}: role 'system' must directly follow a user turn and precede an assistant turn`,
  'first-not-user': () => 'messages: first message must use the "user" role',
  'too-many-messages': () => 'messages: List should have at most 100000 items',
  'empty-content': ({ messagePath }) => `${messagePath}: all messages must have non-empty content`,
  'empty-text': () => 'messages: text content blocks must be non-empty',
  'half-surrogate': () => 'The request body is not valid JSON: no low surrogate in string',
  'block-not-allowed': ({ path }) => `${path}: block type is not allowed in a message of this role`,
  'malformed-call': ({ path }) => `${path}.tool_use.input: Input should be a valid dictionary`,
  'foreign-block': ({ path }) => `${path}: Input tag does not match any of the expected tags`,
  'unknown-block': ({ path }) => `${path}: Input tag does not match any of the expected tags`,
  'malformed-media': ({ path, badBase64 }) =>
    badBase64 === undefined
      ? `${path}.source: Input should be a valid source`
      : `${path}${badBase64}.source.base64.data: invalid base64 data`,
  'empty-id': ({ path }) => `${path}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
  'call-id': ({ path }) => `${path}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
  'call-name': ({ path }) =>
    `${path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
  'duplicate-id': () => 'messages: `tool_use` ids must be unique',
  'missing-result': (spot) => missingResult(spot),
  'open-round': (spot) => missingResult(spot),
  'orphan-result': ({ path, pairId }) =>
    `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${pairId}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
  'duplicate-result': ({ path, pairId }) =>
    `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${pairId}`,
  'result-after-content': ({ path }) =>
    `${path}: \`tool_result\` blocks must come before other content in the message after \`tool_use\``,
  'error-result-media': ({ path }) =>
    `${path}.tool_result: all content must be type "text" if "is_error" is true`,
  'empty-error-result': ({ path }) =>
    `${path}.tool_result: content cannot be empty if \`is_error\` is true`,
  'unsigned-thinking': ({ path }) => `${path}.thinking.signature: Field required`,
  'trailing-thinking': ({ messagePath }) =>
    `${messagePath}: The final block in an assistant message cannot be \`thinking\`.`,
  'stale-thinking': ({ path }) => boundElsewhere(path),
  'no-messages': () => 'messages: at least one message is required',
  'last-not-user': () =>
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  'max-output-tokens': () => 'max_tokens: Input should be a valid integer',
  'request-too-large': () => 'Request exceeds the maximum size',
  'too-many-media': () => 'Too many images and documents in the request',
  'too-many-markers': () => 'A maximum of 4 blocks with cache_control may be provided.',
  'marker-target': ({ path }) =>
    `${path}.cache_control: cache_control cannot be set for this block`,
  'duplicate-marker': ({ path }) => `${path}.cache_control: Extra inputs are not permitted`,
  'marker-order': ({ path }) =>
    `${path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`,
  'thinking-config': ({ model }) => `thinking.type: this value is not supported by ${model}`,
  'thinking-budget': () => '`max_tokens` must be greater than `thinking.budget_tokens`',
  'thinking-sampling': () =>
    '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.',
  'context-edits': () =>
    '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive',
  'tool-choice': () => 'tool_choice: forcing a tool call is not supported on this model',
  'empty-system-text': () => 'system: text content blocks must be non-empty',
  'malformed-tool': () => 'tools: each tool needs a name and an input_schema',
  'duplicate-tool': () => 'tools: Tool names must be unique.',
};

const missingResult = ({ messagePath, pairId }: Spot): string =>
  `${messagePath}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${pairId}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;

export const boundElsewhere = (path: string): string =>
  `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation: something before it was changed.`;

/** A broken rule as the provider refuses it. */
export function refusalOf(
  violation: Violation,
  messages: readonly Message[],
  model: string,
): Refusal {
  const { code, messageIndex, blockIndex } = violation;
  const messagePath = messageIndex === undefined ? 'messages' : `messages.${messageIndex}`;
  const path = blockIndex === undefined ? messagePath : `${messagePath}.content.${blockIndex}`;
  const block = recordOf(messages[messageIndex ?? -1]?.content[blockIndex ?? -1]);
  const pairId = String(block.tool_use_id ?? block.id ?? '');
  const badBase64 = findBadBase64(block);
  const message = WORDS[code]({ path, messagePath, pairId, badBase64, model });
  if (code === 'request-too-large') return { status: 413, type: 'request_too_large', message };
  return invalid(message);
}

function findBadBase64(block: Fields): string | undefined {
  const { type, data } = recordOf(block.source);
  if (type === 'base64' && typeof data === 'string' && /[^\w+/=\s-]|=[^=\s]/.test(data)) {
    return `.${block.type}`;
  }
  for (const [index, inner] of listOf(block.content).entries()) {
    const found = findBadBase64(recordOf(inner));
    if (found !== undefined) return `.${block.type}.content.${index}${found}`;
  }
  return undefined;
}
