import { isRecord } from '@varve/guards';
import type { OpenAIResponsesItem, OpenAIResponsesItemLike } from './openai-responses-types.ts';

/** Items that nothing of ours is like: they travel as blocks of their own type, untouched in both directions. */
export function isPassedItem(value: object): value is OpenAIResponsesItem {
  const { type } = value as OpenAIResponsesItemLike;
  // Anthropic has a block of this name as well, and there the summary can be read.
  if (type === 'compaction') return 'encrypted_content' in value && !('content' in value);
  return typeof type === 'string' && (PASSED_BY_ASSISTANT.has(type) || PASSED_BY_USER.has(type));
}

/** Those of them that answer something, and so stand on the user's side. */
export function isPassedOutput(value: unknown): boolean {
  return isRecord(value) && PASSED_BY_USER.has(value.type as string);
}

const PASSED_BY_ASSISTANT = new Set([
  'reasoning',
  'apply_patch_call',
  'code_interpreter_call',
  'computer_call',
  'file_search_call',
  'image_generation_call',
  'item_reference',
  'local_shell_call',
  'mcp_approval_request',
  'mcp_call',
  'mcp_list_tools',
  'shell_call',
  'tool_search_call',
  'web_search_call',
]);

const PASSED_BY_USER = new Set([
  'apply_patch_call_output',
  'computer_call_output',
  'local_shell_call_output',
  'mcp_approval_response',
  'shell_call_output',
  'tool_search_output',
]);
