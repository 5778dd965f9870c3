import type { ToolResultBlock } from './types.ts';

/** The result a call is closed with when nobody knows what came of it. Same call, same bytes. */
export function syntheticResult(toolUseId: string): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: UNKNOWN_OUTCOME,
    is_error: true,
  };
}

const UNKNOWN_OUTCOME =
  'No result of this call was recorded. It may have run in full, in part or not at all: check before repeating it.';
