export { explainClearing, microcompact } from './microcompact.ts';
export { createMicrocompact } from './planner.ts';
