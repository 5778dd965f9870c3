import type { MessageLike } from '@varve/messages/blocks';
import { addWeights, NO_WEIGHT, type WeighedMessage, type Weight } from './meter-weight.ts';

/** One message of the request, and what all messages up to and with it weigh. */
export interface LedgerRecord {
  readonly message: MessageLike;
  readonly weighed: WeighedMessage;
  readonly responseId: string | undefined;
  readonly sum: Weight;
  /** Thinking of this reply, billed or expected, in tokens. */
  readonly thinkingTokens: number;
  /** Thinking of the turn so far. */
  readonly turnThinking: number;
}

export interface PushOptions {
  readonly responseId?: string | undefined;
  /** Thinking this reply is billed or expected to hold, in tokens. */
  readonly thinkingTokens?: number;
  /** A further line of a response that is counted already: weighs nothing. */
  readonly counted?: boolean;
}

/** The messages of the next request with running sums, so that the weight of any stretch is one subtraction. */
export interface Ledger {
  readonly records: readonly LedgerRecord[];
  push(message: MessageLike, weighed: WeighedMessage, options?: PushOptions): void;
  /** Sets what is now known of a reply's thinking, until the next turn starts. */
  billThinking(index: number, thinkingTokens: number): void;
  truncate(count: number): void;
  /** Weight of the first `count` messages. */
  sum(count: number): Weight;
  copy(dropsThinking: LedgerOptions['dropsThinking']): Ledger;
}

export interface LedgerOptions {
  /** The provider drops the thinking of a turn when the next one starts. */
  readonly dropsThinking: () => boolean;
}

export function createLedger(
  options: LedgerOptions,
  initial: readonly LedgerRecord[] = [],
): Ledger {
  const records = [...initial];
  const sum = (count: number) => records[count - 1]?.sum ?? NO_WEIGHT;
  return {
    records,
    push(message, weighed, { responseId, thinkingTokens = 0, counted = false } = {}) {
      const before = records.at(-1)?.turnThinking ?? 0;
      const drops = weighed.startsTurn && options.dropsThinking();
      const own = counted ? NO_WEIGHT : weightOf(weighed, drops ? before : 0);
      records.push({
        message,
        weighed,
        responseId,
        sum: addWeights(sum(records.length), own),
        thinkingTokens,
        turnThinking: (weighed.startsTurn ? 0 : before) + thinkingTokens,
      });
    },
    billThinking(index, thinkingTokens) {
      const expected = records[index]?.thinkingTokens ?? 0;
      for (let at = index; at < records.length; at++) {
        const record = records[at];
        if (record === undefined || (at > index && record.weighed.startsTurn)) return;
        const turnThinking = record.turnThinking + thinkingTokens - expected;
        records[at] = { ...record, turnThinking, ...(at === index ? { thinkingTokens } : {}) };
      }
    },
    truncate(count) {
      records.length = Math.min(records.length, count);
    },
    sum,
    copy: (dropsThinking) => createLedger({ dropsThinking }, records),
  };
}

function weightOf({ shown, reply }: WeighedMessage, droppedTokens: number): Weight {
  return {
    shown,
    shownReplies: reply === 'shown' ? 1 : 0,
    hiddenReplies: reply === 'hidden' ? 1 : 0,
    droppedTokens,
  };
}
