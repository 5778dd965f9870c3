import { isRecord, recordOf } from '@varve/guards';
import type { Block } from '@varve/messages';
import { type Bill, type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { countOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { summaryMessage } from './summary-message.ts';
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

  function addSystem(thread: ThreadBuilder, { data, at }: Event): void {
    if (thread === main) addHead({ system: wordsOf(data.content) }, at);
    else context.unused('system.message-of-sub-agent');
  }

  function addReply(thread: ThreadBuilder, { data, id, at, line }: Event): void {
    const requests = context.records(data.toolRequests, 'toolRequest');
    for (const request of requests) {
      context.unusedFields(request, 'toolRequest', REQUEST_FIELDS);
      const prompt = textOf(recordOf(request.arguments).prompt);
      if (prompt !== undefined) prompts.set(wordsOf(request.toolCallId), prompt);
    }
    const content = [
      ...thinkingOf(data),
      { type: 'text', text: wordsOf(data.content) },
      ...requests.map(callOf),
    ];
    const stopReason = requests.length > 0 ? 'tool_use' : 'end_turn';
    const response = {
      id: textOf(data.messageId) ?? `${context.name}:${id}`,
      model: textOf(data.model) ?? '',
      stopReason,
    } as const;
    const messageId = thread.assistant(content, { id, at, line, response });
    const outputTokens = countOf(data.outputTokens);
    if (outputTokens === undefined && (data.outputTokens ?? undefined) !== undefined)
      context.problem('bad-bill', line, 'a bill in which outputTokens is no count: left out');
    if (outputTokens !== undefined)
      thread.note({ kind: 'output-tokens', messageId, outputTokens }, at);
  }

  function addResult(thread: ThreadBuilder, { data, id, at, line }: Event): void {
    const [result, error] = [recordOf(data.result), recordOf(data.error)];
    context.unusedFields(result, 'tool.execution_complete.result', OUTPUT_FIELDS);
    context.unusedFields(error, 'tool.execution_complete.error', OUTPUT_FIELDS);
    const failed = data.success === false;
    const content = wordsOf(result.content ?? error.message ?? data.result ?? data.error);
    const block = {
      type: 'tool_result',
      tool_use_id: wordsOf(data.toolCallId),
      content,
    } as const;
    thread.result(failed ? { ...block, is_error: true } : block, { id, at, line });
  }

  function addUser(thread: ThreadBuilder, { data, ...facts }: Event): void {
    const text = textOf(data.transformedContent) ?? wordsOf(data.content);
    thread.user([{ type: 'text', text }], facts);
  }

  function addCompaction(thread: ThreadBuilder, { data, id, at }: Event): void {
    const text = textOf(data.summaryContent);
    if (data.success === false || text === undefined) {
      thread.note({ kind: 'compaction-failed' }, at);
      return;
    }
    const preTokens = countOf(data.preCompactionTokens);
    thread.span({
      with: [summaryMessage([{ type: 'text', text }], { id, at })],
      receipt: { source: 'compaction_complete', ...(preTokens === undefined ? {} : { preTokens }) },
      at,
    });
  }

  function addModelChange({ data, at }: Event): void {
    const [model, effort] = [textOf(data.newModel), textOf(data.reasoningEffort)];
    if (model !== undefined) addHead({ model }, at);
    if (effort !== undefined) main.note({ kind: 'thinking-config', effort }, at);
  }

  /** What a process that ended had spent, by model; where it does not tell by model, in all. */
  function addTotals({ data, at, line }: Event): void {
    const bill = { context, line };
    const metrics = isGiven(data.modelMetrics, 'modelMetrics', bill) ? data.modelMetrics : {};
    const models = Object.entries(recordOf(metrics)).flatMap(([model, value]) => {
      if (!isGiven(value, 'modelMetrics', bill)) return [];
      const { requests, usage } = recordOf(value);
      const spent = readBill(usage, MODEL_BILL, bill);
      return spent === undefined
        ? []
        : [{ model, requests: countOf(recordOf(requests).count), spent }];
    });
    const told = models.filter(({ spent }) => MODEL_COUNTS.some((name) => spent.count(name)));
    for (const { model, requests, spent } of told)
      noteTotal(spent, MODEL_COUNTS, { model, requests, at });
    if (told.length > 0) return;
    const whole = readBill(data.tokenDetails, WHOLE_BILL, bill);
    if (whole !== undefined && WHOLE_COUNTS.some((name) => whole.count(name))) {
      const model = textOf(data.currentModel) ?? head.model;
      noteTotal(whole, WHOLE_COUNTS, { model, requests: undefined, at });
    }
  }

  function noteTotal(
    bill: Bill,
    names: readonly string[],
    { model, requests, at }: { model: string; requests: number | undefined; at: Event['at'] },
  ): void {
    const counts = names.map((name) => bill.count(name) ?? 0);
    const [inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0] = counts;
    main.note(
      {
        kind: 'usage-total',
        model,
        ...(requests === undefined ? {} : { requests }),
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheWriteTokens,
      },
      at,
    );
  }

  function addSignal(type: string, thread: ThreadBuilder, { data, id, at, line }: Event): void {
    if (type === 'abort') thread.note({ kind: 'turn-aborted' }, at);
    else if (type === 'session.resume') thread.note({ kind: 'resume', via: 'record' }, at);
    else if (type === 'session.error') {
      const status = countOf(data.statusCode);
      thread.note({ kind: 'api-error', ...(status === undefined ? {} : { status }) }, at);
    } else if (type === 'system.notification') {
      const origin = { kind: 'reminder' } as const;
      thread.user([{ type: 'text', text: wordsOf(data.content) }], { id, at, line, origin });
    }
  }

  function countUnused(record: JsonRecord, type: string, data: JsonRecord): void {
    const used = USED_FIELDS.get(type);
    if (used === undefined) context.unused(type);
    else {
      context.unusedFields(data, type, used);
      context.unusedFields(record, 'event', EVENT_FIELDS);
    }
  }

  return {
    identityOf({ type, id, timestamp, data }) {
      if (!USED_FIELDS.has(wordsOf(type)) || (id ?? timestamp) === undefined) return undefined;
      // what the agent shows of a result is not kept
      const { result, error, toolCallId } = recordOf(data);
      const body = result === undefined ? data : [toolCallId, recordOf(result).content, error];
      return { marks: [type, id, timestamp], body };
    },
    add(value, line) {
      const type = textOf(value.type) ?? 'record-without-type';
      const event = {
        data: recordOf(value.data),
        id: textOf(value.id) ?? `L${line}`,
        at: timeOf(value.timestamp),
        line,
      };
      countUnused(value, type, event.data);
      if (type === 'session.start') context.identify(textOf(event.data.sessionId));
      const thread = threadOf(value, event);
      if (type === 'assistant.message') addReply(thread, event);
      else if (type === 'tool.execution_complete') addResult(thread, event);
      else if (type === 'user.message') addUser(thread, event);
      else if (type === 'session.compaction_complete') addCompaction(thread, event);
      else if (type === 'session.model_change') addModelChange(event);
      else if (type === 'session.shutdown') addTotals(event);
      else if (type === 'system.message') addSystem(thread, event);
      else addSignal(type, thread, event);
    },
    finish: () => [main, ...agents.values()].map((thread) => thread.finish()),
  };
}

const MODEL_COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];
const MODEL_BILL = { always: MODEL_COUNTS.slice(0, 2), others: MODEL_COUNTS.slice(2) };

