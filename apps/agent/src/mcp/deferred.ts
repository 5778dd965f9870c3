import type { Context } from '@varve/context';
import { listOf, recordOf, textOf } from '@varve/guards';
import type { Entry, Tool as ToolDefinition } from '@varve/messages';
import { cachePolicy } from '@varve/prompt-cache';
import { createEstimator, resolveModel } from '@varve/tokens';
import { notesOf, type WriteNote } from '../notes.ts';
import type { McpServer, ServerTool } from './connect.ts';

/** Share of the window from which on definitions stay out of a request until they are asked for. */
const MOST_SHARE = 0.1;
const NOTE = 'mcp-loaded';

export interface LoadedToolsOptions {
  readonly servers: readonly McpServer[];
  readonly context: () => Context;
  /** The log of a session that is gone on with. */
  readonly entries: readonly Entry[];
  readonly note: WriteNote;
}

/**
 * The definitions of MCP tools that are in the head of the requests. One is appended once and keeps its bytes, whatever its server
 * does. Where the provider reads deferred definitions outside of the cached prefix, those that were searched for are sent so,
 * and the result of the search names them.
 */
export function createLoadedTools({ servers, context, entries, note }: LoadedToolsOptions) {
  const loaded = new Map<string, ToolDefinition>(
    notesOf(entries, NOTE).flatMap(({ tools }) => listOf(tools).map(withName)),
  );
  let named: ReadonlySet<string> | undefined;
  let isLost = false;

  /** Deferred tools that a result of the conversation names: the model sees these only. */
  function namedTools(): ReadonlySet<string> {
    named ??= new Set(
      context()
        .view()
        .messages.flatMap(({ content }) => content.flatMap(namesIn)),
    );
    return named;
  }

  const isVisible = (name: string): boolean => {
    const tool = loaded.get(name);
    return tool !== undefined && (tool.defer_loading !== true || namedTools().has(name));
  };

  async function add(tools: readonly ToolDefinition[]): Promise<void> {
    if (tools.length === 0) return;
    for (const tool of tools) loaded.set(tool.name as string, tool);
    await note({ kind: NOTE, tools: tools as never });
  }

  /** Before anything was sent, definitions cost no cache: all of them, where they are few. */
  async function addFirst(): Promise<void> {
    const all = servers.flatMap(({ tools }) => tools);
    if (context().lastRequest() !== undefined || all.length === 0) return;
    const { tokenizer } = resolveModel(context().view().head?.model ?? '').model;
    const estimator = createEstimator({ family: tokenizer });
    const tools = all.map(({ definition }) => definition);
    const tokens = estimator.head({ system: [], tools });
    if (tokens > MOST_SHARE * context().limits().windowTokens) return;
    await add(tools.filter(({ name }) => !loaded.has(name as string)));
  }

  return {
    isVisible,
    definition: (name: string): ToolDefinition | undefined => loaded.get(name),
    /** Of those that were ever loaded from a server. */
    namesOf: (server: string): readonly string[] =>
      [...loaded.keys()].filter((name) => name.startsWith(`mcp__${server}__`)),

    /** Has tools in the next request, and gives what its result has to name. An agent, whose head is fixed, is shown them only: undefined. */
    async load(
      tools: readonly ServerTool[],
      callId: string,
    ): Promise<readonly string[] | undefined> {
      const { open } = context().view();
      if (open?.waiting.includes(callId) !== true) return undefined;
      named = undefined; // the result will name them
      const isOutside = keepsDeferredOutside(context().view().head?.model ?? '');
      const fresh = tools.filter(({ name }) => !loaded.has(name));
      await add(
        fresh.map(({ definition }) =>
          isOutside ? { ...definition, defer_loading: true } : definition,
        ),
      );
      return tools
        .map(({ name }) => name)
        .filter((name) => loaded.get(name)?.defer_loading === true);
    },

    /** Brings the head of the next request up to date. */
    async prepare(): Promise<void> {
      await addFirst();
      if (isLost) {
        isLost = false;
        const hidden = [...loaded.values()].filter(({ name }) => !isVisible(name as string));
        await add(hidden.map(({ defer_loading: _, ...tool }) => tool));
      }
      const tools = context().view().head?.tools ?? [];
      const known = new Set(tools.map(({ name }) => name));
      const next = [
        ...tools.map((tool) => loaded.get(tool.name ?? '') ?? tool),
        ...[...loaded.values()].filter(({ name }) => !known.has(name)),
      ];
      if (JSON.stringify(next) !== JSON.stringify(tools)) await context().setHead({ tools: next });
    },

    /** A summary takes the place of all results: none of them names a tool any more. */
    summarised(): void {
      named = new Set();
    },

    /** Something of the conversation became something else. After a summary the tools stay; after a rewind they are searched for again. */
    check(by: string): void {
      named = undefined;
      isLost ||= by !== 'rewind' && by !== 'undo';
    },
  };
}

/** What the provider bills of a deferred definition is where a result names it, not in front of everything. */
function keepsDeferredOutside(model: string): boolean {
  return cachePolicy(resolveModel(model).model).invalidators.deferredToolsOutside;
}

const withName = (tool: unknown): [string, ToolDefinition] => [
  textOf(recordOf(tool).name),
  tool as ToolDefinition,
];

const namesIn = (block: { readonly [field: string]: unknown }): string[] =>
  block.type !== 'tool_result'
    ? []
    : listOf(block.content).flatMap((part) => {
        const { type, tool_name: name } = recordOf(part);
        return type === 'tool_reference' && typeof name === 'string' ? [name] : [];
      });
