import type {
  Block,
  Message,
  StopReason,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
} from '@varve/messages';
import type { ModelEvent } from '@varve/models';
import type { Inbox } from './mail/mailbox.ts';

/** What a tool gave: a text, or the content of its result. */
export type ToolOutcome =
  | string
  | { readonly content: string | readonly Block[]; readonly isError?: boolean | undefined };

/** What gates and runners get beside the call. */
export interface ToolContext<State> {
  /** The child's own copy of the caller's state. */
  readonly state: State;
  /** Aborted when the child is aborted or has ended. */
  readonly signal: AbortSignal;
  /** Requests sent so far, the one that made the call included. */
  readonly turn: number;
}

/** Runs one tool call. What it throws becomes an error result, unless the child was aborted. */
export type ToolRunner<State = undefined> = (
  call: ToolUseBlock,
  context: ToolContext<State>,
) => ToolOutcome | Promise<ToolOutcome>;

/** `true`: run it. A reason is told to the model. */
export type GateAnswer = boolean | { readonly allow: boolean; readonly reason?: string };

/** Decides about one call before it runs; one that throws denies. */
export type ToolGate<State = undefined> = (
  call: ToolUseBlock,
  context: ToolContext<State>,
) => GateAnswer | Promise<GateAnswer>;

/**
 * Shortens a child's own messages before a request; the same reference means nothing to do. The prefix it shares with its
 * parent is not among them. A directive that is missing from the outcome is added again. Where the parent ends with a system
 * message the directive is one as well, and what follows it has to begin with an assistant message.
 */
export type CompactChild = (
  messages: readonly Message[],
  options: { readonly signal: AbortSignal; readonly usage: Usage },
) => readonly Message[] | Promise<readonly Message[]>;

export interface RunOptions<State = undefined> {
  /** What the child is to do. */
  readonly directive: string;
  /** Stands in the ids of the child's messages. @default derived from the parent's last message and the directive */
  readonly id?: string | undefined;
  /** @default every call of a tool the runner has */
  readonly canUseTool?: ToolGate<State> | undefined;
  /** Most requests. @default 20 */
  readonly maxTurns?: number | undefined;
  /** Tokens of all replies together, after which no further request is sent. @default unlimited */
  readonly maxTotalOutputTokens?: number | undefined;
  /** UTF-16 units of `text`; the middle of a longer one is cut, `content` stays whole. @default 20_000 */
  readonly maxTextUnits?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait in milliseconds for an answer to begin, and then for each event. @default the client's own */
  readonly timeoutMs?: number | undefined;
  /**
   * Each message of the child once it is whole, in order: its transcript. Left out, nothing is kept outside the result. One
   * that fails ends the child as `failed`.
   */
  readonly onMessage?: ((message: Message) => void | Promise<void>) | undefined;
  readonly onEvent?: ((event: ModelEvent) => void) | undefined;
  /**
   * The child's inbox: asked after each round of tools, and once more before the child ends. Each mail is handed out once, and
   * acknowledged when what was made of it stands in the child's messages.
   */
  readonly mail?: Pick<Inbox, 'receive' | 'acknowledge'> | undefined;
  /**
   * Asked after each round of tools, with their results; what was not allowed has an error as its result. `true` ends the
   * child as `end`, without a request that only says so; mail that came is answered first. @default it goes on
   */
  readonly isDone?: ((results: readonly ToolResultBlock[]) => boolean) | undefined;
  /**
   * Asked when the child is done and no mail waits, with its last reply: a text sends it on as another message of a user, as far
   * as the limits allow. @default it ends
   */
  readonly goOn?:
    | ((reply: Message) => string | undefined | Promise<string | undefined>)
    | undefined;
  /**
   * Whether a call changes nothing: such calls of one reply that follow each other run at once, ten at most. One that throws
   * says no. @default calls run one after the other
   */
  readonly reads?: ((call: ToolUseBlock) => boolean | Promise<boolean>) | undefined;
  readonly compact?: CompactChild | undefined;
}

/**
 * Why a child ended. `end`: it was done. `turn-limit`, `output-limit`: its own limits. `cut`: the token limit of one reply.
 * `context-full`: the window, as the model said or before it was asked. `failed`: the model, a compaction or a sink failed, see `error`. `empty`: a reply without content.
 */
export type ChildStop =
  | 'end'
  | 'turn-limit'
  | 'output-limit'
  | 'cut'
  | 'context-full'
  | 'refusal'
  | 'empty'
  | 'failed';

/** A call that was not run. */
export interface Denial {
  readonly callId: string;
  readonly toolName: string;
  readonly reason: string;
}

/** What came of a child. The parent needs `text`; the rest is for logs and bills. */
export interface ForkResult<State = undefined> {
  readonly id: string;
  /** The last text the child wrote, at most `maxTextUnits` long; empty where it wrote none. */
  readonly text: string;
  readonly isTextCut: boolean;
  /** The last reply as it came. */
  readonly content: readonly Block[];
  readonly stopReason: ChildStop;
  /** The model's own reason for the last reply. */
  readonly modelStop?: StopReason;
  /** Requests sent, failed ones included. */
  readonly turns: number;
  /** Billed tokens of all replies. */
  readonly usage: Usage;
  /** Tokens read from the cache as a share of all prompt tokens; undefined where nothing was billed. */
  readonly cachedShare: number | undefined;
  /** The child's own messages, from the directive on: a valid continuation of the shared prefix. */
  readonly messages: readonly Message[];
  readonly denials: readonly Denial[];
  /** The child's copy of the caller's state, as its tools left it. */
  readonly state: State;
  /** Of `failed`, and of `context-full` where the window was full before the model was asked. */
  readonly error?: unknown;
}
