import type { Edit, Json, Request, StopReason, Usage } from '@varve/messages';
import type { EditReceipt } from '@varve/messages/log';

/** Sends the request for a summary. `send` of `@varve/models` fits; whatever it throws counts as a failed call. */
export type Summarize = (
  request: Request,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<SummaryReply>;

/** What a model answered; a `ModelResponse` fits, and so does what `call` of `@varve/context` answers. */
export interface SummaryReply {
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[];
  /** @default not known: the answer counts as whole where it closes its `</summary>` */
  readonly stopReason?: StopReason | undefined;
  readonly usage?: Usage | undefined;
  /** With a compaction by the provider the bill is their sum, not `usage`. */
  readonly iterations?: readonly unknown[] | undefined;
}

export type Trigger = 'auto' | 'manual';

/** What did the work: a model's summary, running notes, or the ledger alone. */
export type Engine = 'summary' | 'notes' | 'ledger' | 'provider';

/** What a compaction leaves behind; JSON, and it stands in the log entry of the edit. */
export interface CompactionReceipt extends EditReceipt {
  readonly trigger: Trigger;
  readonly engine: Engine;
  /** Tokens of what was attached, which `tokensAfter` counts; only where something was. */
  readonly attachedTokens?: number;
  /** Tokens of what was to be attached and was left out, so that the compaction saves enough; only where something was. */
  readonly leftOutTokens?: number;
  /** The share of what is replaced that the model was shown, from 0 to 1; only of a summary that a model wrote. */
  readonly seenShare?: number;
  /** Id of the last message before the boundary. */
  readonly lastMessageId: string;
  /** First and last kept message and what stands before them; only where something is kept. */
  readonly kept?: { readonly head: string; readonly tail: string; readonly anchor: string };
  /** What the check of the summary found and did: counts by kind. */
  readonly repaired?: { readonly [kind: string]: number };
  /** Deferred tools that were found so far: what made them known may be gone, so they are announced again. */
  readonly discoveredTools?: readonly string[];
  readonly calls: number;
  readonly usage?: Json;
}

/** A compaction that was made, ready to be appended. Nothing has changed yet. */
export interface Compaction {
  readonly kind: 'compacted';
  /** Edits without which the one that compacts would be refused: thinking goes that is bound to what it replaces. @default none */
  readonly before?: readonly Edit[] | undefined;
  /** Puts the summary in place of what it stands for. */
  readonly edit: Extract<Edit, { kind: 'replace-span' }>;
  readonly receipt: CompactionReceipt;
  readonly summary: string;
  /** Tokens that may be attached beside what is, so that it still saves enough. */
  readonly roomTokens: number;
  /** The error because of which no model wrote the summary; the receipt's `failure` names it. */
  readonly cause?: unknown;
}

/** Why nothing was compacted; nothing has changed. */
export interface CompactionFailed<Reason extends string = string> {
  readonly kind: 'failed';
  /** Kebab-case. */
  readonly reason: Reason;
  readonly cause?: unknown;
  /** Calls of the model that were made all the same, and their bill. */
  readonly calls?: number | undefined;
  readonly usage?: Usage | undefined;
}
