import { isToolUse, type Marker, type Message, type Request, toolResults } from '@varve/messages';
import { ForkError } from './error.ts';
import type { OwnModels } from './known-model.ts';
import { sendable } from './reply.ts';

/** A reply to the parent's last request; a `ModelResponse` fits. Blank text, which no provider takes back, is left out. */
export interface ParentReply {
  readonly content: Message['content'];
  readonly id?: string | undefined;
}

/** What every child of a parent begins with. */
export interface ChildPrefix {
  /** The parent's own request, as it was sent: it ends before an assistant message. */
  readonly sent: Request;
  /** The parent's messages with its last reply, all by reference. */
  readonly messages: readonly Message[];
  /** Calls of the last reply, which the child answers with placeholders. */
  readonly openCalls: readonly string[];
}

/**
 * The parent's messages and reply as the prefix of its children. Nothing is copied but the list of pointers.
 *
 * @throws ForkError `empty-parent`, `nested-fork`, `open-round`
 */
export function childPrefix(
  parent: Request,
  reply: ParentReply | undefined,
  models: OwnModels,
): ChildPrefix {
  const message = reply && replyMessage(parent, reply, models);
  const messages = message ? [...parent.messages, message] : [...parent.messages];
  if (messages.length === 0)
    throw new ForkError('empty-parent', 'The parent has no messages; start an agent.');
  if (isForkHistory(messages)) throw new ForkError('nested-fork', NESTED);
  const cut = messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  const openCalls = messages.slice(cut).flatMap(callIds);
  if (cut === messages.length) requireAnswered(messages);
  const sent = {
    ...parent,
    messages: messages.slice(0, cut),
    markers: within(parent.markers, cut),
  };
  return { sent: cut === parent.messages.length ? parent : sent, messages, openCalls };
}

const NESTED =
  'The history is that of a fork, and forks start no forks. Let the parent do it, or start an agent.';

/** Whether a history is that of a fork: its directive carries the mark. */
export function isForkHistory(messages: readonly Message[]): boolean {
  // by position: a function or an iterator for each of some thousand messages was a tenth of a first fork
  for (let index = 0; index < messages.length; index++) {
    if (messages[index]?.origin?.[FORK_MARK] !== undefined) return true;
  }
  return false;
}

/** Field of a directive's `origin`. */
export const FORK_MARK = 'forkOf';

/** Undefined for a reply that no provider takes back: an empty one, or thinking and nothing else. */
function replyMessage(
  { head, messages }: Request,
  reply: ParentReply,
  models: OwnModels,
): Message | undefined {
  const content = sendable(reply.content, head.model, models);
  const id = reply.id ?? `reply-to:${messages.at(-1)?.id}`;
  return content.length > 0 ? { id, role: 'assistant', content } : undefined;
}

const callIds = (message: Message): string[] =>
  message.content.filter(isToolUse).map(({ id }) => id);

/** Results that came for only some of the calls would differ between children, and be answered twice. */
function requireAnswered(messages: readonly Message[]): void {
  const at = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const before = messages.slice(0, at).findLastIndex(({ role }) => role !== 'assistant') + 1;
  const calls = messages.slice(before, at).flatMap(callIds); // a reply may stand in several messages
  if (calls.length === 0) return;
  const after = messages.slice(at).flatMap(toolResults);
  const answered = new Set(after.map((result) => result.tool_use_id));
  if (calls.every((id) => answered.has(id))) return;
  const text =
    'Some calls of the last reply have results and some have none. Fork before the first result, or after the last.';
  throw new ForkError('open-round', text);
}

const within = (markers: readonly Marker[], count: number): Marker[] =>
  markers.filter((marker) => marker.at !== 'message' || marker.messageIndex < count);
