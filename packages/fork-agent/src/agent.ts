import { expected, textOf } from '@varve/guards';
import {
  fingerprint,
  type Head,
  type JsonObject,
  type Message,
  type Request,
  type Tool,
} from '@varve/messages';
import { checkToolNames } from '@varve/messages/tools';
import type { ModelClient } from '@varve/models';
import { fitCall, thinkingBudget } from '@varve/models/call';
import { placeMarkers } from '@varve/prompt-cache';
import { checkModels } from '@varve/tokens/models';
import { runChild } from './child-loop.ts';
import type { AgentDefinition } from './definitions/definition.ts';
import { gateOf, toolsOf } from './definitions/tools-of.ts';
import { requireDirective } from './directive.ts';
import { A_MODEL, copyState, DEFAULT_AGENT_TOOLS, type ForkOptions } from './fork.ts';
import { knownModel, policyFor } from './known-model.ts';
import type { ForkResult, RunOptions, ToolRunner } from './types.ts';
import { childWindow } from './window.ts';

export interface AgentOptions<State = undefined>
  extends Pick<ForkOptions<State>, 'state' | 'cloneState' | 'agentTools' | 'models' | 'policy'> {
  readonly client: ModelClient;
  readonly definition: AgentDefinition;
  /** The parent's model, for a definition that inherits it. */
  readonly model: string;
  /** All tools there are; the definition chooses among them. */
  readonly offered: readonly Tool[];
  readonly tools?: ToolRunner<State> | undefined;
  /** Thinking configuration, betas and other parameters of its requests. @default {} */
  readonly params?: JsonObject | undefined;
  /** Tokens of one reply. */
  readonly maxOutputTokens: number;
}

/** A fresh agent: no context of its parent's, own system prompt and tools, hence a cache of its own. */
export interface Agent<State = undefined> {
  /** As `run` of a fork. The directive is all it knows, so it has to be a whole briefing. */
  run(options: RunOptions<State>): Promise<ForkResult<State>>;
  readonly head: Head;
}

/**
 * An agent as its definition says. Equal definitions have equal heads, so several of a kind share a cache.
 *
 * @throws TypeError for a model without a name, and for tools without a name or with the same one
 */
export function createAgent<State = undefined>(options: AgentOptions<State>): Agent<State> {
  const { client, definition, models } = options;
  checkModels(models);
  const { head, maxOutputTokens } = agentRequest(options);
  const {
    policy = policyFor(head.model, models),
    tools,
    agentTools = DEFAULT_AGENT_TOOLS,
  } = options;
  const window = childWindow(head, { maxOutputTokens, models });
  const common = {
    window,
    client,
    head,
    models,
    server: undefined,
    prefix: [],
    agentTools,
  };
  return {
    head,
    async run(given) {
      const first = briefing(definition, given);
      const child = {
        ...common,
        id: first.id.replace(/:directive$/, ''),
        first,
        mark: (request: Request) => placeMarkers(request, { policy }),
        runTool: tools,
        state: copyState(options),
      };
      return runChild(child, limited(definition, given));
    },
  };
}

/** Head and output of its requests; a thinking budget comes on top of a reply that it would fill. */
function agentRequest<State>(options: AgentOptions<State>): Request {
  const { definition, offered, params = {}, maxOutputTokens } = options;
  checkToolNames(offered, 'offered');
  const head: Head = {
    id: `agent:${definition.name}`,
    model: definition.model ?? options.model,
    system: [{ type: 'text', text: definition.prompt }],
    tools: toolsOf(definition, offered),
    params,
  };
  if (textOf(head.model).trim() === '') throw expected('model', A_MODEL, head.model);
  const budget = thinkingBudget(params);
  const answerTokens = maxOutputTokens > budget ? maxOutputTokens - budget : maxOutputTokens;
  const known = knownModel(head.model, options.models)?.maxOutputTokens;
  const mostTokens = known && Math.max(known, maxOutputTokens);
  const request = { head, messages: [], markers: [], maxOutputTokens };
  return fitCall(request, { answer: 'turn', answerTokens, mostTokens });
}

function briefing<State>(
  { name, initialPrompt }: AgentDefinition,
  { directive, id: given }: RunOptions<State>,
): Message {
  requireDirective(directive);
  const id = given ?? `agent-${fingerprint(directive, fingerprint(name)).slice(0, 16)}`;
  const text = (initialPrompt ? `${initialPrompt}\n\n${directive}` : directive).toWellFormed();
  return { id: `${id}:directive`, role: 'user', content: [{ type: 'text', text }] };
}

/** What the definition allows is the most; a run may ask for less. */
function limited<State>(definition: AgentDefinition, given: RunOptions<State>): RunOptions<State> {
  const turns = [definition.maxTurns, given.maxTurns].filter((count) => count !== undefined);
  return {
    ...given,
    canUseTool: gateOf(definition, given.canUseTool),
    maxTurns: turns.length > 0 ? Math.min(...turns) : undefined,
  };
}
