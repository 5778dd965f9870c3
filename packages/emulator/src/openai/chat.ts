import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import {
  isText,
  isThinking,
  isToolUse,
  openaiChatProfile,
  type StopReason,
  type Tool,
} from '@varve/messages';
import { fromOpenAIChat } from '@varve/messages/convert';
import type { ModelInfo } from '@varve/tokens';
import { type Call, type Endpoint, Refused } from '../core/endpoint.ts';
import { eventReply, jsonReply } from '../core/http.ts';
import { markersOf, unmark } from './breakpoints.ts';
import { chatEvents } from './chat-stream.ts';
import { checkFields, checkShape, modelOf, outputLimit } from './check-fields.ts';
import { badRequest } from './error-body.ts';
import { CHAT_FIELDS } from './fields.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type Replied, replyTo } from './reply.ts';

/** POST /v1/chat/completions */
export const chatCompletions: Endpoint = async (call) => {
  const { body, state } = call;
  checkFields(body, CHAT_FIELDS);
  const prepared = readChat(call);
  const { stop } = body;
  const stopSequences = typeof stop === 'string' ? [stop] : listOf(stop).map(String);
  const replied = await replyTo(call, prepared, { provider: 'openai-chat', stopSequences });
  const completion = completionOf(call, prepared, replied);
  const includeUsage = recordOf(body.stream_options).include_usage === true;
  const options = { deltaCharacters: state.deltaCharacters, includeUsage };
  return {
    reply:
      body.stream === true
        ? eventReply(chatEvents(completion, options))
        : jsonReply(200, completion),
    model: prepared.model.id,
    billed: [replied.served],
    outputTokens: replied.reply.outputTokens,
  };
};

function readChat(call: Call): Prepared {
  const { body } = call;
  const model = modelOf(call);
  checkShape(body, 'chat');
  if (body.n != null && body.n !== 1) {
    throw new Refused(badRequest("'n' above 1 is not supported by this emulator.", 'n'));
  }
  const tools = listOf(body.tools).map(toolOf);
  const unmarked = unmark(listOf(body.messages));
  const convert = (items: readonly Fields[]) =>
    fromOpenAIChat(items as unknown as readonly Parameters<typeof fromOpenAIChat>[0][number][])
      .messages;
  if (tools.length > 0 && refusesToolsWithEffort(body, model)) {
    const text =
      'Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Use /v1/responses instead.';
    throw new Refused(badRequest(text, 'reasoning_effort'));
  }
  return prepare(call, {
    model,
    // a conversation may end with the assistant here
    profile: { ...openaiChatProfile(), prefill: true },
    messages: convert(unmarked.items),
    markers: markersOf(unmarked, convert),
    system: [],
    tools,
    params: paramsOf(call),
    maxOutputTokens: outputLimit(body, ['max_completion_tokens', 'max_tokens'], model),
  });
}

function refusesToolsWithEffort(
  { reasoning_effort: effort }: Call['body'],
  { id, provider }: ModelInfo,
): boolean {
  return provider === 'openai' && effort != null && effort !== 'none' && !BEFORE_5_4.test(id);
}

const BEFORE_5_4 = /^gpt-5(\.[123])?(-|$)/;

function toolOf(tool: unknown): Tool {
  const { function: fields, type } = recordOf(tool);
  if (!isRecord(fields)) return { name: textOf(type), ...recordOf(tool) };
  const { name, description, parameters, ...rest } = fields;
  return {
    ...rest,
    name: textOf(name),
    ...(typeof description === 'string' && { description }),
    ...(parameters !== undefined && { input_schema: parameters }),
  };
}

const paramsOf = ({ body }: Call) => ({
  ...(body.service_tier != null && { service_tier: body.service_tier }),
  ...(body.prompt_cache_key != null && { prompt_cache_key: body.prompt_cache_key }),
  ...(body.reasoning_effort != null && { reasoning: { effort: body.reasoning_effort } }),
  text: {
    ...(body.response_format != null && { format: body.response_format }),
    ...(body.verbosity != null && { verbosity: body.verbosity }),
  },
});

const FINISH: Partial<Record<StopReason, string>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly [{ readonly message: Fields; readonly finish_reason: string }];
  readonly usage: Fields;
}

function completionOf(
  { state, startMs }: Call,
  { model }: Prepared,
  replied: Replied,
): ChatCompletion {
  const { content, stopReason } = replied.reply;
  const texts = content.filter((block) => !isThinking(block)).filter(isText);
  const calls = content.filter(isToolUse).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: texts.length > 0 ? texts.map(({ text }) => text).join('') : null,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: FINISH[stopReason] ?? 'stop' };
  return {
    id: state.newId('chatcmpl'),
    object: 'chat.completion',
    created: Math.floor(startMs / 1_000),
    model: model.id,
    choices: [choice],
    usage: usageOf(replied),
  };
}

function usageOf({ reply, served, reasoningTokens }: Replied): Fields {
  const { tokens } = served;
  return {
    prompt_tokens: tokens.total,
    completion_tokens: reply.outputTokens,
    total_tokens: tokens.total + reply.outputTokens,
    prompt_tokens_details: {
      cached_tokens: tokens.read,
      cache_write_tokens: tokens.write5m + tokens.write1h,
    },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
