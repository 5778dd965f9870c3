import type { Message } from '@varve/messages';
import { type JsonRecord, textOf } from './json.ts';
import type { ThreadBuilder } from './thread.ts';

/** A message that stands for others, and the run behind it that was said before it was written. */
interface Waiting {
  readonly summary: Message;
  readonly dropFromId: string;
  keepFromId: string | undefined;
  /** Messages of that run that have not come yet. */
  left: number;
}

/** How many messages Roo Code kept behind a summary while it wrote summaries as the assistant. */
const KEPT_MESSAGES = 3;

/**
 * Roo Code and what came from it keep the messages that a summary (`condenseId`) or a cut (`truncationId`) stands for, each with its name in
 * `condenseParent` or `truncationParent`, and put the summary before the run that stays. It takes effect behind that run. A name that
 * no message has takes nothing away.
 */
export function createTakenAway() {
  /** The first message that is taken away, and how many, by the name of what stands for it. */
  const first = new Map<string, { readonly id: string; count: number }>();
  let waiting: Waiting | undefined;

  function mark(message: JsonRecord, id: string | undefined, count: number): void {
    if (id === undefined) return;
    for (const parent of [message.condenseParent, message.truncationParent]) {
      const name = textOf(parent);
      if (name === undefined) continue;
      const known = first.get(name);
      if (known === undefined) first.set(name, { id, count });
      else known.count += count;
    }
  }

  function settle(thread: ThreadBuilder): void {
    if (waiting === undefined) return;
    const { summary, dropFromId, keepFromId } = waiting;
    waiting = undefined;
    thread.span({
      with: [summary],
      dropFromId,
      keep: keepFromId === undefined ? undefined : { fromId: keepFromId },
      receipt: { source: 'condense' },
      at: summary.createdAt,
    });
  }

  return {
    /** Whether the message stands for others of the file. */
    standsFor: (message: JsonRecord): boolean => namesOf(message).some((name) => first.has(name)),
    add(thread: ThreadBuilder, message: JsonRecord, summary: Message): void {
      settle(thread);
      const [hidden] = namesOf(message).flatMap((name) => first.get(name) ?? []);
      if (hidden === undefined) return;
      const isCut = message.isTruncationMarker === true;
      // half of the messages go in a cut; a summary as the user is written last
      const left = isCut ? hidden.count : message.role === 'assistant' ? KEPT_MESSAGES : 0;
      waiting = { summary, dropFromId: hidden.id, keepFromId: undefined, left };
      mark(message, hidden.id, 1);
      if (left === 0) settle(thread);
    },
    /** A message that was added as the one with this id. */
    follow(thread: ThreadBuilder, message: JsonRecord, id: string | undefined): void {
      mark(message, id, 1);
      if (waiting === undefined) return;
      waiting.keepFromId ??= id;
      waiting.left -= 1;
      if (waiting.left <= 0) settle(thread);
    },
    finish: settle,
  };
}

const namesOf = ({ condenseId, truncationId }: JsonRecord): readonly string[] =>
  [condenseId, truncationId].flatMap((name) => textOf(name) ?? []);
