import { type Block, isToolResult, isToolUse, type Marker } from '@varve/messages';
import { blocksOf, type CacheMessage } from './cache-request.ts';
import type { CachePolicy } from './policy.ts';

export interface ReachOptions {
  readonly tail: Marker;
  readonly previous: Marker;
  readonly policy: CachePolicy;
}

/** Whether a marker at `tail` looks back far enough to find an entry at `previous`. Costs O(look-back). */
export function isWithinReach(messages: readonly CacheMessage[], options: ReachOptions): boolean {
  const { tail, previous, policy } = options;
  if (tail.at !== 'message' || previous.at !== 'message') return false;
  const { positions, counts, collapseToolRuns } = policy.lookback;
  if (positions === null || counts === 'message-ends') return true;
  let counted = 0;
  let run = '';
  for (const { place, block } of blocksBack(messages, tail)) {
    const kind = toolKind(block);
    const continues = collapseToolRuns && kind !== '' && kind === run;
    if (!continues && ++counted > positions) return false;
    run = kind;
    if (place.messageIndex === previous.messageIndex && place.blockIndex === previous.blockIndex) {
      return true;
    }
  }
  return false;
}

interface PlacedBlock {
  readonly place: { readonly messageIndex: number; readonly blockIndex: number };
  readonly block: Block;
}

function* blocksBack(
  messages: readonly CacheMessage[],
  from: { readonly messageIndex: number; readonly blockIndex: number },
): Generator<PlacedBlock> {
  for (let messageIndex = from.messageIndex; messageIndex >= 0; messageIndex--) {
    const message = messages[messageIndex];
    const content = message ? blocksOf(message) : [];
    const last = messageIndex === from.messageIndex ? from.blockIndex : content.length - 1;
    for (let blockIndex = last; blockIndex >= 0; blockIndex--) {
      const block = content[blockIndex];
      if (block) yield { place: { messageIndex, blockIndex }, block };
    }
  }
}

function toolKind(block: Block): string {
  return isToolUse(block) || isToolResult(block) ? block.type : '';
}
