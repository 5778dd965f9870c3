export { explainClearing, microcompact } from './microcompact.ts';
export { CLEARED_RESULT } from './placeholder.ts';
export { createMicrocompact, type Microcompact } from './planner.ts';
export { COMPACTABLE_TOOLS } from './tool-class.ts';
