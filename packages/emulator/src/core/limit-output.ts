import { type Block, isText, type StopReason } from '@varve/messages';
import { cutText } from '@varve/messages/text';
import type { Estimator } from '@varve/tokens';
import type { ReplyMessage } from '../replies/reply.ts';

export interface OutputLimits {
  /** Tokens the request allows. */
  readonly maxTokens: number;
  /** Tokens left in the window. */
  readonly windowTokens: number;
  readonly stopSequences: readonly string[];
  readonly sizeOf: Pick<Estimator, 'block' | 'text'>;
}

export interface LimitedReply {
  readonly content: readonly Block[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string | undefined;
  readonly outputTokens: number;
}

/**
 * A reply as far as the request lets it go: up to the first stop sequence in a text, the output limit, or the end of the
 * window. Blocks behind the cut are gone; a call is whole or not there. A reply that says its own size is never cut.
 */
export function limitOutput(reply: ReplyMessage, limits: OutputLimits): LimitedReply {
  const stopped = stopAt(reply.content, limits.stopSequences);
  const { content } = stopped;
  const natural = reply.stopReason ?? (content.some(isCall) ? 'tool_use' : 'end_turn');
  const stopReason = stopped.sequence === undefined ? natural : 'stop_sequence';
  const whole = { content, stopReason, stopSequence: stopped.sequence };
  if (reply.outputTokens !== undefined) return { ...whole, outputTokens: reply.outputTokens };
  const limit = Math.max(0, Math.min(limits.maxTokens, limits.windowTokens));
  const tokens = sizeOfBlocks(content, limits);
  if (tokens <= limit) return { ...whole, outputTokens: tokens };
  const isWindow = limits.windowTokens < limits.maxTokens;
  return {
    content: cutBlocks(content, limit, limits),
    stopReason: isWindow ? 'model_context_window_exceeded' : 'max_tokens',
    outputTokens: limit,
  };
}

const isCall = ({ type }: Block): boolean => type === 'tool_use';

const sizeOfBlocks = (content: readonly Block[], { sizeOf }: OutputLimits): number =>
  content.reduce((sum, block) => sum + sizeOf.block(block), 0);

function cutBlocks(content: readonly Block[], limit: number, { sizeOf }: OutputLimits): Block[] {
  const kept: Block[] = [];
  let left = limit;
  for (const block of content) {
    const tokens = sizeOf.block(block);
    if (tokens > left) {
      if (isText(block)) {
        const text = cutText(block.text, Math.floor((block.text.length * left) / tokens));
        if (text !== '') kept.push({ ...block, text });
      }
      return kept;
    }
    kept.push(block);
    left -= tokens;
  }
  return kept;
}

function stopAt(content: readonly Block[], sequences: readonly string[]) {
  for (const [index, block] of content.entries()) {
    if (!isText(block)) continue;
    const found = sequences
      .map((sequence) => ({ sequence, at: block.text.indexOf(sequence) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)[0];
    if (found === undefined) continue;
    const text = block.text.slice(0, found.at);
    const before = content.slice(0, index);
    return { content: text ? [...before, { ...block, text }] : before, sequence: found.sequence };
  }
  return { content, sequence: undefined };
}
