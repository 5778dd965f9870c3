import type { Group, Logged, Undoable } from './group.ts';
import type { Block, Edit, JsonObject } from './types.ts';

/** An edit of the log with everything it needs to be done and undone. */
export interface EditNode extends Undoable {
  /** Position among the edits of the log. */
  readonly order: number;
  readonly entryId: string;
  readonly edit: Edit;
  readonly span?: Span;
  readonly replacements: readonly Replacement[];
  /** Of an undo. */
  readonly target?: EditNode;
  readonly undoneBy: EditNode[];
}

/** Both ends are places of groups, inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly with: readonly Group<EditNode>[];
  readonly after: readonly Group<EditNode>[];
}

export interface Replacement {
  readonly logged: Logged<EditNode>;
  readonly index: number;
  readonly block: Block | null;
}

/** The parameters of live server edits: a key of a later edit takes the place of the same key of an earlier one. */
export function mergeServer(edits: Iterable<EditNode>): JsonObject | undefined {
  let merged: JsonObject | undefined;
  for (const { live, edit } of edits) {
    if (live && edit.kind === 'server') merged = { ...merged, ...edit.params };
  }
  return merged;
}

/**
 * The edits that change between live and undone when `undo` comes into force: its target, and if that is itself an undo
 * the target of that one, as far as it makes a difference.
 */
export function switchedBy(undo: EditNode): EditNode[] {
  const switched = [undo];
  let last = undo;
  let lives = true;
  while (last.target) {
    const { target } = last;
    const cause = last;
    const undone: boolean = lives || target.undoneBy.some((other) => other !== cause && other.live);
    if (target.live === !undone) break;
    switched.push(target);
    last = target;
    lives = !undone;
  }
  return switched;
}
