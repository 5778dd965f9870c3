import { recordOf } from '@varve/guards';
import { type Block, fingerprint, type ToolResultBlock, type Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import { readBlocks } from './block-fields.ts';
import type { ImportContext } from './context.ts';
import { createGeminiJournal } from './gemini-journal.ts';
import { readPart, responseText } from './gemini-parts.ts';
import type { Importer } from './importer.ts';
import { itemsOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE } from './openai-content.ts';
import { identityOfAll } from './repeats.ts';
import { createThread, type MessageFacts } from './thread.ts';
import type { SessionParent } from './types.ts';

/**
 * Gemini CLI: calls and their results stand in the reply. Up to 0.38 one object with all messages; then a line a record: what the session is, messages,
 * each written anew when it grew, and changes (`$set`, `$rewindTo`).
 */
export function createGeminiCli(context: ImportContext): Importer {
  const thread = createThread({ id: 'main', context });
  const journal = createGeminiJournal(context);

  function addMessage(message: JsonRecord, index: number, line: number): void {
    const type = textOf(message.type) ?? 'message-without-type';
    const facts = {
      id: textOf(message.id) ?? `message-${index + 1}`,
      at: timeOf(message.timestamp),
      line,
    };
    if (type === 'user') thread.user(partsOf(message.content), facts);
    else if (type === 'gemini') addReply(message, facts);
    else context.unused(`message/${type}`);
    if (type === 'user' || type === 'gemini')
      context.unusedFields(message, `message/${type}`, MESSAGE_FIELDS);
  }

  function addReply(message: JsonRecord, facts: MessageFacts): void {
    const calls = context.records(message.toolCalls, 'toolCall');
    const uses = calls.map((call, index) => readCall(call, `${facts.id}-call-${index}`));
    const content = [
      ...context.records(message.thoughts, 'thought').map(readThought),
      ...partsOf(message.content),
      ...uses,
    ];
    const usage = usageOf(message.tokens, { context, line: facts.line });
    const stopReason = uses.length > 0 ? 'tool_use' : 'end_turn';
    const response = {
      id: textOf(message.id) ?? `${context.name}:${facts.id}`,
      model: textOf(message.model) ?? '',
      stopReason,
      ...(usage === undefined ? {} : { usage }),
    } as const;
    thread.assistant(content, { ...facts, response });
    for (const [index, call] of calls.entries()) addResult(call, uses[index]?.id ?? '', facts);
  }

  function addResult(call: JsonRecord, callId: string, { id, at, line }: MessageFacts): void {
    const block = readResult(call, callId);
    context.unusedFields(call, 'toolCall', CALL_FIELDS);
    if (block === undefined) return;
    thread.result(block, { id: `${id}-result`, at: timeOf(call.timestamp) ?? at, line });
  }

  return {
    identityOf(value, text) {
      if (!journal.takes(value)) return identityOfAll(value);
      const time = value.timestamp ?? recordOf(value.$set).lastUpdated;
      if ((value.id ?? time) === undefined) return undefined;
      return { marks: [value.id, time], body: fingerprint(text) };
    },
    add(value, line) {
      if (journal.takes(value)) journal.add(value, line);
      else {
        context.unusedFields(value, 'document', DOCUMENT_FIELDS);
        context.identify(textOf(value.sessionId), parentOf(value, context.name));
        journal.set(value.messages, line);
      }
    },
    finish() {
      for (const [index, step] of journal.steps().entries()) {
        if (step.kind === 'message') addMessage(step.message, index, step.line);
        else {
          const at = timeOf(step.message.timestamp);
          thread.span({ reason: 'recorded-rewind', dropFromId: wordsOf(step.message.id), at });
        }
      }
      return [thread.finish()];
    },
  };
}

/** A sub-agent's file lies in a folder that is called as its parent's session. */
function parentOf({ kind }: JsonRecord, name: string): SessionParent | undefined {
  const folder = name.split(/[/\\]/).at(-2);
  return kind === 'subagent' && folder !== undefined
    ? { id: folder, kind: 'sub-agent' }
    : undefined;
}

const DOCUMENT_FIELDS = words('messages sessionId kind');
const MESSAGE_FIELDS = words('id timestamp type content thoughts tokens model toolCalls');
const CALL_FIELDS = words('id name args result status timestamp');

function partsOf(content: unknown): Block[] {
  return readBlocks(content, readPart);
}

function readThought(thought: JsonRecord): Block {
  const thinking = [thought.subject, thought.description]
    .flatMap((text) => textOf(text) ?? [])
    .join('\n');
  return { type: 'thinking', thinking, signature: NO_SIGNATURE };
}

function readCall(call: JsonRecord, place: string) {
  const [id, name] = [textOf(call.id) ?? place, textOf(call.name) ?? 'unnamed'];
  return { type: 'tool_use', id, name, input: call.args ?? {} } as const;
}

/** A call that was cancelled has an error in the place of its output. */
function readResult(call: JsonRecord, id: string): ToolResultBlock | undefined {
  const responses = itemsOf(call.result).map((item) => {
    const { functionResponse } = recordOf(item);
    return functionResponse === undefined ? item : recordOf(functionResponse).response;
  });
  if (responses.length === 0) return undefined;
  const isError = responses.some((response) => recordOf(response).error !== undefined);
  const content = responses.map(responseText).join('\n');
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}

const BILL = { always: ['input', 'output'], others: ['cached', 'tool', 'thoughts'] };

/** Gemini counts cached tokens among the input, and thoughts and the prompt of a tool beside input and output. */
function usageOf(tokens: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(tokens, BILL, place);
  if (bill === undefined) return undefined;
  const cached = bill.count('cached') ?? 0;
  const input = (bill.count('input') ?? 0) + (bill.count('tool') ?? 0);
  const thoughts = bill.count('thoughts') ?? 0;
  return {
    input_tokens: Math.max(0, input - cached),
    output_tokens: (bill.count('output') ?? 0) + thoughts,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: Math.min(input, cached),
    output_tokens_details: { thinking_tokens: thoughts },
    provider_usage: bill.fields,
  };
}
