import {
  type Block,
  isToolUse,
  type Message,
  type MessageResponse,
  type Origin,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@varve/messages';
import { assemble } from './assemble.ts';
import type { ImportContext } from './context.ts';
import { createIds } from './ids.ts';
import type { AssistantItem, ContentItem, SpanItem, ThreadItem } from './items.ts';
import { mendValue } from './mend-value.ts';
import { sanitizeBlocks, sanitizeResult, sanitizeSummary } from './sanitize.ts';
import { createHeads } from './thread-heads.ts';
import type { ImportedThread, ImportSignal } from './types.ts';

/** Where a message comes from: its id in the file, its time and its line. */
export interface MessageFacts {
  readonly id: string;
  readonly at?: string | undefined;
  readonly line: number;
  readonly origin?: Origin | undefined;
}

/** `group`: further blocks under the same group belong to the same message. */
export interface ReplyOptions extends MessageFacts {
  readonly group?: string | undefined;
  readonly response?: MessageResponse | undefined;
}

export interface ThreadOptions {
  readonly id: string;
  readonly kind?: ImportedThread['kind'];
  readonly parentCallId?: string | undefined;
  readonly context: ImportContext;
}

/** The fields of a {@link SpanItem}; `with` and `receipt` are empty where left out. */
export type SpanOptions = Partial<Omit<SpanItem, 'kind'>>;

export type ThreadBuilder = ReturnType<typeof createThread>;

/**
 * Collects what happens in one thread, in file order, and makes a log of it that projects: unique message ids, no empty
 * blocks, each result in its call's round.
 */
export function createThread(options: ThreadOptions) {
  const { context } = options;
  const items: ThreadItem[] = [];
  const groups = new Map<string, Reply>();
  const makeId = createIds();
  let messageCount = 0;
  let startsMidSession = false;
  let [inputAt, lastAt]: (string | undefined)[] = [];

  function note(signal: ImportSignal, at?: string): void {
    items.push({ kind: 'note', signal, at });
  }

  function makeMessage(role: Message['role'], content: readonly Block[], facts: MessageFacts) {
    messageCount += 1;
    [inputAt, lastAt] = [undefined, facts.at];
    return {
      id: makeId(facts.id),
      role,
      content,
      ...(facts.origin === undefined ? {} : { origin: facts.origin }),
      ...(facts.at === undefined ? {} : { createdAt: facts.at }),
    };
  }

  function beginReply(reply: ReplyOptions): Reply {
    if (inputAt !== undefined && inputAt !== lastAt) {
      note({ kind: 'request-start', at: inputAt }, inputAt);
    }
    const content: Block[] = [];
    const message = makeMessage('assistant', content, reply);
    const item: Reply = { kind: 'assistant', message, line: reply.line, content, calls: new Set() };
    items.push(item);
    if (reply.group !== undefined) groups.set(reply.group, item);
    return item;
  }

  /** Input that came as JSON text inside its record has not been looked at yet. */
  function addCall({ calls, content }: Reply, call: ToolUseBlock, line: number): void {
    if (calls.has(call.id)) {
      const text = 'a second call with the same id in one reply was dropped';
      context.problem('reused-id', line, text);
      return;
    }
    calls.add(call.id);
    const input = mendValue(call.input, { line, context });
    content.push(input === call.input ? call : { ...call, input });
  }

  return {
    id: options.id,
    ...createHeads(items, makeId),
    note,
    messageCount: () => messageCount,
    /** The time of the newest message. */
    lastAt: () => lastAt,
    /** What the model saw before the first record is in another file. */
    markMidSession(at?: string): void {
      if (!startsMidSession) note({ kind: 'starts-mid-session' }, at);
      startsMidSession = true;
    },
    /** Something that is no message, such as a retry, set off the request of the next reply. */
    input(at: string | undefined): void {
      inputAt = at;
    },
    /** A user message; nothing where no block is left. Returns its id. */
    user(content: readonly Block[], facts: MessageFacts): string | undefined {
      const kept = sanitizeBlocks(content, 'user', context);
      if (kept.length === 0) return undefined;
      const message = makeMessage('user', kept, facts);
      items.push({ kind: 'user', message });
      return message.id;
    },
    /** The result of a call, as a message of its own. Returns the message's id. */
    result(result: ToolResultBlock, facts: MessageFacts): string {
      const block = sanitizeResult(result, context);
      const message = makeMessage('user', [block], {
        ...facts,
        origin: facts.origin ?? { kind: 'tool' },
      });
      items.push({ kind: 'result', message, block, line: facts.line });
      return message.id;
    },
    /** An assistant message, or further blocks of the one begun under the same `group`. Returns its id. */
    assistant(content: readonly Block[], reply: ReplyOptions): string {
      const { group, response, line } = reply;
      const item = (group === undefined ? undefined : groups.get(group)) ?? beginReply(reply);
      if (response !== undefined) item.message = { ...item.message, response };
      for (const block of sanitizeBlocks(content, 'assistant', context)) {
        if (isToolUse(block)) addCall(item, block, line);
        else item.content.push(block);
      }
      return item.message.id;
    },
    /** The response of the message begun under `group`, if there is one. */
    responseOf: (group: string): MessageResponse | undefined => groups.get(group)?.message.response,
    /** Gives a message that was begun under `group` its response, for files that tell it later. */
    respond(group: string, response: MessageResponse): void {
      const item = groups.get(group);
      if (item !== undefined) item.message = { ...item.message, response };
    },
    /** A compaction, a cleared context or a rewind: {@link SpanItem}. */
    span({
      reason = 'recorded-compaction',
      with: given = [],
      receipt = {},
      ...rest
    }: SpanOptions): void {
      const summary = given.flatMap((message) => {
        const content = sanitizeSummary(message, context);
        return content.length === 0 ? [] : [{ ...message, content, id: makeId(message.id) }];
      });
      items.push({ kind: 'span', reason, with: summary, receipt, ...rest });
      inputAt = summary.at(-1)?.createdAt ?? rest.at;
    },
    content(pruning: Omit<ContentItem, 'kind'>): void {
      if (pruning.replacements.length > 0) items.push({ kind: 'content', ...pruning });
    },
    finish(): ImportedThread {
      const { id, kind = 'main', parentCallId } = options;
      const entries = assemble(items, context, makeId);
      const parent = parentCallId === undefined ? {} : { parentCallId };
      return { id, kind, ...parent, startsMidSession, entries };
    },
  };
}

/** A reply that may grow: `content` is that of its message. */
interface Reply extends AssistantItem {
  readonly content: Block[];
  readonly calls: Set<string>;
}
