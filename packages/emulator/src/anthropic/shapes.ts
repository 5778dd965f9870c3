import type { JsonObject } from '@varve/messages';
import {
  either,
  fields,
  flag,
  integer,
  list,
  oneOf,
  record,
  type Shape,
  type ShapeProblem,
  type TypeName,
  tagged,
  text,
} from '../core/shape.ts';

/** What is wrong with the shape of a body, in the provider's words; undefined where nothing is. */
export function malformedPart(body: JsonObject): string | undefined {
  const problem = BODY(body);
  return problem && wordsOf(problem);
}

const media = fields({ media_type: text, data: text });

const source = tagged('type', {
  base64: media,
  text: media,
  url: fields({ url: text }),
  file: fields({ file_id: text }),
  content: fields({ content: either(text, list(record)) }),
});

const shown = {
  text: fields({ text }),
  image: fields({ source }),
  document: fields({ source, 'citations?': record }),
  search_result: record,
};

const result = tagged('type', { ...shown, tool_reference: record, browser_state: record });

const SERVER_RESULTS = [
  'web_search',
  'web_fetch',
  'advisor',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search',
  'mcp',
].map((name) => [`${name}_tool_result`, fields({ tool_use_id: text })] as const);

const call = fields({ id: text, name: text, input: record });

// blocks of requests in @anthropic-ai/sdk 1.14.0
const block = tagged('type', {
  ...shown,
  ...Object.fromEntries(SERVER_RESULTS),
  tool_use: call,
  server_tool_use: call,
  mcp_tool_use: call,
  tool_result: fields({
    tool_use_id: text,
    'content?': either(text, list(result)),
    'is_error?': flag,
  }),
  mcp_tool_result: fields({ tool_use_id: text }),
  thinking: fields({ thinking: text, signature: text }),
  redacted_thinking: fields({ data: text }),
  compaction: fields({ 'content?': text }),
  container_upload: record,
  fallback: record,
  mcp_tool_listing: record,
  tool_addition: record,
  tool_removal: record,
});

const amount = (...types: readonly string[]): Shape =>
  fields({ type: oneOf(...types), value: integer });

const edit: Shape = tagged('type', {
  clear_tool_uses_20250919: fields({
    'trigger?': amount('input_tokens', 'tool_uses'),
    'keep?': amount('tool_uses'),
    'clear_at_least?': amount('input_tokens'),
    'exclude_tools?': list(text),
    'clear_tool_inputs?': either(flag, list(text)),
  }),
  clear_thinking_20251015: fields({
    'keep?': either(
      oneOf('all'),
      tagged('type', { all: record, thinking_turns: fields({ value: integer }) }),
    ),
  }),
  compact_20260112: fields({
    'trigger?': amount('input_tokens'),
    'pause_after_compaction?': flag,
    'instructions?': text,
  }),
});

const BODY = fields({
  model: text,
  messages: list(
    fields({
      role: oneOf('user', 'assistant', 'system'),
      content: either(text, list(block)),
    }),
  ),
  'system?': either(text, list(tagged('type', { text: fields({ text }) }))),
  'tools?': list(
    fields({ 'name?': text, 'type?': text, 'description?': text, 'input_schema?': record }),
  ),
  'tool_choice?': tagged('type', {
    auto: record,
    any: record,
    none: record,
    tool: fields({ name: text }),
  }),
  'thinking?': fields({ type: text }),
  'stream?': flag,
  'stop_sequences?': list(text),
  'metadata?': record,
  'diagnostics?': record,
  'output_config?': fields({
    'effort?': oneOf('low', 'medium', 'high', 'xhigh', 'max'),
    'format?': record,
  }),
  'speed?': oneOf('standard', 'fast'),
  'context_management?': fields({ 'edits?': list(edit) }),
  'compaction?': record,
});

const TYPES: Readonly<Record<TypeName, string>> = {
  string: 'string',
  boolean: 'boolean',
  number: 'number',
  integer: 'integer',
  object: 'dictionary',
  array: 'list',
};

function wordsOf({ path, kind, expected, found }: ShapeProblem): string {
  const at = path.join('.');
  if (kind === 'missing') return `${at}: Field required`;
  if (kind === 'type') {
    const types = expected.map((name) => TYPES[name as TypeName] ?? name);
    return `${at}: Input should be a valid ${types.join(' or ')}`;
  }
  const values = expected.map((value) => `'${value}'`);
  return path.at(-1) === 'type'
    ? `${path.slice(0, -1).join('.')}: Input tag '${String(found)}' found using 'type' does not match any of the expected tags: ${values.join(', ')}`
    : `${at}: Input should be ${values.join(' or ')}`;
}
