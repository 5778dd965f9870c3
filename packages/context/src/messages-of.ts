import {
  type Block,
  isText,
  isToolUse,
  type Message,
  type OpenRound,
  type RequestStamp,
  toolUses,
} from '@varve/messages';
import { ContextError } from './error.ts';
import type { Reply, ToolOutput } from './options.ts';

/** Where a message stands: its id in the log, and when it was made (ISO 8601, UTC). */
export interface Place {
  readonly id: string;
  readonly at: string;
}

/** A message of the user's; blank text is left out, because providers refuse it. */
export function userMessage(content: readonly Block[], { id, at }: Place): Message {
  const filled = content.filter(isFilled);
  if (filled.length > 0) return { id, role: 'user', content: filled, createdAt: at };
  throw new ContextError(
    'nothing-to-send',
    'A message needs text that is not blank, or an image or document.',
  );
}

/** The reply as it goes into the log. Throws `empty-reply`. */
export function replyMessage(
  reply: Reply,
  {
    id,
    at,
    model,
    stamp,
  }: Place & { readonly model: string; readonly stamp?: RequestStamp | undefined },
): Message {
  const content = reply.content.filter(isFilled);
  if (content.length === 0) {
    throw new ContextError('empty-reply', 'The reply holds nothing. Send the request again.');
  }
  const { stopReason = content.some(isToolUse) ? 'tool_use' : 'end_turn', usage } = reply;
  const response = {
    id: reply.id ?? id,
    model: reply.model ?? model,
    stopReason,
    ...(usage !== undefined && { usage }),
    ...(stamp !== undefined && { request: stamp }),
  };
  return { id, role: 'assistant', content, createdAt: at, response };
}

/** A tool's output as a message of its own. */
export function resultMessage(
  {
    toolUseId,
    content,
    isError = false,
  }: ToolOutput & { readonly content: string | readonly Block[] },
  { id, at }: Place,
): Message {
  const block = {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: typeof content === 'string' ? content : content.filter(isFilled),
    ...(isError && { is_error: true }),
  };
  return { id, role: 'user', content: [block], createdAt: at, origin: { kind: 'tool' } };
}

/** The names of the tools whose results are waited for, by call. Throws `unknown-call` for any other, and for one that comes twice. */
export function waitingTools(
  open: OpenRound | undefined,
  outputs: readonly ToolOutput[],
): ReadonlyMap<string, string> {
  const waiting = new Set(open?.waiting);
  for (const { toolUseId } of outputs) {
    if (waiting.delete(toolUseId)) continue;
    throw new ContextError(
      'unknown-call',
      `No tool call \`${toolUseId}\` waits for a result. Pass each result once, under the id of its call.`,
    );
  }
  return new Map(open ? toolUses(open.assistant).map(({ id, name }) => [id, name]) : []);
}

const isFilled = (block: Block): boolean => !isText(block) || block.text.trim() !== '';
