import type { Block, ToolResultBlock } from '@varve/messages';
import type { logOf } from '@varve/messages/log';
import type { RatedCall, RateOptions } from './call-facts.ts';
import type { Candidate, ThinkingPlace } from './candidate.ts';

export type Live = { -readonly [Key in keyof Candidate]: Candidate[Key] };

/** What later calls did to a path or handle. Numbers of requests, and orders of blocks. */
export interface NameRecord {
  lastUseAt: number;
  lastEditAt: number;
  lastReadOrder: number;
  lastEditOrder: number;
}

/** How a fold looks at blocks; complete, without defaults. Sizes in tokens. */
export interface FoldRules extends RateOptions {
  readonly sizeOf: (block: Block) => number;
  /** What stands in place of a result that nothing stored; left out where that may depend on the result. */
  readonly clearedTokens?: number | undefined;
  readonly handleOf: (block: ToolResultBlock) => string | undefined;
  readonly minTokens: number;
  /** Inputs of at least so many tokens are candidates. */
  readonly inputTokens: number;
  readonly thinking: boolean;
  readonly largeTokens: number;
  /** A file counts as still edited for so many requests after an edit. */
  readonly editingRequests: number;
}

/** What follows from the log whatever is hidden; a view brings the rest. */
export interface LogMemory {
  index: Pick<ReturnType<typeof logOf>, 'logged' | 'broughtBy'>;
  /** How many requests had been sent when an entry was logged, by its id. */
  readonly requestAt: Map<string, number>;
  /** When a block was last replaced, in requests, by place. */
  readonly replacedAt: Map<string, number>;
  requests: number;
  lastAssistantAtMs: number | undefined;
}

/** What follows from the view. */
export interface ViewState {
  list: Live[];
  readonly byPlace: Map<string, Live>;
  readonly visible: Set<string>;
  readonly names: Map<string, NameRecord>;
  /** The newest result of a call, by what it asks. */
  readonly newestOrder: Map<string, number>;
  /** When an output of a call was first cleared, in requests, by what it asks. */
  readonly clearedAt: Map<string, number>;
  readonly openErrors: Map<string, Live[]>;
  /** Calls of the round in work, by id. */
  calls: Map<string, RatedCall>;
  thinking: ThinkingPlace[];
  order: number;
  results: number;
  round: number;
  /** Where the newest turn of a person starts. */
  turnOrder: number;
  /** A person said something since the newest reply. */
  spoken: boolean;
  tailTokens: number;
  totalTokens: number;
  largeTokens: number;
  /** How many messages of the view are in it. */
  messages: number;
}

export function createLogMemory(index: LogMemory['index']): LogMemory {
  return {
    index,
    requestAt: new Map(),
    replacedAt: new Map(),
    requests: 0,
    lastAssistantAtMs: undefined,
  };
}

export function createViewState(): ViewState {
  return {
    list: [],
    byPlace: new Map(),
    visible: new Set(),
    names: new Map(),
    newestOrder: new Map(),
    clearedAt: new Map(),
    openErrors: new Map(),
    calls: new Map(),
    thinking: [],
    order: 0,
    results: 0,
    round: 0,
    turnOrder: 0,
    spoken: false,
    tailTokens: 0,
    totalTokens: 0,
    largeTokens: 0,
    messages: 0,
  };
}

export const placeKey = (messageId: string, index: number): string => `${index} ${messageId}`;
