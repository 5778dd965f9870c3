import { listOf, recordOf } from '@varve/guards';
import type { Block, Message, Request } from '@varve/messages';
import type { Served } from '../cache/account.ts';
import type { Call } from '../core/endpoint.ts';
import { serve } from '../core/serve.ts';
import { toReplyMessage } from '../replies/reply.ts';
import { compactionBlock } from './compaction-block.ts';
import type { Prepared } from './prepare.ts';

/** A summary that was written, and what writing it cost. */
export interface Compacted {
  readonly summary: string;
  readonly served: Served;
  readonly outputTokens: number;
}

/** What a threshold compaction did to a request. */
export interface ThresholdCompaction extends Compacted {
  readonly block: Block;
  /** What the reply is written to: the block in place of everything. */
  readonly request: Request;
  /** Whether only the block is returned. */
  readonly pauses: boolean;
}

/** Tokens at which `compact_20260112` fires where it does not say. */
const DEFAULT_TRIGGER = 150_000;

/** Summarises when the prompt has reached the trigger of a `compact_20260112` edit; undefined otherwise. */
export async function compactAtThreshold(
  call: Call,
  prepared: Prepared,
): Promise<ThresholdCompaction | undefined> {
  const edits = listOf(recordOf(call.body.context_management).edits).map(recordOf);
  const edit = edits.find(({ type }) => type === 'compact_20260112');
  if (edit === undefined) return undefined;
  const { value } = recordOf(edit.trigger);
  const trigger = typeof value === 'number' ? value : DEFAULT_TRIGGER;
  if (prepared.tokens.billed < trigger) return undefined;
  const compacted = await summarize(call, prepared);
  const block = compactionBlock(compacted.summary);
  const message: Message = { id: '', role: 'assistant', content: [block] };
  const request = prepared.account.intern({
    ...prepared.request,
    messages: [message],
    markers: prepared.request.markers.filter(({ at }) => at !== 'message'),
  });
  return { ...compacted, block, request, pauses: edit.pause_after_compaction === true };
}

/** Asks whoever summarises, and bills it as a request of its own over the whole prompt. */
export async function summarize(call: Call, { account, request }: Prepared): Promise<Compacted> {
  const index = call.state.nextSummaryIndex();
  const asked = { provider: 'anthropic', purpose: 'compaction', request, body: call.body } as const;
  const reply = toReplyMessage(await call.state.summarize({ ...asked, index }));
  const summary = reply.content
    .map((block) => String((block as { text?: unknown }).text ?? ''))
    .join('');
  const outputTokens = reply.outputTokens ?? account.sizeOf.text(summary);
  return { summary, outputTokens, served: serve(call, account, { request, outputTokens }) };
}
