import type { BlockLike } from '@varve/messages/blocks';
import { type Draft, shownChars, toOutcome } from './draft.ts';
import { markOf, withoutText } from './mark.ts';
import { createOffloading, type DraftOptions, type Offloading } from './offload.ts';
import type { Offloaded, ToolOutput } from './outcome.ts';

export interface RoundOptions extends DraftOptions {
  /** What all results together may have, in UTF-16 units. */
  readonly roundChars: number;
}

/** Decides the results of one message together and freezes what was decided; aborted, it leaves nothing behind. */
export function createRounds(parts: Offloading) {
  const { shelf, decisions } = parts;
  const offloading = createOffloading(parts);

  async function decide<B extends BlockLike>(
    outputs: readonly ToolOutput<B>[],
    options: RoundOptions,
  ): Promise<Draft<B>[]> {
    const drafts: Draft<B>[] = [];
    for (const output of outputs) {
      options.signal?.throwIfAborted();
      drafts.push(await offloading.draft(output, options));
    }
    return shrink(drafts, options);
  }

  /** Stores the largest fresh results, one after the other, until the rest fits. */
  async function shrink<B extends BlockLike>(drafts: Draft<B>[], options: RoundOptions) {
    const { roundChars, signal } = options;
    let total = drafts.reduce((sum, draft) => sum + shownChars(draft), 0);
    const decided = [...drafts];
    for (const index of largestFresh(drafts)) {
      if (total <= roundChars) break;
      const draft = drafts[index] as Draft<B>;
      const maxChars = roundChars / drafts.length;
      const next = await offloading.store(draft, { reason: 'over-round-budget', maxChars, signal });
      total += shownChars(next) - shownChars(draft);
      decided[index] = next;
    }
    return decided;
  }

  function settle<B extends BlockLike>(draft: Draft<B>): Offloaded<B> {
    const { output, material } = draft;
    const { toolUseId } = output;
    // The same result twice in one message is one decision.
    const verdict = decisions.find(toolUseId, material.mark) ?? draft.verdict;
    const outcome = toOutcome({ ...draft, verdict });
    const isOurs = outcome.kind === 'kept' ? verdict.kind === 'kept' && verdict.isClean : true;
    if (isOurs && (outcome.kind === 'kept' || typeof outcome.content !== 'string')) {
      const isAsGiven = outcome.content === output.content;
      decisions.see(toolUseId, withoutText(isAsGiven ? material.mark : markOf(outcome.content)));
    }
    return outcome;
  }

  return async <B extends BlockLike>(
    outputs: readonly ToolOutput<B>[],
    options: RoundOptions,
  ): Promise<Offloaded<B>[]> => {
    try {
      const drafts = await decide(outputs, options);
      offloading.takeNew();
      decisions.letGo();
      for (const { isFresh, output, material, verdict } of drafts) {
        if (isFresh) decisions.add(output.toolUseId, material.mark, verdict);
      }
      return drafts.map(settle);
    } catch (error) {
      for (const handle of offloading.takeNew()) await shelf.takeBack(handle);
      throw error;
    }
  };
}

function largestFresh(drafts: readonly Draft[]): number[] {
  return drafts
    .map(({ isFresh, verdict, material }, index) => ({
      index,
      chars: material.text.length,
      isFree: isFresh && verdict.reason === 'below-threshold',
    }))
    .filter(({ isFree }) => isFree)
    .sort((left, right) => right.chars - left.chars)
    .map(({ index }) => index);
}
