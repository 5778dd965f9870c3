import type { FactType } from './fact.ts';

interface Importance {
  readonly vital: boolean;
  /** From 1 to 10. */
  readonly weight: number;
}

/**
 * How much is lost with a fact. Vital ones are those of the fidelity metric's weight 3: nobody can find them again by looking
 * at the working folder, or acting without them undoes work.
 */
const TABLE: Readonly<Record<FactType, Importance>> = {
  // what the person decided stands above everything, and can be had from nowhere else
  rule: { vital: true, weight: 10 },
  'user-message': { vital: true, weight: 10 },
  choice: { vital: true, weight: 10 },
  // starting a task twice, or publishing twice, cannot be taken back
  'background-task': { vital: true, weight: 9 },
  effect: { vital: true, weight: 9 },
  // where the work stands
  todo: { vital: true, weight: 8 },
  'test-status': { vital: true, weight: 8 },
  file: { vital: true, weight: 8 },
  standing: { vital: true, weight: 9 },
  // what was found and decided, what was done and why it fails
  said: { vital: true, weight: 7 },
  edit: { vital: true, weight: 7 },
  failure: { vital: true, weight: 7 },
  // what need not be found out again
  error: { vital: true, weight: 6 },
  'failed-approach': { vital: true, weight: 6 },
  // one call gets these back
  skill: { vital: false, weight: 3 },
  command: { vital: false, weight: 2 },
  literal: { vital: false, weight: 2 },
  'file-read': { vital: false, weight: 2 },
};

/** Importance of a type of fact. */
export function importanceOf(type: FactType): Importance {
  return TABLE[type];
}
