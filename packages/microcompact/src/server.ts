import type { Json, JsonObject } from '@varve/messages';
import { checkServer } from './check-options.ts';

/** Clearing by the provider, which leaves local messages and preserved thinking alone. Sizes in tokens. */
export interface ServerClearingOptions {
  /**
   * Prompt size from which the provider clears.
   * @default 180_000
   */
  readonly triggerTokens?: number | undefined;
  /**
   * The provider clears nothing unless so much goes at once.
   * @default 140_000
   */
  readonly clearAtLeastTokens?: number | undefined;
  /** Newest calls whose results stay. @default the provider's, 3 */
  readonly keepToolUses?: number | undefined;
  /** Tools whose results stay: the provider knows nothing of `compactableTools`. @default none */
  readonly excludeTools?: readonly string[] | undefined;
  /** Clear inputs too: of all tools, or of these. @default false */
  readonly clearToolInputs?: boolean | readonly string[] | undefined;
  /** Turns whose thinking stays, or all; left to the provider when not set. */
  readonly keepThinking?: number | 'all' | undefined;
}

const TOOL_USES = 'clear_tool_uses_20250919';
const THINKING = 'clear_thinking_20251015';

/**
 * Request parameters for clearing by Anthropic: `{ context_management: { edits } }`, thinking first, as the provider
 * wants it (platform.claude.com, "Context editing", read in November 2026).
 */
export function contextManagement(options: ServerClearingOptions = {}): JsonObject {
  checkServer(options);
  const { triggerTokens = 180_000, clearAtLeastTokens = 140_000, keepThinking } = options;
  const { keepToolUses, excludeTools = [], clearToolInputs = false } = options;
  const toolUses: JsonObject = {
    type: TOOL_USES,
    trigger: { type: 'input_tokens', value: triggerTokens },
    ...(keepToolUses !== undefined && { keep: { type: 'tool_uses', value: keepToolUses } }),
    ...(clearAtLeastTokens > 0 && {
      clear_at_least: { type: 'input_tokens', value: clearAtLeastTokens },
    }),
    ...(excludeTools.length > 0 && { exclude_tools: excludeTools }),
    ...(clearToolInputs !== false && { clear_tool_inputs: clearToolInputs }),
  };
  const thinking = keepThinking === undefined ? [] : [thinkingEdit(keepThinking)];
  return { context_management: { edits: [...thinking, toolUses] } };
}

/** The parameters with what others asked the provider for (a compaction, say) behind them, as live edits carry it. */
export function besideOthers(wanted: JsonObject, server: JsonObject | undefined): JsonObject {
  const own = fieldOf(wanted.context_management, 'edits') as readonly Json[];
  const live = server?.context_management;
  const edits = fieldOf(live, 'edits');
  const others = Array.isArray(edits) ? (edits as readonly Json[]).filter(isOthers) : [];
  return { context_management: { ...(live as JsonObject), edits: [...own, ...others] } };
}

const isOthers = (edit: Json): boolean =>
  ![TOOL_USES, THINKING].includes(String(fieldOf(edit, 'type')));

function thinkingEdit(keep: number | 'all'): JsonObject {
  return {
    type: THINKING,
    keep: keep === 'all' ? 'all' : { type: 'thinking_turns', value: Math.max(1, keep) },
  };
}

/** What the provider says it cleared for one response. */
export type AppliedEdit =
  | { readonly kind: 'tool-uses'; readonly cleared: number; readonly clearedTokens: number }
  | { readonly kind: 'thinking-turns'; readonly cleared: number; readonly clearedTokens: number }
  | { readonly kind: 'other'; readonly type: string };

/** Reads the applied edits out of a response or the final `message_delta` of a stream; none when it names none. */
export function appliedEdits(response: unknown): readonly AppliedEdit[] {
  const management = fieldOf(response, 'context_management') as Json | undefined;
  const edits = fieldOf(management, 'applied_edits');
  return Array.isArray(edits) ? edits.flatMap(readEdit) : [];
}

function readEdit(edit: unknown): AppliedEdit[] {
  const type = fieldOf(edit, 'type');
  if (typeof type !== 'string') return [];
  const clearedTokens = countOf(edit, 'cleared_input_tokens');
  if (type === TOOL_USES) {
    return [{ kind: 'tool-uses', cleared: countOf(edit, 'cleared_tool_uses'), clearedTokens }];
  }
  if (type !== THINKING) return [{ kind: 'other', type }];
  return [
    { kind: 'thinking-turns', cleared: countOf(edit, 'cleared_thinking_turns'), clearedTokens },
  ];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function countOf(edit: unknown, name: string): number {
  const found = fieldOf(edit, name);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : 0;
}
