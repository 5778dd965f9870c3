import type { Marker } from '@varve/messages';
import type { CacheRequest } from './cache-request.ts';
import { canStand, compareMarkers, ttlOf } from './marker-place.ts';
import type { CachePolicy } from './policy.ts';

export type MarkerProblemCode =
  | 'too-many-markers'
  | 'marker-target'
  | 'duplicate-marker'
  | 'marker-order';

/** Why a provider would refuse the markers of a request. */
export interface MarkerProblem {
  readonly code: MarkerProblemCode;
  /** Missing where the request as a whole is at fault. */
  readonly marker?: Marker;
  readonly message: string;
}

/**
 * Everything a provider would refuse about a request's cache markers: more than it allows over tools, system and
 * messages together, one on a block that cannot carry it, two on one block, a longer lifetime after a shorter one.
 * A policy without markers refuses nothing.
 */
export function checkMarkers(request: CacheRequest, policy: CachePolicy): readonly MarkerProblem[] {
  if (policy.writes !== 'markers') return [];
  const inOrder = [...request.markers].sort(compareMarkers);
  return [
    ...tooMany(inOrder, policy),
    ...inOrder.flatMap((marker, index) => {
      const problems: MarkerProblem[] = [];
      const report = (code: MarkerProblemCode, message: string) =>
        problems.push({ code, marker, message });
      if (!canStand(marker, request, policy)) {
        report('marker-target', `${placeName(marker)} cannot carry a cache marker.`);
      }
      const before = inOrder[index - 1];
      if (before && compareMarkers(before, marker) === 0) {
        report('duplicate-marker', `${placeName(marker)} carries two cache markers.`);
      }
      if (before && outlives(marker, before, policy)) {
        report('marker-order', `${placeName(marker)} asks for 1h after a marker of 5m.`);
      }
      return problems;
    }),
  ];
}

function tooMany(markers: readonly Marker[], policy: CachePolicy): MarkerProblem[] {
  if (policy.extraMarkers !== 'refused' || markers.length <= policy.maxMarkers) return [];
  const message = `A request may carry ${policy.maxMarkers} cache markers, this one has ${markers.length}.`;
  return [{ code: 'too-many-markers', message }];
}

function outlives(marker: Marker, before: Marker, policy: CachePolicy): boolean {
  if (!policy.longMarkersFirst) return false;
  return ttlOf(marker, policy) === '1h' && ttlOf(before, policy) === '5m';
}

function placeName(marker: Marker): string {
  if (marker.at !== 'message' && marker.blockIndex !== undefined) {
    return `${marker.at === 'tools' ? 'Tool' : 'System block'} ${marker.blockIndex}`;
  }
  if (marker.at === 'tools') return 'The end of the tools';
  if (marker.at === 'system') return 'The end of the system prompt';
  return `Block ${marker.blockIndex} of message ${marker.messageIndex}`;
}
