import { isToolResult, isToolUse, type Message } from '@varve/messages';
import { demandOf, namedIn } from './demand.ts';
import { createUnitIndex, type UnitIndex } from './unit-index.ts';

/** What needs earlier content: the calls of the assistant, or its words. */
export type Need = 'calls' | 'words';

/** What the recorded future of a session needs of what was shown before: the same for every strategy. */
export interface SessionDemand {
  readonly index: UnitIndex;
  /**
   * Units that message `messageIndex` uses and that other projects' sessions do not hold as well: those of its calls that an earlier
   * result or call showed, or those of its words that stood anywhere before. @default calls
   */
  at(messageIndex: number, need?: Need): readonly number[];
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
  const ofReplies = (unitsOf: (message: Message) => ReadonlySet<string>) =>
    history.map((message) =>
      message.role === 'assistant'
        ? [...unitsOf(message)].filter((unit) => !isGuessable(unit))
        : [],
    );
  const demanded = ofReplies(demandOf);
  const named = ofReplies(namedIn);
  const index = createUnitIndex([...demanded.flat(), ...named.flat()]);
  const firstShown = new Int32Array(index.size).fill(-1);
  const isShown = new Uint8Array(index.size);
  const idsOf = (units: readonly string[] = []): readonly number[] =>
    units.map((unit) => index.idOf(unit) as number);
  const needed = history.map((message, messageIndex) => {
    const calls = idsOf(demanded[messageIndex]).filter((unit) => firstShown[unit] !== -1);
    const words = idsOf(named[messageIndex]).filter((unit) => isShown[unit] === 1);
    for (const block of message.content) {
      const units = index.unitsOf(block);
      for (const unit of units) isShown[unit] = 1;
      if (isToolResult(block) || isToolUse(block)) markFirst(firstShown, units, messageIndex);
    }
    return { calls, words };
  });
  return {
    index,
    at: (messageIndex, need = 'calls') => needed[messageIndex]?.[need] ?? [],
    firstShownAt: (unit) => firstShown[unit] ?? -1,
  };
}

function markFirst(first: Int32Array, units: readonly number[], messageIndex: number): void {
  for (const unit of units) if (first[unit] === -1) first[unit] = messageIndex;
}
