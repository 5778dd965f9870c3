import { type Assembly, createAssembly } from './assembly.ts';
import type { EditNode } from './edit-node.ts';
import type { Group, Logged } from './group.ts';
import type { Head, JsonObject, ViewMessage } from './types.ts';

/** What a projection keeps between entries. It grows with the log; only an edit looks at all of it. */
export interface LogState {
  readonly logged: Map<string, Logged<EditNode>>;
  /** Every entry by its id; the edit where it is one. */
  readonly entries: Map<string, EditNode | undefined>;
  readonly edits: EditNode[];
  /** In the order of the view, hidden and undone ones included. */
  readonly groups: Group<EditNode>[];
  readonly assembly: Assembly<EditNode>;
  head?: Head;
  server?: JsonObject | undefined;
  messages: ViewMessage[];
  changedFrom: number;
}

export function createLogState(): LogState {
  return {
    logged: new Map(),
    entries: new Map(),
    edits: [],
    groups: [],
    assembly: createAssembly(),
    messages: [],
    changedFrom: 0,
  };
}

/** Gives complete groups their places behind everything before them. */
export function pushGroups(state: LogState, groups: readonly Group<EditNode>[]): void {
  for (const group of groups) {
    group.place = state.groups.length;
    state.groups.push(group);
  }
}
