export { createFold } from './fold/planner.ts';
