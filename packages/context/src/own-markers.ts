import { isRecord } from '@varve/guards';

/**
 * Blocks or tools without a `cache_control` of their own, in results too: the context places the markers of every request, and those
 * beside them would soon be more than a provider takes. The same list where there is none.
 */
export function withoutOwnMarkers<Item extends object>(items: readonly Item[]): readonly Item[] {
  const bare = items.map(withoutOwn);
  return bare.every((item, at) => item === items[at]) ? items : bare;
}

function withoutOwn<Item extends object>(item: Item): Item {
  if (!isRecord(item)) return item;
  const { cache_control: control, ...rest } = item;
  const { type, content } = item;
  const inside =
    type === 'tool_result' && Array.isArray(content) ? withoutOwnMarkers(content) : content;
  if (control === undefined && inside === content) return item;
  return { ...rest, ...(inside !== content && { content: inside }) } as unknown as Item;
}
