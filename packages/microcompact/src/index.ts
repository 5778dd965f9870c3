export {
  decideCacheEdits as experimental_decideCacheEdits,
  pinnedEdits as experimental_pinnedEdits,
} from './cache-edits.ts';
export { candidatesOf, createCandidateFold } from './candidates.ts';
export { decideCount } from './count.ts';
export { isInstructionFile } from './instruction-file.ts';
export { decideLegally } from './legal.ts';
export { explainClearing, microcompact } from './microcompact.ts';
export { CLEARED_RESULT, CLEARED_VALUE } from './placeholder.ts';
export { createMicrocompact, type Microcompact } from './planner.ts';
export { clearingReceipt } from './receipt.ts';
export { decideRent } from './rent/rent.ts';
export { appliedEdits, CONTEXT_MANAGEMENT_BETA, contextManagement } from './server.ts';
export { decideTime } from './time.ts';
export { COMPACTABLE_TOOLS } from './tool-class.ts';
