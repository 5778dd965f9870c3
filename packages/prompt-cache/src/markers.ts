import { checkOptions } from '@varve/guards';
import type { Marker } from '@varve/messages';
import type { CacheMessage, CacheRequest } from './cache-request.ts';
import {
  beforeAssistantRun,
  canStand,
  compareMarkers,
  lastMarkable,
  ttlOf,
} from './marker-place.ts';
import { isWithinReach } from './marker-reach.ts';
import type { CachePolicy } from './policy.ts';

export interface PlaceMarkersOptions {
  readonly policy: CachePolicy;
  /**
   * Message indices at which edits began or will begin, the most important first. A marker goes to the last block before
   * each, so that an edit there loses only what follows it. On the request that makes an edit name the place of the edit
   * before as well: its entry is what can still be read.
   * @default none
   */
  readonly parkedAt?: number | readonly number[] | undefined;
  /**
   * Lifetime of the markers among the messages.
   * @default the policy's
   */
  readonly ttl?: '5m' | '1h' | undefined;
  /**
   * Lifetime of the markers after tools and system prompt; never shorter than `ttl`.
   * @default `ttl`
   */
  readonly headTtl?: '5m' | '1h' | undefined;
  /**
   * Lifetime of all markers but the one at the end of the prompt: what stands before them is written once, at a higher price, and
   * outlives pauses. Nothing where the policy has no longer lifetime that a marker can ask for.
   * @default that of their place
   */
  readonly stableTtl?: '1h' | undefined;
}

/**
 * Fills the cache markers of a request up to the policy's maximum. In the order of their worth: the end of the prompt; the
 * end of the head, which a compaction leaves standing; the parked places; the end of the request before, so that the
 * look-back finds it however long the turn was; the end of the tools. Markers the request already has are kept (the
 * latest ones, if they are too many; for no longer than those before them) unless they cannot stand where they are. None lands on thinking or blank text. The
 * same request gives the same markers; a policy without markers leaves the request as it is.
 *
 * @throws TypeError for a lifetime that is none
 */
export function placeMarkers<Given extends CacheRequest>(
  request: Given,
  options: PlaceMarkersOptions,
): Marked<Given> {
  const { policy, ttl, headTtl, stableTtl } = options;
  checkOptions({ ttl, headTtl, stableTtl }, LIFETIMES);
  if (policy.writes !== 'markers') return request;
  const markers = legalMarkers(request, policy);
  for (const wanted of candidates(request, options)) {
    if (markers.length >= policy.maxMarkers) break;
    if (!canStand(wanted, request, policy)) continue;
    if (markers.some((marker) => compareMarkers(marker, wanted) === 0)) continue;
    markers.push(withLegalTtl(wanted, markers, policy));
  }
  markers.sort(compareMarkers);
  return isSame(markers, request.markers) ? request : { ...request, markers };
}

const LIFETIMES = { ttl: ['5m', '1h'], headTtl: ['5m', '1h'], stableTtl: ['1h'] } as const;

/** The request that was given, whatever its type, with any markers. */
export type Marked<Given> = Omit<Given, 'markers'> & { readonly markers: readonly Marker[] };

function legalMarkers(request: CacheRequest, policy: CachePolicy): Marker[] {
  const inOrder = request.markers
    .filter((marker) => canStand(marker, request, policy))
    .sort(compareMarkers);
  const distinct = inOrder.filter((marker, index) => {
    const before = inOrder[index - 1];
    return before === undefined || compareMarkers(before, marker) !== 0;
  });
  const latest = distinct.slice(Math.max(0, distinct.length - policy.maxMarkers));
  const legal: Marker[] = [];
  for (const marker of latest) legal.push(withLegalTtl(marker, legal, policy));
  return legal;
}

function candidates(request: CacheRequest, options: PlaceMarkersOptions): Marker[] {
  const { policy, parkedAt = [], ttl } = options;
  const { messages, head } = request;
  const stable = outlasts(policy) ? options.stableTtl : undefined;
  const headTtl = ttl === '1h' ? ttl : (stable ?? options.headTtl ?? ttl);
  const endOf = (count: number, lifetime: Marker['ttl'] | undefined): Marker[] => {
    const place = lastMarkable(messages, count, policy);
    return place ? [{ at: 'message', ...place, ...(lifetime && { ttl: lifetime }) }] : [];
  };
  const before = (count: number) => endOf(count, stable ?? ttl);
  const parked = (typeof parkedAt === 'number' ? [parkedAt] : parkedAt).map(before);
  const [tail] = endOf(messages.length, ttl);
  const [previous] = before(previousEnd(messages));
  const isFar = tail && previous && !isWithinReach(messages, { tail, previous, policy });
  const tools: Marker = { at: 'tools', ...(headTtl && { ttl: headTtl }) };
  const system: Marker = { at: 'system', ...(headTtl && { ttl: headTtl }) };
  return [
    ...(tail ? [tail] : []),
    head.system.length > 0 ? system : tools,
    ...(parked[0] ?? []),
    ...(previous && isFar ? [previous] : []),
    ...parked.slice(1).flat(),
    ...(previous ? [previous] : []),
    tools,
  ];
}

/** Whether a marker can ask for a lifetime that outlives the short one; one without a price is the provider's to give. */
const outlasts = ({ lifetimes: { short, long } }: CachePolicy): boolean =>
  long !== undefined &&
  long.writeMultiplier !== null &&
  short.ms !== null &&
  (long.ms === null || long.ms > short.ms);

/** How many messages the request before this one had: those before the latest reply. */
function previousEnd(messages: readonly CacheMessage[]): number {
  const reply = messages.findLastIndex((message) => message.role === 'assistant');
  return beforeAssistantRun(messages, reply + 1);
}

/** A marker among others may not outlive one before it, nor be outlived by one after it. */
function withLegalTtl(wanted: Marker, markers: readonly Marker[], policy: CachePolicy): Marker {
  if (!policy.longMarkersFirst) return wanted;
  const own = ttlOf(wanted, policy);
  const isBefore = (marker: Marker) => compareMarkers(marker, wanted) < 0;
  const mustBeShort = markers.some((each) => isBefore(each) && ttlOf(each, policy) === '5m');
  const mustBeLong = markers.some((each) => !isBefore(each) && ttlOf(each, policy) === '1h');
  if (mustBeShort && own === '1h') return { ...wanted, ttl: '5m' };
  return mustBeLong && own === '5m' ? { ...wanted, ttl: '1h' } : wanted;
}

function isSame(left: readonly Marker[], right: readonly Marker[]): boolean {
  return left.length === right.length && left.every((marker, index) => marker === right[index]);
}
