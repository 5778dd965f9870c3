import { type Block, isText, type Message, openRequests, type View } from '@varve/messages';
import type { ModelFacts } from './model-facts.ts';

export interface RoomOptions {
  readonly facts: () => ModelFacts;
  readonly view: () => View;
  /** What a conversation can fill, in tokens. */
  readonly effectiveTokens: () => number;
}

/** Sizes what is about to enter the conversation, in tokens, against what it can fill. */
export interface Room {
  /** Tokens of blocks, or of a text. */
  sizeOf(content: string | readonly Block[]): number;
  /** True where the content is so small that it has room whatever else is there, without measuring it. */
  isSmall(units: number): boolean;
  /** What a message of a person may have: requests that are not answered stay word for word, so that they share half of the room. */
  forPerson(): number;
  /** What the results of one round may have together. */
  forRound(): number;
  /** What could be sent if there was nothing but the head and the requests that are not answered; Infinity where the window is a guess. */
  atMost(): number;
}

export function createRoom({ facts, view, effectiveTokens }: RoomOptions): Room {
  const half = () => Math.floor(effectiveTokens() / 2);

  /** Tokens of the requests that nobody has answered yet. */
  function openTokens(): number {
    const { messages, open } = view();
    const asked = openRequests(messages).open.map((index) => messages[index] as Message);
    return [...asked, ...(open?.queued ?? [])].reduce((sum, each) => sum + facts().sizeOf(each), 0);
  }

  return {
    sizeOf(content) {
      const { textSize, blockSize } = facts();
      if (typeof content === 'string') return textSize(content);
      return content.reduce((sum, block) => sum + blockSize(block), 0);
    },
    isSmall: (units) => units * MOST_TOKENS_A_UNIT <= half() / 8,
    forPerson: () => Math.max(0, half() - openTokens()),
    forRound: half,
    atMost() {
      const { knownWindowTokens, headSize } = facts();
      if (knownWindowTokens === Number.POSITIVE_INFINITY) return knownWindowTokens;
      const { head } = view();
      return effectiveTokens() - openTokens() - (head ? headSize(head) : 0);
    },
  };
}

/** UTF-16 units of the texts among blocks. */
export const unitsOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (isText(block) ? block.text.length : 0), 0);

/** No tokenizer of the table makes more of a UTF-16 unit of any script. */
const MOST_TOKENS_A_UNIT = 3;

/**
 * Which of several parts have to go so that the rest has room: the largest first, and none that is no larger than what would
 * stand in its place.
 */
export function tooLarge(
  sizes: readonly number[],
  { room, placeholder }: { readonly room: number; readonly placeholder: number },
): ReadonlySet<number> {
  const gone = new Set<number>();
  let total = sizes.reduce((sum, size) => sum + size, 0);
  const largestFirst = [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (const index of largestFirst) {
    const size = sizes[index] as number;
    if (total <= room || size <= placeholder) break;
    gone.add(index);
    total += placeholder - size;
  }
  return gone;
}
