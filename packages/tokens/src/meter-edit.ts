import type { MessageLike } from '@varve/messages/blocks';
import { anchoredTokens, cutAnchors, NO_OUTPUT } from './meter-anchor.ts';
import { type MeterState, priceBetween, pushMessage } from './meter-state.ts';

/** Messages in order. */
export interface MessageRow<M extends MessageLike = MessageLike> {
  readonly length: number;
  /** The message at a position that is less than the length. */
  at(index: number): M;
}

/**
 * Makes the meter's messages those of `row`, which are the same up to `from`. What comes after is compared, so that
 * a message that only moved into place keeps its bill. Says from which message on something changed.
 */
export function syncMessages(state: MeterState, row: MessageRow, from: number): number {
  const { records } = state.ledger;
  let same = Math.min(from, records.length, row.length);
  while (same < records.length && same < row.length) {
    if (!isSame(records[same]?.message, row.at(same))) break;
    same++;
  }
  const after = same < records.length ? cut(state, same) : undefined;
  for (let index = same; index < row.length; index++) {
    const message = row.at(index);
    pushMessage(state, message, { responseId: responseIdOf(message) });
  }
  if (after) {
    after();
    state.answered = records.length;
  }
  return same;
}

/** Id of the response a message is, or is a line of. */
export function responseIdOf(
  message: MessageLike & { readonly response?: { readonly id: string } },
): string | undefined {
  return message.response?.id;
}

function isSame(a: MessageLike | undefined, b: MessageLike): boolean {
  if (a === b) return true;
  if (a === undefined || a.role !== b.role) return false;
  const [before, after] = [a.content, b.content];
  if (typeof before === 'string' || typeof after === 'string') return before === after;
  return before.length === after.length && before.every((block, index) => block === after[index]);
}

/**
 * Forgets the messages from `count` on and every bill that measured them. What comes back is run once the new messages
 * are in: it keeps the lost bill, less an estimate of what it measured beyond `count`, where that is worth more than an
 * estimate from an earlier bill.
 */
function cut(state: MeterState, count: number): () => void {
  const { ledger, anchors } = state;
  const lost = anchors.at(-1);
  const oldTail = priceBetween(state, count, ledger.records.length);
  const measured = lost && lost.covers > count ? priceBetween(state, count, lost.covers) : 0;
  cutAnchors(anchors, count);
  ledger.truncate(count);
  if (state.suspect && state.suspect.promptCount > count) state.suspect = undefined;
  state.awaitsReply = undefined;
  if (lost === undefined || lost.covers <= count) return () => {};
  const promptTokens = Math.max(0, anchoredTokens(lost) - state.removedTokens - measured);
  state.removedTokens = 0;
  return () => {
    const newTail = priceBetween(state, count, ledger.records.length);
    const kept = anchors.at(-1);
    const estimated = priceBetween(state, kept?.covers ?? 0, count) + newTail;
    const isSmall = kept && estimated <= SMALL_SHARE * anchoredTokens(kept);
    if (isSmall || Math.abs(oldTail - newTail) >= estimated) return;
    anchors.push({ ...INFERRED, promptCount: count, promptTokens, covers: count });
  };
}

/** An earlier bill is kept for its own sake where the estimate on top of it is at most this share. */
const SMALL_SHARE = 0.05;

const INFERRED = { kind: 'inferred', responseId: undefined, ...NO_OUTPUT } as const;
