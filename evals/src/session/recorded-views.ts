import {
  createProjection,
  type Entry,
  type Message,
  type ProviderProfile,
  repairHistory,
  type ViewMessage,
} from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import { deepFreeze } from './freeze.ts';
import { rawHistory } from './raw-history.ts';

export interface RecordedViewsOptions {
  readonly thread: Pick<ImportedThread, 'entries'>;
  /** The history as it is replayed: without edits, mended. */
  readonly history: readonly Message[];
  readonly profile: ProviderProfile;
}

/** What the recorded agent sent, request by request. */
export interface RecordedViews {
  /** The messages of the request that a recorded reply answers. Replies have to be asked for in their order. */
  before(reply: Message): readonly Message[];
}

/**
 * Follows the log of a thread with all its edits: compactions, prunings and what was taken back. Messages that no edit touched
 * are those of the replayed history; from the first edit on the whole is mended as that history was.
 */
export function createRecordedViews({
  thread: { entries },
  history,
  profile,
}: RecordedViewsOptions): RecordedViews {
  const projection = createProjection();
  const asReplayed = createLookup(rawHistory({ entries }), history);
  let next = 0;
  let seen: readonly ViewMessage[] = [];
  let isEdited = false;
  return {
    before(reply) {
      const at = entries.findIndex((entry, index) => index >= next && isOf(entry, reply));
      for (; next < at; next++) {
        const entry = entries[next] as Entry;
        isEdited ||= entry.type === 'edit';
        const { messages, open } = projection.append(entry);
        seen = open ? [...messages, open.assistant] : messages;
      }
      const messages = seen.flatMap(asReplayed);
      return isEdited ? deepFreeze(repairHistory(messages, { profile }).messages) : messages;
    },
  };
}

const isOf = (entry: Entry, reply: Message): boolean =>
  entry.type === 'message' && idsOf(reply).includes(entry.message.id);

const idsOf = (message: Message): readonly string[] =>
  'sources' in message ? [message.id, ...(message as ViewMessage).sources] : [message.id];

/** Finds the replayed message where no edit changed a shown one; none where the replay has none. */
function createLookup(raw: readonly Message[], history: readonly Message[]) {
  const rawById = new Map(raw.map((message) => [message.id, message]));
  const replayed = new Map(history.map((message) => [message.id, message]));
  return (shown: ViewMessage): readonly Message[] => {
    const known = rawById.get(shown.id);
    const isSame =
      known?.content.length === shown.content.length &&
      known.content.every((block, at) => block === shown.content[at]);
    if (!isSame) return [shown];
    const found = replayed.get(shown.id);
    return found === undefined ? [] : [found];
  };
}
