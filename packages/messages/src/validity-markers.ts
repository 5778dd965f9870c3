import { isRecord } from '@varve/guards';
import type { RequestLike } from './check-request.ts';
import { type BlockLike, blocksOf, field, isBlank } from './like.ts';
import type { ProviderProfile } from './profiles.ts';
import type { Marker } from './types.ts';
import type { Place, Report } from './violation.ts';

/** Markers may be listed in any order; the rules apply in the order in which a request is rendered. */
export function checkMarkers(request: RequestLike, profile: ProviderProfile, report: Report): void {
  const { markers = [] } = request;
  const { maxMarkers = Infinity } = profile;
  const isOver = markers.length > maxMarkers;
  if (isOver || (maxMarkers < Infinity && countMarkers(request) > maxMarkers)) {
    report('too-many-markers');
  }
  const inOrder = [...markers].sort(byPlace);
  for (const [index, marker] of inOrder.entries()) {
    const place = placeOf(marker);
    if (!canStand(marker, request)) report('marker-target', place);
    const before = inOrder[index - 1];
    if (!before) continue;
    if (byPlace(before, marker) === 0) report('duplicate-marker', place);
    const outlives = marker.ttl === '1h' && before.ttl !== '1h';
    if (outlives && profile.longMarkersFirst) report('marker-order', place);
  }
}

/** Markers, and what carries `cache_control` of its own where none of them stands. */
function countMarkers(request: RequestLike): number {
  const { markers = [], head, messages } = request;
  const lists: readonly (readonly [string, unknown])[] = [
    ['tools', head?.tools],
    ['system', head?.system],
    ...messages.map(({ content }, index) => [`${index}`, content] as const),
  ];
  const own = lists.flatMap(([name, items]) => ownMarkers(items, name));
  const placed = new Set(markers.map((marker) => nameOf(marker, request)));
  return markers.length + own.filter((name) => !placed.has(name)).length;
}

function nameOf(marker: Marker, { head }: RequestLike): string {
  if (marker.at === 'message') return `${marker.messageIndex}.${marker.blockIndex}`;
  const { at, blockIndex = (head?.[at].length ?? 0) - 1 } = marker;
  return `${at}.${blockIndex}`;
}

/** The names of what carries `cache_control` among blocks or tools, and inside of results. */
function ownMarkers(items: unknown, name: string): readonly string[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) => {
    if (!isRecord(item)) return [];
    const { type, content, cache_control: control } = item;
    const inside = type === 'tool_result' ? ownMarkers(content, `${name}.${index}`) : [];
    return control === undefined || control === null ? inside : [...inside, `${name}.${index}`];
  });
}

const ORDER = ['tools', 'system', 'message'];

function byPlace(left: Marker, right: Marker): number {
  if (left.at !== 'message' || right.at !== 'message') {
    return ORDER.indexOf(left.at) - ORDER.indexOf(right.at) || headIndex(left) - headIndex(right);
  }
  return left.messageIndex - right.messageIndex || left.blockIndex - right.blockIndex;
}

const headIndex = ({ blockIndex = Number.MAX_SAFE_INTEGER }: Marker): number => blockIndex;

const placeOf = (marker: Marker): Place =>
  marker.at === 'message'
    ? { messageIndex: marker.messageIndex, blockIndex: marker.blockIndex }
    : {};

function canStand(marker: Marker, { head, messages }: RequestLike): boolean {
  if (marker.at === 'tools') return head?.tools.at(marker.blockIndex ?? -1) !== undefined;
  if (marker.at === 'system') return canCarryMarker(head?.system.at(marker.blockIndex ?? -1));
  const message = messages[marker.messageIndex];
  return message !== undefined && canCarryMarker(blocksOf(message)[marker.blockIndex]);
}

/** Whether a cache marker may stand on a block: on any but thinking and blank text. */
export function canCarryMarker(block: BlockLike | undefined): boolean {
  if (!isRecord(block)) return false;
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return false;
  const text = field(block, 'text');
  return block.type !== 'text' || (typeof text === 'string' && !isBlank(text));
}
