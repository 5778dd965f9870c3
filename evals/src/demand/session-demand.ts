import { isToolResult, isToolUse, type Message } from '@varve/messages';
import { demandOf } from './demand.ts';
import { createUnitIndex, type UnitIndex } from './unit-index.ts';

/** What the recorded calls of a session need from earlier results and calls: the same for every strategy. */
export interface SessionDemand {
  readonly index: UnitIndex;
  /**
   * Units that the calls of message `messageIndex` use, that an earlier result or call showed, and that other projects' sessions
   * do not hold as well.
   */
  at(messageIndex: number): readonly number[];
  /** Index of the first message with a result or a call that shows the unit. */
  firstShownAt(unit: number): number;
}

export interface SessionDemandOptions {
  /** True for a unit anybody would know without having seen it here. @default never */
  readonly isGuessable?: ((unit: string) => boolean) | undefined;
}

/** Reads the whole history once: what is demanded, and where it was shown. */
export function createSessionDemand(
  history: readonly Message[],
  { isGuessable = () => false }: SessionDemandOptions = {},
): SessionDemand {
  const demanded = history.map((message) =>
    message.role === 'assistant' ? [...demandOf(message)].filter((unit) => !isGuessable(unit)) : [],
  );
  const index = createUnitIndex(demanded.flat());
  const firstShown = new Int32Array(index.size).fill(-1);
  const needed = history.map((message, messageIndex) => {
    const ids = (demanded[messageIndex] ?? []).map((unit) => index.idOf(unit) as number);
    const seen = ids.filter((unit) => firstShown[unit] !== -1);
    for (const block of message.content) {
      if (isToolResult(block) || isToolUse(block)) {
        markFirst(firstShown, index.unitsOf(block), messageIndex);
      }
    }
    return seen;
  });
  return {
    index,
    at: (messageIndex) => needed[messageIndex] ?? [],
    firstShownAt: (unit) => firstShown[unit] ?? -1,
  };
}

function markFirst(first: Int32Array, units: readonly number[], messageIndex: number): void {
  for (const unit of units) if (first[unit] === -1) first[unit] = messageIndex;
}
