import type { Message } from '@varve/messages';
import { fitAttachments } from '../full/attachments.ts';
import { orAborted } from '../full/call.ts';
import type { CompactOptions, CompactResult, MessageLike } from '../full/compact.ts';
import { toMessages } from '../full/plain-messages.ts';
import { plainSituation } from '../full/plain-situation.ts';
import { receiptOf } from '../full/receipt.ts';
import { settingsOf } from '../full/settings.ts';
import { summaryIdOf } from '../full/summary-id.ts';
import type { CompactionReceipt } from '../types.ts';
import { type PartialEngineResult, runPartialEngine } from './run.ts';
import type { PartialDirection, Split } from './split.ts';

export interface PartialOptions<M extends MessageLike> extends CompactOptions<M> {
  /**
   * `from`: the pivot and what follows is summarised, and what comes before keeps its bytes and its cache; `up-to`: what
   * comes before the pivot is summarised, and the rest stays (the cached prefix is lost).
   */
  readonly direction: PartialDirection;
  /** Position of the pivot; the nearest legal cut before it is taken. */
  readonly pivot: number;
}

/**
 * Compacts one side of a plain history around a message. Requests that are not done stay, in the part that is summarised
 * as well; messages that stay are the same objects.
 *
 * @throws DOMException `AbortError`; nothing has changed then.
 * @throws RangeError and TypeError for options that make no sense.
 */
export async function compactPartially<M extends MessageLike>(
  history: readonly M[],
  options: PartialOptions<M>,
): Promise<CompactResult<M>> {
  const { direction, pivot, trigger = 'manual', focus, signal } = options;
  if (!Number.isInteger(pivot) || pivot < 0) {
    throw new RangeError(`Expected \`pivot\` to be an integer from 0 up, got \`${pivot}\`.`);
  }
  const messages = toMessages(history);
  const situation = plainSituation(messages, options);
  const settings = settingsOf(options);
  const occasion = { trigger, focus, signal };
  const result = await runPartialEngine(situation, { direction, pivot }, { settings, occasion });
  if (result.kind === 'failed') return { ...result, messages: history };
  return assemble(result, { history, messages, options });
}

type Partly = Extract<PartialEngineResult, { readonly kind: 'compacted' }>;

interface Given<M extends MessageLike> {
  readonly history: readonly M[];
  readonly messages: readonly Message[];
  readonly options: PartialOptions<M>;
}

async function assemble<M extends MessageLike>(
  { split, done, situation }: Partly,
  given: Given<M>,
): Promise<CompactResult<M>> {
  const { trigger = 'manual', originals, attach, signal } = given.options;
  const places = new Map(given.messages.map((message, index) => [message.id, index]));
  const toGiven = (message: Message): M => {
    const index = places.get(message.id) as number;
    const original = given.history[index] as M;
    return given.messages[index] === message ? original : { ...original, content: message.content };
  };
  const before = split.direction === 'from' ? given.history.slice(0, split.cut) : [];
  const after = [...done.region.open, ...done.region.tail].map(toGiven);
  const asked = attach
    ? await orAborted(Promise.resolve(attach([...before, ...after])), signal)
    : [];
  const sizeOf = (message: M) => situation.sizeOf(toMessages([message])[0] as Message);
  const { attached, attachedTokens } = fitAttachments(asked, sizeOf, {
    effectiveTokens: situation.effectiveTokens,
    tokensAfter: done.tokensAfter,
  });
  const id = summaryIdOf(situation);
  const withIds = given.history.some((message) => 'id' in message);
  const receipt = receiptOf(done, situation, {
    ...{ trigger, originals, attachedTokens, reason: `partial-${split.direction}` },
    anchorId: done.region.open.at(-1)?.id ?? id,
  });
  return {
    kind: 'compacted',
    messages: [
      ...before,
      toSummary<M>(done.text, done.engine, withIds ? id : undefined),
      ...after,
      ...attached,
    ],
    summary: done.body,
    receipt: partialReceipt(receipt, split),
  };
}

function toSummary<M extends MessageLike>(text: string, engine: string, id: string | undefined): M {
  const plain = { role: 'user', content: [{ type: 'text', text }] };
  if (id === undefined) return plain as unknown as M;
  return { id, ...plain, origin: { kind: 'summary', engine } } as unknown as M;
}

/** What stays before a summary counts as kept, and hangs on the boundary. */
export function partialReceipt(
  receipt: CompactionReceipt,
  { direction, rest }: Split,
): CompactionReceipt {
  const [head, tail] = [rest[0], rest.at(-1)];
  if (direction === 'up-to' || !head || !tail) return receipt;
  return {
    ...receipt,
    keptMessages: receipt.keptMessages + rest.length,
    kept: { head: head.id, tail: tail.id, anchor: 'boundary' },
  };
}
