import { type Message, project } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';

/**
 * The history of a thread as if nothing had ever been cleared: the view of its log with every edit left out and summaries of
 * compactions dropped, except one that the file begins with. Calls that nothing answered end it. Throws a `MessagesError`
 * where the log does not project.
 */
export function rawHistory({ entries }: Pick<ImportedThread, 'entries'>): readonly Message[] {
  const first = entries.find(({ type }) => type === 'message');
  const raw = entries.filter(
    (entry) =>
      entry === first || (entry.type === 'message' && entry.message.origin?.kind !== 'summary'),
  );
  const { messages, open } = project(raw);
  return open ? [...messages, open.assistant] : messages;
}
