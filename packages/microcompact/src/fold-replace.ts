import type { Block, BlockReplacement } from '@varve/messages';
import { noteCleared } from './fold-calls.ts';
import { makesNoInputCandidate } from './fold-candidate.ts';
import type { Fold } from './fold-message.ts';
import { type Live, placeKey, type ViewState } from './fold-state.ts';
import { clearedText, isCleared } from './placeholder.ts';

/**
 * Follows an edit that clears candidates or drops thinking, without looking at anything else. False when something else
 * of the view changed: then the view has to be looked at again.
 */
export function replaceBlocks(fold: Fold, blocks: readonly BlockReplacement[]): boolean {
  const { state } = fold;
  const shown = blocks.filter(({ messageId }) => state.visible.has(messageId));
  const thoughts = thinkingPlaces(state, shown);
  const gone = new Map<Live, number>();
  for (const { messageId, index, block } of shown) {
    const key = placeKey(messageId, index);
    const candidate = state.byPlace.get(key);
    if (candidate && clears(fold, candidate, block)) {
      gone.set(candidate, leftBy(fold, candidate, block));
    } else if (candidate || block !== null || !thoughts.has(key)) return false;
  }
  removeThinking(state, thoughts);
  removeCandidates(fold, gone);
  return true;
}

function clears({ rules }: Fold, { kind }: Live, block: Block | null): boolean {
  if (block === null) return kind === 'thinking';
  return kind === 'result' ? isCleared(block) : makesNoInputCandidate(rules, block);
}

/** Tokens of what takes a candidate's place: known already where it is a placeholder of ours. */
function leftBy({ rules }: Fold, { handle, clearedTokens }: Live, block: Block | null): number {
  if (block === null) return 0;
  return block.content === clearedText(handle) ? clearedTokens : rules.sizeOf(block);
}

/** The places of thinking among the blocks; looks at all thinking only when a block is dropped. */
function thinkingPlaces({ thinking }: ViewState, blocks: readonly BlockReplacement[]): Set<string> {
  const dropped = new Set(
    blocks.filter(({ block }) => block === null).map((at) => placeKey(at.messageId, at.index)),
  );
  if (dropped.size === 0) return dropped;
  const known = thinking.map(({ messageId, index }) => placeKey(messageId, index));
  return new Set(known.filter((key) => dropped.has(key)));
}

/** Thinking goes from the gaps it stands in, or with the candidate it is. */
function removeThinking(state: ViewState, gone: ReadonlySet<string>): void {
  if (gone.size === 0) return;
  for (const { messageId, index, order, tokens } of state.thinking) {
    const key = placeKey(messageId, index);
    if (!gone.has(key) || state.byPlace.has(key)) continue;
    const next = state.list.find((candidate) => candidate.order > order);
    if (next) next.gapTokens -= tokens;
    else state.tailTokens -= tokens;
    state.totalTokens -= tokens;
  }
  state.thinking = state.thinking.filter(
    ({ messageId, index }) => !gone.has(placeKey(messageId, index)),
  );
}

/** What takes a candidate's place joins the gap before the next one. */
function removeCandidates(fold: Fold, gone: ReadonlyMap<Live, number>): void {
  const { state } = fold;
  let carried = 0;
  state.list = state.list.filter((candidate) => {
    const left = gone.get(candidate);
    candidate.gapTokens += carried;
    carried = left === undefined ? 0 : candidate.gapTokens + left;
    if (left !== undefined) forget(fold, candidate, left);
    return left === undefined;
  });
  state.tailTokens += carried;
}

function forget({ state, rules, memory }: Fold, candidate: Live, left: number): void {
  state.byPlace.delete(placeKey(candidate.messageId, candidate.index));
  state.totalTokens += left - candidate.tokens;
  if (candidate.tokens > rules.largeTokens) state.largeTokens -= candidate.tokens;
  noteCleared(state, candidate, memory.requests);
}
