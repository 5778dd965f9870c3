export { isObjectInput, withObjectInput } from './call-input.ts';
export { callStop } from './call-stop.ts';
export { checkMessages } from './check-messages.ts';
export { type CloseRoundOptions, closeRound } from './close-round.ts';
export { type CutMiddleOptions, type CutTextOptions, cutMiddle, cutText } from './cut-text.ts';
export { legalCuts, nearestLegalCut, roundCuts } from './cuts.ts';
export { MessagesError, type MessagesErrorCode } from './error.ts';
export { NO_OUTPUT } from './failed-result.ts';
export { fingerprint } from './fingerprint.ts';
export { createHistoryFit, type FitNews } from './fit-history.ts';
export { describeForeign, refuseForeign } from './foreign.ts';
export {
  isCallLike,
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
export { type BlockLike, blocksOf, type MessageLike } from './like.ts';
export { type Bringer, broughtMessages, type LogIndex, logOf, partsSpan } from './log-index.ts';
export { IMAGE_TYPES, mediaFault } from './media-check.ts';
export { openRequests, type Requests } from './open-requests.ts';
export {
  injectedTexts,
  isPerson,
  isSummary,
  isSynthetic,
  NOTES_OPENING,
  personBlocks,
  type SplitText,
  SUMMARY_OPENING,
  splitInjected,
} from './persons.ts';
export { readPlain } from './plain-value.ts';
export type { Plan, PlanCache, PlanContext, PlanLimits, Planner, PlanPrices } from './planner.ts';
export {
  type AnthropicProfileOptions,
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type ThinkingRule,
} from './profiles.ts';
export { createProjection, type Projection, project } from './projection.ts';
export { type RepairOptions, type RepairResult, repairHistory } from './repair.ts';
export type { Repair, RepairKind } from './repair-draft.ts';
export { apiRounds } from './rounds.ts';
export { parseEntry, serializeEntry } from './serialize.ts';
export {
  isPaused,
  type ReplyRepair,
  type SoundReply,
  soundReply,
} from './sound-reply.ts';
export { stableStringify } from './stable-json.ts';
export { createRequestStamp, headFingerprint, prefixFingerprint, stampHolds } from './stamp.ts';
export { isProviderStopReason } from './stop-reasons.ts';
export {
  type StoppedSectionOptions,
  stoppedSection,
  withoutStoppedSection,
} from './stopped-requests.ts';
export {
  STORED_TAG,
  type StoredExtension,
  safeFileName,
  storedHandle,
  storedHandleOf,
} from './stored-result.ts';
export { syntheticResult } from './synthetic-result.ts';
export {
  bindsPrefix,
  isAtUserTurn,
  openTurnStart,
  type ThinkingDropOptions,
  type ThinkingDrops,
  thinkingBlocks,
  thinkingDrops,
  withoutThinking,
  withoutThinkingAt,
} from './thinking.ts';
export {
  alwaysThinks,
  isThinkingOn,
  LEAST_THINKING_TOKENS,
  type ParamFault,
  paramFaults,
  withLegalEdits,
} from './thinking-params.ts';
export { checkToolNames, toolLabel } from './tool-names.ts';
export type * from './types.ts';
export { type CheckOptions, checkHistory } from './validity.ts';
export { canCarryMarker } from './validity-markers.ts';
export { checkRequest, type RequestLike } from './validity-request.ts';
export type { Violation, ViolationCode } from './violation.ts';
export { isWellFormed, toWellFormed } from './well-formed.ts';
