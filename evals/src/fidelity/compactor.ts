import type { Ledger } from '@varve/ledger';
import type { Head, Message } from '@varve/messages';

/** Makes a conversation smaller. One file like a strategy; it sees what has happened so far, frozen, and nothing else. */
export interface Compactor {
  readonly name: string;
  create(context: CompactorContext): CompactorRun;
}

export interface CompactorContext {
  readonly head: Head;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  /**
   * A ledger that knows all that is added before the first compaction and nothing else, for whoever would keep one of its own. Many
   * compactions of one place share it; it is only read. @default none
   */
  readonly ledger?: (() => Ledger) | undefined;
}

export interface CompactorRun {
  /** Takes the next message of the session. */
  add(message: Message): void;
  /**
   * What the next request carries in place of all messages so far, in no more than `budgetTokens` if it can. Messages that
   * are added later stand behind it; compacted again, it is old conversation like any other.
   */
  compact(budgetTokens: number): Compacted | Promise<Compacted>;
}

export interface Compacted {
  readonly messages: readonly Message[];
  /** What was written for it: summaries, notes. Not what was taken over. */
  readonly synthesised: readonly string[];
}
