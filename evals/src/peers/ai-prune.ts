import { isThinking, isToolResult, isToolUse, type Message } from '@varve/messages';
import { createAISDKConverter } from '@varve/messages/convert';
import { requestFor } from '../strategies/request-for.ts';
import type { Strategy, StrategyContext, StrategyRun } from '../strategy.ts';
import { createParked } from './parked.ts';
import { importPeer } from './peer-module.ts';

export interface AIPruneOptions {
  readonly name: string;
  /** As in `pruneMessages`. */
  readonly toolCalls: 'none' | `before-last-${number}-messages`;
  /** Prunes only prompts above this many tokens, and for good. @default every prompt, anew from the whole history */
  readonly aboveTokens?: number;
  readonly parked: boolean;
}

interface AISDK {
  readonly pruneMessages: (options: {
    readonly messages: readonly Converted[];
    readonly toolCalls: AIPruneOptions['toolCalls'];
    readonly emptyMessages: 'keep';
  }) => readonly Converted[];
}

type Converted = ReturnType<ReturnType<typeof createAISDKConverter>['to']>['messages'][number];

/** One of our messages and the SDK's messages that stand for it. */
interface Link {
  readonly source: Message;
  readonly parts: readonly Converted[];
}

/** `pruneMessages` of the AI SDK: it removes old calls with their results. */
export async function loadAIPrune(options: AIPruneOptions): Promise<Strategy> {
  const sdk = await importPeer<AISDK>({ name: 'ai', install: 'ai', functions: ['pruneMessages'] });
  return {
    name: options.name,
    create(context) {
      const run = createRun(context, sdk, options);
      return options.parked ? createParked(run, { ...context, editsCalls: true }) : run;
    },
  };
}

function createRun(
  context: StrategyContext,
  { pruneMessages }: AISDK,
  { toolCalls, aboveTokens }: AIPruneOptions,
): StrategyRun {
  const { sizeOf, head } = context;
  const link = createLinker();
  const memory = createMemory();
  let links: readonly Link[] = [];
  const pruned = (): readonly Link[] => {
    const messages = links.flatMap(({ parts }) => parts);
    // empty messages are left out below, so that the result can be read by position
    return regroup(links, pruneMessages({ messages, toolCalls, emptyMessages: 'keep' }), memory);
  };
  const tokens = (): number =>
    links.reduce((sum, { source }) => sum + sizeOf(source), sizeOf(head));
  return {
    add(message) {
      links = [...links, link(message)];
    },
    request() {
      if (aboveTokens === undefined) return requestFor(context, pruned().map(sourceOf));
      if (tokens() > aboveTokens) links = pruned();
      return requestFor(context, links.map(sourceOf));
    },
  };
}

const sourceOf = ({ source }: Link): Message => source;

/** Converts one message at a time; the reply before tells the names of the tools. */
function createLinker(): (message: Message) => Link {
  const converter = createAISDKConverter();
  let caller: readonly Message[] = [];
  return (source) => {
    const known = converter.to(caller).messages.length;
    const parts = converter.to([...caller, source]).messages.slice(known);
    if (source.role === 'assistant') caller = [source];
    return { source, parts };
  };
}

function regroup(
  links: readonly Link[],
  messages: readonly Converted[],
  remember: (before: Message, after: Message) => Message,
): readonly Link[] {
  let next = 0;
  return links.flatMap(({ source, parts: before }) => {
    const parts = messages.slice(next, next + before.length);
    next += before.length;
    const message = keptOf(source, before, parts);
    if (message.content.length === 0 && source.content.length > 0) return [];
    const left = parts.filter(({ content }) => content.length > 0);
    return [{ source: message === source ? source : remember(source, message), parts: left }];
  });
}

/** The blocks of which the SDK kept the part: calls and results by their ids, thinking by its position. */
function keptOf(
  source: Message,
  before: readonly Converted[],
  after: readonly Converted[],
): Message {
  const kept = new Set(after.flatMap(partsOf));
  const gone = before.flatMap(partsOf).filter((part) => !kept.has(part));
  if (gone.length === 0) return source;
  const ids = new Set(gone.flatMap(({ toolCallId = [] }) => toolCallId));
  const reasoning = before.flatMap(partsOf).filter(({ type }) => type === 'reasoning');
  let thought = 0;
  const content = source.content.filter((block) => {
    if (isThinking(block)) return kept.has(reasoning[thought++] as Part);
    if (isToolUse(block)) return !ids.has(block.id);
    return !isToolResult(block) || !ids.has(block.tool_use_id);
  });
  return { ...source, content };
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
}

const partsOf = ({ content }: Converted): readonly Part[] =>
  typeof content === 'string' ? [] : content;

/** The same object again for a message that lost the same blocks before. */
function createMemory(): (before: Message, after: Message) => Message {
  const known = new WeakMap<Message, Message>();
  return (before, after) => {
    const found = known.get(before);
    const isSame =
      found?.content.length === after.content.length &&
      found.content.every((block, at) => block === after.content[at]);
    if (isSame) return found;
    known.set(before, after);
    return after;
  };
}
