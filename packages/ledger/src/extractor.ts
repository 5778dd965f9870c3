import type { ToolCall } from '@varve/messages/tools';
import type { Fact, Place, Superseded } from './fact.ts';
import type { Outcome } from './outcome.ts';

/** A tool call and what came of it. */
export interface DoneCall {
  readonly call: ToolCall;
  readonly outcome: Outcome;
  /** The text of the result. */
  readonly text: string;
  /** Images and documents of a result that has no text: what it showed is in no text. */
  readonly media?: number | undefined;
}

/** Finds facts of one kind. Each method is O(what it is given); none keeps more than facts. */
export interface Extractor {
  /** Something that the person said, in their words. */
  said?(words: string, place: Place): void;
  /** Something that the assistant said, a text of a message. */
  spoke?(text: string, place: Place): void;
  /** The agent itself reports that something happened, such as the end of a background task. */
  reminded?(text: string, place: Place): void;
  done?(done: DoneCall, place: Place): void;
  facts(): Fact[];
  superseded?(): Superseded[];
}
