/** What a fact is about. */
export type FactType =
  | 'user-message'
  | 'rule'
  | 'said'
  | 'standing'
  | 'edit'
  | 'failure'
  | 'file'
  | 'file-read'
  | 'command'
  | 'error'
  | 'test-status'
  | 'todo'
  | 'choice'
  | 'effect'
  | 'failed-approach'
  | 'background-task'
  | 'literal'
  | 'skill';

/** One thing that is known of a session, as plain data. */
export interface Fact {
  readonly type: FactType;
  /** What it is about: a path, a command, a sentence, a name. Unique within its type. */
  readonly key: string;
  /** What is currently true of the key; of a user message and a rule, the words themselves. */
  readonly value: string;
  /** The message that said so last. */
  readonly messageId: string;
  /** Losing it leads the work astray; the others only cost a look. */
  readonly vital: boolean;
  /** Importance from 1 to 10, see {@link importanceOf}. */
  readonly weight: number;
  /** Number of the message that said so last, counted from 0 over the messages of the ledger. */
  readonly position: number;
}

/** A value that was true of a key once. */
export interface Superseded {
  readonly type: FactType;
  readonly key: string;
  readonly value: string;
  /** What took its place; undefined where the key holds no longer at all. */
  readonly current: string | undefined;
}

/** Where in the session something was said. */
export interface Place {
  readonly messageId: string;
  readonly position: number;
}
