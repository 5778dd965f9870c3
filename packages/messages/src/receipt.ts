import type { JsonObject } from './types.ts';

/** What every edit that takes messages or their content out of a conversation says of itself. It stands beside the edit in the log. */
export interface EditReceipt extends JsonObject {
  /** Kebab-case. */
  readonly reason: string;
  /** Tokens of the next request without the edit. */
  readonly tokensBefore: number;
  /** Tokens of the next request with it. */
  readonly tokensAfter: number;
  readonly droppedMessages: number;
  readonly keptMessages: number;
  /** Where the originals are, in the caller's words. */
  readonly originals?: string;
}

/** What a receipt is made of. Sizes in tokens of the next request. */
export interface EditFacts {
  readonly reason: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How many messages are gone. */
  readonly dropped: number;
  /** How many stay. */
  readonly kept: number;
  readonly originals?: string | undefined;
}

/** The receipt of an edit. */
export function editReceipt(facts: EditFacts): EditReceipt {
  const { reason, tokensBefore, tokensAfter, dropped, kept, originals } = facts;
  return {
    reason,
    tokensBefore,
    tokensAfter: Math.max(0, tokensAfter),
    droppedMessages: dropped,
    keptMessages: kept,
    ...(originals !== undefined && { originals }),
  };
}
