import { listOf } from '@varve/guards';
import { type Block, isThinking, type Request } from '@varve/messages';
import type { Served } from '../cache/account.ts';
import type { Answer, Call, Endpoint } from '../core/endpoint.ts';
import { eventReply, jsonReply } from '../core/http.ts';
import { type LimitedReply, limitOutput } from '../core/limit-output.ts';
import { serve } from '../core/serve.ts';
import { type ReplyMessage, toReplyMessage } from '../replies/reply.ts';
import { compactAtThreshold, summarize } from './compaction.ts';
import { signedCompactionBlock } from './compaction-block.ts';
import { diagnose, rememberMessage } from './diagnostics.ts';
import { MESSAGE_FIELDS } from './fields.ts';
import { type Prepared, prepare } from './prepare.ts';
import { messageEvents } from './stream.ts';
import { signThinking } from './thinking-binding.ts';
import { iterationOf, usageOf } from './usage.ts';

/** POST /v1/messages */
export const messages: Endpoint = async (call) => {
  const prepared = prepare(call, MESSAGE_FIELDS);
  if (call.body.max_tokens === 0) return prewarm(call, prepared);
  if (call.body.compaction != null) return compactOnDemand(call, prepared);
  const compacted = await compactAtThreshold(call, prepared);
  if (compacted?.pauses) {
    return answer(call, prepared, {
      reply: { content: [compacted.block], stopReason: 'compaction', outputTokens: 0 },
      passes: [{ type: 'compaction', served: compacted.served }],
    });
  }
  const request = compacted?.request ?? prepared.request;
  const reply = await replyTo(call, prepared, request);
  const served = serve(call, prepared.account, { request, outputTokens: reply.outputTokens });
  return answer(call, prepared, {
    reply: compacted ? { ...reply, content: [compacted.block, ...reply.content] } : reply,
    passes: [
      ...(compacted ? [{ type: 'compaction' as const, served: compacted.served }] : []),
      { type: 'message', served },
    ],
  });
};

function prewarm(call: Call, prepared: Prepared): Answer {
  const served = serve(call, prepared.account, { request: prepared.request, outputTokens: 0 });
  return answer(call, prepared, {
    reply: { content: [], stopReason: 'max_tokens', outputTokens: 0 },
    passes: [{ type: 'message', served }],
  });
}

async function compactOnDemand(call: Call, prepared: Prepared): Promise<Answer> {
  const { summary, served } = await summarize(call, prepared);
  const content = summary === '' ? [] : [signedCompactionBlock(summary)];
  return answer(call, prepared, {
    reply: { content, stopReason: summary === '' ? 'end_turn' : 'compaction', outputTokens: 0 },
    passes: [{ type: 'compaction', served }],
  });
}

async function replyTo(call: Call, prepared: Prepared, request: Request): Promise<LimitedReply> {
  const { state, body } = call;
  const { account, model } = prepared;
  const index = state.nextReplyIndex();
  const asked = { provider: 'anthropic', purpose: 'message', request, body, index } as const;
  const reply = withIds(call, toReplyMessage(await state.replies(asked)));
  const limited = limitOutput(reply, {
    maxTokens: request.maxOutputTokens,
    windowTokens: model.windowTokens - account.measure(request).billed,
    stopSequences: listOf(body.stop_sequences).map(String),
    sizeOf: account.sizeOf,
  });
  return { ...limited, content: signThinking(request, limited.content) };
}

/** Calls get an id and an input where the reply has none. */
function withIds({ state }: Call, reply: ReplyMessage): ReplyMessage {
  const content = reply.content.map((block): Block => {
    if (block.type !== 'tool_use') return block;
    const { id, input = {}, ...rest } = block as { id?: string; input?: unknown; type: string };
    return { ...rest, id: id ?? state.newId('toolu'), input };
  });
  return { ...reply, content };
}

interface Outcome {
  readonly reply: LimitedReply;
  readonly passes: readonly { readonly type: 'compaction' | 'message'; readonly served: Served }[];
}

function answer(call: Call, prepared: Prepared, { reply, passes }: Outcome): Answer {
  const { body, state } = call;
  const main = passes.find(({ type }) => type === 'message')?.served;
  const id = state.newId('msg');
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: prepared.model.id,
    content: reply.content,
    stop_reason: reply.stopReason,
    stop_sequence: reply.stopSequence ?? null,
    stop_details: null,
    container: null,
    diagnostics: body.diagnostics == null ? null : diagnose(call, prepared),
    usage: { ...usageOf(main), ...thinkingTokens(prepared, reply), ...iterations(passes) },
    ...(body.context_management != null && {
      context_management: { applied_edits: main?.appliedEdits ?? [] },
    }),
    ...(prepared.transformations && { input_transformations: prepared.transformations }),
  };
  rememberMessage(call, id, prepared);
  const options = {
    deltaCharacters: state.deltaCharacters,
    wholeCompaction: body.compaction != null,
  };
  return {
    reply:
      body.stream === true ? eventReply(messageEvents(message, options)) : jsonReply(200, message),
    model: prepared.model.id,
    billed: passes.map(({ served }) => served),
    outputTokens: reply.outputTokens,
  };
}

const iterations = (passes: Outcome['passes']) =>
  passes.some(({ type }) => type === 'compaction')
    ? { iterations: passes.map(({ type, served }) => iterationOf(type, served)) }
    : {};

function thinkingTokens({ account }: Prepared, { content, outputTokens }: LimitedReply) {
  const thinking = content.filter(isThinking);
  if (thinking.length === 0) return {};
  const tokens = thinking.reduce((sum, block) => sum + account.sizeOf.block(block), 0);
  return { output_tokens_details: { thinking_tokens: Math.min(tokens, outputTokens) } };
}
