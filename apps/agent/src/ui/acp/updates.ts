import { randomUUID } from 'node:crypto';
import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Context } from '@varve/context';
import { recordOf, textOf } from '@varve/guards';
import { isText, isThinking, isToolUse, type Message } from '@varve/messages';
import { broughtMessages, logOf } from '@varve/messages/log';
import { isPerson, isSummary, personBlocks } from '@varve/messages/persons';
import type { AgentEvent, Todo } from '../../events.ts';
import { textOf as textIn } from '../../loop.ts';
import { clean } from '../clean.ts';
import { createRetryLines, describeLayer } from '../describe.ts';
import { contentOf } from './content.ts';
import type { ToolCalls } from './tool-calls.ts';

export interface UpdatesOptions {
  readonly send: (update: SessionUpdate) => void;
  readonly toolCalls: ToolCalls;
  readonly capabilities: ClientCapabilities;
  /** Once there is one. */
  readonly context: () => Context | undefined;
}

/** Says to an editor what the agent does. */
export function createUpdates({ send, toolCalls, capabilities, context }: UpdatesOptions) {
  const { compaction, notices } = capabilities.session ?? {};
  /** Of the answer that arrives now. */
  let messageId: string | undefined;
  let compactionId: string | undefined;
  let lastUsage = '';

  const chunk = (kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string) => {
    messageId ??= randomUUID();
    send({ sessionUpdate: kind, messageId, content: { type: 'text', text } });
  };

  /** A text of the agent itself: a notice where the editor shows some. */
  function tell(text: string, severity: 'info' | 'warning'): void {
    if (notices == null) {
      const content = { type: 'text', text: `${clean(text)}\n\n` } as const;
      send({ sessionUpdate: 'agent_message_chunk', messageId: randomUUID(), content });
      return;
    }
    const [title = '', ...rest] = clean(text).split('\n');
    const description = rest.length === 0 ? {} : { description: rest.join('\n') };
    send({ sessionUpdate: 'notice', severity, title, ...description });
  }

  const retryLine = createRetryLines();

  function usage(): void {
    const now = context();
    if (now === undefined) return;
    const cost = { amount: now.usage().dollars, currency: 'USD' };
    const sizes = { used: now.size().tokens, size: now.limits().windowTokens, cost };
    if (JSON.stringify(sizes) === lastUsage) return;
    lastUsage = JSON.stringify(sizes);
    send({ sessionUpdate: 'usage_update', ...sizes });
  }

  function layer(event: Extract<AgentEvent, { kind: 'layer' }>['event']): void {
    if (event.layer === 'compact' && event.kind === 'progress') {
      if (compaction == null) return;
      if (event.event.type === 'compaction-started') {
        compactionId = randomUUID();
        send({ sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' });
      }
      if (event.event.type !== 'compaction-ended' || compactionId === undefined) return;
      const { outcome, failure } = event.event;
      send({
        ...{ sessionUpdate: 'compaction_update', compactionId, status: STATUS[outcome] },
        ...(outcome === 'compacted' && summaryOf(context()?.view().messages ?? [])),
        ...(failure !== undefined && { error: failure }),
      });
      compactionId = undefined;
      return;
    }
    const isCompaction = event.layer === 'compact';
    if (isCompaction ? compaction != null : notices == null) return;
    const text = describeLayer(event);
    if (text !== undefined) tell(text, 'info');
  }

  const emit = (event: AgentEvent) => {
    switch (event.kind) {
      case 'text-delta':
        return chunk('agent_message_chunk', event.text);
      case 'thinking-delta':
        return chunk('agent_thought_chunk', event.text);
      case 'reply':
        messageId = undefined;
        for (const block of event.message.content) if (isToolUse(block)) toolCalls.made(block);
        return usage();
      case 'retry':
        messageId = undefined;
        return tell(retryLine(event), 'info');
      case 'call-start':
        return toolCalls.started(event.call);
      case 'call-output':
        return toolCalls.printed(event.id, event.text);
      case 'call-change':
        return toolCalls.changed(event);
      case 'call-end':
        return toolCalls.ended(event.call, event.output);
      case 'call-refused':
        return toolCalls.refused(event.call, event.reason);
      case 'results':
        toolCalls.results(event.messages);
        return usage();
      case 'todos':
        return send(planOf(event.todos));
      case 'notice':
        return tell(event.text, event.level);
      case 'layer':
        return layer(event.event);
      default:
        return undefined;
    }
  };

  return {
    ...{ emit, tell, usage },
    /** What a command of the person shows. */
    show: (text: string) => chunk('agent_message_chunk', text),
    /** After an answer or a command, whether or not it came to its end. */
    ended(): void {
      messageId = undefined;
      toolCalls.stopped();
      usage();
    },
    /** All that was said so far, whether or not the model still sees it; what was taken back is left out. */
    history(now: Context, todos: readonly Todo[]): void {
      const { took, isLive } = logOf(now.view());
      const entries = now.entries();
      const gone = new Set(
        entries.flatMap(({ id, type, ...entry }) =>
          type === 'edit' && 'by' in entry && entry.by === 'rewind' && isLive(id) ? took(id) : [],
        ),
      );
      for (const entry of entries) {
        if (entry.type === 'message' && !gone.has(entry.message.id)) past(entry.message);
        if (entry.type !== 'edit' || entry.by !== 'compact' || !isLive(entry.id)) continue;
        const summary = summaryOf(broughtMessages(entry));
        if (compaction != null && summary !== undefined)
          send({
            ...{ sessionUpdate: 'compaction_update', compactionId: entry.id, status: 'completed' },
            ...summary,
          });
      }
      toolCalls.stopped();
      if (todos.length > 0) send(planOf(todos));
    },
  };

  function past(message: Message): void {
    const { id, role, content } = message;
    if (role === 'assistant') {
      for (const block of content) {
        const said = isThinking(block)
          ? textOf(recordOf(block).thinking)
          : isText(block)
            ? block.text
            : '';
        const kind = isThinking(block) ? 'agent_thought_chunk' : 'agent_message_chunk';
        if (said !== '')
          send({ sessionUpdate: kind, messageId: id, content: { type: 'text', text: said } });
        if (isToolUse(block)) toolCalls.made(block);
      }
    } else if (isPerson(message)) {
      for (const block of personBlocks(message).flatMap((each) => contentOf(each as never)))
        send({ sessionUpdate: 'user_message_chunk', messageId: id, content: block });
    } else toolCalls.results([message]);
  }
}

const STATUS = { compacted: 'completed', failed: 'failed', aborted: 'cancelled' } as const;

/** The summary that stands first among messages, for an editor. */
function summaryOf(messages: readonly Message[]) {
  const found = messages.find(isSummary);
  if (found === undefined) return undefined;
  return { summary: [{ type: 'text' as const, text: textIn(found) }] };
}

const planOf = (todos: readonly Todo[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: todos.map(({ content, status }) => ({ content, status, priority: 'medium' })),
});
