import { type Block, isText, type Message, type View } from '@varve/messages';
import { openRequests } from '@varve/messages/persons';
import type { ModelFacts } from './model-facts.ts';

export interface RoomOptions {
  readonly facts: () => ModelFacts;
  readonly view: () => View;
  /** What a conversation can fill, in tokens. */
  readonly effectiveTokens: () => number;
  /** Prompt tokens of the next request. */
  readonly promptTokens: () => number;
}

/** Sizes what is about to enter the conversation, in tokens, against what it can fill. */
export interface Room {
  /** Tokens of blocks, or of a text. */
  sizeOf(content: string | readonly Block[]): number;
  /** True where results are so small that they have room whatever else is there, without measuring them. */
  isSmall(units: number): boolean;
  /** True where a message is so small that it and all that is there have room, without measuring it. */
  hasRoom(units: number): boolean;
  /** What a message of a person may have: requests that are not answered stay word for word, so that they share half of the room. */
  forPerson(): number;
  /** What the results of one round may have together. */
  forRound(): number;
  /** What the results of one round have at most, if there was nothing but the head and the requests that are not answered; Infinity where the window is a guess. */
  atMost(): number;
  /** What the window holds, and what of it nothing can make smaller. */
  window(): WindowUse;
}

/** Sizes in tokens. */
export interface WindowUse {
  readonly model: string;
  /** What a prompt may have at most; Infinity where the window is a guess. */
  readonly mostTokens: number;
  readonly systemTokens: number;
  readonly toolsTokens: number;
  /** Requests that are not answered. */
  readonly openTokens: number;
}

export function createRoom(options: RoomOptions): Room {
  const { facts, view, effectiveTokens, promptTokens } = options;
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
    hasRoom: (units) => promptTokens() + units * MOST_TOKENS_A_UNIT <= half(),
    forPerson: () => Math.max(0, half() - openTokens()),
    forRound: half,
    atMost() {
      const { knownWindowTokens, headSize } = facts();
      if (knownWindowTokens === Number.POSITIVE_INFINITY) return knownWindowTokens;
      const { head } = view();
      return effectiveTokens() - openTokens() - (head ? headSize(head) : 0);
    },
    window() {
      const { id, headSize } = facts();
      const { head } = view();
      const systemTokens = head ? headSize({ ...head, tools: [] }) : 0;
      return {
        model: id,
        mostTokens: mostPromptTokens(facts()),
        systemTokens,
        toolsTokens: head ? headSize(head) - systemTokens : 0,
        openTokens: openTokens(),
      };
    },
  };
}

/** The largest prompt that can be answered: a first token of the reply has to fit behind it. Infinity where the window is a guess. */
export const mostPromptTokens = ({
  knownWindowTokens,
  blockingTokens,
}: Pick<ModelFacts, 'knownWindowTokens' | 'blockingTokens'>): number =>
  Math.min(knownWindowTokens, blockingTokens) - 1;

/** UTF-16 units of blocks that are all text; Infinity where something else has to be measured. */
export const unitsOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (isText(block) ? block.text.length : Infinity), 0);

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
  let total = sumOf(sizes);
  const largestFirst = [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (const index of largestFirst) {
    const size = sizes[index] as number;
    if (total <= room || size <= placeholder) break;
    gone.add(index);
    total += placeholder - size;
  }
  return gone;
}

export const sumOf = (sizes: readonly number[]): number =>
  sizes.reduce((total, size) => total + size, 0);
