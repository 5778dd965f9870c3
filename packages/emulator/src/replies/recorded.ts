import type { Entry, Message } from '@varve/messages';
import type { ImportedSession } from '@varve/transcript/import';
import { EmulatorError } from '../error.ts';
import type { Replies, ReplyMessage } from './reply.ts';

/** A recorded session, or the entries of a log. */
export type Recording = Pick<ImportedSession, 'threads'> | readonly Entry[];

/**
 * Replies with what the model said in a recorded session, turn after turn: of the main thread where there are several.
 * Stop reason and output tokens are the recorded ones. Throws `no-recorded-reply` for a session without any, and when
 * there are no more.
 */
export function recorded(recording: Recording): Replies {
  const replies = entriesOf(recording).flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'assistant' ? [replyOf(entry.message)] : [],
  );
  if (replies.length === 0) throw noReply('The recording has no message of a model.');
  let next = 0;
  return () => {
    const reply = replies[next++];
    if (reply !== undefined) return reply;
    throw noReply(`The recording has ${replies.length} replies and one more was asked for.`);
  };
}

const noReply = (text: string) => new EmulatorError('no-recorded-reply', text);

function entriesOf(recording: Recording): readonly Entry[] {
  if (!('threads' in recording)) return recording;
  const main = recording.threads.find(({ kind }) => kind === 'main') ?? recording.threads[0];
  return main?.entries ?? [];
}

function replyOf({ content, response }: Message): ReplyMessage {
  const known = response && response.stopReason !== 'unknown';
  return {
    content,
    ...(known && { stopReason: response.stopReason }),
    ...(response?.usage && { outputTokens: response.usage.output_tokens }),
  };
}
