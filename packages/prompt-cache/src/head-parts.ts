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
  readonly system: readonly Part[];
  /** What each section depends on besides its bytes: parameters by their path, and the model for the first. */
  readonly params: Readonly<Record<Section, JsonObject>>;
  /** Tools that stand in the system section, as one text. */
  readonly serverTools: string;
  /** Tokens that no tool and no system block has: those of server tools, and of what a size counts besides. */
  readonly looseTokens: number;
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
  return remember((head: Head) => {
    const { tools, serverTools, hasDeferred } = sortTools(head.tools);
    const listed = hasDeferred ? { ...head, tools: [...tools.list, ...serverTools.list] } : head;
    const total = tokensOfHead(listed, context);
    const toolTokens = Math.min(total, tools.tokens);
    const systemTokens = Math.max(0, total - toolTokens - serverTools.tokens);
    const params = paramsBySection(head, context.policy);
    const share = { idOfPart: context.idOfPart };
    const system = shareTokens(head.system, {
      ...share,
      tokens: systemTokens,
      place: PLACES.system,
    });
    return {
      tools: shareTokens(tools.list, { ...share, tokens: toolTokens, place: PLACES.tool }),
      system,
      params,
      serverTools: serverTools.text,
      looseTokens: total - toolTokens - (system.length > 0 ? systemTokens : 0),
      boundaries: {
        tools: stableStringify([head.model, params.tools]),
        system: stableStringify([params.system, serverTools.text]),
        messages: stableStringify(params.messages),
      },
    };
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
  return {
    tools: { list: own, tokens: measure(own) },
    serverTools: { list: server, tokens: measure(server), text: server.map(renderPart).join() },
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

interface ShareOptions {
  readonly tokens: number;
  readonly place: number;
  readonly idOfPart: (part: Block | Tool) => number;
}

/** Spreads the tokens of a section over its parts by length; the last part ends exactly at the section's end. */
function shareTokens(parts: readonly (Block | Tool)[], options: ShareOptions): Part[] {
  const lengths = parts.map((part) => renderPart(part).length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let length = 0;
  let before = 0;
  return parts.map((part, index) => {
    length += lengths[index] as number;
    const end = Math.round((options.tokens * length) / total);
    const tokens = end - before;
    before = end;
    return { id: options.idOfPart(part), place: options.place, tokens, kind: KIND.other };
  });
}
