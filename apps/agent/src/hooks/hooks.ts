import type { Message } from '@varve/messages';
import type { ToolCall, ToolOutput } from '../tools/tool.ts';

/** What a hook says about a call before it runs. */
export type HookDecision = 'allow' | 'ask' | 'none';

/** Where programs of the user take part in a turn. */
export interface Hooks {
  promptSubmit(
    prompt: string,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'asked'; readonly context: readonly string[] }
    | { readonly kind: 'blocked'; readonly reason: string }
  >;
  /** May change the input, decide in place of the person, or refuse. */
  preTool(
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'go-on'; readonly call: ToolCall; readonly decision: HookDecision }
    | { readonly kind: 'denied'; readonly reason: string }
  >;
  /** May add to what the model reads of a result; it changes nothing of what ran. */
  postTool(call: ToolCall, output: ToolOutput, signal: AbortSignal): Promise<ToolOutput>;
  /** `go-on` keeps the model working, and says why. */
  stop(
    reply: Message,
    at: { readonly turn: number; readonly signal: AbortSignal },
  ): Promise<{ readonly kind: 'done' } | { readonly kind: 'go-on'; readonly reason: string }>;
}

/** No hooks. */
export const noHooks: Hooks = {
  promptSubmit: async () => ({ kind: 'asked', context: [] }),
  preTool: async (call) => ({ kind: 'go-on', call, decision: 'none' }),
  postTool: async (_call, output) => output,
  stop: async () => ({ kind: 'done' }),
};
