import type { Usage } from '@varve/messages';
import { ModelError } from '@varve/models';
import type { SummaryReply } from '../types.ts';

/**
 * What somebody's function answered, read once: nothing behind this depends on its shape any more.
 *
 * @throws ModelError `stream-broken` for an answer without blocks or a stop reason; whatever a getter of it throws.
 */
export function readReply(reply: SummaryReply): SummaryReply {
  const { content, stopReason, usage, iterations } = (reply ?? {}) as Partial<SummaryReply>;
  if (!Array.isArray(content) || !content.every(isBlock) || typeof stopReason !== 'string') {
    throw new ModelError(
      'stream-broken',
      'The answer has no content blocks or no stop reason; look at what `summarize` returns.',
    );
  }
  return {
    content: content.map((block) => ({ ...block })),
    stopReason,
    ...(isUsage(usage) && { usage }),
    ...(iterations && { iterations }),
  };
}

const isBlock = (block: unknown): block is SummaryReply['content'][number] =>
  typeof block === 'object' && block !== null && typeof (block as Usage).type === 'string';

const isUsage = (usage: Usage | undefined): usage is Usage =>
  typeof usage?.input_tokens === 'number' && typeof usage.output_tokens === 'number';
