import type { Block, StopReason } from '@varve/messages';
import type { createCodexUsage } from './codex-usage.ts';
import type { MessageFacts, ThreadBuilder } from './thread.ts';

interface Reply {
  readonly id: string;
  readonly model: string;
  stopReason: StopReason;
}

/** A part of a reply: what it says, where it stands, and what the response is called if this is its first part. */
export interface ReplyPart extends MessageFacts {
  readonly content: readonly Block[];
  readonly responseId: string;
  readonly model: string;
}

/** Joins the model's items to replies: what it wrote between two inputs, up to the count of their tokens. */
export function createCodexReplies(thread: ThreadBuilder) {
  const replies = new Map<string, Reply>();
  /** The reply that items join: closed by anything the model did not write. */
  let open: string | undefined;
  let newest: string | undefined;

  function openReply({ id, responseId, model }: ReplyPart): string {
    open = newest = id;
    replies.set(id, { id: responseId, model, stopReason: 'end_turn' });
    return id;
  }

  return {
    add(part: ReplyPart): void {
      const { content, id, at, line } = part;
      const group = open ?? openReply(part);
      const reply = replies.get(group);
      const isCall = content.some(({ type }) => type === 'tool_use');
      if (isCall && reply !== undefined) reply.stopReason = 'tool_use';
      thread.assistant(content, { id, at, line, group });
    },
    /** What the model writes next is another reply. */
    close(): void {
      open = undefined;
    },
    abort(): void {
      const reply = open === undefined ? undefined : replies.get(open);
      if (reply !== undefined) reply.stopReason = 'aborted';
    },
    /** The reply that a count of tokens is about. */
    newest: () => newest,
    /** The newest reply was counted. */
    counted(): void {
      open = newest = undefined;
    },
    /** Gives every reply its response. */
    settle(usage: ReturnType<typeof createCodexUsage>): void {
      const billed = usage.settle();
      for (const [group, response] of replies) {
        const spent = billed.get(group);
        thread.respond(group, spent === undefined ? response : { ...response, usage: spent });
      }
    },
  };
}
