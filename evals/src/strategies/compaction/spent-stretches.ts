import { apiRounds, isToolResult, type PlanContext, type ViewMessage } from '@varve/messages';
import { thinkingDrops } from '@varve/messages/thinking';

/** What of a conversation can be folded. */
export interface SpentOptions extends Pick<PlanContext, 'sizeOf' | 'thinking' | 'atUserTurn'> {
  /** The newest rounds that stay, in tokens. */
  readonly keepTokens: number;
  /** A result of more tokens is still there. */
  readonly liveTokens: number;
  /** Smaller stretches stay, in tokens. */
  readonly minTokens: number;
}

export interface Stretch {
  readonly messages: readonly ViewMessage[];
  readonly tokens: number;
}

/**
 * Runs of whole rounds, the oldest first, of which only the agent's own words are left: no person spoke in them, and their
 * results were small or were cleared. None where thinking is bound to what stands before it.
 */
export function spentStretches(
  messages: readonly ViewMessage[],
  options: SpentOptions,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let messagesSoFar: ViewMessage[] = [];
  const close = (): void => {
    const tokens = totalOf(messagesSoFar, options);
    if (tokens >= options.minTokens) stretches.push({ messages: messagesSoFar, tokens });
    messagesSoFar = [];
  };
  let before: ViewMessage | undefined;
  for (const round of oldRounds(messages, options)) {
    // no provider takes a message of the user behind one of the system
    const mayBegin = messagesSoFar.length > 0 || before?.role !== 'system';
    if (mayBegin && round.every((each) => isSpent(each, options))) messagesSoFar.push(...round);
    else close();
    before = round.at(-1);
  }
  close();
  return stretches;
}

/** Rounds before the newest ones, and before those of an open turn whose thinking has to stay. */
function oldRounds(
  messages: readonly ViewMessage[],
  options: SpentOptions,
): readonly (readonly ViewMessage[])[] {
  const { thinking: rule, atUserTurn: turnIsOver, keepTokens } = options;
  const { drop, keep } = thinkingDrops(messages, {
    ...{ rule, turnIsOver },
    changedFrom: 0,
    closedTurns: 'keep',
  });
  if (drop.length > 0) return [];
  const rounds = [...apiRounds(messages)];
  const kept = new Set(keep.map((index) => messages[index]));
  const turn = rounds.findIndex((round) => round.some((message) => kept.has(message)));
  let end = turn < 0 ? rounds.length : turn;
  const newest = rounds.slice(end).flat();
  for (let tokens = totalOf(newest, options); end > 0 && tokens < keepTokens; ) {
    end -= 1;
    tokens += totalOf(rounds[end] ?? [], options);
  }
  return rounds.slice(0, end);
}

/** A reply, or results that are no longer there. */
function isSpent(message: ViewMessage, { sizeOf, liveTokens }: SpentOptions): boolean {
  if (message.role === 'assistant') return true;
  return message.content.every(isToolResult) && sizeOf(message) <= liveTokens;
}

const totalOf = (
  messages: readonly ViewMessage[],
  { sizeOf }: Pick<SpentOptions, 'sizeOf'>,
): number => messages.reduce((sum, message) => sum + sizeOf(message), 0);
