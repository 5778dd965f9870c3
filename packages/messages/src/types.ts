/** Anything that survives `JSON.parse(JSON.stringify(value))`. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

// Blocks are those of Anthropic's Messages API; fields that are not named here pass through untouched.

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly [field: string]: unknown;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  /** Opaque: kept byte for byte or dropped with the whole block. */
  readonly signature: string;
  readonly [field: string]: unknown;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
  readonly [field: string]: unknown;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  /** Unique within its assistant message; some providers use an id again in a later one. */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly [field: string]: unknown;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
  readonly [field: string]: unknown;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: unknown;
  readonly [field: string]: unknown;
}

export interface DocumentBlock {
  readonly type: 'document';
  readonly source: unknown;
  readonly [field: string]: unknown;
}

/** A block type this version has no name for. Ask with guards (`isToolUse(block)`), never with an exhaustive switch. */
export interface OtherBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type Block =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | OtherBlock;

export type Role = 'user' | 'assistant' | 'system';

/** Where a message came from, where that is not the person or the model. */
export interface Origin {
  /**
   * `tool`: a tool result; `reminder`: injected by the agent; `command`: a slash command; `summary`: written by a
   * compaction; `synthetic`: made up to close a call or to stand for a failed reply; `re-read`: inserted by a replay.
   */
  readonly kind: 'tool' | 'reminder' | 'command' | 'summary' | 'synthetic' | 're-read';
  readonly [field: string]: Json | undefined;
}

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'
  | 'aborted'
  | 'error'
  | 'unknown';

/**
 * Billed tokens of one response, in the shape of Anthropic's API: the prompt is
 * `input_tokens + cache_creation_input_tokens + cache_read_input_tokens`.
 */
export interface Usage {
  /** Prompt tokens neither read from nor written to the cache. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  /** The split of `cache_creation_input_tokens` by lifetime, where the provider gives it. */
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number;
    readonly ephemeral_1h_input_tokens?: number;
  } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number } | null;
  readonly [field: string]: unknown;
}

/** Which prefix produced a reply: an anchor, a thinking block and a cached prefix hold exactly while it does. */
export interface RequestStamp {
  readonly headId: string;
  /** How many view messages the request carried. */
  readonly messageCount: number;
  /** Running fingerprint of the view after `messageCount` messages. */
  readonly fingerprint: string;
  readonly startedAtMs: number;
}

export interface MessageResponse {
  readonly id: string;
  readonly model: string;
  readonly stopReason: StopReason;
  readonly usage?: Usage;
  readonly request?: RequestStamp;
}

export interface Message {
  /** Unique in its log. */
  readonly id: string;
  readonly role: Role;
  readonly content: readonly Block[];
  readonly origin?: Origin;
  /** ISO 8601, UTC. */
  readonly createdAt?: string;
  /** On assistant messages that a model wrote. */
  readonly response?: MessageResponse;
}

export interface Tool {
  /** Left out only of tools that the provider defines, such as `{ type: 'mcp_toolset', mcp_server_name }`. */
  readonly name?: string | undefined;
  readonly description?: string;
  readonly input_schema?: unknown;
  readonly [field: string]: unknown;
}

/** What stands in front of the messages of a request. Everything in it is part of the cached prefix. */
export interface Head {
  readonly id: string;
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  /** Thinking configuration, betas, effort and whatever else the prefix depends on. */
  readonly params: JsonObject;
}

/** A block in place of a logged one; `null` drops it (only blocks that pair with nothing). */
export interface BlockReplacement {
  readonly messageId: string;
  /** Position in the logged message's `content`. */
  readonly index: number;
  readonly block: Block | null;
}

export type Edit =
  | { readonly kind: 'replace-content'; readonly blocks: readonly BlockReplacement[] }
  | {
      readonly kind: 'replace-span';
      /** First and last logged message of the span, both inclusive. */
      readonly fromId: string;
      readonly toId: string;
      /** Stands in place of the span. */
      readonly with: readonly Message[];
      /** Stands where the edit stands in the log: after everything logged before it. */
      readonly then: readonly Message[];
    }
  | { readonly kind: 'server'; readonly params: JsonObject }
  | { readonly kind: 'undo'; readonly entryId: string };

export type EntryBody =
  | { readonly type: 'head'; readonly head: Head }
  | { readonly type: 'message'; readonly message: Message }
  | {
      readonly type: 'edit';
      /** The layer that made it, e.g. `microcompact`. */
      readonly by: string;
      /** Kebab-case. */
      readonly reason: string;
      readonly receipt?: JsonObject;
      readonly edit: Edit;
    }
  | { readonly type: 'note'; readonly by: string; readonly data: Json };

/** One line of the log. `at` is ISO 8601, UTC. */
export type Entry = { readonly id: string; readonly at: string } & EntryBody;

/** A message of the view; `sources` are the ids of the logged messages it was made of. */
export type ViewMessage = Message & { readonly sources: readonly string[] };

/** An assistant message whose tool calls still wait for results. */
export interface OpenRound {
  readonly assistant: ViewMessage;
  /** Results that have arrived, in the order of the calls. */
  readonly results: readonly ToolResultBlock[];
  /** Ids of the calls without a result, in the order of the calls. */
  readonly waiting: readonly string[];
  /** What else stands in the messages that brought results; it follows the results in their message. */
  readonly rest: readonly Block[];
  /** User messages that arrived meanwhile; they follow the results once the round is closed. */
  readonly queued: readonly ViewMessage[];
}

/** What the next request carries. */
export interface View {
  readonly head?: Head;
  readonly messages: readonly ViewMessage[];
  readonly open?: OpenRound;
  /** Parameters of live server-side edits (`context_management`), merged in log order. */
  readonly server?: JsonObject;
  /**
   * Index of the first message whose bytes the last entry changed. A message that was only appended changes nothing, so
   * this is then the number of messages before it.
   */
  readonly changedFrom: number;
}

/**
 * Where a cache breakpoint stands: after a tool or a system block, the last where none is named, or after a block of a
 * message.
 */
export type Marker = { readonly ttl?: '5m' | '1h' } & (
  | { readonly at: 'tools'; readonly blockIndex?: number }
  | { readonly at: 'system'; readonly blockIndex?: number }
  | { readonly at: 'message'; readonly messageIndex: number; readonly blockIndex: number }
);

/** A request before an adapter writes it in a provider's words. Markers are not part of the prefix. */
export interface Request {
  readonly head: Head;
  readonly messages: readonly Message[];
  readonly markers: readonly Marker[];
  readonly server?: JsonObject;
  readonly maxOutputTokens: number;
}
