import { type Message, stableStringify, type ToolResultBlock, toolResults } from '@varve/messages';
import type { ShownChange } from './visible-units.ts';

/** Which results left the context, and which of these were needed later: objects, each counted once. */
export interface Evictions {
  /** Takes what a request no longer holds. */
  add(change: ShownChange): void;
  /** The result had to be fetched again. */
  fault(result: ToolResultBlock): void;
  readonly evicted: number;
  readonly faulted: number;
}

/**
 * Creates an empty count. Only recorded results count, and only while they are whole: what a strategy or a re-read put in does
 * not, nor does what a strategy left of a result. They are known by the ids of their calls, so that a copy counts as well.
 */
export function createEvictions(history: readonly Message[]): Evictions {
  const recorded = new Map(
    history.flatMap(toolResults).map((result) => [result.tool_use_id, result]),
  );
  const wholeIn = (shown: readonly Shown[]): readonly string[] =>
    shown.flatMap(resultsIn).flatMap((result) => {
      const { tool_use_id: id } = result;
      return isSame(result, recorded.get(id)) ? [id] : [];
    });
  const evicted = new Set<string>();
  const faulted = new Set<string>();
  return {
    add({ entered, left }) {
      const here = new Set(wholeIn(entered));
      for (const id of wholeIn(left)) if (!here.has(id)) evicted.add(id);
    },
    fault(result) {
      const { tool_use_id: id } = result;
      if (isSame(result, recorded.get(id))) faulted.add(id);
    },
    get evicted() {
      return evicted.size;
    },
    get faulted() {
      return faulted.size;
    },
  };
}

type Shown = ShownChange['left'][number];

const resultsIn = (shown: Shown): readonly ToolResultBlock[] =>
  'role' in shown ? toolResults(shown as Message) : [];

function isSame({ content }: ToolResultBlock, recorded: ToolResultBlock | undefined): boolean {
  if (recorded === undefined) return false;
  const { content: whole } = recorded;
  if (content === whole) return true;
  const isText = typeof content === 'string' || typeof whole === 'string';
  return !isText && stableStringify(content ?? '') === stableStringify(whole ?? '');
}
