/** What is compared by questions, from the whole context on. `recorded` is what somebody's compaction left, where there is one. */
export const ARMS = [
  ...(['keep-all', 'recorded', 'ledger+rounds', 'ledger', 'newest', 'random'] as const),
  'shuffled',
] as const;
export type Arm = (typeof ARMS)[number];

/** Share of the tokens before a point that its texts may have. */
export const BUDGET = 0.1;
