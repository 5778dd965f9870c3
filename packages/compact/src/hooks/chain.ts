/** Where in a conversation a compaction stands; JSON, for reports. */
export interface CompactionChain {
  readonly turnId: string;
  /** The compaction before this one was made within the same loop of the agent. */
  readonly sameLoop: boolean;
  /** Turns since the compaction before this one; -1 where there was none. */
  readonly turnsSince: number;
  readonly previousTurnId?: string;
}

/** A turn at which the conversation was compacted. */
export interface CompactedTurn {
  readonly loopId: string;
  readonly turnId: string;
  /** Turns are counted from 0 on. */
  readonly turn: number;
}

/** How a compaction follows on the one before it: two within a loop and few turns apart say that it does not help. */
export function compactionChain(
  previous: CompactedTurn | undefined,
  { loopId, turnId, turn }: CompactedTurn,
): CompactionChain {
  if (previous === undefined) return { turnId, sameLoop: false, turnsSince: -1 };
  return {
    turnId,
    sameLoop: previous.loopId === loopId,
    turnsSince: turn - previous.turn,
    previousTurnId: previous.turnId,
  };
}
