export type { CallFacts } from './call-facts.ts';
export type { Candidate, Candidates, Protection, ThinkingPlace } from './candidate.ts';
export {
  type CandidateFold,
  type CandidateOptions,
  candidatesOf,
  createCandidateFold,
} from './candidates.ts';
export { isInstructionFile } from './instruction-file.ts';
export { CLEARED_RESULT, CLEARED_VALUE } from './placeholder.ts';
export { findHandle } from './stored-handle.ts';
export { COMPACTABLE_TOOLS, type ToolClass } from './tool-class.ts';
