import { recordOf, textOf } from '@varve/guards';
import type { Marker, Message, Request } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
import { findModel } from '@varve/tokens/models';

/** OpenAI's marker on a part, for models from GPT-5.6 on. */
export interface CacheBreakpoint {
  mode: 'explicit';
}

/** One of OpenAI's formats, as far as markers need it. */
export interface BreakpointFormat<Item extends object> {
  readonly convert: (messages: readonly Message[]) => {
    readonly messages: readonly Item[];
    readonly losses: readonly Loss[];
  };
  /** The parts of an item that may carry a marker; a text that stands alone is one. Undefined where there are none. */
  readonly partsOf: (item: Item) => readonly object[] | undefined;
  readonly withParts: (item: Item, parts: readonly object[]) => Item;
}

/** Whether a model is one that takes markers: those whose cache writes are charged. */
export function hasBreakpoints(model: string): boolean {
  const found = findModel(model);
  return found?.provider === 'openai' && found.cache.writes === 'charged';
}

/**
 * Writes markers into converted messages. What the model wrote and its calls carry none, so a marker there moves to the
 * nearest earlier part that does. Lifetimes are those of `prompt_cache_options`; a marker's own is Anthropic's.
 */
export function createBreakpointWriter<Item extends object>(format: BreakpointFormat<Item>) {
  const mark = createPartMarker(format);
  const countItems = createItemCounter(format);
  return (items: readonly Item[], { messages, markers }: Request): Item[] => {
    const marked = [...items];
    for (const marker of markers) {
      if (marker.at !== 'message' || messages[marker.messageIndex] === undefined) continue;
      let itemIndex = -1;
      for (const message of messages.slice(0, marker.messageIndex))
        itemIndex += countItems(message);
      const { items: own, lastPart } = countItems.upTo(
        messages[marker.messageIndex] as Message,
        marker,
      );
      markBackwards(marked, { itemIndex: itemIndex + own, lastPart, mark });
    }
    return marked;
  };
}

interface MarkPlace<Item> {
  readonly itemIndex: number;
  readonly lastPart: number;
  readonly mark: (item: Item, lastPart: number) => Item | undefined;
}

function markBackwards<Item>(items: Item[], { itemIndex, lastPart, mark }: MarkPlace<Item>): void {
  for (let index = itemIndex; index >= 0; index--) {
    const found = mark(items[index] as Item, index === itemIndex ? lastPart : Infinity);
    if (found === undefined) continue;
    items[index] = found;
    return;
  }
}

/** Marks the last part up to `lastPart`; each marked item is made once. */
export function createPartMarker<Item extends object>({
  partsOf,
  withParts,
}: BreakpointFormat<Item>) {
  const known = new WeakMap<Item, Map<number, Item>>();
  return (item: Item, lastPart: number): Item | undefined => {
    const parts = partsOf(item);
    const index = parts?.findLastIndex((part, each) => each <= lastPart && canCarry(part)) ?? -1;
    if (!parts || index === -1) return undefined;
    const byPart = known.get(item) ?? new Map<number, Item>();
    const breakpoint: CacheBreakpoint = { mode: 'explicit' };
    const part = { ...parts[index], prompt_cache_breakpoint: breakpoint };
    const found = byPart.get(index) ?? withParts(item, parts.with(index, part));
    known.set(item, byPart.set(index, found));
    return found;
  };
}

const canCarry = (part: object): boolean => {
  const { text } = recordOf(part);
  return text === undefined || textOf(text).trim() !== '';
};

type MessageMarker = Extract<Marker, { at: 'message' }>;

/** How many items a message becomes, and how many up to a block of it. */
function createItemCounter<Item extends object>({ convert, partsOf }: BreakpointFormat<Item>) {
  const known = new WeakMap<Message, Map<number, { items: number; lastPart: number }>>();
  const upTo = (message: Message, { blockIndex }: MessageMarker) => {
    const byBlock = known.get(message) ?? new Map<number, { items: number; lastPart: number }>();
    const found = byBlock.get(blockIndex) ?? measure(message, blockIndex);
    known.set(message, byBlock.set(blockIndex, found));
    return found;
  };
  const measure = (message: Message, blockIndex: number) => {
    const content = message.content.slice(0, blockIndex + 1);
    const items = convert([{ ...message, content }]).messages;
    const last = items.at(-1);
    return { items: items.length, lastPart: ((last && partsOf(last)?.length) ?? 0) - 1 };
  };
  return Object.assign((message: Message) => convert([message]).messages.length, { upTo });
}
