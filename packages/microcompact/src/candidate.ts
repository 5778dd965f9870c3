import type { Block } from '@varve/messages';
import type { Needs } from './need/needs.ts';
import type { ToolClass } from './tool-class.ts';

/** Something in the view that could be cleared: a tool's output, a call's long input, or thinking. Sizes in tokens. */
export interface Candidate {
  readonly kind: 'result' | 'input' | 'thinking';
  /** The logged message and the position in its content: what `replace-content` addresses. */
  readonly messageId: string;
  readonly index: number;
  /** The block as the view shows it. */
  readonly block: Block;
  /** Position among all blocks of the view. */
  readonly order: number;
  /** The message of the view it stands in. */
  readonly messageIndex: number;
  /** How many clearable results stand before it (before the results of its round, for an input). */
  readonly ordinal: number;
  /** Which round of calls it belongs to; the newest is `Candidates.round`. */
  readonly round: number;
  /** Where the turn starts that it belongs to, as an order. */
  readonly turn: number;
  /** Empty for thinking. Unique within its round only. */
  readonly toolUseId: string;
  readonly toolName: string;
  readonly toolClass: ToolClass;
  /** What the tool was used for: a shell command that prints a file is a read. */
  readonly use: ToolClass;
  /** The file or folder its call is about. */
  readonly path?: string;
  /** What its call named: paths and handles. */
  readonly names: readonly string[];
  /** Equal for calls that ask the same thing. */
  readonly callKey?: string;
  /** Where the whole output is stored, if it is. */
  readonly handle?: string;
  readonly tokens: number;
  /** What would stand in its place; 0 for thinking. Always less than `tokens`. */
  readonly clearedTokens: number;
  /** How many requests had been sent when it was added: it was part of every later one. */
  readonly addedAt: number;
  readonly isError: boolean;
  /** An error after which the same tool has not succeeded on the same file. */
  readonly unacted: boolean;
  /** What stands between the candidate before it and this one. */
  readonly gapTokens: number;
}

/** Why something must stay, whatever it would save. */
export type Protection =
  | 'newest-round'
  | 'recent'
  | 'unacted-error'
  | 'still-edited-file'
  | 'repeated-call';

/** What every mechanism decides over. Reading it costs what is new; it never looks at a message again. */
export interface Candidates {
  /** Oldest first; cleared and hidden ones are not among them. */
  readonly list: readonly Candidate[];
  /** With those out of reach, where `list` leaves some out. */
  readonly all?: readonly Candidate[];
  /** Requests sent so far. */
  readonly requests: number;
  /** The newest round of calls. */
  readonly round: number;
  /** Clearable results in the view, cleared ones included. */
  readonly results: number;
  /** Where the newest turn of a person starts, as a position among all blocks. */
  readonly turnOrder: number;
  /** What stands after the last candidate. */
  readonly tailTokens: number;
  /** Everything in the view's closed messages; system prompt and tools are not part of it. */
  readonly totalTokens: number;
  /** Of the candidates of more than `largeTokens` (an option of the fold), their tokens together. */
  readonly largeTokens: number;
  /** No less than `largeTokens`, and said without reading what is new. */
  readonly largeTokensAtMost: number;
  /** When the last assistant message was made, in milliseconds since 1970. */
  readonly lastAssistantAtMs: number | undefined;
  /** All thinking of the view, oldest first. */
  readonly thinking: readonly ThinkingPlace[];
  /** Where it is cleared by need. */
  readonly needs?: Needs | undefined;
  /** Why a candidate must stay; `keepRecent` newest clearable results count as `recent`. */
  protectionOf(candidate: Candidate, keepRecent: number): Protection | undefined;
  /** The request in which it was last used: added, or a later call named its path or handle. */
  lastUseAt(candidate: Candidate): number;
  /** Whether a later call asked the same thing, so that a newer output of it stands further down. */
  isSuperseded(candidate: Candidate): boolean;
}

export interface ThinkingPlace {
  readonly messageId: string;
  readonly index: number;
  readonly order: number;
  /** The message of the view it stands in. */
  readonly messageIndex: number;
  readonly turn: number;
  readonly tokens: number;
  /** Nothing else stands in its message, so that it cannot be dropped. */
  readonly alone: boolean;
}
