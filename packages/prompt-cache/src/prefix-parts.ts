import {
  type Block,
  type Head,
  isToolResult,
  isToolUse,
  type Message,
  type Tool,
} from '@varve/messages';
import { createHeadParts, type HeadParts } from './head-parts.ts';
import { createIds, createPartIds } from './part-ids.ts';
import type { CachePolicy, Section } from './policy.ts';
import { KIND, type Part } from './prefix-columns.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import { remember } from './remember.ts';

interface MessageParts {
  readonly parts: readonly Part[];
  readonly hasImage: boolean;
  readonly hasCitations: boolean;
}

export interface PartIndex {
  message(message: Message): MessageParts;
  head(head: Head): HeadParts;
  /** The position at which a section begins: what it depends on, and tokens no block of it has. */
  boundary(section: Section, text: string, tokens: number): Part;
}

const PLACES = { user: 1, assistant: 2, system: 3 } as const;

/**
 * Numbers the distinct texts of blocks and remembers them by reference: a message that was seen before costs a look-up,
 * whatever its size. Two parts have the same number exactly when their bytes are equal.
 */
export function createPartIndex(policy: CachePolicy, sizes: PromptSizes): PartIndex {
  const idOfText = createIds();
  const idOfPart = remember(createPartIds());
  return {
    message: remember((message: Message) => messageParts(message, sizes, idOfPart)),
    head: createHeadParts({ policy, sizes, idOfPart }),
    boundary: (section, text, tokens) => ({
      id: idOfText(`${section} ${text}`),
      place: 0,
      tokens,
      kind: KIND.boundary,
    }),
  };
}

type IdOfPart = (part: Block | Tool) => number;

function messageParts(message: Message, sizes: PromptSizes, idOfPart: IdOfPart): MessageParts {
  const { role, content } = message;
  const total = Math.max(0, Math.round(sizes.message(message)));
  const blocks = content.map((block) => Math.max(0, Math.round(sizes.block(block))));
  // What a message costs besides its blocks is spent at its beginning.
  let spent = Math.max(0, total - blocks.reduce((sum, tokens) => sum + tokens, 0));
  let before = 0;
  const parts = content.map((block, index) => {
    spent = Math.min(total, spent + (blocks[index] as number));
    const end = index === content.length - 1 ? total : spent;
    const tokens = end - before;
    before = end;
    return { id: idOfPart(block), place: PLACES[role], tokens, kind: kindOf(block) };
  });
  return {
    parts,
    hasImage: content.some(isImage),
    hasCitations: content.some(hasCitations),
  };
}

function kindOf(block: Block): number {
  if (isToolUse(block)) return KIND.toolUse;
  return isToolResult(block) ? KIND.toolResult : KIND.other;
}

function isImage(block: Block): boolean {
  if (block.type === 'image') return true;
  return isToolResult(block) && Array.isArray(block.content) && block.content.some(isImage);
}

function hasCitations(block: Block): boolean {
  if (block.type !== 'document') return false;
  const { citations } = block as { citations?: { enabled?: unknown } | null };
  return citations?.enabled === true;
}
