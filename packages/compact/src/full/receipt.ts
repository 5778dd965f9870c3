import type { Json, Message } from '@varve/messages';
import { editReceipt } from '@varve/messages/log';
import type { CompactionReceipt, Engine, Trigger } from '../types.ts';
import type { Made } from './engine.ts';
import type { Situation } from './situation.ts';

export interface ReceiptOptions {
  readonly trigger: Trigger;
  /** Kebab-case. */
  readonly reason: string;
  /** Id of the message that stands directly before what is kept behind the summary. */
  readonly anchorId: string;
  readonly originals?: string | undefined;
  /** Tokens of what is attached behind what is kept. */
  readonly attachedTokens: number;
  /** Tokens of what was to be attached and had no room. */
  readonly leftOutTokens: number;
  /** What stays in front of the summary; it hangs on the boundary. */
  readonly before?: readonly Message[] | undefined;
}

/** What of a compaction a receipt tells. */
type Told = Pick<
  Made,
  'region' | 'calls' | 'usage' | 'repaired' | 'omitted' | 'seenShare' | 'tokensAfter' | 'failure'
> & { readonly engine: Engine };

/** What a compaction did, as JSON. */
export function receiptOf(
  done: Told,
  situation: Situation,
  options: ReceiptOptions,
): CompactionReceipt {
  const { region, engine, calls, usage, repaired, omitted, seenShare, failure } = done;
  const { trigger, reason, originals, before = [] } = options;
  const kept = keptOf(before, 'boundary') ?? keptOf(region.tail, options.anchorId);
  return {
    trigger,
    engine,
    ...editReceipt({
      ...{ reason, originals, tokensBefore: situation.tokensBefore },
      tokensAfter: done.tokensAfter + options.attachedTokens,
      dropped: region.end - region.open.length,
      kept: before.length + region.open.length + region.tail.length,
    }),
    lastMessageId: situation.messages[region.end - 1]?.id ?? '',
    ...(kept && { kept }),
    ...(Object.keys(repaired).length > 0 && { repaired }),
    ...(situation.discovered.length > 0 && { discoveredTools: situation.discovered }),
    calls,
    ...(usage && { usage: usage as unknown as Json }),
    ...(options.attachedTokens > 0 && { attachedTokens: options.attachedTokens }),
    ...(options.leftOutTokens > 0 && { leftOutTokens: options.leftOutTokens }),
    ...(failure !== undefined && { failure }),
    ...(omitted > 0 && { omittedMessages: omitted }),
    ...(seenShare !== undefined && { seenShare }),
  };
}

function keptOf(kept: readonly Message[], anchor: string): CompactionReceipt['kept'] {
  const [head, tail] = [kept[0], kept.at(-1)];
  return head && tail ? { head: head.id, tail: tail.id, anchor } : undefined;
}
