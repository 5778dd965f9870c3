import { createAgent } from '@varve/fork-agent/definitions';
import { checkOptions, integer, required } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { CallWindowOptions } from '@varve/models/call';
import type { RunFork } from './run-fork.ts';

interface AgentForkOptions {
  readonly client: ModelClient;
  readonly model: string;
  /** Tokens of one reply. */
  readonly maxOutputTokens: number;
  /** Thinking configuration and other parameters of its requests. @default {} */
  readonly params?: JsonObject | undefined;
  /** Entries of one's own; they win over the model table, which says how large the window is. */
  readonly models?: CallWindowOptions['models'];
}

const PROMPT =
  'You consolidate the long-term memory of a coding agent. You change nothing without a quote, and leave what is true as it is.';

/** A child of its own for each dream: no context of the main agent, no transcript, only the tools of the dream. */
export function agentFork(options: AgentForkOptions): RunFork {
  checkOptions(options, {
    client: required('an object'),
    model: required('a text that is not blank'),
    maxOutputTokens: required(integer(1)),
    params: 'an object',
    models: 'a list',
  });
  const { client, model, models, maxOutputTokens, params } = options;
  return async ({ directive, tools, canUseTool, runTool, onMessage, maxTurns, signal }) => {
    const agent = createAgent({
      ...{ client, model, models, maxOutputTokens, params, offered: tools },
      definition: {
        ...{ name: 'auto-dream', prompt: PROMPT, source: 'built-in' as const },
        description: 'consolidates memory',
      },
      tools: runTool,
    });
    const { stopReason, usage, error } = await agent.run({
      ...{ directive, canUseTool, onMessage, maxTurns, signal },
    });
    const isEnd = ['end', 'empty', 'turn-limit'].includes(stopReason);
    return isEnd ? { kind: 'done', usage } : { kind: 'failed', reason: stopReason, cause: error };
  };
}
