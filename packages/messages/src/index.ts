export { checkHistory } from './check-history.ts';
export { checkRequest } from './check-request.ts';
export { closeRound } from './close-round.ts';
export { MessagesError } from './error.ts';
export { fingerprint } from './fingerprint.ts';
export {
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  promptTokens,
  toolResults,
  toolUses,
} from './guards.ts';
export { legalCuts } from './legal-cuts.ts';
export type { Plan, PlanContext, Planner } from './planner.ts';
export {
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type ThinkingRule,
} from './profiles.ts';
export { createProjection, project } from './projection.ts';
export { repairHistory } from './repair.ts';
export { apiRounds } from './rounds.ts';
export { parseEntry, serializeEntry } from './serialize.ts';
export { stableStringify } from './stable-json.ts';
export type * from './types.ts';
