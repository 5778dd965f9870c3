import { recordOf } from '@varve/guards';
import type { Block, MessageResponse } from '@varve/messages';
import type { BillPlace } from './bills.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { type JsonRecord, textOf, timeOf, words } from './json.ts';
import {
  readParts,
  splitSteps,
  stopReasonOf,
  type ToolPart,
  unmasked,
  usageOf,
} from './opencode-parts.ts';
import { createPruning } from './opencode-pruning.ts';
import { identityOfAll } from './repeats.ts';
import { factsOf } from './reply-facts.ts';
import { summaryMessage } from './summary-message.ts';
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
    identityOf: identityOfAll,
    add(value, line) {
      const info = recordOf(value.info);
      const sessionId = textOf(info.id) ?? context.name;
      const parent = textOf(info.parentID);
      context.identify(
        textOf(info.id),
        parent === undefined ? undefined : { id: parent, kind: 'sub-agent' },
      );
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
  context.unusedFields(message, 'message', MESSAGE_FIELDS);
  return {
    info,
    parts: context.records(message.parts, 'part'),
    id: unmasked(info.id) ?? place,
    at: timeOf(recordOf(info.time).created),
  };
}

function addMessages(messages: readonly Exported[], reading: Reading): void {
  const { thread, context } = reading;
  const pruning = createPruning(
    messages.flatMap(({ parts }) => parts),
    thread,
  );
  const followAgent = createAgents(thread);
  let asked: Exported | undefined;
  for (const message of messages) {
    const { info, at } = message;
    const kind = `message/${textOf(info.role) ?? 'unknown'}`;
    pruning.until(at);
    followAgent(message);
    context.unusedFields(info, kind, INFO_FIELDS);
    if (asksForSummary(message)) asked = message;
    else if (info.summary === true && asked !== undefined) {
      addCompaction(asked, message, reading);
      asked = undefined;
    } else if (info.role === 'compaction') addCheckpoint(message, reading);
    else if (info.role === 'user') addUser(message, reading);
    else if (info.role === 'assistant') addReply(message, reading, pruning.logged);
    else context.unused(kind);
  }
  if (asked !== undefined) thread.note({ kind: 'compaction-failed' }, asked.at);
  pruning.until(undefined);
}

const asksForSummary = ({ parts }: Exported): boolean =>
  parts.some(({ type }) => type === 'compaction');

/** Notes when another agent goes on with the session; the one that writes summaries does not. */
function createAgents(thread: ThreadBuilder): (message: Exported) => void {
  let agent: string | undefined;
  return (message) => {
    const next = textOf(message.info.agent) ?? textOf(message.info.mode);
    if (next === undefined || next === agent) return;
    if (message.info.summary === true || asksForSummary(message)) return;
    if (agent !== undefined) thread.note({ kind: 'agent-change', agent: next }, message.at);
    agent = next;
  };
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
    const isOnly = steps.length === 1;
    const response = responseOf(info, { id, step, isOnly }, reading);
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
  bill: BillPlace,
): MessageResponse {
  const finish = step.find(({ type }) => type === 'step-finish');
  const tokens = isOnly ? (finish?.tokens ?? info.tokens) : finish?.tokens;
  const usage = usageOf(tokens, bill);
  const reason = finish?.reason ?? info.finish;
  return {
    id,
    model: textOf(info.modelID) ?? '',
    stopReason: stopReasonOf(reason, info.error),
    ...(usage === undefined ? {} : { usage }),
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
function addCompaction(asked: Exported, answer: Exported, reading: Reading): void {
  const { thread, context } = reading;
  const part = asked.parts.find(({ type }) => type === 'compaction') ?? {};
  const { blocks } = readParts(answer.parts, answer.id, context);
  const summary = blocks.filter(({ type }) => type === 'text');
  const beside = asked.parts.length - 1 + blocks.length - summary.length;
  if (beside > 0) context.unused('compaction/part', beside);
  const step = { id: answer.id, step: answer.parts, isOnly: true };
  const response = responseOf(answer.info, step, reading);
  thread.note({ kind: 'compaction-request', response: factsOf(response) }, asked.at);
  if (summary.length === 0) {
    thread.note({ kind: 'compaction-failed' }, answer.at);
    return;
  }
  const question: Block = { type: 'text', text: '[everything before this point was summarised]' };
  const tail = textOf(part.tail_start_id);
  thread.span({
    with: [
      summaryMessage([question], asked),
      { ...summaryMessage(summary, { ...answer, role: 'assistant' }), response },
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

/** OpenCode 2: a message that stands for everything before it. */
function addCheckpoint(message: Exported, { thread, context }: Reading): void {
  const { blocks } = readParts(message.parts, message.id, context);
  thread.span({
    with: [summaryMessage(blocks, message)],
    receipt: { source: 'session-message' },
    at: message.at,
  });
}

const DOCUMENT_FIELDS = words('messages');
const MESSAGE_FIELDS = words('info parts');
const INFO_FIELDS = words('id role time agent mode modelID tokens finish error summary');
