import { type Entry, isText } from '@varve/messages';
import { isPerson } from '@varve/messages/persons';

/**
 * What a thread was started for: the text of its first user message, whatever was compacted since. A sub-agent's
 * compactions pin it, so that its task and the form of its answer stand in every summary word for word.
 */
export function assignmentOf(entries: Iterable<Entry>): string | undefined {
  for (const entry of entries) {
    if (entry.type !== 'message' || !isPerson(entry.message)) continue;
    const text = entry.message.content.filter(isText).map((block) => block.text);
    return text.length > 0 ? text.join('\n') : undefined;
  }
  return undefined;
}
