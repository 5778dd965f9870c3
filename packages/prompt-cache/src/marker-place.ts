import type { Block, Marker } from '@varve/messages';
import { canCarryMarker } from '@varve/messages/blocks';
import { blocksOf, type CacheMessage, type CacheRequest } from './cache-request.ts';
import type { CachePolicy } from './policy.ts';

/** Negative if `left` is rendered before `right`; 0 if they stand on the same block. */
export function compareMarkers(left: Marker, right: Marker): number {
  if (left.at !== 'message' || right.at !== 'message') {
    return ORDER[left.at] - ORDER[right.at] || headIndex(left) - headIndex(right);
  }
  return left.messageIndex - right.messageIndex || left.blockIndex - right.blockIndex;
}

const headIndex = ({ blockIndex = Number.MAX_SAFE_INTEGER }: Marker): number => blockIndex;

const ORDER = { tools: 0, system: 1, message: 2 } as const;

/** The lifetime a marker asks for under a policy; a policy with one lifetime knows no other. */
export function ttlOf(marker: Marker, policy: CachePolicy): '5m' | '1h' {
  return policy.lifetimes.long ? (marker.ttl ?? policy.defaultTtl) : '5m';
}

/** Whether a marker may stand on a block: never on thinking or blank text, nor on a type the policy does not list. */
function isMarkable(block: Block | undefined, policy: CachePolicy): boolean {
  return block !== undefined && policy.markableBlocks.includes(block.type) && canCarryMarker(block);
}

/** Whether the block a marker names exists and can carry it. */
export function canStand(
  marker: Marker,
  { head, messages }: CacheRequest,
  policy: CachePolicy,
): boolean {
  if (marker.at === 'tools') return head.tools.at(marker.blockIndex ?? -1) !== undefined;
  if (marker.at === 'system') return isMarkable(head.system.at(marker.blockIndex ?? -1), policy);
  const message = messages[marker.messageIndex];
  return message !== undefined && isMarkable(blocksOf(message)[marker.blockIndex], policy);
}

/** The last block of the first `count` messages that can carry a marker. */
export function lastMarkable(
  messages: readonly CacheMessage[],
  count: number,
  policy: CachePolicy,
): { readonly messageIndex: number; readonly blockIndex: number } | undefined {
  for (let messageIndex = Math.min(count, messages.length) - 1; messageIndex >= 0; messageIndex--) {
    const content = blocksOf(messages[messageIndex] as CacheMessage);
    const blockIndex = content.findLastIndex((block) => isMarkable(block, policy));
    if (blockIndex >= 0) return { messageIndex, blockIndex };
  }
  return undefined;
}

/** How many messages stand before the trailing run of assistant messages that ends at `count`. */
export function beforeAssistantRun(messages: readonly CacheMessage[], count: number): number {
  let end = count;
  while (end > 0 && messages[end - 1]?.role === 'assistant') end--;
  return end;
}
