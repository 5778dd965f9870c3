import { isRecord } from '@varve/guards';
import { z } from 'zod';
import { STOP_REASONS } from './stop-reasons.ts';
import type {
  Block,
  Edit,
  Entry,
  Head,
  Json,
  JsonObject,
  Message,
  MessageResponse,
  Usage,
} from './types.ts';

// On hot paths `parseEntry` does the same work several times faster; a law holds the two together.

const present = z.unknown().refine((value) => value !== undefined, 'Expected a value');
const record = z.custom<JsonObject>(isRecord, 'Expected an object');
const tokens = z.number().nullable().exactOptional();
const index = z.number().refine((value) => Number.isInteger(value) && value >= 0);

/** ISO 8601 in UTC, to the second or finer. */
const instant = z
  .string()
  .refine(
    (value) => INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
    'Expected a time in UTC',
  );

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const text = z.looseObject({ type: z.literal('text'), text: z.string() });

const named = [
  text,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: present,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.lazy(() => blockSchema))]).exactOptional(),
    is_error: z.boolean().exactOptional(),
  }),
  z.looseObject({ type: z.literal('image'), source: present }),
  z.looseObject({ type: z.literal('document'), source: present }),
] as const;

const NAMES: ReadonlySet<string> = new Set(named.map((schema) => schema.shape.type.value));

const other = z.looseObject({
  type: z.string().refine((type) => !NAMES.has(type), 'Expected the fields of this block type'),
});

/** A content block: one with a name here has its fields, any other may hold anything. */
export const blockSchema: z.ZodType<Block> = z.union([...named, other]);

const usageSchema: z.ZodType<Usage> = z.looseObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation: z
    .looseObject({
      ephemeral_5m_input_tokens: z.number().exactOptional(),
      ephemeral_1h_input_tokens: z.number().exactOptional(),
    })
    .nullable()
    .exactOptional(),
  output_tokens_details: z
    .looseObject({ thinking_tokens: z.number().exactOptional() })
    .nullable()
    .exactOptional(),
});

const responseSchema: z.ZodType<MessageResponse> = z.looseObject({
  id: z.string(),
  model: z.string(),
  stopReason: z.enum(STOP_REASONS),
  usage: usageSchema.exactOptional(),
  request: z
    .looseObject({
      headId: z.string(),
      messageCount: index,
      fingerprint: z.string(),
      startedAtMs: z.number(),
    })
    .exactOptional(),
});

const originKind = z.enum(['tool', 'reminder', 'command', 'summary', 'synthetic', 're-read']);

/** A message of the log. */
export const messageSchema: z.ZodType<Message> = z.looseObject({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  content: z.array(blockSchema),
  origin: z.looseObject({ kind: originKind }).catchall(z.custom<Json>()).exactOptional(),
  createdAt: instant.exactOptional(),
  response: responseSchema.exactOptional(),
});

/** What stands in front of the messages. */
export const headSchema: z.ZodType<Head> = z.looseObject({
  id: z.string(),
  model: z.string(),
  system: z.array(text),
  tools: z.array(
    z
      .looseObject({ name: z.string().exactOptional(), description: z.string().exactOptional() })
      .refine(({ name, type }) => name !== undefined || typeof type === 'string', {
        message: 'Expected a name, or the type of a tool that the provider has',
      }),
  ),
  params: record,
});

/** One of the four kinds of edits. */
export const editSchema: z.ZodType<Edit> = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('replace-content'),
    blocks: z.array(z.looseObject({ messageId: z.string(), index, block: blockSchema.nullable() })),
  }),
  z.looseObject({
    kind: z.literal('replace-span'),
    fromId: z.string(),
    toId: z.string(),
    with: z.array(messageSchema),
    then: z.array(messageSchema),
  }),
  z.looseObject({ kind: z.literal('server'), params: record }),
  z.looseObject({ kind: z.literal('undo'), entryId: z.string() }),
]);

const envelope = { id: z.string(), at: instant };

/** One line of the log, as it comes from `JSON.parse`. */
export const entrySchema: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.looseObject({ ...envelope, type: z.literal('head'), head: headSchema }),
  z.looseObject({ ...envelope, type: z.literal('message'), message: messageSchema }),
  z.looseObject({
    ...envelope,
    type: z.literal('edit'),
    by: z.string(),
    reason: z.string(),
    receipt: record.exactOptional(),
    edit: editSchema,
  }),
  z.looseObject({
    ...envelope,
    type: z.literal('note'),
    by: z.string(),
    data: z.custom<Json>((value) => value !== undefined, 'Expected a value'),
  }),
]);
