import type { Head, Message, ThinkingRule } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { acceptSize } from '@varve/tokens/limits';

/** A conversation that is to be compacted, and what is known of it. Sizes in tokens. */
export interface Situation {
  readonly head: Head;
  /** What the next request carries. */
  readonly messages: readonly Message[];
  /** Positions in `messages` up to which a summary may stand for them, ascending. */
  readonly cuts: readonly number[];
  readonly windowTokens: number;
  /** The window less room for the reply: what a conversation has to stay under. */
  readonly effectiveTokens: number;
  /** From here on it would be compacted again at once. */
  readonly autocompactTokens: number;
  readonly maxOutputTokens?: number | undefined;
  readonly tokenizer: ModelInfo['tokenizer'];
  readonly tokensBefore: number;
  /** System prompt, tools and whatever else stands beside the messages. */
  readonly overheadTokens: number;
  /** Messages that stay beside these and are not among them: the other side of a partial compaction. */
  readonly restTokens: number;
  readonly sizeOf: (message: Message) => number;
  readonly sizeOfText: (text: string) => number;
  /** Tokens of system prompt and tools, by estimate. */
  readonly sizeOfHead: (head: Pick<Head, 'system' | 'tools'>) => number;
  readonly thinking: ThinkingRule;
  readonly facts: Facts;
  /** The earlier summary that the messages begin with. */
  readonly earlier: string | undefined;
  /** Deferred tools that were found so far, by name, each once. */
  readonly discovered: readonly string[];
}

/** What a compaction may leave of the next request. */
export const wholeBounds = (
  { tokensBefore, effectiveTokens }: Pick<Situation, 'tokensBefore' | 'effectiveTokens'>,
  minSavings: number,
): Parameters<typeof acceptSize>[1] => ({
  ofTokens: tokensBefore,
  belowTokens: effectiveTokens,
  minSavings,
});

/** What is known of the conversation without a model, as the ledger has it. */
export interface Facts {
  /** A text without its secrets, where they are to be taken out. */
  redact(text: string): string;
  /** The facts alone, as the body of a summary. */
  render(options: FactsOptions): string;
  /** A summary, repaired: what is missing appended, what nobody said marked or gone; and what was found, by kind. */
  check(
    summary: string,
    options: FactsOptions,
  ): { readonly text: string; readonly findings: readonly { readonly kind: string }[] };
}

export interface FactsOptions {
  /** Of the facts alone, or of what is appended to a summary. */
  readonly budgetTokens: number;
  /** Where the originals are, in the caller's words. */
  readonly originals?: string | undefined;
  /** Whether an earlier summary may be cut to make room. Where it may not and does not fit, nothing is rendered. @default true */
  readonly mayCut?: boolean | undefined;
  /** What stays beside the summary and need not be told again. */
  readonly have?: string | undefined;
  /** Messages that stay beside the summary, by id: what they show need not be told again. */
  readonly shown?: readonly string[] | undefined;
}
