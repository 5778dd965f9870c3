import { type Head, type Message, promptTokens } from '@varve/messages';
import type { Estimator } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';

/** Tokens of system prompt and tools, and how they are known. */
export interface HeadSize {
  readonly tokens: number;
  /**
   * `first-prompt`: the first billed prompt minus its messages. `recorded-text`: the estimate of what the file holds.
   * `assumed`: {@link ASSUMED_HEAD_TOKENS}. All are clipped to 5,000 to 45,000.
   */
  readonly source: 'first-prompt' | 'recorded-text' | 'assumed';
}

export interface HeadSizeInput {
  readonly thread: Pick<ImportedThread, 'startsMidSession'>;
  readonly history: readonly Message[];
  readonly head: Head;
  readonly estimator: Pick<Estimator, 'message' | 'head'>;
}

/** How large the head is that the file does not hold. */
export function headSize(input: HeadSizeInput): HeadSize {
  const billed = input.thread.startsMidSession ? undefined : beyondMessages(input);
  if (billed !== undefined) return { tokens: clip(billed), source: 'first-prompt' };
  const text = input.estimator.head(input.head);
  if (text >= MIN_HEAD_TOKENS) return { tokens: clip(text), source: 'recorded-text' };
  return { tokens: ASSUMED_HEAD_TOKENS, source: 'assumed' };
}

/** What the first billed prompt holds beyond its messages. */
function beyondMessages({ history, estimator }: HeadSizeInput): number | undefined {
  let before = 0;
  for (const message of history) {
    const prompt = message.response?.usage ? promptTokens(message.response.usage) : 0;
    if (prompt > 0) return prompt - before;
    before += estimator.message(message);
  }
  return undefined;
}

const clip = (tokens: number): number =>
  Math.min(MAX_HEAD_TOKENS, Math.max(MIN_HEAD_TOKENS, Math.round(tokens)));

// the range of recorded sessions; the assumption lies in the middle of what several agents show
const MIN_HEAD_TOKENS = 5_000;
const MAX_HEAD_TOKENS = 45_000;
/** Where a file holds neither usage nor a system prompt. */
export const ASSUMED_HEAD_TOKENS = 15_000;
