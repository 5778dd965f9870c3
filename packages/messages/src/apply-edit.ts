import { createAssembly } from './assembly.ts';
import { firstDifference } from './changed-from.ts';
import { mayStart } from './check-history.ts';
import { checkMessage } from './check-log-message.ts';
import { resolveReplacements, resolveSpan } from './edit-check.ts';
import { type EditNode, mergeServer, type Span, switchedBy } from './edit-node.ts';
import { MessagesError } from './error.ts';
import { currentContent, type Group, type Logged, renderAgain } from './group.ts';
import { type LogState, pushGroups } from './log-state.ts';
import { arrange, outermostSpans } from './span-order.ts';
import type { Edit, Message } from './types.ts';

/** Brings an edit into force, or throws and leaves the state as it was. */
export function applyEdit(state: LogState, edit: Edit, entryId: string): EditNode {
  const node = createNode(state, edit, entryId);
  const placed = state.groups.length;
  attach(state, node);
  try {
    switchEdits(state, switchedBy(node));
  } catch (error) {
    detach(state, node, placed);
    throw error;
  }
  for (const logged of broughtBy(node)) state.logged.set(logged.message.id, logged);
  return node;
}

function createNode(state: LogState, edit: Edit, entryId: string): EditNode {
  const find = (id: string) => state.logged.get(id);
  const node: EditNode = {
    order: state.edits.length,
    entryId,
    edit,
    live: false,
    replacements: edit.kind === 'replace-content' ? resolveReplacements(edit.blocks, find) : [],
    undoneBy: [],
    ...(edit.kind === 'undo' && { target: findTarget(state, edit.entryId) }),
  };
  if (edit.kind !== 'replace-span') return node;
  return Object.assign(node, { span: createSpan(state, edit, node) });
}

function findTarget(state: LogState, entryId: string): EditNode {
  if (!state.entries.has(entryId)) {
    throw new MessagesError('unknown-entry', `The log holds no entry ${entryId}.`);
  }
  const target = state.entries.get(entryId);
  if (!target) {
    throw new MessagesError(
      'not-an-edit',
      `Entry ${entryId} is not an edit; only edits are undone.`,
    );
  }
  if (!target.live)
    throw new MessagesError('already-undone', `Entry ${entryId} is undone already.`);
  return target;
}

function createSpan(
  state: LogState,
  edit: Extract<Edit, { kind: 'replace-span' }>,
  owner: EditNode,
): Span {
  const ends = resolveSpan(edit, (id) => state.logged.get(id));
  if (edit.then.length > 0 && state.assembly.open()) {
    throw new MessagesError('round-open', 'Nothing can follow calls that wait for results.');
  }
  const ids = new Set<string>();
  for (const { id } of [...edit.with, ...edit.then]) {
    if (ids.has(id) || state.logged.has(id)) {
      throw new MessagesError('duplicate-message', `The log already holds a message ${id}.`);
    }
    ids.add(id);
  }
  return { ...ends, with: assemble(edit.with, owner), after: assemble(edit.then, owner) };
}

/** Complete groups of messages that stand on their own. */
function assemble(messages: readonly Message[], owner: EditNode): Group<EditNode>[] {
  const assembly = createAssembly<EditNode>();
  const groups: Group<EditNode>[] = [];
  for (const message of messages) {
    checkMessage(message);
    assembly.check(message);
    groups.push(...assembly.add({ message, entryId: owner.entryId, owner, replacements: [] }));
  }
  if (assembly.open()) {
    throw new MessagesError('incomplete-round', 'The edit brings calls without all their results.');
  }
  return groups;
}

function broughtBy({ span }: EditNode): Logged<EditNode>[] {
  return span ? [...span.with, ...span.after].flatMap((group) => group.members) : [];
}

function attach(state: LogState, node: EditNode): void {
  state.edits.push(node);
  node.target?.undoneBy.push(node);
  for (const { logged, index, block } of node.replacements) {
    logged.replacements.push({ by: node, index, block });
  }
  if (node.span) pushGroups(state, node.span.after);
}

function detach(state: LogState, node: EditNode, placed: number): void {
  state.edits.pop();
  node.target?.undoneBy.pop();
  for (const { logged } of node.replacements) logged.replacements.pop();
  state.groups.length = placed;
}

function switchEdits(state: LogState, nodes: readonly EditNode[]): void {
  const views = new Map<Group, Group['view']>();
  for (const node of nodes) node.live = !node.live;
  try {
    for (const node of nodes) renderTouched(node, views);
    const messages = arrange(state.groups, outermostSpans(state.edits));
    checkStart(state, messages);
    state.changedFrom = firstDifference(state.messages, messages);
    state.messages = messages;
    state.server = mergeServer(state.edits);
  } catch (error) {
    for (const node of nodes) node.live = !node.live;
    for (const [group, view] of views) group.view = view;
    throw error;
  }
}

/** Renders what the edit touches and keeps in `views` what stood there before. */
function renderTouched({ replacements }: EditNode, views: Map<Group, Group['view']>): void {
  for (const logged of new Set(replacements.map((replacement) => replacement.logged))) {
    const { group } = logged;
    if (!group) {
      currentContent(logged);
      continue;
    }
    if (!views.has(group)) views.set(group, group.view);
    group.view = renderAgain(group, logged);
  }
}

function checkStart(state: LogState, messages: readonly Message[]): void {
  const first = messages[0] ?? state.assembly.open()?.assistant;
  if (first && !mayStart(first)) {
    throw new MessagesError('first-not-user', 'The view would not start with a user message.');
  }
}
