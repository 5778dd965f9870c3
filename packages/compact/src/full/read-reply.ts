import type { Usage } from '@varve/messages';
import { ModelError } from '@varve/models';
import type { SummaryReply } from '../types.ts';

/**
 * What somebody's function answered, once it is known to have the shape of an answer. Blocks are the same objects.
 *
 * @throws ModelError `stream-broken` for an answer without blocks, or with a stop reason that is no text; whatever a getter of it throws.
 */
export function readReply(reply: SummaryReply): SummaryReply {
  const { content, stopReason, usage, iterations } = (reply ?? {}) as Partial<SummaryReply>;
  if (!Array.isArray(content) || !content.every(isBlock) || !isStop(stopReason)) {
    throw new ModelError(
      'stream-broken',
      'The answer has no content blocks, or its `stopReason` is no text; look at what `summarize` returns.',
    );
  }
  return {
    content,
    stopReason,
    ...(isUsage(usage) && { usage }),
    ...(iterations && { iterations }),
  };
}

/** `null` is what a stream has while it runs; a plain function of one's own need not say it. */
const isStop = (reason: unknown): boolean => reason === undefined || typeof reason === 'string';

function isBlock(block: unknown): block is SummaryReply['content'][number] {
  if (typeof block !== 'object' || block === null) return false;
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown };
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string');
}

const isUsage = (usage: Usage | undefined): usage is Usage =>
  typeof usage?.input_tokens === 'number' && typeof usage.output_tokens === 'number';
