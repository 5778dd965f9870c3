/**
 * What can be wrong to forget. Vital: what a person said and asked to be kept to, and what state the work is in. The others
 * can be looked up again.
 */
export type FactType =
  | 'user-message'
  | 'constraint'
  | 'file-state'
  | 'open-error'
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
  /** One of the wordings that say so; none where being named is all there is to it. */
  readonly value: FactValue | undefined;
  /** What was true of the key before and no longer is. */
  readonly stale: readonly FactValue[];
  /** Id of the message that said it last. */
  readonly messageId: string;
  /** Index of the message that said it first. */
  readonly born: number;
}

/** `name` is for people; `words` finds any wording of it, and `against` what says the opposite. */
export interface FactValue {
  readonly name: string;
  readonly words: RegExp;
  readonly against?: RegExp;
}

export const VITAL: ReadonlySet<FactType> = new Set<FactType>([
  'user-message',
  'constraint',
  'file-state',
  'open-error',
  'test-status',
  'todo',
  'choice',
  'effect',
  'failed-approach',
]);

/** A vital fact weighs three of the others. */
export const weightOf = (type: FactType): number => (VITAL.has(type) ? 3 : 1);
