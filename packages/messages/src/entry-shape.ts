import type { Fields } from '@varve/guards';
import { MessagesError } from './error.ts';
import {
  anything,
  boolean,
  choice,
  type Fault,
  fields,
  index,
  list,
  matching,
  nullable,
  number,
  oneOf,
  optional,
  record,
  type Shape,
  text,
  within,
} from './shape.ts';
import { STOP_REASONS } from './stop-reasons.ts';
import type { Entry } from './types.ts';

/** Throws `invalid-entry` with the place of the first field that is not as `types.ts` has it. */
export function checkEntry(value: unknown): asserts value is Entry {
  const fault = faultOf(value);
  if (!fault) return;
  throw new MessagesError('invalid-entry', `Expected entry${fault.at} to be ${fault.expected}.`);
}

function faultOf(value: unknown): Fault | undefined {
  try {
    return entry(value);
  } catch (error) {
    if (error instanceof RangeError) return { at: '', expected: 'nested less deeply' };
    throw error;
  }
}

/**
 * ISO 8601 in UTC, to the second or finer: what `Date.parse` takes of it, day 31 of a shorter month included. One pattern, since
 * it runs for every line of a log.
 */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)Z$/;

const instant = matching(
  'a time like 2026-01-31T12:00:00Z',
  (value) => typeof value === 'string' && INSTANT.test(value),
);

// Asked for by name: these run for every block of every line of a log.
const textBlock = ({ text: value }: Fields) => within('.text', text(value));

const toolUse = ({ id, name, input }: Fields) =>
  within('.id', text(id)) ?? within('.name', text(name)) ?? within('.input', anything(input));

const toolResult = ({ tool_use_id: id, content, is_error: isError }: Fields) =>
  within('.tool_use_id', text(id)) ??
  within('.content', optionalContent(content)) ??
  within('.is_error', optionalBoolean(isError));

const block: Shape = choice(
  'type',
  new Map([
    ['text', textBlock],
    ['thinking', fields({ thinking: text, signature: text })],
    ['redacted_thinking', fields({ data: text })],
    ['tool_use', toolUse],
    ['tool_result', toolResult],
    ['image', fields({ source: anything })],
    ['document', fields({ source: anything })],
  ]),
  record,
);

function resultContent(value: unknown): Fault | undefined {
  if (typeof value === 'string') return undefined;
  return Array.isArray(value) ? blocks(value) : { at: '', expected: 'a string or a list' };
}

const optionalContent = optional(resultContent);
const optionalBoolean = optional(boolean);

const tokens = optional(nullable(number));

const usage = fields({
  input_tokens: number,
  output_tokens: number,
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation: optional(
    nullable(
      fields({
        ephemeral_5m_input_tokens: optional(number),
        ephemeral_1h_input_tokens: optional(number),
      }),
    ),
  ),
  output_tokens_details: optional(nullable(fields({ thinking_tokens: optional(number) }))),
});

const response = fields({
  id: text,
  model: text,
  stopReason: oneOf(...STOP_REASONS),
  usage: optional(usage),
  request: optional(
    fields({ headId: text, messageCount: index, fingerprint: text, startedAtMs: number }),
  ),
});

const role = oneOf('user', 'assistant', 'system');
const blocks = list(block);
const origin = optional(
  fields({ kind: oneOf('tool', 'reminder', 'command', 'summary', 'synthetic', 're-read') }),
);
const createdAt = optional(instant);
const optionalResponse = optional(response);

const messageFields = (value: Fields) =>
  within('.id', text(value.id)) ??
  within('.role', role(value.role)) ??
  within('.content', blocks(value.content)) ??
  within('.origin', origin(value.origin)) ??
  within('.createdAt', createdAt(value.createdAt)) ??
  within('.response', optionalResponse(value.response));

const message: Shape = (value) => record(value) ?? messageFields(value as Fields);

const toolFields = fields({ name: optional(text), description: optional(text) });
/** A tool that the provider has may go by its type alone. */
const tool: Shape = (value) => {
  const fault = toolFields(value);
  if (fault) return fault;
  const { name, type } = value as { readonly name?: unknown; readonly type?: unknown };
  return name === undefined && typeof type !== 'string'
    ? { at: '.name', expected: 'a string' }
    : undefined;
};

const head = fields({
  id: text,
  model: text,
  system: list(fields({ type: oneOf('text'), text })),
  tools: list(tool),
  params: record,
});

const edit = choice(
  'kind',
  new Map([
    [
      'replace-content',
      fields({ blocks: list(fields({ messageId: text, index, block: nullable(block) })) }),
    ],
    [
      'replace-span',
      fields({ fromId: text, toId: text, with: list(message), then: list(message) }),
    ],
    ['server', fields({ params: record })],
    ['undo', fields({ entryId: text })],
  ]),
);

const bodies = choice(
  'type',
  new Map([
    ['head', fields({ head })],
    ['message', (value: Fields) => within('.message', message(value.message))],
    ['edit', fields({ by: text, reason: text, receipt: optional(record), edit })],
    ['note', fields({ by: text, data: anything })],
  ]),
);

const envelope = (value: Fields) =>
  within('.id', text(value.id)) ?? within('.at', instant(value.at));
const entry: Shape = (value) => record(value) ?? envelope(value as Fields) ?? bodies(value);
