import { type Block, stableStringify, type Tool } from '@varve/messages';
import { type CacheRequest, withBlocks } from './cache-request.ts';

/**
 * The bytes of a request's prefix, one string for each tool, system block and message block, in the order in which a
 * provider reads them: tools in the order given, then the system prompt, then the messages. Keys are sorted and cache
 * markers left out, so equal histories have equal bytes and a marker that moves changes none.
 */
export function renderPrefix(request: CacheRequest): string[] {
  const { head, messages } = withBlocks(request);
  return [
    ...head.tools.map((tool) => `tool ${renderPart(tool)}`),
    ...head.system.map((block) => `system ${renderPart(block)}`),
    ...messages.flatMap(({ role, content }) =>
      content.map((block) => `${role} ${renderPart(block)}`),
    ),
  ];
}

/** The stable bytes of one block or tool without its cache marker, nor those of the blocks inside it. */
export function renderPart(part: Block | Tool): string {
  return stableStringify(withoutMarkers(part));
}

function withoutMarkers(part: Block | Tool): Block | Tool {
  const bare = 'cache_control' in part ? { ...part, cache_control: undefined } : part;
  if (!Array.isArray(bare.content) || !bare.content.some(isMarked)) return bare;
  return { ...bare, content: bare.content.map(withoutMarkers) };
}

const isMarked = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'cache_control' in part;
