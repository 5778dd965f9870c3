export { checkHistory } from './check-history.ts';
export { checkMessages } from './check-messages.ts';
export { checkRequest } from './check-request.ts';
export { closeRound } from './close-round.ts';
export { cutMiddle, cutText } from './cut-text.ts';
export { MessagesError } from './error.ts';
export { fingerprint } from './fingerprint.ts';
export {
  isMedia,
  isText,
  isThinking,
  isThought,
  isToolResult,
  isToolUse,
  promptTokens,
  toolResults,
  toolUses,
} from './guards.ts';
export { legalCuts, roundCuts } from './legal-cuts.ts';
export { type BlockLike, blocksOf, type MessageLike } from './like.ts';
export { broughtMessages, logOf, partsSpan } from './log-index.ts';
export { readPlain } from './plain-value.ts';
export type { Plan, PlanContext, Planner } from './planner.ts';
export {
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type ThinkingRule,
} from './profiles.ts';
export { createProjection, type Projection, project } from './projection.ts';
export { type EditReceipt, editReceipt } from './receipt.ts';
export { repairHistory } from './repair.ts';
export { apiRounds } from './rounds.ts';
export { parseEntry, serializeEntry } from './serialize.ts';
export { createSharedStart } from './shared-start.ts';
export { stableStringify } from './stable-json.ts';
export { createRequestStamp, headFingerprint, prefixFingerprint, stampHolds } from './stamp.ts';
export { checkToolNames, toolLabel } from './tool-names.ts';
export type * from './types.ts';
export { canCarryMarker } from './validity-markers.ts';
export { writtenForm } from './written-form.ts';