/** In the same order, where an agent tells of all its requests at once. */
const WHOLE_COUNTS = ['input', 'output', 'cache_read', 'cache_write'].map(
  (kind) => `${kind}.tokenCount`,
);
const WHOLE_BILL = { always: [], others: WHOLE_COUNTS, mayBeEmpty: true };

/** Whether there is an object; something else in its place is a bill that is lost. */
function isGiven(value: unknown, name: string, { context, line }: BillPlace): boolean {
  const isMissing = value === undefined || value === null;
  if (!isMissing && !isRecord(value))
    context.problem('bad-bill', line, `${name} that is no object: left out`);
  return isRecord(value);
}

const EVENT_FIELDS = words('type data id timestamp agentId');
const REQUEST_FIELDS = words('toolCallId name arguments type');
const OUTPUT_FIELDS = words('content message');

/** The kinds of events that are of use, and what is used of their data. */
const USED_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'assistant.message',
    words(
      'messageId model content toolRequests outputTokens reasoningText reasoningOpaque encryptedContent parentToolCallId',
    ),
  ],
  ['tool.execution_complete', words('toolCallId success result error parentToolCallId')],
  ['user.message', words('content transformedContent')],
  ['session.compaction_complete', words('success summaryContent preCompactionTokens')],
  ['session.model_change', words('newModel reasoningEffort')],
  ['session.error', words('statusCode')],
  ['session.resume', new Set()],
  ['session.shutdown', words('modelMetrics tokenDetails currentModel')],
  ['system.message', words('content')],
  ['system.notification', words('content')],
  ['abort', new Set()],
]);

function callOf(request: JsonRecord): Block {
  const [id, name] = [wordsOf(request.toolCallId), wordsOf(request.name)];
  return { type: 'tool_use', id, name, input: request.arguments ?? {} };
}

function thinkingOf(data: JsonRecord): Block[] {
  const opaque = textOf(data.reasoningOpaque) ?? textOf(data.encryptedContent);
  const thinking = textOf(data.reasoningText);
  if (opaque === undefined && thinking === undefined) return [];
  return [{ type: 'thinking', thinking: thinking ?? '', signature: opaque ?? NO_SIGNATURE }];
}
