import { recordOf } from '@varve/guards';
import type { JsonObject } from '@varve/messages';
import type { Refusal } from '../core/endpoint.ts';
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
  tagged,
  text,
} from '../core/shape.ts';
import { badRequest } from './error-body.ts';

/** What is wrong with the shape of a body, as OpenAI refuses it; undefined where nothing is. */
export function malformed(body: JsonObject, api: 'chat' | 'responses'): Refusal | undefined {
  const problem = (api === 'chat' ? CHAT : RESPONSES)(body);
  return problem && refusalOf(problem);
}

const shared = {
  model: text,
  'stream?': flag,
  'prompt_cache_options?': fields({ 'mode?': text, 'ttl?': text, 'comparison_response_id?': text }),
};

const format = tagged('type', { text: record, json_object: record, json_schema: record });

const breakpoint = { 'prompt_cache_breakpoint?': fields({ mode: oneOf('explicit') }) };

const chatPart = tagged('type', {
  text: fields({ text, ...breakpoint }),
  image_url: fields({ image_url: fields({ url: text }), ...breakpoint }),
  input_audio: fields({ input_audio: record, ...breakpoint }),
  file: fields({ file: record, ...breakpoint }),
  refusal: fields({ refusal: text }),
});

const spoken = fields({ content: either(text, list(chatPart)) });

const chatCall = tagged('type', {
  function: fields({ id: text, function: fields({ name: text, arguments: text }) }),
  custom: fields({ id: text, custom: record }),
});

const CHAT: Shape = fields({
  ...shared,
  messages: list(
    tagged('role', {
      developer: spoken,
      system: spoken,
      user: spoken,
      assistant: fields({
        'content?': either(text, list(chatPart)),
        'tool_calls?': list(chatCall),
      }),
      tool: fields({ tool_call_id: text, content: either(text, list(chatPart)) }),
      function: record,
    }),
  ),
  'tools?': list(
    tagged('type', {
      function: fields({
        function: fields({ name: text, 'description?': text, 'parameters?': record }),
      }),
      custom: fields({ custom: record }),
    }),
  ),
  'stream_options?': fields({ 'include_usage?': flag }),
  'stop?': either(text, list(text)),
  'reasoning_effort?': text,
  'response_format?': format,
});

const part = tagged('type', {
  input_text: fields({ text, ...breakpoint }),
  input_image: fields({ 'image_url?': text, ...breakpoint }),
  input_file: fields({ ...breakpoint }),
  input_audio: fields({ ...breakpoint }),
  output_text: fields({ text }),
  refusal: fields({ refusal: text }),
});

const message = fields({
  role: oneOf('user', 'assistant', 'system', 'developer'),
  content: either(text, list(part)),
});

const TYPED_ITEMS: Readonly<Record<string, Shape>> = {
  message,
  function_call: fields({ call_id: text, name: text, arguments: text }),
  function_call_output: fields({ call_id: text, output: either(text, list(part)) }),
  reasoning: fields({ 'summary?': list(fields({ text })), 'encrypted_content?': text }),
  compaction: fields({ encrypted_content: text }),
};

/** An item without a type is a message; one of the provider's own tools is not looked into. */
const item: Shape = (value) => {
  const { type } = recordOf(value);
  if (type == null) return message(value);
  const known = typeof type === 'string' && Object.hasOwn(TYPED_ITEMS, type);
  return known ? TYPED_ITEMS[type]?.(value) : fields({ type: text })(value);
};

const RESPONSES: Shape = fields({
  ...shared,
  'input?': either(text, list(item)),
  'instructions?': text,
  'tools?': list(fields({ type: text, 'name?': text, 'description?': text })),
  'reasoning?': fields({ 'effort?': text }),
  'text?': fields({ 'format?': format, 'verbosity?': text }),
  'include?': list(text),
  'context_management?': list(fields({ type: oneOf('compaction'), 'compact_threshold?': integer })),
});

function refusalOf({ path, kind, expected, found }: ShapeProblem): Refusal {
  const name = path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at ? `.${key}` : key));
  const param = name.join('');
  if (kind === 'missing') {
    const text = `Missing required parameter: '${param}'.`;
    return badRequest(text, param, 'missing_required_parameter');
  }
  if (kind === 'type') {
    const text = `Invalid type for '${param}': expected ${expected.join(' or ')}, but got ${typeName(found)} instead.`;
    return badRequest(text, param, 'invalid_type');
  }
  const values = expected.map((value) => `'${value}'`).join(', ');
  const text = `Invalid value: '${String(found)}'. Supported values are: ${values}.`;
  return badRequest(text, param, 'invalid_value');
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
