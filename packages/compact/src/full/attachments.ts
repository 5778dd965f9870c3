import { expected, isRecord, untilAborted } from '@varve/guards';
import type { MessageLike } from '@varve/messages/blocks';
import { resolveModel } from '@varve/tokens';
import { acceptSize } from '@varve/tokens/limits';
import { providerProfiles } from '@varve/tokens/models';
import { CompactError } from '../error.ts';
import { headWithin } from '../restore/head-within.ts';
import { type Situation, wholeBounds } from './situation.ts';
import { soundAttachments } from './sound-attachments.ts';

/** Asks a caller what follows what is kept. */
export type Attach<A> = (
  kept: readonly A[],
  room: AttachRoom,
) => Promise<readonly A[]> | readonly A[];

export interface AttachRoom {
  /** Tokens that attachments may have together, so that the compaction still saves enough. What is over is cut or left out. */
  readonly roomTokens: number;
}

/** What was attached, and what was not. Sizes in tokens. */
export interface Attached<A> {
  readonly attached: readonly A[];
  readonly attachedTokens: number;
  readonly leftOutTokens: number;
}

export interface AttachOptions<A> {
  readonly situation: Pick<Situation, 'head' | 'tokensBefore' | 'effectiveTokens'>;
  readonly minSavings: number;
  /** Size of the next request without attachments, in tokens. */
  readonly tokensAfter: number;
  /** Tokens of an attachment. */
  readonly sizeOf: (attachment: A) => number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks for attachments and takes as many whole rounds, from the first on, as leave the compaction smaller by enough; of a
 * message of texts that is too large the head, with a notice. What a provider would refuse behind what is kept is left out.
 *
 * @throws the signal's reason, an `AbortError` unless one was given; CompactError `attach-threw`; TypeError for an answer that is no
 * list of messages
 */
export async function askAttachments<A extends MessageLike>(
  attach: Attach<A> | undefined,
  kept: readonly A[],
  { situation, minSavings, tokensAfter, sizeOf, signal }: AttachOptions<A>,
): Promise<Attached<A>> {
  const size = acceptSize(tokensAfter, wholeBounds(situation, minSavings));
  const roomTokens = Math.max(0, size.roomTokens);
  const offered = messagesOf(await ask(attach, kept, { roomTokens, signal }));
  const profiles = providerProfiles(resolveModel(situation.head.model).model);
  const { rounds, leftOut } = soundAttachments(kept, offered, profiles);
  const sizesOf = (messages: readonly A[]) =>
    messages.reduce((sum, message) => sum + sizeOf(message), 0);
  const attached: A[] = [];
  let attachedTokens = 0;
  let leftOutTokens = sizesOf(leftOut);
  let isFull = false;
  for (const round of rounds) {
    const tokens = sizesOf(round);
    const left = roomTokens - attachedTokens;
    const shown: readonly A[] = isFull ? [] : tokens <= left ? round : headOf(round, left, sizeOf);
    isFull ||= shown !== round; // what follows is left out, too
    attached.push(...shown);
    attachedTokens += sizesOf(shown);
    leftOutTokens += Math.max(0, tokens - sizesOf(shown));
  }
  return { attached, attachedTokens, leftOutTokens };
}

async function ask<A>(
  attach: Attach<A> | undefined,
  kept: readonly A[],
  { roomTokens, signal }: AttachRoom & { readonly signal: AbortSignal | undefined },
): Promise<readonly A[]> {
  if (attach === undefined) {
    signal?.throwIfAborted();
    return [];
  }
  try {
    return await untilAborted(() => attach(kept, { roomTokens }), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const told = '`attach` threw, so nothing was compacted; its error is the cause.';
    throw new CompactError('attach-threw', `${told} Have it give [] where it has nothing.`, {
      cause,
    });
  }
}

function messagesOf<A extends MessageLike>(offered: readonly A[]): readonly A[] {
  if (Array.isArray(offered) && [...offered].every(isRecord)) return offered;
  throw expected('attach', { what: 'a function that gives a list of messages' }, offered);
}

/** The head of a message of texts that fits so many tokens; nothing where too little would be left of it. */
function headOf<A extends MessageLike>(
  [message, ...others]: readonly A[],
  roomTokens: number,
  sizeOf: (message: A) => number,
): readonly A[] {
  if (message === undefined || others.length > 0) return [];
  const texts = textsOf(message.content);
  if (texts === undefined || message.role !== 'user') return [];
  const shown = (blocks: readonly string[]): A => ({
    ...message,
    content:
      typeof message.content === 'string'
        ? blocks.join('\n')
        : blocks.map((text) => ({ type: 'text', text })),
  });
  const kept: string[] = [];
  for (const text of texts) {
    if (sizeOf(shown([...kept, text, LEFT_OUT])) <= roomTokens) {
      kept.push(text);
      continue;
    }
    const size = (part: string) => sizeOf(shown([...kept, part, LEFT_OUT]));
    const { text: head } = headWithin(text, roomTokens, size);
    if (head.length >= LEAST_UNITS) kept.push(head);
    break;
  }
  return kept.length === 0 ? [] : [shown([...kept, LEFT_OUT])];
}

const LEFT_OUT = '[The rest was left out here: there was no room for it.]';

/** UTF-16 units; a shorter head says nothing. */
const LEAST_UNITS = 100;

function textsOf(content: unknown): readonly string[] | undefined {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: { readonly type?: unknown; readonly text?: unknown }) =>
    block.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
