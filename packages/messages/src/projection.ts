import { applyEdit } from './apply-edit.ts';
import { mayStart } from './check-history.ts';
import { checkMessage } from './check-log-message.ts';
import type { EditNode } from './edit-node.ts';
import { checkEntry } from './entry-shape.ts';
import { MessagesError } from './error.ts';
import type { Logged } from './group.ts';
import { indexOf, remember } from './log-index.ts';
import { createLogState, type LogState, pushGroups } from './log-state.ts';
import { beginsGrowingList } from './shared-start.ts';
import { shareRunning } from './stamp.ts';
import type { Entry, Message, View, ViewMessage } from './types.ts';

/** Turns a growing log into what the next request carries. */
export interface Projection {
  /**
   * Takes the next entry and returns the view after it. An appended message costs the same however long the log is, a
   * copy of the list of pointers aside; an edit walks ids and reads the content of what it touches only. Never mutates
   * a view it returned.
   *
   * @throws MessagesError when the entry may not come next; the projection is then as it was.
   */
  append(entry: Entry): View;
}

/** A projection of an empty log. */
export function createProjection(): Projection {
  const state = createLogState();
  const view = createViewer(state);
  return {
    append(entry) {
      applyEntry(state, entry);
      return view();
    },
  };
}

/**
 * The view after all entries: the same as feeding them to `createProjection()` one by one.
 *
 * @throws MessagesError at the first entry that may not stand where it stands.
 */
export function project(entries: Iterable<Entry>): View {
  const state = createLogState();
  for (const entry of entries) applyEntry(state, entry);
  return createViewer(state)();
}

function applyEntry(state: LogState, entry: Entry): void {
  checkEntry(entry);
  if (entry.id === '') throw new MessagesError('empty-id', 'An entry needs an id.');
  if (state.entries.has(entry.id)) {
    throw new MessagesError('duplicate-entry', `The log already holds an entry ${entry.id}.`);
  }
  let edit: EditNode | undefined;
  if (entry.type === 'message') applyMessage(state, entry.message, entry.id);
  else if (entry.type === 'edit') edit = applyEdit(state, entry.edit, entry.id);
  else state.changedFrom = state.messages.length;
  if (entry.type === 'head') state.head = entry.head;
  state.entries.set(entry.id, edit);
}

function applyMessage(state: LogState, message: Message, entryId: string): void {
  checkMessage(message);
  if (state.logged.has(message.id)) {
    throw new MessagesError('duplicate-message', `The log already holds a message ${message.id}.`);
  }
  state.assembly.check(message);
  if (state.messages.length === 0 && !state.assembly.open() && !mayStart(message)) {
    throw new MessagesError('first-not-user', 'The first message has to be a user message.');
  }
  const logged: Logged<EditNode> = { message, entryId, replacements: [] };
  state.logged.set(message.id, logged);
  state.changedFrom = state.messages.length;
  const groups = state.assembly.add(logged);
  pushGroups(state, groups);
  for (const { view } of groups) state.messages.push(...view);
}

/** Hands out views that later entries leave alone; the list of messages is copied only after it changed. */
function createViewer(state: LogState): () => View {
  const index = indexOf(state);
  let seen: readonly ViewMessage[] = state.messages;
  let shown: readonly ViewMessage[] = [];
  return () => {
    const { head, messages, server, changedFrom } = state;
    if (messages !== seen || messages.length !== shown.length) {
      const next = messages.slice();
      shareRunning(shown, next, changedFrom);
      beginsGrowingList(next, messages); // an edit puts another list in its place
      seen = messages;
      shown = next;
    }
    const open = state.assembly.open();
    const view: View = {
      ...(head && { head }),
      messages: shown,
      ...(open && { open }),
      ...(server && { server }),
      changedFrom,
    };
    remember(view, index);
    return view;
  };
}
