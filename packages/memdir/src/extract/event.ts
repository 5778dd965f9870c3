import type { Usage } from '@varve/messages';
import type { SaveRefusal } from '../save.ts';

/** Why a turn started no extraction. */
export type SkipReason =
  | 'sub-agent'
  | 'extraction-off'
  | 'memory-off'
  | 'remote'
  | 'closed'
  /** One runs: what is new by then follows it. */
  | 'running'
  | 'throttled'
  | 'agent-wrote-memory'
  /** The user said nothing since. */
  | 'nothing-new'
  /** The conversation could not be read: see the event. */
  | 'failed';

/** Why a statement waits for the user instead of being saved. */
export type HoldReason =
  /** No quote, or one that stands in no message of the user. */
  | 'no-user-quote'
  /** The quote stands there and says nothing of the statement. */
  | 'quote-of-something-else'
  /** What it says came from the web, a server or another agent, and not from the user. */
  | 'outside-context';

/** Why a statement or a file was not taken. */
export type ExtractionRefusal =
  | SaveRefusal
  /** It cannot be read as a memory with its four fields. */
  | 'malformed'
  /** A refusal of the model, a piece of JSON, or nothing that is said. */
  | 'not-a-statement'
  | 'prompt-text'
  | 'relative-date'
  | 'unknown-date'
  | 'path-list'
  | 'no-rule'
  | 'asked-to-forget'
  /** It says what its quote does not: another value, the opposite, or a part of its own. */
  | 'beyond-quote'
  /** The user said otherwise later. */
  | 'said-otherwise'
  | 'removal-without-quote'
  | 'changed-meanwhile';

export interface ExtractionWrite {
  readonly path: string;
  readonly kind: 'created' | 'updated' | 'superseded';
  readonly added: number;
  readonly removed: number;
}

export interface ExtractionNote<Reason extends string> {
  /** Of the memory it was meant for. */
  readonly name: string;
  readonly reason: Reason;
  /** What was said about it; no text of the user. */
  readonly message: string;
}

interface Cost {
  readonly mode: 'fresh' | 'fork';
  /** Billed tokens of all requests. */
  readonly usage: Usage;
  /** Requests. */
  readonly turns: number;
}

export type ExtractionEvent =
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'started'; readonly texts: number; readonly isTrailing: boolean }
  | ({
      readonly kind: 'finished';
      /** Files that were written: what a user may be told. Empty is the normal case. */
      readonly writes: readonly ExtractionWrite[];
      readonly refused: readonly ExtractionNote<ExtractionRefusal>[];
      readonly held: readonly (ExtractionNote<HoldReason> & { readonly path: string })[];
      /** Of the change, for `undo`; undefined where nothing was written. */
      readonly id: string | undefined;
    } & Cost)
  /** Nothing of what the model wrote was a memory; the same messages come again. */
  | ({ readonly kind: 'dropped'; readonly reason: string; readonly attempt: number } & Cost)
  /** The messages of three dropped runs are left. */
  | { readonly kind: 'cursor-moved'; readonly reason: 'three-dropped-runs' }
  | { readonly kind: 'failed'; readonly cause: unknown }
  /** The agent said that it saved something, and wrote nothing. */
  | { readonly kind: 'claim-without-write'; readonly turn: number };
