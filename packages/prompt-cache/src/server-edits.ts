import { recordOf } from '@varve/guards';
import type { Json, JsonObject, Request } from '@varve/messages';

/** When an edit fires: over this many prompt tokens, or tool uses. */
interface EditTrigger {
  readonly type: 'input_tokens' | 'tool_uses';
  readonly value: number;
}

export interface ClearToolUsesEdit {
  readonly type: 'clear_tool_uses_20250919';
  readonly trigger: EditTrigger;
  /** How many of the newest tool uses keep their results. */
  readonly keepToolUses: number;
  /** Tokens; less is not cleared at all. */
  readonly clearAtLeastTokens: number;
  readonly excludeTools: readonly string[];
  /** Whether inputs are cleared too: of all tools, or of those named. */
  readonly clearInputs: boolean | readonly string[];
}

export interface ClearThinkingEdit {
  readonly type: 'clear_thinking_20251015';
  /** Turns, `'all'`, or `undefined` where the model's own default holds. */
  readonly keepTurns: number | 'all' | undefined;
}

export type ServerEdit = ClearToolUsesEdit | ClearThinkingEdit;

export interface ServerEdits {
  readonly edits: readonly ServerEdit[];
  /** Types that need a model or that nobody has described: the view leaves them out. */
  readonly unsimulated: readonly string[];
}

/** The server-side edits of a request with the documented default in every field that is left out. */
export function readServerEdits({ server = {} }: Pick<Request, 'server'>): ServerEdits {
  const edits: ServerEdit[] = [];
  const unsimulated: string[] = [];
  if (server.compaction !== undefined) unsimulated.push('compaction');
  for (const edit of list(record(server.context_management).edits).map(record)) {
    if (edit.type === 'clear_tool_uses_20250919') edits.push(clearToolUses(edit));
    else if (edit.type === 'clear_thinking_20251015') edits.push(clearThinking(edit));
    else unsimulated.push(String(edit.type));
  }
  return { edits, unsimulated };
}

function clearToolUses(edit: JsonObject): ClearToolUsesEdit {
  const { clear_tool_inputs: inputs } = edit;
  const trigger = record(edit.trigger);
  return {
    type: 'clear_tool_uses_20250919',
    trigger: {
      type: trigger.type === 'tool_uses' ? 'tool_uses' : 'input_tokens',
      value: numberOr(trigger.value, 100_000),
    },
    keepToolUses: numberOr(record(edit.keep).value, 3),
    clearAtLeastTokens: numberOr(record(edit.clear_at_least).value, 0),
    excludeTools: list(edit.exclude_tools).map(String),
    clearInputs: Array.isArray(inputs) ? inputs.map(String) : inputs === true,
  };
}

function clearThinking({ type, keep }: JsonObject): ClearThinkingEdit {
  const isAll = keep === 'all' || record(keep).type === 'all';
  const { value } = record(keep);
  const keepTurns = isAll ? 'all' : typeof value === 'number' ? value : undefined;
  return { type: type as ClearThinkingEdit['type'], keepTurns };
}

const record = (value: Json | undefined): JsonObject => recordOf(value) as JsonObject;

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const numberOr = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;
