import {
  type Block,
  type Head,
  isToolResult,
  isToolUse,
  type Message,
  stableStringify,
  type Tool,
} from '@varve/messages';
import { paramsOf } from './invalidation.ts';
import { createIds, createPartIds } from './part-ids.ts';
import type { CachePolicy, Section } from './policy.ts';
import { KIND, type Part } from './prefix-columns.ts';
import { renderPart } from './render.ts';

/** Tokens of the parts of a prompt; an estimator of `@varve/tokens` fits. Each part is asked for once. */
export interface PromptSizes {
  block(block: Block): number;
  message(message: Message): number;
  /** System prompt and tools. */
  head(head: Head): number;
}

export interface MessageParts {
  readonly parts: readonly Part[];
  readonly hasImage: boolean;
  readonly hasCitations: boolean;
}

export interface HeadParts {
  readonly tools: readonly Part[];
  readonly system: readonly Part[];
  /** What each section depends on besides its bytes. */
  readonly boundaries: Readonly<Record<Section, string>>;
  /** The same with the tools that stand in the system section apart, so that a cause can be named. */
  readonly serverTools: string;
}

export interface PartIndex {
  message(message: Message): MessageParts;
  head(head: Head): HeadParts;
  boundary(section: Section, text: string): Part;
}

const PLACE = { tool: 1, system: 2, boundary: 3, roles: { user: 4, assistant: 5, system: 6 } };

/**
 * Numbers the distinct texts of blocks and remembers them by reference: a message that was seen before costs a look-up,
 * whatever its size. Two parts have the same number exactly when their bytes are equal.
 */
export function createPartIndex(policy: CachePolicy, sizes: PromptSizes): PartIndex {
  const idOfText = createIds();
  const idOfPart = remember(createPartIds());
  return {
    message: remember((message: Message) => messageParts(message, sizes, idOfPart)),
    head: remember((head: Head) => headParts(head, { policy, sizes, idOfPart })),
    boundary: (section, text) => ({
      id: idOfText(`${section} ${text}`),
      place: PLACE.boundary,
      tokens: 0,
      kind: KIND.boundary,
    }),
  };
}

type IdOfPart = (part: Block | Tool) => number;

function messageParts(message: Message, sizes: PromptSizes, idOfPart: IdOfPart): MessageParts {
  const { role, content } = message;
  const total = Math.max(0, Math.round(sizes.message(message)));
  const blocks = content.map((block) => Math.max(0, Math.round(sizes.block(block))));
  // What a message costs besides its blocks is spent at its beginning.
  let spent = Math.max(0, total - blocks.reduce((sum, tokens) => sum + tokens, 0));
  let before = 0;
  const parts = content.map((block, index) => {
    spent = Math.min(total, spent + (blocks[index] as number));
    const end = index === content.length - 1 ? total : spent;
    const tokens = end - before;
    before = end;
    return { id: idOfPart(block), place: PLACE.roles[role], tokens, kind: kindOf(block) };
  });
  return {
    parts,
    hasImage: content.some(isImage),
    hasCitations: content.some(hasCitations),
  };
}

function kindOf(block: Block): number {
  if (isToolUse(block)) return KIND.toolUse;
  return isToolResult(block) ? KIND.toolResult : KIND.other;
}

function isImage(block: Block): boolean {
  if (block.type === 'image') return true;
  return isToolResult(block) && Array.isArray(block.content) && block.content.some(isImage);
}

function hasCitations(block: Block): boolean {
  if (block.type !== 'document') return false;
  const { citations } = block as { citations?: { enabled?: unknown } | null };
  return citations?.enabled === true;
}

interface HeadContext {
  readonly policy: CachePolicy;
  readonly sizes: PromptSizes;
  readonly idOfPart: IdOfPart;
}

function headParts(head: Head, { policy, sizes, idOfPart }: HeadContext): HeadParts {
  const { invalidators } = policy;
  const outside = (tool: Tool) => invalidators.deferredToolsOutside && tool.defer_loading === true;
  const listed = head.tools.filter((tool) => !outside(tool));
  const isServerTool = (tool: Tool) =>
    invalidators.serverToolTypes.some((prefix) => String(tool.type ?? '').startsWith(prefix));
  const tools = listed.filter((tool) => !isServerTool(tool));
  const serverTools = listed.filter(isServerTool).map(renderPart).join();
  const systemTokens = Math.round(sizes.head({ ...head, tools: [] }));
  const allTokens = Math.round(
    sizes.head(listed === head.tools ? head : { ...head, tools: listed }),
  );
  const shares = { idOfPart, kind: KIND.other };
  return {
    tools: shareTokens(tools, { ...shares, tokens: allTokens - systemTokens, place: PLACE.tool }),
    system: shareTokens(head.system, { ...shares, tokens: systemTokens, place: PLACE.system }),
    boundaries: {
      tools: stableStringify([head.model, paramsOf(head, invalidators, 'tools')]),
      system: stableStringify(paramsOf(head, invalidators, 'system')),
      messages: stableStringify(paramsOf(head, invalidators, 'messages')),
    },
    serverTools,
  };
}

interface ShareOptions {
  readonly tokens: number;
  readonly place: number;
  readonly kind: number;
  readonly idOfPart: IdOfPart;
}

/** Spreads the tokens of a section over its parts by length; the last part ends exactly at the section's end. */
function shareTokens(parts: readonly (Block | Tool)[], options: ShareOptions): Part[] {
  const lengths = parts.map((part) => renderPart(part).length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let length = 0;
  let before = 0;
  return parts.map((part, index) => {
    length += lengths[index] as number;
    const end = Math.round((Math.max(0, options.tokens) * length) / total);
    const tokens = end - before;
    before = end;
    return { id: options.idOfPart(part), place: options.place, tokens, kind: options.kind };
  });
}

function remember<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
