import type {
  Block,
  BlockReplacement,
  Edit,
  Message,
  ThinkingRule,
  ViewMessage,
} from '@varve/messages';
import { checkMessages } from '@varve/messages/foreign';
import { thinkingBlocks, thinkingDrops } from '@varve/messages/thinking';
import { stripBlock } from '../full/strip-media.ts';

export interface MediaEditOptions {
  /** Where the provider found fault, counted in the messages of the view; without it all media go, or those of `unansweredFirst`. */
  readonly place?: { readonly messageIndex: number; readonly blockIndex?: number } | undefined;
  /** Media that no reply of the model stands behind go first, and others only where there are none: those were taken. */
  readonly unansweredFirst?: boolean | undefined;
  /** A logged message by its id. */
  readonly find: (id: string) => Message | undefined;
  readonly thinking: ThinkingRule;
}

/**
 * The edit that puts short texts in place of images and documents: of the block the provider named, or of all that it may
 * have meant where it named none or one without media. The originals stay in the log. On a model that binds thinking to what stands before it,
 * later thinking goes too; where the open turn needs it, or a message holds nothing else, nothing is edited.
 */
export function mediaEdit(
  messages: readonly ViewMessage[],
  options: MediaEditOptions,
): (Edit & { readonly kind: 'replace-content' }) | undefined {
  checkMessages(messages, 'messages');
  const named = options.place && mediaAt(messages, options.place);
  const places = named ? [named] : meant(mediaPlaces(messages), messages, options);
  const blocks = places.flatMap(({ message, block }) =>
    replacement(message, block, stripBlock(block), options),
  );
  const first = places[0];
  if (blocks.length === 0 || !first) return undefined;
  const { thinking: rule, find } = options;
  const changedFrom = messages.indexOf(first.message) + 1;
  const { kind, drop } = thinkingDrops(messages, { rule, changedFrom, closedTurns: 'keep' });
  const bound = kind === 'bound' ? undefined : thinkingBlocks(messages, drop, find);
  if (bound === undefined) return undefined;
  return { kind: 'replace-content', blocks: [...blocks, ...bound] };
}

function meant(
  all: readonly MediaPlace[],
  messages: readonly ViewMessage[],
  { unansweredFirst = false }: MediaEditOptions,
): readonly MediaPlace[] {
  if (!unansweredFirst) return all;
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const behind = new Set(messages.slice(answered + 1));
  const unanswered = all.filter(({ message }) => behind.has(message));
  return unanswered.length > 0 ? unanswered : all;
}

interface MediaPlace {
  readonly message: ViewMessage;
  readonly block: Block;
}

function mediaPlaces(messages: readonly ViewMessage[]): readonly MediaPlace[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? message.content
          .filter((block) => stripBlock(block) !== block)
          .map((block) => ({ message, block }))
      : [],
  );
}

function mediaAt(
  messages: readonly ViewMessage[],
  { messageIndex, blockIndex = -1 }: NonNullable<MediaEditOptions['place']>,
): MediaPlace | undefined {
  const message = messages[messageIndex];
  const block = message?.content[blockIndex];
  return message && block && stripBlock(block) !== block ? { message, block } : undefined;
}

/** A block of the view by its place in the log; nothing where an edit stands in its place already. */
function replacement(
  message: ViewMessage,
  block: Block,
  next: Block | null,
  { find }: MediaEditOptions,
): BlockReplacement[] {
  for (const messageId of message.sources) {
    const index = find(messageId)?.content.indexOf(block) ?? -1;
    if (index >= 0) return [{ messageId, index, block: next }];
  }
  return [];
}
