import type { Entry, Message, ThinkingRule, ViewMessage } from '@varve/messages';
import { broughtMessages } from '@varve/messages/log';
import { thinkingDrops } from '@varve/messages/thinking';
import type { Situation } from '../full/situation.ts';
import type { Around } from '../partial/split.ts';
import type { Trigger } from '../types.ts';

/** A compaction that was decided on and waits for its model. Holds on to the view it was planned for. */
export interface CompactionWork {
  readonly trigger: Trigger;
  /** Kebab-case. */
  readonly reason: string;
  readonly focus?: string | undefined;
  readonly tooLong?: 'drop-oldest' | 'peel' | undefined;
  /** One side of the conversation, around a message with this id. */
  readonly around?: Around<string> | undefined;
  /** The view it was planned for. */
  readonly messages: readonly ViewMessage[];
  readonly thinking: ThinkingRule;
  /** What the engine works on; made when it is first asked for, because that looks at every message. */
  readonly situation: Situation;
  /** Id of the last entry that was seen; what came after it is asked about before the edit is appended. */
  readonly basis: string | undefined;
  /** Ids of the messages that the edit will bring start with this. */
  readonly idPrefix: string;
}

/**
 * Whether the result of some work may still be appended after these entries, the ones after its `basis`. Messages are
 * fine, and stay; an edit of what was summarised is not, nor an undo, nor thinking bound to what would go.
 */
export function isStillCurrent(
  work: Pick<CompactionWork, 'messages' | 'thinking'>,
  entriesSince: Iterable<Entry>,
): boolean {
  const sources = new Set(work.messages.flatMap((message) => message.sources));
  const added: Message[] = [];
  for (const entry of entriesSince) {
    if (entry.type === 'edit' && touches(entry.edit, sources)) return false;
    added.push(...broughtMessages(entry));
  }
  const { drop } = thinkingDrops(added, {
    rule: work.thinking,
    changedFrom: 0,
    // a model that wants its latest turn back takes what stands behind the summary, whatever came before
    closedTurns: 'keep',
  });
  return drop.length === 0;
}

function touches(edit: (Entry & { type: 'edit' })['edit'], sources: ReadonlySet<string>): boolean {
  switch (edit.kind) {
    case 'replace-content':
      return edit.blocks.some(({ messageId }) => sources.has(messageId));
    case 'replace-span':
      return sources.has(edit.fromId) || sources.has(edit.toId);
    case 'undo':
      return true;
    default:
      return false;
  }
}
