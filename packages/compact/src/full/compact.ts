import type { Message } from '@varve/messages';
import type { CompactionReceipt, Trigger } from '../types.ts';
import { fitAttachments } from './attachments.ts';
import { orAborted } from './call.ts';
import { runEngine } from './engine.ts';
import type { CompactFailure } from './failure.ts';
import { toMessages } from './plain-messages.ts';
import { plainSituation, type SituationOptions } from './plain-situation.ts';
import { type Done, receiptOf } from './receipt.ts';
import { type FullOptions, settingsOf } from './settings.ts';
import type { Situation } from './situation.ts';
import { summaryIdOf } from './summary-id.ts';
import { isSummaryMessage } from './summary-text.ts';

/** The least a message has to be: those of the Messages API fit, and ours. */
export interface MessageLike {
  readonly role: string;
  readonly content: string | readonly { readonly type: string }[];
}

export interface CompactOptions<M extends MessageLike> extends FullOptions, SituationOptions {
  /** Who asked: after an automatic compaction the model is told to go on by itself. @default 'manual' */
  readonly trigger?: Trigger | undefined;
  /** What the summary should pay attention to, in a person's words. */
  readonly focus?: string | undefined;
  /** Messages that follow what is kept: files, plans, announcements. Asked for once a summary stands. */
  readonly attach?: ((kept: readonly M[]) => Promise<readonly M[]> | readonly M[]) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type CompactResult<M extends MessageLike> =
  | {
      readonly kind: 'compacted';
      /** The summary, what is kept (the same objects), and what was attached. */
      readonly messages: readonly M[];
      readonly summary: string;
      readonly receipt: CompactionReceipt;
      /** The error because of which no model wrote it; `receipt.failure` names it. */
      readonly cause?: unknown;
    }
  | {
      readonly kind: 'failed';
      readonly reason: CompactFailure;
      readonly cause?: unknown;
      /** Calls of the model that were made. */
      readonly calls: number;
      /** The array that was given. */
      readonly messages: readonly M[];
    };

/**
 * Replaces old messages by a summary that is checked against them. The newest request that is not done stays as it is, and
 * about `keepTokens` of the newest rounds. Never mutates; what fails leaves everything as it was and says why.
 *
 * @throws DOMException `AbortError`; nothing has changed then.
 * @throws RangeError and TypeError for options that make no sense.
 */
export async function compact<M extends MessageLike>(
  history: readonly M[],
  options: CompactOptions<M>,
): Promise<CompactResult<M>> {
  const { trigger = 'manual', focus, signal } = options;
  const settings = settingsOf(options);
  const messages = toMessages(history);
  const situation = plainSituation(messages, options);
  const result = await runEngine(situation, settings, { trigger, focus, signal });
  if (result.kind === 'failed') {
    const { reason, cause, calls } = result;
    return {
      kind: 'failed',
      reason,
      ...(cause !== undefined && { cause }),
      calls,
      messages: history,
    };
  }
  return compacted(result, { history, messages, situation, options });
}

interface Compacting<M extends MessageLike> {
  readonly history: readonly M[];
  readonly messages: readonly Message[];
  readonly situation: Situation;
  readonly options: CompactOptions<M>;
}

async function compacted<M extends MessageLike>(
  done: Done,
  { history, messages, situation, options }: Compacting<M>,
): Promise<CompactResult<M>> {
  const { trigger = 'manual', originals, attach, signal } = options;
  const open = keptOf(done.region.open, history, messages);
  const tail = keptOf(done.region.tail, history, messages);
  const asked = attach ? await orAborted(Promise.resolve(attach([...open, ...tail])), signal) : [];
  const { attached, attachedTokens } = fitAttachments(
    asked,
    (message) => situation.sizeOf(toMessages([message])[0] as Message),
    {
      effectiveTokens: situation.effectiveTokens,
      tokensAfter: done.tokensAfter,
    },
  );
  const summary = summaryMessage(done, situation, history);
  const anchorId = done.region.open.at(-1)?.id ?? summaryIdOf(situation);
  const reason = trigger === 'manual' ? 'manual' : 'over-threshold';
  const receipt = receiptOf(done, situation, {
    trigger,
    reason,
    anchorId,
    originals,
    attachedTokens,
  });
  const next = [summary, ...open, ...tail, ...attached];
  const cause = done.cause !== undefined && { cause: done.cause };
  return { kind: 'compacted', messages: next, summary: done.body, receipt, ...cause };
}

/** The messages that were given, where nothing was taken out of them. */
function keptOf<M extends MessageLike>(
  kept: readonly Message[],
  history: readonly M[],
  messages: readonly Message[],
): readonly M[] {
  const places = new Map(messages.map((message, index) => [message.id, index]));
  return kept.map((message) => {
    const index = places.get(message.id) as number;
    const given = history[index] as M;
    return messages[index] === message ? given : { ...given, content: message.content };
  });
}

/** Ids and origins only where the history has them: a provider refuses fields it does not know. */
function summaryMessage<M extends MessageLike>(
  { text, engine }: Done,
  situation: Situation,
  history: readonly M[],
): M {
  const plain = { role: 'user', content: [{ type: 'text', text }] };
  if (!history.some((message) => 'id' in message)) return plain as unknown as M;
  const origin = { kind: 'summary', engine };
  return { id: summaryIdOf(situation), ...plain, origin } as unknown as M;
}

/** Whether a message is the summary of an earlier compaction. */
export function isSummary(message: MessageLike): boolean {
  return isSummaryMessage(toMessages([message])[0] as Message);
}
