import { expected, isRecord } from '@varve/guards';
import {
  type Block,
  type Message,
  type StopReason,
  type ToolUseBlock,
  toolUses,
  type Usage,
} from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { type CallWindowOptions, callWindow } from '@varve/models/call';
import type { Draft, ToolOutcome } from './draft.ts';
import { extractionPrompt, extractionTools, READ_TOOL, SAVE_TOOL } from './prompt.ts';

/** What reads the conversation: a call of its own that sees the new messages alone, or a fork that shares the cached prefix. */
export type ChildOptions =
  | {
      readonly client: ModelClient;
      readonly model: string;
      /** Entries of one's own; they win over the model table. */
      readonly models?: CallWindowOptions['models'];
    }
  | { readonly runFork: RunFork };

/**
 * Runs a child of the conversation that shares its cached prefix, up to a reply without calls. Rejects or answers `failed` where it did
 * not come to its end: nothing is written then. `save_memory` has to be among the tools of the parent.
 */
export type RunFork = (fork: ExtractionFork) => Promise<ForkOutcome>;

export interface ExtractionFork {
  /** For reports of cost. */
  readonly source: 'memory-extraction';
  /** What the child is asked, to be appended as a user message. */
  readonly directive: string;
  /** Asked before every tool call of the child: the tools are those of the parent, whose prefix they are in. */
  readonly canUseTool: (call: ToolUseBlock) => { readonly allow: boolean; readonly reason: string };
  /** Runs a call that was allowed, in place of the parent's tools. */
  readonly runTool: (call: ToolUseBlock) => ToolOutcome;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

export type ForkOutcome =
  | {
      readonly kind: 'done';
      readonly usage?: Usage | undefined;
      /** Requests that were sent. */
      readonly turns?: number | undefined;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause?: unknown };

export interface ChildResult {
  readonly mode: 'fresh' | 'fork';
  readonly usage: Usage;
  readonly turns: number;
  /** Why nothing of it counts. */
  readonly dropped?: string;
}

export interface ChildCall {
  readonly input: string;
  readonly draft: Draft;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
}

export const runChild = (options: ChildOptions, call: ChildCall): Promise<ChildResult> =>
  'runFork' in options ? runForked(options.runFork, call) : runFresh(options, call);

const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0 };
const MOST_OUTPUT_TOKENS = 8_000;

/** Replies that hold no answer, whatever stands in them. */
const NO_ANSWER: Readonly<Partial<Record<StopReason, true>>> = {
  refusal: true,
  max_tokens: true,
  model_context_window_exceeded: true,
  error: true,
  aborted: true,
};

async function runFresh(
  { client, model, models }: Extract<ChildOptions, { client: ModelClient }>,
  { input, draft, maxTurns, signal }: ChildCall,
): Promise<ChildResult> {
  const system = [{ type: 'text', text: extractionPrompt() }] as const;
  const head = { id: 'memory-extraction', model, system, tools: extractionTools(), params: {} };
  let messages: readonly Message[] = [
    { id: 'input', role: 'user', content: [{ type: 'text', text: input }] },
  ];
  const window = callWindow(head, { models });
  let usage = NO_USAGE;
  for (let turns = 1; ; turns++) {
    const promptTokens = window.headTokens() + window.sizeOf(messages);
    const maxOutputTokens = window.outputTokens(promptTokens, MOST_OUTPUT_TOKENS);
    if (maxOutputTokens === undefined)
      return { mode: 'fresh', usage, turns: turns - 1, dropped: 'prompt-too-long' };
    const request = { head, messages, markers: [], maxOutputTokens };
    const response = await send(client, request, { signal });
    signal.throwIfAborted();
    usage = sum(usage, response.usage);
    if (NO_ANSWER[response.stopReason])
      return { mode: 'fresh', usage, turns, dropped: response.stopReason };
    const calls = toolUses(response);
    const results = calls.map((call) => resultOf(call, runTool(draft, call)));
    if (calls.length === 0 || turns >= maxTurns) return { mode: 'fresh', usage, turns };
    messages = [
      ...messages,
      { id: `reply-${turns}`, role: 'assistant', content: response.content },
      { id: `results-${turns}`, role: 'user', content: results, origin: { kind: 'tool' } },
    ];
  }
}

async function runForked(
  runFork: RunFork,
  { input, draft, maxTurns, signal }: ChildCall,
): Promise<ChildResult> {
  const names: readonly string[] = [READ_TOOL, SAVE_TOOL];
  const outcome = await runFork({
    source: 'memory-extraction',
    directive: `Leave the conversation for a moment. ${extractionPrompt()}\n\n${input}`,
    canUseTool: ({ name }) => ({
      allow: names.includes(name),
      reason: `only ${names.join(' and ')} may be used here`,
    }),
    runTool: (call) => runTool(draft, call),
    ...{ maxTurns, signal },
  });
  if (!isOutcome(outcome)) throw expected('runFork', A_FORK, outcome);
  if (outcome.kind === 'failed')
    throw new Error(`The fork came to no end: ${outcome.reason}.`, { cause: outcome.cause });
  const { usage = NO_USAGE, turns = 1 } = outcome;
  return { mode: 'fork', usage, turns };
}

const A_FORK = {
  what: "a function that answers with `{ kind: 'done', usage, turns }` or `{ kind: 'failed', reason }`",
};

/** What a caller's function gives may be anything. */
function isOutcome(value: unknown): value is ForkOutcome {
  if (!isRecord(value)) return false;
  const { kind, usage, turns } = value;
  if (kind === 'failed') return true;
  const isUsage =
    usage === undefined ||
    (isRecord(usage) && [usage.input_tokens, usage.output_tokens].every(isCount));
  return kind === 'done' && isUsage && (turns === undefined || isCount(turns));
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** The names that the prompt gives are those that are run here. */
function runTool(draft: Draft, { name, input }: ToolUseBlock): ToolOutcome {
  if (name === READ_TOOL) return draft.read(input);
  if (name === SAVE_TOOL) return draft.save(input);
  return { content: 'There is no tool of this name.', isError: true };
}

const resultOf = ({ id }: ToolUseBlock, { content, isError }: ToolOutcome): Block => ({
  type: 'tool_result',
  ...{ tool_use_id: id, content },
  ...(isError ? { is_error: true } : {}),
});

const sum = (one: Usage, other: Usage): Usage => ({
  input_tokens: one.input_tokens + other.input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  cache_creation_input_tokens:
    (one.cache_creation_input_tokens ?? 0) + (other.cache_creation_input_tokens ?? 0),
  cache_read_input_tokens:
    (one.cache_read_input_tokens ?? 0) + (other.cache_read_input_tokens ?? 0),
});
