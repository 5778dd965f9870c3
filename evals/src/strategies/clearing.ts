import { isToolResult, type Message, type ToolResultBlock } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import type { StrategyContext, StrategyRun } from '../strategy.ts';
import { requestFor } from './request-for.ts';

/** A result whose contents still stand. */
export interface Clearable {
  readonly messageIndex: number;
  readonly blockIndex: number;
  /** Tokens that clearing it frees. */
  readonly tokens: number;
}

export interface ClearingOptions {
  /** Whether markers stand before the last edit and before the place of the next one. */
  readonly parked: boolean;
  /** Which of the results, oldest first, to clear before a request of `tokens` tokens. */
  readonly pick: (results: readonly Clearable[], tokens: number) => readonly Clearable[];
  /** Whether a result can be picked at all, now or later. */
  readonly isCandidate: (result: Clearable) => boolean;
}

/** A run that replaces the contents of results for good: what is cleared stays cleared, with the same bytes. */
export function createClearing(context: StrategyContext, options: ClearingOptions): StrategyRun {
  const { sizeOf, head, policy } = context;
  const { parked, pick, isCandidate } = options;
  const messages: Message[] = [];
  let standing: Clearable[] = [];
  let tokens = sizeOf(head);
  let edited: number | undefined;
  function clear(picked: readonly Clearable[]): void {
    for (const { messageIndex, blockIndex, tokens: freed } of picked) {
      messages[messageIndex] = withoutContent(messages[messageIndex] as Message, blockIndex);
      tokens -= freed;
    }
    const gone = new Set(picked);
    if (gone.size > 0) standing = standing.filter((each) => !gone.has(each));
  }
  return {
    add(message) {
      const messageIndex = messages.push(message) - 1;
      tokens += sizeOf(message);
      standing.push(...clearablesIn(message, { messageIndex, sizeOf }));
    },
    request() {
      const picked = pick(standing, tokens);
      clear(picked);
      edited = picked[0]?.messageIndex;
      const request = requestFor(context, messages);
      if (!parked) return request;
      const edits = [picked[0], standing.find(isCandidate)];
      const parkedAt = edits.flatMap((each) => each?.messageIndex ?? []);
      return placeMarkers(request, { policy, parkedAt });
    },
    announced: () => (edited === undefined ? undefined : { from: edited, reason: 'cleared' }),
  };
}

function clearablesIn(
  message: Message,
  { messageIndex, sizeOf }: { readonly messageIndex: number } & Pick<StrategyContext, 'sizeOf'>,
): readonly Clearable[] {
  return message.content.flatMap((block, blockIndex) => {
    if (!isToolResult(block)) return [];
    const tokens = sizeOf(message) - sizeOf(withoutContent(message, blockIndex));
    return [{ messageIndex, blockIndex, tokens }];
  });
}

/** The same message with a fixed sentence in place of what one of its results holds. */
function withoutContent(message: Message, blockIndex: number): Message {
  const result = message.content[blockIndex] as ToolResultBlock;
  return { ...message, content: message.content.with(blockIndex, { ...result, content: CLEARED }) };
}

const CLEARED = 'This output was cleared to save context. Run the tool again if it is needed.';
