import { checkContent } from './check-log-message.ts';
import type { EditNode, Replacement } from './edit-node.ts';
import { MessagesError } from './error.ts';
import type { Group, Logged } from './group.ts';
import { isThinking, isToolResult, isToolUse } from './guards.ts';
import type { Block, BlockReplacement } from './types.ts';

export type FindLogged = (id: string) => Logged<EditNode> | undefined;

/** Resolves replacements to logged messages; throws when one would break a pair or something opaque. */
export function resolveReplacements(
  blocks: readonly BlockReplacement[],
  find: FindLogged,
): Replacement[] {
  const places = new Set<string>();
  return blocks.map(({ messageId, index, block }) => {
    const logged = findLive(messageId, find);
    const place = `${index} ${messageId}`;
    if (places.has(place)) {
      throw new MessagesError(
        'duplicate-replacement',
        `Block ${index} of message ${messageId} is replaced twice in one edit.`,
      );
    }
    places.add(place);
    checkReplacement(logged, index, block);
    return { logged, index, block };
  });
}

function findLive(id: string, find: FindLogged): Logged<EditNode> {
  const logged = find(id);
  if (!logged || logged.owner?.live === false) {
    throw new MessagesError(
      'unknown-message',
      `The log holds no message ${id}, or the edit that brought it was undone.`,
    );
  }
  return logged;
}

function checkReplacement({ message }: Logged, index: number, block: Block | null): void {
  const logged = message.content[index];
  const place = `block ${index} of message ${message.id}`;
  if (!logged) throw new MessagesError('unknown-block', `There is no ${place}.`);
  if (block === null ? pairs(logged) : !pairsAlike(logged, block)) {
    throw new MessagesError(
      'broken-pairing',
      `The replacement of ${place} has to keep its type, ids and name.`,
    );
  }
  if (block === null) return;
  if (isThinking(logged) || isThinking(block)) {
    throw new MessagesError('opaque-block', `Thinking can only be dropped whole: ${place}.`);
  }
  checkContent([block], message);
}

const pairs = (block: Block): boolean => isToolUse(block) || isToolResult(block);

function pairsAlike(logged: Block, block: Block): boolean {
  if (isToolUse(logged)) {
    return isToolUse(block) && block.id === logged.id && block.name === logged.name;
  }
  if (isToolResult(logged)) return isToolResult(block) && block.tool_use_id === logged.tool_use_id;
  return !pairs(block);
}

/**
 * The places a span reaches from and to. An end may be any message of the log that starts or ends a group; a message
 * that stands for a span names the ends of that span.
 */
export function resolveSpan(
  { fromId, toId }: { readonly fromId: string; readonly toId: string },
  find: FindLogged,
): { readonly from: number; readonly to: number } {
  const from = placeOf(fromId, 'from', find);
  const to = placeOf(toId, 'to', find);
  if (from > to) {
    throw new MessagesError('reversed-span', `Message ${fromId} does not stand before ${toId}.`);
  }
  return { from, to };
}

function placeOf(id: string, end: 'from' | 'to', find: FindLogged): number {
  const logged = findLive(id, find);
  const { group } = logged;
  if (!group) {
    throw new MessagesError('round-open', `Message ${id} belongs to a round that is still open.`);
  }
  const at = end === 'from' ? 0 : -1;
  const span = group.place < 0 ? (group.owner as EditNode).span : undefined;
  const edge: Group | undefined = span ? span.with.at(at) : group;
  if (edge !== group || group.members.at(at) !== logged) {
    throw new MessagesError(
      'split-group',
      `A span cannot ${end === 'from' ? 'start' : 'end'} at message ${id}: it would split a round or a replacement.`,
    );
  }
  return span ? span[end] : group.place;
}
