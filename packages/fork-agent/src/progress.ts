// A few words about a child at work.
export { createProgress } from './progress/progress.ts';
