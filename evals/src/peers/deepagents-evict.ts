import { isToolResult, type Message, type ToolResultBlock, toolUses } from '@varve/messages';
import { requestFor } from '../strategies/request-for.ts';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { importLangChain, type LangChain, type LangChainMessage } from './langchain.ts';
import { importPeer } from './peer-module.ts';

export interface DeepAgentsEvictOptions {
  readonly name: string;
  /** As in its middleware: results above this many tokens, of four characters each, leave the context. */
  readonly toolTokenLimitBeforeEvict: number;
}

interface ToolCallRequest {
  readonly toolCall: { readonly id: string; readonly name: string; readonly args: object };
  readonly state: object;
  readonly runtime: object;
}

interface DeepAgents {
  readonly createFilesystemMiddleware: (options: object) => {
    readonly wrapToolCall: (
      request: ToolCallRequest,
      handler: () => Promise<LangChainMessage>,
    ) => Promise<Partial<LangChainMessage>>;
  };
}

/**
 * The eviction of large tool results in deepagents: its `createFilesystemMiddleware`, called around each tool call as its
 * agent does, over a backend that takes every file. Tools have their recorded names, so that its exemption of its own
 * file tools holds for re-reads only.
 */
export async function loadDeepAgentsEvict(options: DeepAgentsEvictOptions): Promise<Strategy> {
  const langchain = await importLangChain();
  const deepagents = await importPeer<DeepAgents>({
    name: 'deepagents',
    install: 'deepagents langchain @langchain/core',
    functions: ['createFilesystemMiddleware'],
  });
  return {
    name: options.name,
    create: (context) => createRun(context, { langchain, deepagents }, options),
  };
}

interface Packages {
  readonly langchain: LangChain;
  readonly deepagents: DeepAgents;
}

function createRun(
  context: StrategyContext,
  { langchain, deepagents }: Packages,
  { toolTokenLimitBeforeEvict }: DeepAgentsEvictOptions,
): StrategyRun {
  const { wrapToolCall } = deepagents.createFilesystemMiddleware({
    backend: BACKEND,
    toolTokenLimitBeforeEvict,
  });
  const names = new Map<string, string>();
  const waiting: Message[] = [];
  const shown: Message[] = [];
  async function evict(block: ToolResultBlock, name: string): Promise<ToolResultBlock> {
    const { tool_use_id: id, content = '' } = block;
    const result = new langchain.ToolMessage({ content, tool_call_id: id, name });
    const request = { toolCall: { id, name, args: {} }, state: {}, runtime: {} };
    const shown = await wrapToolCall(request, async () => result);
    if (shown === result) return block;
    if (typeof shown.content !== 'string') throw new Error('a result came back as no text');
    return { ...block, content: shown.content };
  }
  async function show(message: Message): Promise<Message> {
    for (const { id, name } of toolUses(message)) names.set(id, name);
    const isReRead = message.origin?.kind === 're-read';
    const content = await Promise.all(
      message.content.map((block) => {
        if (!isToolResult(block)) return block;
        return evict(block, isReRead ? ITS_READ_TOOL : (names.get(block.tool_use_id) ?? ''));
      }),
    );
    return content.every((block, at) => block === message.content[at])
      ? message
      : { ...message, content };
  }
  return {
    add: (message) => void waiting.push(message),
    async prepare() {
      for (const message of waiting.splice(0)) shown.push(await show(message));
    },
    request: () => requestFor(context, shown),
  };
}

/** Takes every file; what was evicted is fetched again by the replay, not from here. */
const BACKEND = { write: async (path: string) => ({ path, filesUpdate: null }) };
const ITS_READ_TOOL = 'read_file';
