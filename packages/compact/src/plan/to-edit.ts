import type { Message, ViewMessage } from '@varve/messages';
import { acceptSize } from '@varve/tokens/limits';
import { type Attached, askAttachments } from '../full/attachments.ts';
import type { Made } from '../full/engine.ts';
import { receiptOf } from '../full/receipt.ts';
import { type Situation, wholeBounds } from '../full/situation.ts';
import type { Compaction } from '../types.ts';
import type { RunOptions } from './compaction.ts';
import { spanEdit } from './span-edit.ts';
import type { CompactionWork } from './work.ts';

export interface FinishOptions extends RunOptions {
  readonly originals?: string | undefined;
  readonly minSavings: number;
}

/**
 * Asks for the attachments, and makes the edit.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function finishWork(
  done: Made,
  work: CompactionWork,
  { attach, signal, originals, minSavings }: FinishOptions,
): Promise<Compaction> {
  const { situation, before, region } = done;
  const kept = [...before, ...region.open, ...region.tail];
  const attachments = await askAttachments(attach, kept, {
    ...{ situation, minSavings, signal, tokensAfter: done.tokensAfter },
    sizeOf: situation.sizeOf,
  });
  const { edit, receipt } = toEdit(done, work, { originals, attachments });
  const { roomTokens } = acceptSize(receipt.tokensAfter, wholeBounds(situation, minSavings));
  const cause = done.cause !== undefined && { cause: done.cause };
  return { kind: 'compacted', edit, receipt, summary: done.body, roomTokens, ...cause };
}

interface ToEditOptions extends Pick<FinishOptions, 'originals'> {
  /** What follows what is kept; ids are those of messages that the log does not have. */
  readonly attachments: Attached<Message>;
}

/**
 * The one edit that carries out a compaction. What is kept and comes after the span is not written again; a request inside
 * it is, and so are kept messages that had to lose their thinking.
 */
function toEdit(
  done: Made,
  work: CompactionWork,
  options: ToEditOptions,
): Pick<Compaction, 'edit' | 'receipt'> {
  const { trigger, reason, idPrefix } = work;
  const { situation, before } = done;
  const messages = situation.messages as readonly ViewMessage[];
  const summary = summaryMessage(done, idPrefix);
  const toIndex = endOfSpan(done, situation);
  const copies = [...done.region.open, ...rewritten(done, messages, toIndex)].map(copyOf(idPrefix));
  const span = [summary, ...copies];
  const { attached, attachedTokens, leftOutTokens } = options.attachments;
  const untouched = toIndex === done.region.end;
  const tail = tailIds(done, { untouched, copies, messages, toIndex });
  const receipt = receiptOf({ ...done, region: { ...done.region, tail } }, situation, {
    ...{
      trigger,
      reason,
      attachedTokens,
      leftOutTokens,
      originals: options.originals,
      before,
    },
    anchorId: (span[done.region.open.length] as Message).id,
  });
  const edit = spanEdit(messages, { end: toIndex }, { with: span, then: attached });
  return { edit, receipt };
}

function summaryMessage({ text, engine }: Made, idPrefix: string): Message {
  const origin = { kind: 'summary', engine } as const;
  return { id: `${idPrefix}-summary`, role: 'user', content: [{ type: 'text', text }], origin };
}

const copyOf =
  (idPrefix: string) =>
  (message: Message, index: number): Message => {
    const { role, content, origin, createdAt, response } = message;
    const { request: _, ...answered } = response ?? {};
    return {
      id: `${idPrefix}-kept-${index}`,
      role,
      content,
      ...(origin && { origin }),
      ...(createdAt !== undefined && { createdAt }),
      ...(response && { response: answered as NonNullable<Message['response']> }),
    };
  };

/** Behind the last message that changes: the span has to reach over it. */
function endOfSpan({ region }: Made, { messages, cuts }: Situation): number {
  const changed = messages.findLastIndex(
    (message, index) => index >= region.end && !region.tail.includes(message),
  );
  if (changed < region.end) return region.end;
  return cuts.find((cut) => cut > changed) ?? messages.length;
}

/** What of the tail lies inside the span. */
function rewritten(
  { region }: Made,
  messages: readonly Message[],
  toIndex: number,
): readonly Message[] {
  const outside = new Set(messages.slice(toIndex).map(({ id }) => id));
  return toIndex === region.end ? [] : region.tail.filter(({ id }) => !outside.has(id));
}

interface TailParts {
  readonly untouched: boolean;
  readonly copies: readonly Message[];
  readonly messages: readonly Message[];
  readonly toIndex: number;
}

/** The tail as the log knows it afterwards: copies have ids of their own. */
function tailIds(
  done: Made,
  { untouched, copies, messages, toIndex }: TailParts,
): readonly Message[] {
  if (untouched) return done.region.tail;
  return [...copies.slice(done.region.open.length), ...messages.slice(toIndex)];
}
