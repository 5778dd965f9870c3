// Thinking in a history: which has to go before a request, where a turn is open, and what parameters ask for.
export {
  bindsPrefix,
  isAtUserTurn,
  openTurnStart,
  thinkingBlocks,
  thinkingDrops,
  withoutThinkingAt,
} from './thinking-drops.ts';
export {
  isThinkingOn,
  LEAST_THINKING_TOKENS,
  paramFaults,
  withLegalEdits,
} from './thinking-params.ts';
