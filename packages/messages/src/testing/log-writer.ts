import { MessagesError } from '../error.ts';
import { broughtMessages } from '../log-index.ts';
import { createProjection } from '../projection.ts';
import { createRequestStamp } from '../stamp.ts';
import type { Block, Edit, Entry, EntryBody, Message, Role, View } from '../types.ts';

/** Writes a log entry by entry, with ids and times of its own, and keeps what later entries refer to. */
export interface LogWriter {
  readonly entries: Entry[];
  /** Every message of the log, those that edits brought included. */
  readonly messages: Message[];
  readonly editIds: string[];
  /** Whether spans are written at all. */
  readonly spans: boolean;
  view(): View;
  /** Text for a block or a summary; nasty every few times. */
  text(choice: number): string;
  message(role: Role, content: readonly Block[], extra?: Partial<Message>): Message;
  put(body: EntryBody): void;
  /** Appends a message of a new id. */
  say(role: Role, content: readonly Block[], extra?: Partial<Message>): void;
  /** Appends an edit unless the projection refuses it. */
  tryEdit(edit: Edit): void;
}

const START_MS = Date.UTC(2026, 0, 31, 12);

export function createLogWriter(texts: readonly string[], spans: boolean): LogWriter {
  const projection = createProjection();
  const entries: Entry[] = [];
  const messages: Message[] = [];
  const editIds: string[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  let ids = 0;
  const put = (body: EntryBody): void => {
    const at = new Date(START_MS + entries.length * 1_000).toISOString();
    const entry: Entry = { id: `e${entries.length}`, at, ...body };
    view = projection.append(entry);
    entries.push(entry);
    messages.push(...broughtMessages(entry));
    if (entry.type === 'edit') editIds.push(entry.id);
  };
  const message: LogWriter['message'] = (role, content, extra) => {
    const id = `m${ids++}`;
    return { id, role, content, ...(role === 'assistant' && answer(id, view)), ...extra };
  };
  return {
    entries,
    messages,
    editIds,
    spans,
    view: () => view,
    text: (choice) => texts[choice % texts.length] ?? 'x',
    message,
    put,
    say: (role, content, extra) => put({ type: 'message', message: message(role, content, extra) }),
    tryEdit: (edit) =>
      unlessRefused(() => put({ type: 'edit', by: 'test', reason: edit.kind, edit })),
  };
}

function answer(id: string, view: View): Partial<Message> {
  if (!view.head) return {};
  const request = createRequestStamp(view, START_MS);
  const usage = { input_tokens: view.messages.length, output_tokens: 1 };
  const { model } = view.head;
  return { response: { id: `response-${id}`, model, stopReason: 'unknown', usage, request } };
}

function unlessRefused(append: () => void): void {
  try {
    append();
  } catch (error) {
    if (!MessagesError.is(error)) throw error;
  }
}
