export { type BreakDetector, createBreakDetector } from './break-detector.ts';
export type { CacheBreak } from './cache-break.ts';
export { cachePolicy } from './cache-policy.ts';
export type { CacheResult } from './cache-result.ts';
export { definePolicy } from './define-policy.ts';
export { compareDiagnosis } from './diagnosis.ts';
export { PromptCacheError } from './error.ts';
export { explainBreak } from './explain-break.ts';
export { checkMarkers } from './marker-check.ts';
export { type Marked, placeMarkers } from './markers.ts';
export {
  ANTHROPIC,
  BLOCK_CACHE,
  DEEPSEEK,
  GEMINI_IMPLICIT,
  NO_CACHE,
  OPENAI_BREAKPOINTS,
  OPENAI_IMPLICIT,
} from './policies.ts';
export type { CachePolicy } from './policy.ts';
export { renderPrefix } from './render.ts';
export { createServerView, serverView } from './server-view.ts';
export { type CacheSimulator, createCacheSimulator } from './simulator.ts';
export { steadyTools } from './steady-tools.ts';
