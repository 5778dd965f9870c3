import type { Marker, Request } from '@varve/messages';
import type { CacheRequest } from './cache-request.ts';
import { PromptCacheError } from './error.ts';
import { checkMarkers } from './marker-check.ts';
import { beforeAssistantRun, compareMarkers, lastMarkable, ttlOf } from './marker-place.ts';
import type { CachePolicy } from './policy.ts';

/** Throws `invalid-marker` where a provider would refuse the request for the markers it carries. */
export function refuseMarkers(request: CacheRequest, policy: CachePolicy): void {
  if (!Array.isArray(request.markers))
    throw new PromptCacheError(
      'invalid-marker',
      'Expected `request.markers` to be an array of markers: pass [] where there are none.',
    );
  const [problem] = checkMarkers(request, policy);
  if (problem) throw new PromptCacheError('invalid-marker', problem.message);
}

/**
 * The markers a provider works with, in the order of the prompt: those of the request and the one it sets by itself.
 * Throws `invalid-marker` where its own marker cannot stand beside the others.
 */
export function effectiveMarkers(request: Request, policy: CachePolicy): readonly Marker[] {
  if (policy.writes !== 'markers') return [];
  const markers = [...request.markers].sort(compareMarkers).slice(-policy.maxMarkers);
  const automatic = automaticMarker(request, policy);
  if (!automatic) return markers;
  const same = markers.find((marker) => compareMarkers(marker, automatic) === 0);
  if (same) return sameLifetime(same, automatic, { markers, policy });
  if (policy.automaticMarker === 'on-request' && markers.length >= policy.maxMarkers) {
    throw new PromptCacheError(
      'invalid-marker',
      `Automatic caching needs one of the ${policy.maxMarkers} cache markers, and all are taken.`,
    );
  }
  return [...markers, automatic].sort(compareMarkers);
}

function automaticMarker(request: Request, policy: CachePolicy): Marker | undefined {
  const { head, messages } = request;
  const count = messages.length;
  if (policy.automaticMarker === 'last-user-message') {
    const place = lastMessageEnd(request);
    return place && { at: 'message', ...place };
  }
  const asked = head.params.cache_control;
  if (policy.automaticMarker === 'none' || typeof asked !== 'object' || asked === null)
    return undefined;
  const ttl = (asked as { ttl?: unknown }).ttl === '1h' ? '1h' : '5m';
  const place = lastMarkable(messages, count, policy);
  if (place) return { at: 'message', ...place, ttl };
  if (head.system.length > 0) return { at: 'system', ttl };
  return head.tools.length > 0 ? { at: 'tools', ttl } : undefined;
}

/** The end of the latest message that is not the assistant's, whatever its type of block. */
function lastMessageEnd({ messages }: Request) {
  const messageIndex = beforeAssistantRun(messages, messages.length) - 1;
  const message = messages[messageIndex];
  if (!message || message.content.length === 0) return undefined;
  return { messageIndex, blockIndex: message.content.length - 1 };
}

interface SameOptions {
  readonly markers: readonly Marker[];
  readonly policy: CachePolicy;
}

function sameLifetime(same: Marker, automatic: Marker, { markers, policy }: SameOptions) {
  if (policy.automaticMarker === 'last-user-message') return markers;
  if (ttlOf(same, policy) === ttlOf(automatic, policy)) return markers;
  throw new PromptCacheError(
    'invalid-marker',
    'Automatic caching and the marker on the last block ask for different lifetimes.',
  );
}
