import { type Fields, listOf, recordOf } from '@varve/guards';
import type { Message, Request, StopReason } from '@varve/messages';
import type { Answer, Call, Endpoint } from '../core/endpoint.ts';
import { eventReply, jsonReply } from '../core/http.ts';
import { RESPONSES_FIELDS } from './fields.ts';
import { type Replied, replyTo, summarize } from './reply.ts';
import { diagnose, type StoredResponse } from './responses-diagnostics.ts';
import { compactionItem, outputItems } from './responses-items.ts';
import { type PreparedResponse, readResponse } from './responses-read.ts';
import { responseEvents } from './responses-stream.ts';
import { responsesUsage } from './responses-usage.ts';

/** POST /v1/responses */
export const responses: Endpoint = async (call) => {
  const prepared = readResponse(call, RESPONSES_FIELDS);
  const compacted = await compactAtThreshold(call, prepared);
  const request = compacted?.request;
  const options = { provider: 'openai-responses', stopSequences: [], request } as const;
  const replied = await replyTo(call, prepared, options);
  const include = listOf(call.body.include);
  const items = outputItems(replied.reply.content, {
    newId: call.state.newId,
    encryptsReasoning: include.includes('reasoning.encrypted_content'),
  });
  const output = compacted ? [compacted.item, ...items] : items;
  return answer(call, prepared, { replied, compacted, output });
};

interface Compacted extends Awaited<ReturnType<typeof summarize>> {
  readonly item: Fields;
  readonly request: Request;
}

/** Summarises when the prompt has reached the `compact_threshold` of a compaction edit. */
async function compactAtThreshold(
  call: Call,
  prepared: PreparedResponse,
): Promise<Compacted | undefined> {
  const edit = listOf(call.body.context_management)
    .map(recordOf)
    .find(({ type }) => type === 'compaction');
  const threshold = edit?.compact_threshold;
  if (typeof threshold !== 'number' || prepared.tokens < threshold) return undefined;
  const summary = await summarize(call, prepared);
  const item = compactionItem(summary.summary, call.state.newId);
  const message = { role: 'assistant', content: [item] } as unknown as Message;
  const request = { ...prepared.request, messages: [message], markers: [] };
  return { ...summary, item, request: prepared.account.intern<Request>(request) };
}

/** Why a response is not complete, by how the reply ended. */
const INCOMPLETE: Partial<Record<StopReason, string>> = {
  max_tokens: 'max_output_tokens',
  model_context_window_exceeded: 'max_output_tokens',
  refusal: 'content_filter',
};

interface Outcome {
  readonly replied: Replied;
  readonly compacted: Compacted | undefined;
  readonly output: readonly Fields[];
}

function answer(
  call: Call,
  prepared: PreparedResponse,
  { replied, compacted, output }: Outcome,
): Answer {
  const { body, state, startMs, organisation } = call;
  const passes = [...(compacted ? [compacted.served] : []), replied.served];
  const outputTokens = replied.reply.outputTokens + (compacted?.outputTokens ?? 0);
  const { reasoningTokens } = replied;
  const reason = INCOMPLETE[replied.reply.stopReason];
  const id = state.newId('resp');
  const diagnostics = diagnose(call, prepared);
  const response = {
    ...echoOf(call, prepared),
    id,
    object: 'response',
    created_at: Math.floor(startMs / 1_000),
    completed_at: Math.floor(state.now() / 1_000),
    status: reason ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reason ? { reason } : null,
    output,
    usage: responsesUsage(
      passes.map(({ tokens }) => tokens),
      { outputTokens, reasoningTokens },
    ),
    ...(diagnostics && { prompt_cache_diagnostics: diagnostics }),
  };
  state.remember.set(organisation, id, {
    request: prepared.request,
    startMs,
    ...(body.store !== false && { items: shared(prepared, output) }),
  } satisfies StoredResponse);
  const reply =
    body.stream === true
      ? eventReply(responseEvents(response, state.deltaCharacters))
      : jsonReply(200, response);
  return { reply, model: prepared.model.id, billed: passes, outputTokens };
}

/** Input and output as objects that equal ones share: a stored conversation costs what is new in it. */
const shared = ({ account, items }: PreparedResponse, output: readonly Fields[]): Fields[] =>
  [...items, ...output].map((item) => account.intern(item));

/** What a response repeats of its request. */
function echoOf({ body }: Call, { model }: PreparedResponse): Fields {
  return {
    access_programs: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: model.id,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    service_tier: body.service_tier ?? 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  };
}
