import { type BlockLike, blocksOf, field, type MessageLike } from './like.ts';
import type { ProviderProfile } from './profiles.ts';

/** One thing a repair did. */
export interface Repair {
  readonly kind: RepairKind;
  /** Position in the history as it was given. */
  readonly messageIndex: number;
  /** Position in that message's content; left out where a whole message is meant. */
  readonly blockIndex?: number;
  /** How many half surrogates became U+FFFD. */
  readonly count?: number;
}

/**
 * - `added-placeholder`: a user message that says the beginning is missing, where the first has to be the user's
 * - `added-result`: a call without a result was closed with a synthetic one; the place is the call's
 * - `dropped-block`: it lacked what its type needs, or may not stand in a message of its role
 * - `dropped-call`: its input never arrived whole, and nothing came of it
 * - `dropped-empty-text`: text without a character that is not white space
 * - `dropped-message`: nothing was left in it, or its role is unknown
 * - `dropped-result`: it answered no call, or one that was answered already
 * - `dropped-thinking`: a block of thinking, always whole
 * - `filled-result`: a failed result without text says that there was no output
 * - `moved-result`: it now stands behind its call, in the order of the calls
 * - `moved-text`: a system message became a user message where the provider takes none
 * - `renamed-call`: an id that was empty, shared or refused by the provider became another, in the call and in its result
 * - `renamed-tool`: the name of a called tool, which the provider refuses, became another
 * - `replaced-half-surrogates`: `count` of them became U+FFFD
 * - `trimmed-result`: what no result may hold was dropped from its content
 * - `wrapped-input`: the input of an answered call was no object and is now `{ unparsed: … }`
 */
export type RepairKind =
  | 'added-placeholder'
  | 'added-result'
  | 'dropped-block'
  | 'dropped-call'
  | 'dropped-empty-text'
  | 'dropped-message'
  | 'dropped-result'
  | 'dropped-thinking'
  | 'filled-result'
  | 'moved-result'
  | 'moved-text'
  | 'renamed-call'
  | 'renamed-tool'
  | 'replaced-half-surrogates'
  | 'trimmed-result'
  | 'wrapped-input';

/** A block on its way through the repair, with the place it came from. */
export interface Part {
  readonly block: BlockLike;
  readonly blockIndex: number;
  /** Made up by the repair. */
  readonly synthetic?: true;
}

/** A message on its way through the repair. */
export interface Draft<M extends MessageLike> {
  /** Missing on messages that the repair adds; `messageIndex` then names the message they belong to. */
  readonly original?: M;
  readonly messageIndex: number;
  readonly role: string;
  readonly parts: readonly Part[];
}

export interface RepairContext {
  readonly profile: ProviderProfile;
  readonly repaired: (
    kind: RepairKind,
    place: { readonly messageIndex: number; readonly blockIndex?: number; readonly count?: number },
  ) => void;
}

export function toDraft<M extends MessageLike>(original: M, messageIndex: number): Draft<M> {
  const parts = blocksOf(original).map((block, blockIndex) => ({ block, blockIndex }));
  return { original, messageIndex, role: original.role, parts };
}

/** The message of a draft: the original itself when nothing in it changed. */
export function toMessage<M extends MessageLike>(draft: Draft<M>, messages: readonly M[]): M {
  const { original, parts, role } = draft;
  const content = parts.map((part) => part.block);
  if (!original) return { ...addedFields(draft, messages), role, content } as unknown as M;
  if (typeof original.content === 'string') return textMessage(original, draft);
  const same = content.length === original.content.length && role === original.role;
  if (same && content.every((block, index) => block === original.content[index])) return original;
  return { ...original, role, content };
}

function textMessage<M extends MessageLike>(original: M, { parts, role }: Draft<M>): M {
  const [first] = parts;
  const isText = parts.length === 1 && first?.block.type === 'text';
  const content = isText ? field(first.block, 'text') : parts.map((part) => part.block);
  if (content === original.content && role === original.role) return original;
  return { ...original, role, content };
}

/** Where messages have ids, added ones get one derived from their neighbour's; elsewhere no field is made up. */
function addedFields<M extends MessageLike>(
  { messageIndex, role, parts }: Draft<M>,
  messages: readonly M[],
) {
  const neighbour = messages[messageIndex];
  const id = neighbour && field(neighbour as never, 'id');
  if (typeof id !== 'string') return {};
  const isRound = parts[0]?.block.type === 'tool_result';
  const kind = parts.every((part) => part.synthetic) ? 'synthetic' : 'tool';
  return { id: `${id}-${isRound ? 'results' : role}`, origin: { kind } };
}
