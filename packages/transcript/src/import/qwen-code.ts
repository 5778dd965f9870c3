import { isRecord, recordOf } from '@varve/guards';
import { type Block, fingerprint, type Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import { readPart, responseText } from './gemini-parts.ts';
import type { Importer } from './importer.ts';
import { countOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { summaryMessage } from './summary-message.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

interface QwenThread {
  readonly builder: ThreadBuilder;
  /** The records so far with what each became, to go back to one of them. */
  readonly records: { readonly uuid: string; readonly messageId: string | undefined }[];
}

/** Qwen Code from 0.5 on: a line a record, in a tree by `parentUuid`; what is said is in the shape of Gemini's API. */
export function createQwenCode(context: ImportContext): Importer {
  const threads = new Map<string, QwenThread>();

  function threadOf(record: JsonRecord): QwenThread {
    const agent = record.isSidechain === true ? textOf(record.agentId) : undefined;
    const id = agent ?? 'main';
    const known = threads.get(id);
    if (known !== undefined) return known;
    const kind = agent === undefined ? 'main' : 'sub-agent';
    const thread = { builder: createThread({ id, kind, context }), records: [] };
    threads.set(id, thread);
    return thread;
  }

  /** A record whose parent is not the newest one goes back to that parent. */
  function follow({ builder, records }: QwenThread, parent: unknown, at: string | undefined): void {
    if (records.length === 0 || typeof parent !== 'string' || records.at(-1)?.uuid === parent)
      return;
    const place = records.findLastIndex(({ uuid }) => uuid === parent);
    const dropFromId = records.slice(place + 1).find(({ messageId }) => messageId)?.messageId;
    if (place < 0 || dropFromId === undefined) return;
    builder.span({ reason: 'recorded-rewind', dropFromId, at });
    records.length = place + 1;
  }

  function addRecord(thread: QwenThread, record: JsonRecord, place: Place): string | undefined {
    const type = textOf(record.type) ?? 'record-without-type';
    const kind = [type, textOf(record.subtype)].filter(Boolean).join('/');
    if (record.subtype === 'chat_compression') {
      addCompaction(thread.builder, record, place);
      return undefined;
    }
    if (record.subtype === 'parent_session') {
      const id = textOf(recordOf(record.systemPayload).parentSessionId);
      if (id !== undefined) context.identify(context.identity.id, { id, kind: 'sub-agent' });
    }
    if (type === 'system' || !isRecord(record.message)) {
      context.unused(kind);
      return undefined;
    }
    context.unusedFields(record, type, RECORD_FIELDS);
    const parts = context.records(record.message.parts, 'part');
    if (type === 'assistant') return addReply(thread.builder, record, { parts, place });
    if (type === 'tool_result') return addResults(thread.builder, parts, place);
    if (type === 'user') {
      const origin = INJECTED.has(record.subtype) ? ({ kind: 'reminder' } as const) : undefined;
      return thread.builder.user(parts.map(readPart), { ...place, origin });
    }
    context.unused(kind);
    return undefined;
  }

  function addReply(
    builder: ThreadBuilder,
    record: JsonRecord,
    { parts, place }: { parts: readonly JsonRecord[]; place: Place },
  ): string {
    const content = parts.map((part, index) => contentOf(part, `${place.id}-call-${index}`));
    const usage = usageOf(record.usageMetadata, { context, line: place.line });
    const isCopy = isRecord(record.forkedFrom);
    if (isCopy && usage !== undefined) context.unused('assistant.usageMetadata-of-parent');
    const response = {
      id: textOf(recordOf(record.forkedFrom).messageUuid) ?? place.id,
      model: textOf(record.model) ?? '',
      stopReason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      ...(usage === undefined || isCopy ? {} : { usage }),
    } as const;
    return builder.assistant(content, { ...place, response });
  }

  function addResults(builder: ThreadBuilder, parts: readonly JsonRecord[], place: Place) {
    let first: string | undefined;
    const others = parts.filter(({ functionResponse }) => !isRecord(functionResponse));
    for (const { functionResponse } of parts) {
      if (!isRecord(functionResponse)) continue;
      const isError = recordOf(functionResponse.response).error !== undefined;
      const block = {
        type: 'tool_result',
        tool_use_id: wordsOf(functionResponse.id),
        content: responseText(functionResponse.response),
        ...(isError ? { is_error: true } : {}),
      } as const;
      const id = builder.result(block, place);
      first ??= id;
    }
    const id = builder.user(others.map(readPart), { ...place, origin: { kind: 'tool' } });
    return first ?? id;
  }

  function addCompaction(builder: ThreadBuilder, record: JsonRecord, { id, at }: Place): void {
    const payload = recordOf(record.systemPayload);
    const history = context.records(payload.compressedHistory, 'compressedHistory');
    const summary = history.map(({ role, parts }, index) => {
      const content = context
        .records(parts, 'compressedHistory/part')
        .map((part): Block => ({ type: 'text', text: textOf(part.text) ?? JSON.stringify(part) }));
      if (content.length === 0) context.unused('compressedHistory-without-parts');
      const place = { id: `${id}-${index}`, at };
      return summaryMessage(content, { ...place, role: role === 'model' ? 'assistant' : 'user' });
    });
    const before = countOf(recordOf(payload.info).originalTokenCount);
    const preTokens = before === undefined ? {} : { preTokens: before };
    builder.span({ with: summary, receipt: { source: 'chat_compression', ...preTokens }, at });
  }

  return {
    identityOf({ uuid, timestamp }, text) {
      return textOf(uuid) === undefined
        ? undefined
        : { marks: [uuid, timestamp], body: fingerprint(text) };
    },
    add(record, line) {
      const at = timeOf(record.timestamp);
      const thread = threadOf(record);
      const forkedFrom = textOf(recordOf(record.forkedFrom).sessionId);
      const parent = forkedFrom && ({ id: forkedFrom, kind: 'fork' } as const);
      if (thread === threads.get('main'))
        context.identify(textOf(record.sessionId), parent || context.identity.parent);
      follow(thread, record.parentUuid, at);
      const uuid = textOf(record.uuid) ?? `L${line}`;
      const messageId = addRecord(thread, record, { id: uuid, at, line });
      thread.records.push({ uuid, messageId });
    },
    finish: () => [...threads.values()].map(({ builder }) => builder.finish()),
  };
}

interface Place {
  readonly id: string;
  readonly at: string | undefined;
  readonly line: number;
}

/** User records that no person wrote. */
const INJECTED = new Set<unknown>([
  'notification',
  'background_task_completed',
  'cron',
  'goal_runtime',
]);

const RECORD_FIELDS = words(
  'uuid parentUuid sessionId timestamp type subtype message usageMetadata model agentId isSidechain forkedFrom',
);

function contentOf(part: JsonRecord, place: string): Block {
  const call = part.functionCall;
  if (isRecord(call)) {
    const [id, name] = [textOf(call.id) ?? place, textOf(call.name) ?? 'unnamed'];
    return { type: 'tool_use', id, name, input: call.args ?? {} };
  }
  if (part.thought === true && typeof part.text === 'string') {
    const signature = textOf(part.thoughtSignature) ?? NO_SIGNATURE;
    return { type: 'thinking', thinking: part.text, signature };
  }
  return readPart(part);
}

/** Gemini's API leaves out what is 0. */
const BILL = {
  always: ['promptTokenCount'],
  others: ['candidatesTokenCount', 'cachedContentTokenCount', 'thoughtsTokenCount'],
};

/** Some providers count thoughts among the candidates and some beside them: the total tells. */
function usageOf(usage: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(usage, BILL, place);
  if (bill === undefined) return undefined;
  const prompt = bill.count('promptTokenCount') ?? 0;
  const cached = Math.min(prompt, bill.count('cachedContentTokenCount') ?? 0);
  const candidates = bill.count('candidatesTokenCount') ?? 0;
  const thoughts = bill.count('thoughtsTokenCount') ?? 0;
  const isBeside = bill.fields.totalTokenCount === prompt + candidates + thoughts;
  return {
    input_tokens: prompt - cached,
    output_tokens: candidates + (isBeside ? thoughts : 0),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens_details: { thinking_tokens: thoughts },
    provider_usage: bill.fields,
  };
}
