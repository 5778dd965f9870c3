import type { Entry, Message } from '@varve/messages';

/** Every message that a log brought, by its id. Looks at the whole log. */
export function loggedMessages(entries: readonly Entry[]): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>();
  for (const entry of entries) {
    if (entry.type === 'message') messages.set(entry.message.id, entry.message);
    if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') continue;
    for (const each of [...entry.edit.with, ...entry.edit.then]) messages.set(each.id, each);
  }
  return messages;
}
