import type { Block, Head, Marker, TextBlock, Tool } from '@varve/messages';
import { canCarryMarker } from '@varve/messages/blocks';
import type { AnthropicMessage, Loss } from '@varve/messages/convert';

export interface CacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

type MessageMarker = Extract<Marker, { at: 'message' }>;

function cacheControl({ ttl }: Marker): CacheControl {
  return { type: 'ephemeral', ...(ttl && { ttl }) };
}

/**
 * Tools and system text with their markers. One that names no block stands on the last tool that is part of the prefix, or
 * on the last text; one that stands where none may stand moves to the nearest earlier place.
 */
export function markHead(
  head: Head,
  markers: readonly Marker[],
): { readonly tools: readonly Tool[]; readonly system: readonly TextBlock[] } {
  let { tools, system } = head;
  for (const marker of markers) {
    if (marker.at === 'tools') tools = markItem(tools, marker, isInPrefix);
    if (marker.at === 'system') system = markItem(system, marker, canCarryMarker);
  }
  return { tools, system };
}

// deferred tools are outside of the prefix and are refused with a marker
const isInPrefix = (tool: Tool): boolean => tool.defer_loading !== true;

function markItem<Item extends object>(
  items: readonly Item[],
  marker: Marker,
  canCarry: (item: Item) => boolean,
): readonly Item[] {
  const { blockIndex = Infinity } = marker;
  const index = items.findLastIndex((item, each) => each <= blockIndex && canCarry(item));
  if (index === -1) return items;
  return items.with(index, { ...(items[index] as Item), cache_control: cacheControl(marker) });
}

export interface MarkMessagesOptions {
  readonly markers: readonly Marker[];
  /** Those of the conversion: what was dropped moves what follows. */
  readonly losses: readonly Loss[];
}

/**
 * Writes markers into converted messages. One that stands where none may stand moves to the nearest earlier block of its
 * message that takes it, and is left out where there is none. A marked message is copied once and remembered.
 */
export function createMarkerWriter() {
  const known = new WeakMap<AnthropicMessage, Map<string, AnthropicMessage>>();
  return (messages: AnthropicMessage[], options: MarkMessagesOptions): AnthropicMessage[] => {
    const marked = [...messages];
    for (const marker of options.markers) {
      if (marker.at !== 'message') continue;
      const { messageIndex, blockIndex } = writtenPlace(marker, options.losses);
      const message = marked[messageIndex];
      if (!message) continue;
      const byPlace = known.get(message) ?? new Map<string, AnthropicMessage>();
      const key = `${blockIndex} ${marker.ttl}`;
      const found = byPlace.get(key) ?? markMessage(message, blockIndex, marker);
      known.set(message, byPlace.set(key, found));
      marked[messageIndex] = found;
    }
    return marked;
  };
}

function markMessage(message: AnthropicMessage, blockIndex: number, marker: Marker) {
  const content = message.content as readonly Block[];
  const index = content.findLastIndex((block, each) => each <= blockIndex && canCarryMarker(block));
  if (index === -1) return message;
  const block = { ...(content[index] as Block), cache_control: cacheControl(marker) };
  return { ...message, content: content.with(index, block) } as AnthropicMessage;
}

/** Where a marked block went: messages and blocks that were dropped before it no longer count. */
function writtenPlace(marker: MessageMarker, losses: readonly Loss[]) {
  let { messageIndex, blockIndex } = marker;
  for (const { kind, ...loss } of losses) {
    if (kind === 'message' && loss.messageIndex < marker.messageIndex) messageIndex--;
    if (kind === 'message' && loss.messageIndex === marker.messageIndex)
      return { messageIndex: -1, blockIndex };
    const isDropped = kind === 'block' || kind === 'thinking';
    if (!isDropped || loss.messageIndex !== marker.messageIndex) continue;
    if (loss.blockIndex !== undefined && loss.blockIndex <= marker.blockIndex) blockIndex--;
  }
  return { messageIndex, blockIndex };
}
