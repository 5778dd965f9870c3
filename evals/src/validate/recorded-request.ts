import type { Usage, View } from '@varve/messages';
import type { ImportSignal } from '@varve/transcript/import';

/** Tokens of one prompt as the provider billed them. */
export interface BilledPrompt {
  readonly total: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
  readonly plain: number;
}

/** What a transcript shows between a request and the one before it. */
export interface RecordedSince {
  readonly signals: readonly ImportSignal[];
  /** Reasons of the edits that the importer found, e.g. `recorded-compaction`. */
  readonly edits: readonly string[];
  /** A person wrote, or the agent says that a turn begins. */
  readonly isUserTurn: boolean;
  /** What the person wrote, for agents that switch thinking on by a word in it. */
  readonly userText: string;
}

/** A request of a recorded session as the transcript shows it, with what was billed for it. */
export interface RecordedRequest {
  readonly messageId: string;
  readonly model: string;
  /** The messages it carried; the system prompt and the tools are seldom in the file. */
  readonly view: View;
  readonly startMs: number;
  readonly firstTokenMs: number;
  readonly usage: Usage;
  readonly billed: BilledPrompt;
  readonly since: RecordedSince;
}

/** A look at the prefix on the side: it keeps the cache warm and is not in the list of requests. */
export interface SideRequest {
  readonly kind: 'side';
  readonly startMs: number;
}

export type RecordedEvent = (RecordedRequest & { readonly kind: 'request' }) | SideRequest;
