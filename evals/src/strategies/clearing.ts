import { isToolResult, type Message, toolResults } from '@varve/messages';
import { placeMarkers } from '@varve/prompt-cache';
import type { StrategyContext, StrategyRun } from '../strategy.ts';
import { requestFor } from './request-for.ts';

/** A message with results whose contents still stand. */
export interface Clearable {
  /** Position among all messages. */
  readonly index: number;
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
  function clear(picked: readonly Clearable[]): void {
    for (const { index, tokens: freed } of picked) {
      messages[index] = withoutContents(messages[index] as Message);
      tokens -= freed;
    }
    const gone = new Set(picked);
    if (gone.size > 0) standing = standing.filter((each) => !gone.has(each));
  }
  return {
    add(message) {
      const index = messages.push(message) - 1;
      tokens += sizeOf(message);
      if (toolResults(message).length === 0) return;
      standing.push({ index, tokens: sizeOf(message) - sizeOf(withoutContents(message)) });
    },
    request() {
      const picked = pick(standing, tokens);
      clear(picked);
      const request = requestFor(context, messages);
      if (!parked) return request;
      const edits = [picked[0], standing.find(isCandidate)].flatMap((each) => each?.index ?? []);
      return placeMarkers(request, { policy, parkedAt: edits });
    },
  };
}

/** The same message with a fixed sentence in place of what its results hold. */
export function withoutContents(message: Message): Message {
  const content = message.content.map((block) =>
    isToolResult(block) ? { ...block, content: CLEARED } : block,
  );
  return { ...message, content };
}

const CLEARED = 'This output was cleared to save context. Run the tool again if it is needed.';
