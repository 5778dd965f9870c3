import { isRecord, recordOf } from '@varve/guards';
import type { Block, StopReason, ToolResultBlock, Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import { type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { imageOf, NO_SIGNATURE } from './openai-content.ts';

/** A call with its result, where it has one. */
export interface ToolPart {
  readonly part: JsonRecord;
  readonly result: ToolResultBlock | undefined;
  readonly endedAt: string | undefined;
}

export interface ReadParts {
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolPart[];
  /** When the model's first block began to arrive. */
  readonly startedAt: string | undefined;
}

/** `id` of the message names calls whose own id was masked. */
export function readParts(
  parts: readonly JsonRecord[],
  id: string,
  context: ImportContext,
): ReadParts {
  const blocks: Block[] = [];
  const tools: ToolPart[] = [];
  for (const [index, part] of parts.entries()) {
    const type = textOf(part.type) ?? 'part-without-type';
    context.unusedFields(part, `part/${type}`, PART_FIELDS);
    if (type === 'text' && part.ignored !== true)
      blocks.push({ type: 'text', text: wordsOf(part.text) });
    else if (type === 'reasoning') blocks.push(readReasoning(part));
    else if (type === 'file' && textOf(part.url)?.startsWith('data:')) blocks.push(readFile(part));
    else if (type === 'tool') {
      const call = readTool(part, unmasked(part.callID) ?? `${id}-call-${index}`, context);
      blocks.push(call.block);
      tools.push(call.tool);
    } else if (type !== 'step-start' && type !== 'step-finish') context.unused(`part/${type}`);
  }
  const startedAt = parts
    .map(({ time }) => timeOf(recordOf(time).start))
    .find((at) => at !== undefined);
  return { blocks, tools, startedAt };
}

const PART_FIELDS = words(
  'type text time metadata tool callID state tokens reason url mime synthetic ignored auto overflow tail_start_id',
);

/** An id; undefined for one that was masked in the file. */
export function unmasked(value: unknown): string | undefined {
  const id = textOf(value);
  return id?.startsWith('REDACTED') ? undefined : id;
}

/** Each step of a message is a request of its own. */
export function splitSteps(parts: readonly JsonRecord[]): JsonRecord[][] {
  const steps: JsonRecord[][] = [[]];
  for (const part of parts) {
    const step = steps.at(-1);
    if (part.type === 'step-start' && step?.some(({ type }) => type === 'step-finish'))
      steps.push([part]);
    else step?.push(part);
  }
  return steps;
}

const SIGNATURES = ['signature', 'reasoningOpaque', 'reasoningEncryptedContent'];

/** The provider's opaque field stands under the provider's name. */
function readReasoning(part: JsonRecord): Block {
  const fields = Object.values(recordOf(part.metadata)).map(recordOf);
  const signature = SIGNATURES.flatMap((name) =>
    fields.flatMap((field) => textOf(field[name]) ?? []),
  )[0];
  return {
    type: 'thinking',
    thinking: wordsOf(part.text),
    signature: signature ?? NO_SIGNATURE,
  };
}

function readFile(part: JsonRecord): Block {
  const mime = wordsOf(part.mime);
  const image = imageOf(wordsOf(part.url));
  return mime.startsWith('image/') ? image : { type: 'document', source: image.source };
}

function readTool(
  part: JsonRecord,
  id: string,
  context: ImportContext,
): { readonly block: Block; readonly tool: ToolPart } {
  const state = recordOf(part.state);
  const block = {
    type: 'tool_use',
    id,
    name: textOf(part.tool) ?? 'unnamed',
    input: state.input ?? {},
  } as const;
  context.unusedFields(state, 'part/tool.state', STATE_FIELDS);
  const endedAt = timeOf(recordOf(state.time).end);
  return { block, tool: { part, result: resultOf(state, id, context), endedAt } };
}

const STATE_FIELDS = words('status input output error time attachments');

function resultOf(
  state: JsonRecord,
  id: string,
  context: ImportContext,
): ToolResultBlock | undefined {
  if (state.status === 'error') {
    return {
      type: 'tool_result',
      tool_use_id: id,
      content: wordsOf(state.error),
      is_error: true,
    };
  }
  if (state.status !== 'completed') return undefined;
  const output = wordsOf(state.output);
  const attachments = context.records(state.attachments, 'attachment');
  const files = attachments.filter(({ url }) => textOf(url)?.startsWith('data:'));
  if (files.length < attachments.length) {
    context.unused('attachment', attachments.length - files.length);
  }
  const content =
    files.length === 0 ? output : [{ type: 'text', text: output }, ...files.map(readFile)];
  return { type: 'tool_result', tool_use_id: id, content };
}

const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['tool-calls', 'tool_use'],
  ['length', 'max_tokens'],
  ['content-filter', 'refusal'],
  ['error', 'error'],
]);

export function stopReasonOf(reason: unknown, error: unknown): StopReason {
  if (isRecord(error)) return error.name === 'MessageAbortedError' ? 'aborted' : 'error';
  return STOP_REASONS.get(reason) ?? 'unknown';
}

const BILL = {
  always: ['input', 'output'],
  others: ['cache.read', 'cache.write', 'reasoning'],
  details: ['total'],
};

/**
 * OpenCode counts input without the cache. Whether output holds the reasoning differs between providers: the total, where
 * there is one, tells.
 */
export function usageOf(tokens: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(tokens, BILL, place);
  if (bill === undefined) return undefined;
  const [input, output] = [bill.count('input') ?? 0, bill.count('output') ?? 0];
  const [read, write] = [bill.count('cache.read') ?? 0, bill.count('cache.write') ?? 0];
  const rest = (bill.count('total') ?? 0) - input - read - write;
  const reasoning = bill.count('reasoning') ?? 0;
  return {
    input_tokens: input,
    output_tokens: rest === output + reasoning ? rest : output,
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    output_tokens_details: { thinking_tokens: reasoning },
    provider_usage: bill.fields,
  };
}
