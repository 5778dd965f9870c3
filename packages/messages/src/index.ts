export { fingerprint } from './fingerprint.ts';
export {
  isMedia,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  promptTokens,
  toolResults,
  toolUses,
} from './guards.ts';
export { stableStringify } from './stable-json.ts';
export type * from './types.ts';
