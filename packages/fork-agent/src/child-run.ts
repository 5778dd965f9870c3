import type { Block, Head, Message, Request, StopReason, Usage } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { OwnModels } from './known-model.ts';
import type { Mail } from './mail/mail.ts';
import { drain } from './mail/mailbox.ts';
import type { Denial, RunOptions, ToolRunner } from './types.ts';
import { NO_USAGE } from './usage.ts';
import type { ChildWindow } from './window.ts';

/** Everything about a child that its options do not say. */
export interface Child<State> {
  readonly id: string;
  readonly client: ModelClient;
  readonly head: Head;
  readonly server: Request['server'];
  /** What it shares with its parent. */
  readonly prefix: readonly Message[];
  /** The directive: its own first message. */
  readonly first: Message;
  readonly models: OwnModels;
  readonly window: ChildWindow;
  readonly mark: (request: Request, isFirst: boolean) => Request;
  readonly runTool: ToolRunner<State> | undefined;
  readonly agentTools: readonly string[];
  readonly state: State;
}

/** What a run has come to so far. */
export interface Run<State> {
  readonly child: Child<State>;
  readonly options: RunOptions<State>;
  readonly signal: AbortSignal;
  /** Mail that waits. */
  readonly mail: (() => Promise<readonly Mail[]>) | undefined;
  tail: readonly Message[];
  turns: number;
  usage: Usage;
  text: string;
  content: readonly Block[];
  modelStop: StopReason | undefined;
  readonly denials: Denial[];
}

export const newRun = <State>(
  child: Child<State>,
  options: RunOptions<State>,
  signal: AbortSignal,
): Run<State> => ({
  child,
  options,
  signal,
  mail: options.mail && drain(options.mail),
  tail: [],
  turns: 0,
  usage: NO_USAGE,
  text: '',
  content: [],
  modelStop: undefined,
  denials: [],
});
