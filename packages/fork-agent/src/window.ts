import type { Head, Message, Request } from '@varve/messages';
import { callWindow } from '@varve/models/call';
import { ForkError } from './error.ts';
import type { OwnModels } from './known-model.ts';

/** What a request of a child holds. */
export interface ChildMessages {
  /** What it shares with its parent. */
  readonly prefix: readonly Message[];
  readonly own: readonly Message[];
}

/** Fits a child's requests to the window of its model. Sizes are estimates. */
export interface ChildWindow {
  /** The output that a request asks for, less where there is no room for all of it; undefined where it is too large for any. */
  outputTokens(messages: ChildMessages): number | undefined;
  /** Says how many tokens of how many. */
  tooLarge(messages: ChildMessages): ForkError;
}

export interface ChildWindowOptions {
  readonly maxOutputTokens: number;
  readonly models: OwnModels;
  /** Tokens of head and prefix, where they are known. @default both are counted */
  readonly sharedTokens?: number | undefined;
}

export function childWindow(
  head: Head,
  { maxOutputTokens, models, sharedTokens }: ChildWindowOptions,
): ChildWindow {
  const window = callWindow(head, { models });
  const sharedOf = (prefix: readonly Message[]): number =>
    sharedTokens ?? window.headTokens() + window.sizeOf(prefix);
  const tokensOf = ({ prefix, own }: ChildMessages): number =>
    sharedOf(prefix) + window.sizeOf(own);
  return {
    outputTokens(messages) {
      if (window.windowTokens === Number.POSITIVE_INFINITY) return maxOutputTokens;
      return window.outputTokens(tokensOf(messages), maxOutputTokens);
    },
    tooLarge(messages) {
      const { prefix, own } = messages;
      const headTokens = window.headTokens();
      const prefixTokens = Math.max(0, sharedOf(prefix) - headTokens);
      const ownTokens = window.sizeOf(own);
      const tokens = tokensOf(messages);
      const most = window.mostPromptTokens;
      const room = most < window.windowTokens - 1 ? `${most} beside the thinking budget` : most;
      const parts = `system prompt and tools take ${headTokens}, the parent's messages ${prefixTokens}, the child's own ${ownTokens}`;
      const advice =
        prefixTokens >= ownTokens
          ? 'Compact the parent before it is forked, or start an agent'
          : 'Say less in the directive, or pass `compact` to `run`';
      return new ForkError(
        'message-too-large',
        `The request takes about ${tokens} tokens, and the window of \`${head.model}\` has room for ${room}: ${parts}. ${advice}, or use a model of a larger window.`,
      );
    },
  };
}

/** A request that asks for no more output than its window leaves; undefined where it leaves too little for any answer. */
export function withinWindow(request: Request, models: OwnModels): Request | undefined {
  const { head, messages } = request;
  const window = callWindow(head, { models });
  const promptTokens = window.headTokens() + window.sizeOf(messages);
  const maxOutputTokens = window.outputTokens(promptTokens, request.maxOutputTokens);
  return maxOutputTokens === undefined ? undefined : { ...request, maxOutputTokens };
}
