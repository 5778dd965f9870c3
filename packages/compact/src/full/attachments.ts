import { untilAborted } from '@varve/guards';
import type { MessageLike } from '@varve/messages';
import { headWithin } from '../restore/head-within.ts';
import { mostTokensAfter } from './accept.ts';
import type { Situation } from './situation.ts';

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
  readonly situation: Pick<Situation, 'tokensBefore' | 'effectiveTokens'>;
  readonly minSavings: number;
  /** Size of the next request without attachments, in tokens. */
  readonly tokensAfter: number;
  /** Tokens of an attachment. */
  readonly sizeOf: (attachment: A) => number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks for attachments and takes as many, from the first on, as leave the compaction smaller by enough; of the first that is
 * too large the head, with a notice.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function askAttachments<A extends MessageLike>(
  attach: Attach<A> | undefined,
  kept: readonly A[],
  { situation, minSavings, tokensAfter, sizeOf, signal }: AttachOptions<A>,
): Promise<Attached<A>> {
  const roomTokens = Math.max(0, mostTokensAfter(situation, minSavings) - tokensAfter);
  const asked = async () => attach?.(kept, { roomTokens }) ?? [];
  const offered = await untilAborted(asked, signal);
  const attached: A[] = [];
  let [attachedTokens, offeredTokens] = [0, 0];
  for (const attachment of offered) {
    const tokens = sizeOf(attachment);
    offeredTokens += tokens;
    if (attachedTokens < offeredTokens - tokens) continue; // something before it was left out
    const left = roomTokens - attachedTokens;
    const shown = tokens <= left ? attachment : headOf(attachment, left, sizeOf);
    if (shown === undefined) continue;
    attached.push(shown);
    attachedTokens += sizeOf(shown);
  }
  const leftOutTokens = Math.max(0, offeredTokens - attachedTokens);
  return { attached, attachedTokens, leftOutTokens };
}

/** The head of a message of texts that fits so many tokens; undefined where too little would be left of it. */
function headOf<A extends MessageLike>(
  message: A,
  roomTokens: number,
  sizeOf: (message: A) => number,
): A | undefined {
  const texts = textsOf(message.content);
  if (texts === undefined || message.role !== 'user') return undefined;
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
  return kept.length === 0 ? undefined : shown([...kept, LEFT_OUT]);
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
