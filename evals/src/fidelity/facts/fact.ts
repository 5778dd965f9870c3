/**
 * What can be wrong to forget. Vital: what a person said and asked to be kept to, what the assistant found, and what state the
 * work is in. The others can be looked up again.
 */
export type FactType =
  | 'user-message'
  | 'constraint'
  | 'said'
  | 'file-state'
  | 'open-error'
  | 'outcome'
  | 'test-status'
  | 'todo'
  | 'choice'
  | 'effect'
  | 'failed-approach'
  | 'file-read'
  | 'command'
  | 'literal';

/** A fact as it stands at a cut; `value` is what is currently true of `key`. */
export interface Fact {
  readonly type: FactType;
  readonly key: string;
  /** What is true of it; none where being named is all there is to it. */
  readonly value: FactValue | undefined;
  /** What was true of the key before and no longer is. */
  readonly stale: readonly FactValue[];
  /** Id of the message that said it last. */
  readonly messageId: string;
  /** Index of the message that said it first. */
  readonly born: number;
  /** Words that have to stand together, of what was said in words of its own. */
  readonly terms?: readonly string[] | undefined;
}

/** `name` is the state, for people and for telling two of them apart. */
export type FactValue =
  | { readonly kind: 'file'; readonly name: 'there' | 'deleted' }
  | { readonly kind: 'outcome'; readonly name: 'ok' | 'failed' }
  | {
      readonly kind: 'counts';
      readonly name: string;
      readonly passed: number;
      readonly failed: number;
    }
  | { readonly kind: 'todo'; readonly name: 'done' | 'in-progress' | 'pending' }
  /** What went wrong and nobody has put right; one of the lines that say so is enough. */
  | { readonly kind: 'error'; readonly name: string; readonly lines: readonly string[] }
  /** One of several; `others` are those it could have been. */
  | { readonly kind: 'answer'; readonly name: string; readonly others: readonly string[] };

export const VITAL: ReadonlySet<FactType> = new Set<FactType>([
  'user-message',
  'constraint',
  'said',
  'file-state',
  'open-error',
  'outcome',
  'test-status',
  'todo',
  'choice',
  'effect',
  'failed-approach',
]);

/** A vital fact weighs three of the others. */
export const weightOf = (type: FactType): number => (VITAL.has(type) ? 3 : 1);
