import type { Message } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import { describeForeign } from '@varve/messages/foreign';
import { askAttachments } from './attachments.ts';
import type { CompactOptions, CompactResult } from './compact.ts';
import type { Made } from './engine.ts';
import { toMessages } from './plain-messages.ts';
import { receiptOf } from './receipt.ts';
import { settingsOf } from './settings.ts';
import type { Situation } from './situation.ts';
import { summaryIdOf } from './summary-id.ts';

export interface Assembling<M extends MessageLike> {
  readonly history: readonly M[];
  /** The history as messages of a log, at the same positions. */
  readonly messages: readonly Message[];
  readonly options: CompactOptions<M>;
  /** Kebab-case. */
  readonly reason: string;
}

/**
 * The plain history that a compaction leaves: what stays in front, the summary, what is kept behind it, what is attached.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function assemble<M extends MessageLike>(
  done: Made,
  { history, messages, options, reason }: Assembling<M>,
): Promise<CompactResult<M>> {
  const { trigger = 'manual', originals, attach, signal } = options;
  const { minSavings } = settingsOf(options);
  const { situation, before, region } = done;
  const { open, tail } = region;
  const front = history.slice(0, before.length);
  const kept = givenOf([...open, ...tail], history, messages);
  const { attached, attachedTokens, leftOutTokens } = await askAttachments(
    attach,
    [...front, ...kept],
    {
      ...{ situation, signal, minSavings, tokensAfter: done.tokensAfter },
      sizeOf: (message: M) => situation.sizeOf(measured(message)),
    },
  );
  const receipt = receiptOf(done, situation, {
    ...{
      trigger,
      reason,
      originals,
      attachedTokens,
      leftOutTokens,
      before,
    },
    anchorId: open.at(-1)?.id ?? summaryIdOf(situation),
  });
  return {
    kind: 'compacted',
    messages: [...front, summaryMessage(done, situation, history), ...kept, ...attached],
    summary: done.body,
    receipt,
    ...(done.cause !== undefined && { cause: done.cause }),
  };
}

/**
 * An attachment to be measured. One of a role that nobody has is left out, whatever it holds, and counts as the user's; one of
 * another library is refused by name.
 */
function measured(message: MessageLike): Message {
  const role: unknown = message.role;
  const isNobodys =
    typeof role === 'string' && !ROLES.has(role) && describeForeign(message) === undefined;
  return toMessages([isNobodys ? { ...message, role: 'user' } : message])[0] as Message;
}

const ROLES: ReadonlySet<string> = new Set<Message['role']>(['user', 'assistant', 'system']);

/** The messages that were given, where nothing was taken out of them. */
function givenOf<M extends MessageLike>(
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
  { text, engine }: Made,
  situation: Situation,
  history: readonly M[],
): M {
  const plain = { role: 'user', content: [{ type: 'text', text }] };
  if (!history.some((message) => 'id' in message)) return plain as unknown as M;
  const origin = { kind: 'summary', engine };
  return { id: summaryIdOf(situation), ...plain, origin } as unknown as M;
}
