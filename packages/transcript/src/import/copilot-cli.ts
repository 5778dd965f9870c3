import type { Block } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { countOf, isRecord, type JsonRecord, recordOf, recordsOf, textOf, timeOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

interface Event {
  readonly data: JsonRecord;
  readonly id: string;
  readonly at: string | undefined;
  readonly line: number;
}

/** GitHub Copilot CLI: one event a line; those of a sub-agent carry the call that started it. */
export function createCopilotCli(context: ImportContext): Importer {
  const main = createThread({ id: 'main', context });
  const agents = new Map<string, ThreadBuilder>();
  const prompts = new Map<string, string>();
  let head = { model: '', system: '' };

  function threadOf(record: JsonRecord, event: Event): ThreadBuilder {
    const key = textOf(record.agentId) ?? textOf(event.data.parentToolCallId);
    if (key === undefined) return main;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const parentCallId =
      textOf(event.data.toolCallId) ?? textOf(event.data.parentToolCallId) ?? key;
    const started = prompts.has(parentCallId) ? parentCallId : key;
    const agent = createThread({ id: key, kind: 'sub-agent', parentCallId: started, context });
    const text = prompts.get(started) ?? '';
    agent.user([{ type: 'text', text }], {
      id: `${event.id}-prompt`,
      at: event.at,
      line: event.line,
    });
    agents.set(key, agent);
    return agent;
  }

  function addHead(change: { model?: string; system?: string }, at: string | undefined): void {
    const next = { ...head, ...change };
    if (next.model === head.model && next.system === head.system) return;
    head = next;
    const system = next.system === '' ? [] : [{ type: 'text', text: next.system } as const];
    main.head({ model: next.model, system, tools: [], params: {} }, at);
  }

  function addReply(thread: ThreadBuilder, { data, id, at, line }: Event): void {
    const requests = recordsOf(data.toolRequests);
    context.unusedFields(data, 'assistant.message', REPLY_FIELDS);
    for (const request of requests) {
      context.unusedFields(request, 'toolRequest', REQUEST_FIELDS);
      const prompt = textOf(recordOf(request.arguments).prompt);
      if (prompt !== undefined) prompts.set(String(request.toolCallId), prompt);
    }
    const content = [
      ...thinkingOf(data),
      { type: 'text', text: String(data.content ?? '') },
      ...requests.map(callOf),
    ];
    const stopReason = requests.length > 0 ? 'tool_use' : 'end_turn';
    const response = {
      id: textOf(data.messageId) ?? id,
      model: textOf(data.model) ?? '',
      stopReason,
    } as const;
    const messageId = thread.assistant(content, { id, at, line, response });
    const outputTokens = countOf(data.outputTokens);
    if (outputTokens !== undefined)
      thread.note({ kind: 'output-tokens', messageId, outputTokens }, at);
  }

  function addResult(thread: ThreadBuilder, { data, id, at, line }: Event): void {
    context.unusedFields(data, 'tool.execution_complete', RESULT_FIELDS);
    const failed = data.success === false;
    const content =
      textOf(recordOf(data.result).content) ?? textOf(recordOf(data.error).message) ?? '';
    const block = {
      type: 'tool_result',
      tool_use_id: String(data.toolCallId ?? ''),
      content,
    } as const;
    thread.result(failed ? { ...block, is_error: true } : block, { id, at, line });
  }

  function addUser(thread: ThreadBuilder, { data, ...facts }: Event): void {
    const text = textOf(data.transformedContent) ?? String(data.content ?? '');
    context.unusedFields(data, 'user.message', USER_FIELDS);
    thread.user([{ type: 'text', text }], facts);
  }

  function addCompaction(thread: ThreadBuilder, { data, id, at }: Event): void {
    const text = textOf(data.summaryContent);
    context.unusedFields(data, 'session.compaction_complete', COMPACTION_FIELDS);
    if (data.success === false || text === undefined) {
      thread.note({ kind: 'compaction-failed' }, at);
      return;
    }
    const preTokens = countOf(data.preCompactionTokens);
    const createdAt = at === undefined ? {} : { createdAt: at };
    thread.span({
      with: [
        {
          id,
          role: 'user',
          content: [{ type: 'text', text }],
          origin: { kind: 'summary' },
          ...createdAt,
        },
      ],
      receipt: { source: 'compaction_complete', ...(preTokens === undefined ? {} : { preTokens }) },
      at,
    });
  }

  function addModelChange({ data, at }: Event): void {
    const [model, effort] = [textOf(data.newModel), textOf(data.reasoningEffort)];
    if (model !== undefined) addHead({ model }, at);
    if (effort !== undefined) main.note({ kind: 'thinking-config', effort }, at);
  }

  function addSignal(type: string, thread: ThreadBuilder, { data, id, at, line }: Event): void {
    if (type === 'abort') thread.note({ kind: 'turn-aborted' }, at);
    else if (type === 'session.resume') thread.note({ kind: 'resume', via: 'record' }, at);
    else if (type === 'session.error') {
      const status = countOf(data.statusCode);
      thread.note({ kind: 'api-error', ...(status === undefined ? {} : { status }) }, at);
    } else if (type === 'system.notification') {
      const origin = { kind: 'reminder' } as const;
      thread.user([{ type: 'text', text: String(data.content ?? '') }], { id, at, line, origin });
    } else context.unused(type);
  }

  return {
    add(value, line) {
      if (!isRecord(value)) {
        context.problem('not-a-record', line, 'a value that is no object was dropped');
        return;
      }
      const type = textOf(value.type) ?? 'record-without-type';
      const event = {
        data: recordOf(value.data),
        id: textOf(value.id) ?? `L${line}`,
        at: timeOf(value.timestamp),
        line,
      };
      const thread = threadOf(value, event);
      if (type === 'assistant.message') addReply(thread, event);
      else if (type === 'tool.execution_complete') addResult(thread, event);
      else if (type === 'user.message') addUser(thread, event);
      else if (type === 'session.compaction_complete') addCompaction(thread, event);
      else if (type === 'session.model_change') addModelChange(event);
      else if (type === 'system.message' && thread === main)
        addHead({ system: String(event.data.content ?? '') }, event.at);
      else addSignal(type, thread, event);
    },
    finish: () => [main, ...agents.values()].map((thread) => thread.finish()),
  };
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const REPLY_FIELDS = words(
  'messageId model content toolRequests outputTokens reasoningText reasoningOpaque encryptedContent parentToolCallId',
);
const REQUEST_FIELDS = words('toolCallId name arguments type');
const RESULT_FIELDS = words('toolCallId success result error parentToolCallId');
const USER_FIELDS = words('content transformedContent');
const COMPACTION_FIELDS = words('success summaryContent preCompactionTokens');

function callOf(request: JsonRecord): Block {
  const [id, name] = [String(request.toolCallId ?? ''), String(request.name ?? '')];
  return { type: 'tool_use', id, name, input: request.arguments ?? {} };
}

function thinkingOf(data: JsonRecord): Block[] {
  const opaque = textOf(data.reasoningOpaque) ?? textOf(data.encryptedContent);
  const thinking = textOf(data.reasoningText);
  if (opaque === undefined && thinking === undefined) return [];
  return [{ type: 'thinking', thinking: thinking ?? '', signature: opaque ?? NO_SIGNATURE }];
}
