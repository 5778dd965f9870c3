import { isRecord, recordOf } from '@varve/guards';
import type { Block, StopReason, Usage } from '@varve/messages';
import { type BillPlace, readBill } from './bills.ts';
import type { ImportContext } from './context.ts';
import type { CreateImporter } from './importer.ts';
import { argumentsOf, type JsonRecord, textOf, words, wordsOf } from './json.ts';
import { outputOf, partsOf } from './openai-content.ts';
import { addSystem, createPlain } from './plain.ts';

/** Messages of OpenAI's Chat Completions. */
export const createOpenaiChat: CreateImporter = (context) =>
  createPlain(context, {
    fields: words(
      'role content tool_calls function_call tool_call_id id model finish_reason usage created_at timestamp',
    ),
    add(thread, message, place) {
      const { role } = message;
      const content = partsOf(message.content);
      if (role === 'system' || role === 'developer') {
        return addSystem(thread, { content, place, context });
      }
      if (role === 'user') thread.user(content, place);
      else if (role === 'tool' || role === 'function') thread.result(resultOf(message), place);
      else if (role === 'assistant') {
        const calls = callsOf(message, context).map((call, index) =>
          callOf(call, `${place.id}-call-${index}`),
        );
        const response = responseOf(message, `${context.name}:${place.id}`, {
          context,
          line: place.line,
        });
        thread.assistant([...content, ...calls], { ...place, response });
      } else return false;
      return true;
    },
  });

/** The call of the first versions has no id: its result names the function. */
function callsOf(message: JsonRecord, context: ImportContext): readonly JsonRecord[] {
  const calls = context.records(message.tool_calls, 'tool_call');
  const { function_call: old } = message;
  return isRecord(old) ? [...calls, { id: old.name, function: old }] : calls;
}

function callOf(call: JsonRecord, place: string): Block {
  const called = recordOf(call.function ?? call.custom);
  const input = argumentsOf(called.arguments ?? called.input);
  return { type: 'tool_use', id: textOf(call.id) ?? place, name: wordsOf(called.name), input };
}

function resultOf(message: JsonRecord) {
  const tool_use_id = wordsOf(message.tool_call_id ?? message.name);
  return { type: 'tool_result', tool_use_id, content: outputOf(message.content) } as const;
}

const STOP_REASONS: ReadonlyMap<unknown, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['tool_calls', 'tool_use'],
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
]);

/** Only files that keep more than the messages tell of the response. */
function responseOf(message: JsonRecord, place: string, bill: BillPlace) {
  const usage = usageOf(message.usage, bill);
  const model = textOf(message.model);
  if (model === undefined) {
    if (usage !== undefined) bill.context.unused('message/assistant.usage');
    return undefined;
  }
  const stopReason = STOP_REASONS.get(message.finish_reason) ?? 'unknown';
  const id = textOf(message.id) ?? place;
  return { id, model, stopReason, ...(usage === undefined ? {} : { usage }) };
}

const CACHED = 'prompt_tokens_details.cached_tokens';
const REASONING = 'completion_tokens_details.reasoning_tokens';
const BILL = {
  always: ['prompt_tokens', 'completion_tokens'],
  others: [CACHED],
  details: [REASONING],
};

function usageOf(usage: unknown, place: BillPlace): Usage | undefined {
  const bill = readBill(usage, BILL, place);
  if (bill === undefined) return undefined;
  const prompt = bill.count('prompt_tokens') ?? 0;
  const cached = Math.min(prompt, bill.count(CACHED) ?? 0);
  const reasoning = bill.count(REASONING);
  return {
    input_tokens: prompt - cached,
    output_tokens: bill.count('completion_tokens') ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
    provider_usage: bill.fields,
  };
}
