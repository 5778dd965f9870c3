import { type Fields, isRecord, listOf, recordOf } from '@varve/guards';
import type { Marker } from '@varve/messages';

/** Items or messages without their breakpoints, and where those stood. */
export interface Unmarked {
  readonly items: readonly Fields[];
  readonly places: readonly {
    readonly itemIndex: number;
    readonly partIndex: number;
    readonly ttl?: '1h' | undefined;
  }[];
}

/** Takes `prompt_cache_breakpoint` off content parts: like every marker it is no part of the prefix. */
export function unmark(list: readonly unknown[]): Unmarked {
  const places: Unmarked['places'][number][] = [];
  const items = list.filter(isRecord).map((item, itemIndex) => {
    const field = Array.isArray(item.output) ? 'output' : 'content';
    const parts = listOf(item[field]);
    if (!parts.some(isMarked)) return withPlainResult(item, field, parts);
    const bare = parts.map((part, partIndex) => {
      if (!isMarked(part)) return part;
      const { prompt_cache_breakpoint: breakpoint, ...rest } = part as Fields;
      const ttl = recordOf(breakpoint).ttl === '12h' ? ('1h' as const) : undefined;
      places.push({ itemIndex, partIndex, ttl });
      return rest;
    });
    return withPlainResult({ ...item, [field]: bare }, field, bare);
  });
  return { items, places };
}

/** A result that is one text is the same prompt as the text alone, which cannot carry a marker; clients write either. */
function withPlainResult(item: Fields, field: string, parts: readonly unknown[]): Fields {
  const [only, ...others] = parts.map(recordOf);
  const isResult = field === 'output' || item.role === 'tool';
  const isText = typeof only?.text === 'string' && Object.keys(only).length === 2;
  return isResult && isText && others.length === 0 ? { ...item, [field]: only.text } : item;
}

const isMarked = (part: unknown): boolean => recordOf(part).prompt_cache_breakpoint != null;

/** Markers at the blocks that the marked parts become: the last block of everything up to each part. */
export function markersOf(
  { items, places }: Unmarked,
  convert: (items: readonly Fields[]) => readonly { readonly content: readonly unknown[] }[],
): Marker[] {
  return places.flatMap(({ itemIndex, partIndex, ttl }): Marker[] => {
    const item = items[itemIndex] as Fields;
    const field = Array.isArray(item.output) ? 'output' : 'content';
    const isResult = field === 'output' || item.role === 'tool';
    const cut = isResult ? item : { ...item, [field]: listOf(item[field]).slice(0, partIndex + 1) };
    const messages = convert([...items.slice(0, itemIndex), cut]);
    const blocks = messages.at(-1)?.content.length ?? 0;
    if (blocks === 0) return [];
    const place = { messageIndex: messages.length - 1, blockIndex: blocks - 1 };
    return [{ at: 'message', ...place, ...(ttl && { ttl }) }];
  });
}
