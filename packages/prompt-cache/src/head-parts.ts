import {
  type Block,
  type Head,
  type JsonObject,
  stableStringify,
  type Tool,
} from '@varve/messages';
import { paramsOf } from './invalidation.ts';
import type { CachePolicy, Section } from './policy.ts';
import { KIND, type Part } from './prefix-columns.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import { remember } from './remember.ts';
import { renderPart } from './render.ts';

export interface HeadParts {
  readonly tools: readonly Part[];
  /** What `tools` are made of. */
  readonly ownTools: readonly Tool[];
  readonly system: readonly Part[];
  /** What each section depends on besides its bytes: parameters by their path, and the model for the first. */
  readonly params: Readonly<Record<Section, JsonObject>>;
  /** Tools that stand in the system section, as one text. */
  readonly serverTools: string;
  /** Tokens that no tool or system block has: those of server tools, and what a size counts besides its parts. */
  readonly looseTokens: { readonly tools: number; readonly system: number };
  /** What each section depends on as text. */
  readonly boundaries: Readonly<Record<Section, string>>;
}

const PLACES = { tool: 4, system: 5 } as const;

export interface HeadContext {
  readonly policy: CachePolicy;
  readonly sizes: PromptSizes;
  readonly idOfPart: (part: Block | Tool) => number;
}

/** Takes heads apart; a list of tools is measured once, however often the system prompt beside it changes. */
export function createHeadParts(context: HeadContext): (head: Head) => HeadParts {
  const sortTools = remember((tools: Head['tools']) => sortedTools(tools, context));
  const asOne = context.policy.invalidators.toolsAsOne;
  return remember((head: Head) => {
    const { tools, server, hasDeferred } = sortTools(head.tools);
    const listed = hasDeferred ? { ...head, tools: [...tools.list, ...server.list] } : head;
    const total = tokensOfHead(listed, context);
    const toolTokens = Math.min(total, tools.tokens + server.tokens);
    const toolParts = partsWithin(tools.tokens, tools.list.map(tools.partOf));
    const systemParts = partsWithin(
      total - toolTokens,
      head.system.map((block) => ({
        id: context.idOfPart(block),
        place: PLACES.system,
        tokens: Math.max(0, Math.round(context.sizes.block(block))),
        kind: KIND.other,
      })),
    );
    const params = paramsBySection(head, context.policy);
    return {
      tools: toolParts,
      ownTools: tools.list,
      system: systemParts,
      params,
      serverTools: server.text,
      looseTokens: {
        tools: toolTokens - tokensOfParts(toolParts),
        system: total - toolTokens - tokensOfParts(systemParts),
      },
      boundaries: {
        tools: stableStringify([head.model, params.tools, asOne ? toolParts.map(idOf) : []]),
        system: stableStringify([params.system, server.text]),
        messages: stableStringify(params.messages),
      },
    };
  });
}

const idOf = ({ id }: Part): number => id;

const tokensOfParts = (parts: readonly Part[]): number =>
  parts.reduce((sum, { tokens }) => sum + tokens, 0);

/** Parts that together have no more than `limit` tokens: what is over is taken off the last ones. */
function partsWithin(limit: number, parts: readonly Part[]): Part[] {
  let left = Math.max(0, limit);
  return parts.map((part) => {
    const tokens = Math.min(left, part.tokens);
    left -= tokens;
    return tokens === part.tokens ? part : { ...part, tokens };
  });
}

/** Which tools stand in the tools section, which in the system section, and what each kind measures. */
function sortedTools(tools: Head['tools'], context: HeadContext) {
  const { serverToolTypes, deferredToolsOutside } = context.policy.invalidators;
  const listed = tools.filter((tool) => !deferredToolsOutside || tool.defer_loading !== true);
  const isServerTool = ({ type }: Tool) =>
    typeof type === 'string' && serverToolTypes.some((prefix) => type.startsWith(prefix));
  const own = listed.filter((tool) => !isServerTool(tool));
  const server = listed.filter(isServerTool);
  const measure = (list: readonly Tool[]) =>
    list.length === 0 ? 0 : tokensOfHead({ ...NO_HEAD, tools: list }, context);
  const partOf = (tool: Tool): Part => ({
    id: context.idOfPart(tool),
    place: PLACES.tool,
    tokens: measure([tool]),
    kind: KIND.other,
  });
  return {
    tools: { list: own, tokens: measure(own), partOf: remember(partOf) },
    server: { list: server, tokens: measure(server), text: server.map(renderPart).join() },
    hasDeferred: listed.length < tools.length,
  };
}

const NO_HEAD: Head = { id: '', model: '', system: [], tools: [], params: {} };

const tokensOfHead = (head: Head, { sizes }: HeadContext): number =>
  Math.max(0, Math.round(sizes.head(head)));

function paramsBySection(head: Head, { invalidators }: CachePolicy): Record<Section, JsonObject> {
  return {
    tools: paramsOf(head, invalidators, 'tools'),
    system: paramsOf(head, invalidators, 'system'),
    messages: paramsOf(head, invalidators, 'messages'),
  };
}
