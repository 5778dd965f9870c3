import type { Block, Message, MessageResponse } from '@varve/messages';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { type JsonRecord, recordOf, textOf, timeOf, words } from './json.ts';
import { readParts, splitSteps, stopReasonOf, type ToolPart, usageOf } from './opencode-parts.ts';
import { createPruning } from './opencode-pruning.ts';
import { createThread, type ThreadBuilder } from './thread.ts';

/** A message of the export, its name in the log and its time. */
interface Exported {
  readonly info: JsonRecord;
  readonly parts: readonly JsonRecord[];
  readonly id: string;
  readonly at: string | undefined;
}

/** OpenCode's `export`: one object with all messages; a call and its result are one part. */
export function createOpencode(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  return {
    add(value, line) {
      const sessionId = textOf(recordOf(value.info).id) ?? context.name;
      const messages = context
        .records(value.messages, 'message')
        .map((message, index) => toExported(message, `${sessionId}:${index + 1}`, context));
      context.unusedFields(value, 'document', DOCUMENT_FIELDS);
      addMessages(messages, { thread, context, line });
    },
    finish: () => [thread.finish()],
  };
}

interface Reading {
  readonly thread: ThreadBuilder;
  readonly context: ImportContext;
  readonly line: number;
}

/** `place` names a message whose own id was masked. */
function toExported(message: JsonRecord, place: string, context: ImportContext): Exported {
  const info = recordOf(message.info);
  const id = textOf(info.id);
  context.unusedFields(message, 'message', MESSAGE_FIELDS);
  return {
    info,
    parts: context.records(message.parts, 'part'),
    id: id === undefined || id.startsWith('REDACTED') ? place : id,
    at: timeOf(recordOf(info.time).created),
  };
}

function addMessages(messages: readonly Exported[], reading: Reading): void {
  const { thread, context } = reading;
  const pruning = createPruning(
    messages.flatMap(({ parts }) => parts),
    thread,
  );
  let [agent, asked]: [string | undefined, Exported | undefined] = [undefined, undefined];
  for (const message of messages) {
    const { info, parts, at } = message;
    pruning.until(at);
    const next = textOf(info.agent) ?? textOf(info.mode);
    const isCompaction = info.summary === true || parts.some(({ type }) => type === 'compaction');
    if (next !== undefined && next !== agent && !isCompaction) {
      if (agent !== undefined) thread.note({ kind: 'agent-change', agent: next }, at);
      agent = next;
    }
    context.unusedFields(info, `message/${textOf(info.role) ?? 'unknown'}`, INFO_FIELDS);
    if (parts.some(({ type }) => type === 'compaction')) asked = message;
    else if (info.summary === true && asked !== undefined) {
      addCompaction(asked, message, reading);
      asked = undefined;
    } else if (info.role === 'user') addUser(message, reading);
    else if (info.role === 'assistant') addReply(message, reading, pruning.logged);
    else context.unused(`message/${textOf(info.role) ?? 'unknown'}`);
  }
  if (asked !== undefined) thread.note({ kind: 'compaction-failed' }, asked.at);
  pruning.until(undefined);
}

function addUser({ parts, id, at }: Exported, { thread, context, line }: Reading): void {
  const texts = parts.filter(({ type }) => type === 'text');
  const isInjected = texts.length > 0 && texts.every(({ synthetic }) => synthetic === true);
  const origin = isInjected ? ({ kind: 'reminder' } as const) : undefined;
  thread.user(readParts(parts, id, context).blocks, { id, at, line, origin });
}

function addReply(
  message: Exported,
  reading: Reading,
  logged: (tool: ToolPart, id: string) => void,
): void {
  const { thread, context, line } = reading;
  const { info, parts, at } = message;
  const steps = splitSteps(parts);
  noteError(info, thread, at);
  for (const [index, step] of steps.entries()) {
    const id = index === 0 ? message.id : `${message.id}-${index + 1}`;
    const { blocks, tools, startedAt } = readParts(step, id, context);
    if (index === 0) thread.input(at);
    const response = responseOf(info, { id, step, isOnly: steps.length === 1 });
    thread.assistant(blocks, { id, at: startedAt ?? at, line, response });
    for (const tool of tools) {
      if (tool.result === undefined) continue;
      logged(tool, thread.result(tool.result, { id: `${id}-result`, at: tool.endedAt, line }));
    }
  }
}

function responseOf(
  info: JsonRecord,
  {
    id,
    step,
    isOnly,
  }: { readonly id: string; readonly step: readonly JsonRecord[]; readonly isOnly: boolean },
): MessageResponse {
  const finish = step.find(({ type }) => type === 'step-finish');
  const tokens = finish?.tokens ?? (isOnly ? info.tokens : undefined);
  const usage = tokens === undefined ? {} : { usage: usageOf(recordOf(tokens)) };
  const reason = finish?.reason ?? info.finish;
  return {
    id,
    model: textOf(info.modelID) ?? '',
    stopReason: stopReasonOf(reason, info.error),
    ...usage,
  };
}

function noteError(info: JsonRecord, thread: ThreadBuilder, at: string | undefined): void {
  const error = recordOf(info.error);
  if (error.name === 'MessageAbortedError') thread.note({ kind: 'turn-aborted' }, at);
  else if (textOf(error.name) !== undefined) {
    const status = recordOf(error.data).statusCode;
    thread.note({ kind: 'api-error', ...(typeof status === 'number' ? { status } : {}) }, at);
  }
}

/** The compaction is a request of its own; its question and its answer stand for everything before them. */
function addCompaction(asked: Exported, answer: Exported, { thread, context }: Reading): void {
  const part = asked.parts.find(({ type }) => type === 'compaction') ?? {};
  const { blocks } = readParts(answer.parts, answer.id, context);
  const summary = blocks.filter(({ type }) => type === 'text');
  const beside = asked.parts.length - 1 + blocks.length - summary.length;
  if (beside > 0) context.unused('compaction/part', beside);
  const response = responseOf(answer.info, { id: answer.id, step: answer.parts, isOnly: true });
  const { id, model, stopReason, usage } = response;
  const counts = Object.entries(usage ?? {}).filter(
    (field): field is [string, number] => typeof field[1] === 'number',
  );
  thread.note(
    {
      kind: 'compaction-request',
      response: { id, model, stopReason, usage: Object.fromEntries(counts) },
    },
    asked.at,
  );
  if (summary.length === 0) {
    thread.note({ kind: 'compaction-failed' }, answer.at);
    return;
  }
  const question: Block = { type: 'text', text: '[everything before this point was summarised]' };
  const tail = textOf(part.tail_start_id);
  thread.span({
    with: [
      summaryMessage(asked, 'user', [question]),
      { ...summaryMessage(answer, 'assistant', summary), response },
    ],
    keep: tail === undefined ? undefined : { fromId: tail },
    receipt: {
      source: 'compaction-part',
      auto: part.auto === true,
      overflow: part.overflow === true,
    },
    at: asked.at,
  });
}

function summaryMessage(
  { id, at }: Exported,
  role: Message['role'],
  content: readonly Block[],
): Message {
  const createdAt = at === undefined ? {} : { createdAt: at };
  return { id, role, content, origin: { kind: 'summary' }, ...createdAt };
}

const DOCUMENT_FIELDS = words('messages');
const MESSAGE_FIELDS = words('info parts');
const INFO_FIELDS = words('id role time agent mode modelID tokens finish error summary');
