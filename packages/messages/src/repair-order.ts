import { type BlockLike, blocksOf, isThinkingLike, type MessageLike } from './like.ts';
import { type Draft, type Part, type RepairContext, toMessage } from './repair-draft.ts';

/** Drops what is left empty and puts roles right, without touching the content of what stays. */
export function repairOrder<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  context: RepairContext,
): readonly Draft<M>[] {
  const kept = dropEmpty(drafts, context);
  return addStart(placeSystemMessages(kept, context), context);
}

/** From the end, because whether thinking is followed by something depends on what stays behind it. */
function dropEmpty<M extends MessageLike>(drafts: readonly Draft<M>[], context: RepairContext) {
  const kept: Draft<M>[] = [];
  for (const draft of drafts.toReversed()) {
    const { messageIndex } = draft;
    const next = kept.at(-1);
    const parts = withoutTrailing(draft, next?.role, context);
    if (parts.length > 0) kept.push(parts === draft.parts ? draft : { ...draft, parts });
    else context.repaired('dropped-message', { messageIndex });
  }
  return kept.reverse();
}

function withoutTrailing<M extends MessageLike>(
  { role, parts, messageIndex }: Draft<M>,
  nextRole: string | undefined,
  { profile, repaired }: RepairContext,
): readonly Part[] {
  const accepted = profile.trailingThinking === 'accepted' || nextRole === 'assistant';
  if (role !== 'assistant' || accepted) return parts;
  const last = parts.findLastIndex((part) => !isThinkingLike(part.block));
  if (last === parts.length - 1) return parts;
  for (const { blockIndex } of parts.slice(last + 1)) {
    repaired('dropped-thinking', { messageIndex, blockIndex });
  }
  return parts.slice(0, last + 1);
}

/** From the end, because a system message may only stand before what is not a user message in the end. */
function placeSystemMessages<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  { profile, repaired }: RepairContext,
): readonly Draft<M>[] {
  if (profile.systemMessages === 'anywhere') return drafts;
  const placed = [...drafts];
  for (let index = drafts.length - 1; index >= 0; index--) {
    const draft = placed[index] as Draft<M>;
    if (draft.role !== 'system') continue;
    const before = placed[index - 1]?.role;
    const follows = before === 'user' || before === 'system';
    const right = follows && placed[index + 1]?.role !== 'user';
    if (right && profile.systemMessages === 'after-user') continue;
    placed[index] = { ...draft, role: 'user' };
    repaired('moved-text', { messageIndex: draft.messageIndex });
  }
  return placed;
}

function addStart<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  { profile, repaired }: RepairContext,
): readonly Draft<M>[] {
  const [first] = drafts;
  const starts = first?.role === 'user' || first?.parts[0]?.block.type === 'compaction';
  if (!first || starts || !profile.startsWithUser) return drafts;
  const { messageIndex } = first;
  repaired('added-placeholder', { messageIndex });
  const block = { type: 'text', text: MISSING_START } as BlockLike;
  return [
    { messageIndex, role: 'user', parts: [{ block, blockIndex: 0, synthetic: true }] },
    ...drafts,
  ];
}

const MISSING_START = '[The beginning of this conversation is missing.]';

/**
 * Drops every thinking block behind the first place where a draft differs from the history as it was given: a
 * `prefix-bound` model would refuse it. The same drafts when there is none.
 */
export function dropUnbound<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  messages: readonly M[],
  context: RepairContext,
): readonly Draft<M>[] {
  const changed = drafts.findIndex(
    (draft, index) => toMessage(draft, messages) !== messages[index],
  );
  if (changed === -1) return drafts;
  const bound = drafts.map((draft, index) => {
    if (index < changed) return draft;
    const first = index === changed && draft.original === messages[index] ? firstChange(draft) : 0;
    return withoutThinking(draft, first, context);
  });
  return bound.every((draft, index) => draft === drafts[index]) ? drafts : bound;
}

function firstChange<M extends MessageLike>({ original, parts }: Draft<M>): number {
  const blocks = original ? blocksOf(original) : [];
  const index = parts.findIndex((part, position) => part.block !== blocks[position]);
  return index === -1 ? parts.length : index;
}

/** Drops the thinking of a draft from a position of its parts on. */
export function withoutThinking<M extends MessageLike>(
  draft: Draft<M>,
  fromPosition: number,
  { repaired }: RepairContext,
): Draft<M> {
  const { messageIndex } = draft;
  const parts = draft.parts.filter(({ block, blockIndex }, position) => {
    if (position < fromPosition || !isThinkingLike(block)) return true;
    repaired('dropped-thinking', { messageIndex, blockIndex });
    return false;
  });
  return parts.length === draft.parts.length ? draft : { ...draft, parts };
}
