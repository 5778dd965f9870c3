import type { Marker, Message, Request } from '@varve/messages';
import { type CachePolicy, placeMarkers } from '@varve/prompt-cache';

/** What all requests of a child have in common. */
export interface ChildParts extends Pick<Request, 'head' | 'maxOutputTokens'> {
  readonly server: Request['server'] | undefined;
  /** The parent's messages, by reference. */
  readonly prefix: readonly Message[];
}

/** What a child sends: the parent's messages and its own behind them. It has no markers yet. */
export function childRequest(
  { head, server, maxOutputTokens, prefix }: ChildParts,
  own: readonly Message[],
): Request {
  const messages = [...prefix, ...own];
  return { head, messages, markers: [], maxOutputTokens, ...(server && { server }) };
}

export interface ChildMarkersOptions {
  readonly policy: CachePolicy;
  /** How many messages the parent's request had, and its markers. */
  readonly parent: Pick<Request, 'messages' | 'markers'>;
  /** Where the part that all children share ends. */
  readonly shared: { readonly messageIndex: number; readonly blockIndex: number };
}

/**
 * Markers of a child's first request: where the parent's last one stood, so that its entry is found however long the reply
 * was; at the end of what siblings share, so that they find the first one's; and at the end.
 */
export function firstMarkers(request: Request, options: ChildMarkersOptions): Request {
  const { policy, parent, shared } = options;
  const head = parent.markers.filter(({ at }) => at !== 'message').slice(-1);
  const messages = parent.markers.filter(isInMessages).sort(byPlace).slice(-1);
  const kept: Marker[] = [...head, ...messages];
  const ttl = messages[0]?.ttl;
  // a provider without markers may refuse one; where the policy is unknown the parent's own say that they are taken
  const takesMarkers = policy.writes === 'markers' || parent.markers.length > 0;
  if (takesMarkers) kept.push({ at: 'message', ...shared, ...(ttl && { ttl }) });
  return placeMarkers({ ...request, markers: distinct(kept) }, { policy, ttl });
}

/** Markers of the requests that follow: those of any conversation, with the parent's on the head. */
export function laterMarkers(request: Request, options: ChildMarkersOptions): Request {
  const { policy, parent } = options;
  const markers = parent.markers.filter(({ at }) => at !== 'message').slice(-1);
  const ttl = parent.markers.findLast(isInMessages)?.ttl;
  return placeMarkers({ ...request, markers }, { policy, ttl });
}

/** The last block before the directive: the same text in every child, which every provider lets carry a marker. */
export const sharedEnd = (prefix: readonly Message[], directive: Message) => ({
  messageIndex: prefix.length,
  blockIndex: directive.content.length - 2,
});

type InMessages = Extract<Marker, { at: 'message' }>;

const isInMessages = (marker: Marker): marker is InMessages => marker.at === 'message';

const byPlace = (left: InMessages, right: InMessages): number =>
  left.messageIndex - right.messageIndex || left.blockIndex - right.blockIndex;

function distinct(markers: readonly Marker[]): Marker[] {
  const seen = new Set<string>();
  return markers.filter((marker) => {
    const place = isInMessages(marker) ? `${marker.messageIndex} ${marker.blockIndex}` : marker.at;
    return !seen.has(place) && seen.add(place);
  });
}
