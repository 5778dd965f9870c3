import { createProjection, type Entry, type View } from '../src/index.ts';

/** What is sent of each message, and the server edits: everything an undo has to bring back. */
export const bytes = ({ messages, open, server }: View): string[] => [
  JSON.stringify(server),
  JSON.stringify(open && [open.assistant.content, open.results, open.rest, open.queued]),
  ...messages.map(({ role, content }) => JSON.stringify([role, content])),
];

/** The view after each entry. */
export function viewsOf(log: readonly Entry[]): View[] {
  const projection = createProjection();
  return log.map((entry) => projection.append(entry));
}

export function freeze(view: View): View {
  const { messages, open, server } = view;
  for (const message of messages) {
    if (Object.isFrozen(message)) continue;
    for (const part of [message, message.content, message.sources]) Object.freeze(part);
  }
  for (const part of [messages, server, open, ...Object.values(open ?? {})]) Object.freeze(part);
  return Object.freeze(view);
}

export const EMPTY: View = { messages: [], changedFrom: 0 };

export const undoOf = (entryId: string, id = 'undo'): Entry => ({
  ...{ id, at: '2026-01-31T12:00:00Z', type: 'edit', by: 'test', reason: 'undo' },
  edit: { kind: 'undo', entryId },
});
