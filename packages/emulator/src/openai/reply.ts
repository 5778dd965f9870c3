import { type Block, isThinking, type Request } from '@varve/messages';
import type { Served } from '../cache/account.ts';
import type { Call } from '../core/endpoint.ts';
import { type LimitedReply, limitOutput } from '../core/limit-output.ts';
import { serve } from '../core/serve.ts';
import { type ProviderName, toReplyMessage } from '../replies/reply.ts';
import type { Prepared } from './prepare.ts';

export interface Replied {
  readonly reply: LimitedReply;
  readonly served: Served;
  /** Of the output. */
  readonly reasoningTokens: number;
}

export interface ReplyOptions {
  readonly provider: ProviderName;
  readonly stopSequences: readonly string[];
  /** What is answered. @default the prepared request */
  readonly request?: Request | undefined;
}

/** Asks whoever replies, cuts the reply to its limits, and bills the request. */
export async function replyTo(
  call: Call,
  prepared: Prepared,
  options: ReplyOptions,
): Promise<Replied> {
  const { provider, stopSequences, request = prepared.request } = options;
  const { model, account } = prepared;
  const index = call.state.nextReplyIndex();
  const asked = { provider, purpose: 'message', request, body: call.body, index } as const;
  const given = toReplyMessage(await call.state.replies(asked));
  const content = given.content.map((block) => withCallId(block, call));
  const reply = limitOutput(
    { ...given, content },
    {
      maxTokens: request.maxOutputTokens,
      windowTokens: model.windowTokens - account.measure(request).billed,
      stopSequences,
      sizeOf: account.sizeOf,
    },
  );
  const served = serve(call, account, { request, outputTokens: reply.outputTokens });
  const thinking = reply.content.filter(isThinking);
  const tokens = thinking.reduce((sum, block) => sum + account.sizeOf.block(block), 0);
  return { reply, served, reasoningTokens: Math.min(tokens, reply.outputTokens) };
}

function withCallId(block: Block, { state }: Call): Block {
  if (block.type !== 'tool_use') return block;
  const { id, input = {}, ...rest } = block as { type: string; id?: string; input?: unknown };
  return { ...rest, id: id ?? state.newId('call'), input };
}

/** The summary of a request's messages, and what writing it cost. */
export async function summarize(call: Call, { account, request }: Prepared) {
  const index = call.state.nextSummaryIndex();
  const asked = { provider: 'openai-responses', purpose: 'compaction', request } as const;
  const reply = toReplyMessage(await call.state.summarize({ ...asked, body: call.body, index }));
  const summary = reply.content
    .map((block) => String((block as { text?: unknown }).text ?? ''))
    .join('');
  const outputTokens = reply.outputTokens ?? account.sizeOf.text(summary);
  return { summary, outputTokens, served: serve(call, account, { request, outputTokens }) };
}
