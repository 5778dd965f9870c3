import type { BlockLike } from '@varve/messages/blocks';
import type { OutputContent, ShownContent } from './content.ts';
import type { StoreFailure } from './failure.ts';

/** A tool result before it enters the context. */
export interface ToolOutput<B extends BlockLike = BlockLike> {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly content: OutputContent<B>;
  /** What the tool was asked to find: the preview shows where it stands. */
  readonly query?: string | undefined;
}

/**
 * `below-threshold`, `empty`; `exempt`: the tool's threshold is infinite; `read-back`: an answer of the read tool;
 * `no-text`: media only; `not-smaller`: a preview would be no shorter; `seen`: the model has it so already; `not-json`: it
 * cannot be written at all. A failure: it could not be stored, and cutting would save nothing.
 */
export type KeptReason =
  | 'below-threshold'
  | 'empty'
  | 'exempt'
  | 'read-back'
  | 'no-text'
  | 'not-smaller'
  | 'seen'
  | 'not-json'
  | StoreFailure;

/** `over-round-budget`: one of the largest of its message; `binary`: nothing a model can read. */
export type StoredReason = 'over-threshold' | 'over-round-budget' | 'binary';

export type TruncatedReason = StoreFailure;

/** What to put in the message. */
export type Offloaded<B extends BlockLike = BlockLike> =
  | {
      readonly kind: 'kept';
      /** The same reference, but for bytes, which come as text, and for terminal escapes, which are taken out. */
      readonly content: ShownContent<B>;
      readonly reason: KeptReason;
      /** What the store threw, where it failed. */
      readonly cause?: unknown;
    }
  | ({
      readonly kind: 'stored';
      readonly reason: StoredReason;
      /** Name of the whole in the session's folder, for `read` and the read tool. */
      readonly handle: string;
    } & Replaced<B>)
  | ({
      readonly kind: 'truncated';
      readonly reason: TruncatedReason;
      /** What the store threw; missing where a budget refused, and when the decision is an old one. */
      readonly cause?: unknown;
    } & Replaced<B>);

interface Replaced<B extends BlockLike> {
  /** A preview, or what could be kept; media blocks as they were. */
  readonly content: ShownContent<B>;
  /** Of the whole as it is stored. */
  readonly bytes: number;
  /** Of the whole's text. */
  readonly lines: number;
  /** Hash of the stored bytes with its name, `sha256:…`. */
  readonly hash: string;
}
