import { isRecord } from '@varve/guards';
import { plainName } from './call-ids.ts';
import { isObjectInput } from './call-input.ts';
import { type BlockLike, field, type MessageLike } from './like.ts';
import { wrapInput } from './repair-blocks.ts';
import type { Draft, Part, RepairContext } from './repair-draft.ts';
import { type Call, pairDrafts } from './repair-matching.ts';
import { syntheticResult } from './synthetic-result.ts';

/** What has to change in a history for its calls and results to pair. */
interface Changes {
  readonly removed: Set<Part>;
  readonly replaced: Map<Part, BlockLike>;
  /** Results that have to stand first in the message after a draft. */
  readonly inserted: Map<number, readonly Part[]>;
}

/**
 * Gives every call exactly one result where the provider wants it, in the order of the calls, and drops calls that
 * never arrived whole. Everything is paired before anything is judged missing. Rounds that are right stay as they are.
 */
export function repairPairs<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  context: RepairContext,
): readonly Draft<M>[] {
  const { rounds, strays } = pairDrafts(drafts, context.profile);
  const changes: Changes = { removed: new Set(), replaced: new Map(), inserted: new Map() };
  for (const { part, messageIndex } of strays) {
    changes.removed.add(part);
    context.repaired('dropped-result', { messageIndex, blockIndex: part.blockIndex });
  }
  for (const [draftIndex, calls] of rounds) {
    const live = repairCalls(calls, changes, context);
    if (isRight(drafts, draftIndex, live, context)) continue;
    for (const { result } of live) if (result) changes.removed.add(result.part);
    if (live.length > 0) {
      changes.inserted.set(draftIndex, resultsOf(live, drafts[draftIndex + 1], context));
    }
  }
  return apply(drafts, changes);
}

/** Mends or drops the calls of one message; returns those that stay. */
function repairCalls(
  calls: readonly Call[],
  { removed, replaced }: Changes,
  context: RepairContext,
): readonly Call[] {
  return calls.filter((call) => {
    const { part, messageIndex, result } = call;
    const isCutShort = !result && !isRecord(field(part.block, 'input'));
    if (isCutShort) {
      removed.add(part);
      context.repaired('dropped-call', { messageIndex, blockIndex: part.blockIndex });
    } else {
      const block = mendCall(call, context);
      if (block !== part.block) replaced.set(part, block);
    }
    return !isCutShort;
  });
}

function mendCall(
  { part, messageIndex, id }: Call,
  { profile, repaired }: RepairContext,
): BlockLike {
  const place = { messageIndex, blockIndex: part.blockIndex };
  const input = field(part.block, 'input');
  let block = part.block;
  if (!isObjectInput(input) && profile.callInput === 'object') {
    block = wrapInput(block);
    repaired('wrapped-input', place);
  }
  if (id !== field(block, 'id')) {
    block = { ...block, id } as BlockLike;
    repaired('renamed-call', place);
  }
  const name = field(block, 'name') as string;
  if (profile.callIds === 'plain' && plainName(name) !== name) {
    block = { ...block, name: plainName(name) } as BlockLike;
    repaired('renamed-tool', place);
  }
  return block;
}

/** Whether every call has its result in the window the provider looks at, with nothing before it. */
function isRight<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  draftIndex: number,
  calls: readonly Call[],
  { profile }: RepairContext,
): boolean {
  const expected = new Set<Part>();
  for (const { part, id, result } of calls) {
    if (!result || id !== field(part.block, 'id')) return false;
    expected.add(result.part);
  }
  const limit = profile.results === 'next-message' ? draftIndex + 2 : drafts.length;
  for (let index = draftIndex + 1; index < limit && expected.size > 0; index++) {
    const next = drafts[index];
    if (next?.role !== 'user') break;
    for (const part of next.parts) {
      if (profile.resultsFirst && expected.size > 0 && part.block.type !== 'tool_result')
        return false;
      expected.delete(part);
    }
  }
  return expected.size === 0;
}

/** The results of a round in the order of its calls: the real ones as they are, the missing ones made up. */
function resultsOf<M extends MessageLike>(
  calls: readonly Call[],
  next: Draft<M> | undefined,
  { repaired }: RepairContext,
): readonly Part[] {
  const leading = leadingResults(next);
  let reached = -1;
  return calls.map(({ part, messageIndex, id, result }) => {
    if (!result) {
      repaired('added-result', { messageIndex, blockIndex: part.blockIndex });
      return { block: syntheticResult(id), blockIndex: part.blockIndex, synthetic: true };
    }
    const position = leading.get(result.part) ?? -1;
    if (position > reached) reached = position;
    else {
      const { blockIndex } = result.part;
      repaired('moved-result', { messageIndex: result.messageIndex, blockIndex });
    }
    const { block } = result.part;
    if (field(block, 'tool_use_id') === id) return result.part;
    return { ...result.part, block: { ...block, tool_use_id: id } as BlockLike };
  });
}

function leadingResults<M extends MessageLike>(draft: Draft<M> | undefined) {
  const positions = new Map<Part, number>();
  if (draft?.role !== 'user') return positions;
  for (const part of draft.parts) {
    if (part.block.type !== 'tool_result') break;
    positions.set(part, positions.size);
  }
  return positions;
}

function apply<M extends MessageLike>(
  drafts: readonly Draft<M>[],
  { removed, replaced, inserted }: Changes,
): readonly Draft<M>[] {
  const applied: Draft<M>[] = [];
  for (let index = 0; index <= drafts.length; index++) {
    const draft = drafts[index];
    const results = inserted.get(index - 1);
    if (results && draft?.role !== 'user') {
      const { messageIndex } = drafts[index - 1] as Draft<M>;
      applied.push({ messageIndex, role: 'user', parts: results });
    }
    if (!draft) continue;
    const kept = draft.parts
      .filter((part) => !removed.has(part))
      .map((part) => withBlock(part, replaced.get(part)));
    applied.push({
      ...draft,
      parts: results && draft.role === 'user' ? [...results, ...kept] : kept,
    });
  }
  return applied;
}

const withBlock = (part: Part, block: BlockLike | undefined): Part =>
  block ? { ...part, block } : part;
