import { recordOf } from '@varve/guards';
import type { checkHistory, Message } from '@varve/messages';
import type { Refusal } from '../core/endpoint.ts';
import { badRequest } from './error-body.ts';

type Violation = ReturnType<typeof checkHistory>[number];

type ViolationCode = Violation['code'];

type Words = (id: string) => string;

/** OpenAI's words for each broken rule, where it has its own for chat. */
const CHAT: Partial<Record<ViolationCode, Words>> = {
  'missing-result': (id) => unanswered(id),
  'open-round': (id) => unanswered(id),
  'result-after-content': (id) => unanswered(id),
  'orphan-result': () =>
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  'duplicate-result': (id) => `Duplicate tool message for tool_call_id '${id}'.`,
  'malformed-media': () => BAD_IMAGE,
  'no-messages': () => "Invalid 'messages': empty array. Expected an array with minimum length 1.",
};

const RESPONSES: Partial<Record<ViolationCode, Words>> = {
  'missing-result': (id) => `No tool output found for function call ${id}.`,
  'open-round': (id) => `No tool output found for function call ${id}.`,
  'orphan-result': (id) => `No tool call found for function call output with call_id ${id}.`,
  'duplicate-result': (id) => `Duplicate function call output for call_id ${id}.`,
  'trailing-thinking': (id) =>
    `Item '${id}' of type 'reasoning' was provided without its required following item.`,
  'malformed-media': () => BAD_IMAGE,
  'no-messages': () => "Missing required parameter: 'input'.",
};

const BAD_IMAGE =
  'The image data you provided does not represent a valid image. Please check your input and try again.';

const unanswered: Words = (id) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${id}`;

const ABOUT_TOOLS: ReadonlySet<ViolationCode> = new Set(['duplicate-tool', 'malformed-tool']);

/** A broken rule as the provider refuses it; rules it has no words for are told in ours. */
export function refusalOf(
  { code, messageIndex, blockIndex, text }: Violation,
  messages: readonly Message[],
  profile: string,
): Refusal {
  const isChat = profile === 'openai-chat';
  const block = recordOf(messages[messageIndex ?? -1]?.content[blockIndex ?? -1]);
  const id = String(block.tool_use_id ?? block.id ?? '');
  const words = (isChat ? CHAT : RESPONSES)[code];
  const field = isChat ? 'messages' : 'input';
  const param = ABOUT_TOOLS.has(code)
    ? `tools.[${blockIndex}]`
    : messageIndex === undefined
      ? field
      : `${field}.[${messageIndex}]`;
  return badRequest(words ? words(id) : text, param);
}
