import type { Head, Message, Request } from '@varve/messages';
import { createSharedStart } from '@varve/messages/stamps';
import { z } from 'zod';
import { deepFreeze } from '../session/freeze.ts';
import type { RequestDigests } from './request-digests.ts';

/** Tells whether a value is built like a request. Whether a provider would accept it is another question. */
export interface RequestShape {
  /** A message of the past needs no look; it is frozen. */
  trust(message: Message): void;
  /**
   * Throws a `TypeError` that says what is wrong and where. Each message and head is looked at once, and frozen: it is the same for
   * as long as it is sent.
   */
  check(value: unknown): asserts value is Request;
}

export interface RequestShapeOptions {
  readonly head: Head;
  readonly digests: RequestDigests;
}

/** Creates a check for the requests of one strategy on one session. */
export function createRequestShape({ head, digests }: RequestShapeOptions): RequestShape {
  const seen = new WeakSet<object>([head]);
  const sharedWithLast = createSharedStart<Message>();
  const look = (part: unknown, schema: z.ZodType, place: () => string): void => {
    if (typeof part === 'object' && part !== null && seen.has(part)) return;
    const { error } = schema.safeParse(part);
    if (error) throw malformed(error, place());
    digests.read(part as Head | Message);
    seen.add(deepFreeze(part as object));
  };
  return {
    trust: (message) => void seen.add(deepFreeze(message)),
    check(value) {
      const { messages } = value as Partial<Request>;
      // each of them is looked at below
      const isList = Array.isArray(messages);
      const { error, data } = requestSchema.safeParse(
        isList ? { ...(value as object), messages: [] } : value,
      );
      if (error) throw malformed(error, 'the request');
      look(data.head, headSchema, () => 'its head');
      const list = messages as readonly Message[];
      for (let at = sharedWithLast(list); at < list.length; at++) {
        look(list[at], messageSchema, () => `its message ${at}`);
      }
      const { model } = data.head as Head;
      if (model === head.model) return;
      throw new TypeError(
        `it asked for the model ${model}; the session is priced as ${head.model}`,
      );
    },
  };
}

function malformed({ issues }: z.ZodError, place: string): TypeError {
  const [{ path, message } = { path: [], message: 'not understood' }] = issues;
  const inside = path.length > 0 ? ` at ${path.join('.')}` : '';
  return new TypeError(`${place} is malformed${inside}: ${message}`);
}

const requestSchema = z.object({
  head: z.unknown(),
  messages: z.array(z.unknown()),
  markers: z.array(z.looseObject({ at: z.string() })),
  server: z.looseObject({}).optional(),
});

const blockSchema = z.looseObject({ type: z.string() }).superRefine((block, context) => {
  const schema = BLOCKS[block.type];
  for (const { path, message } of schema?.safeParse(block).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
});

const BLOCKS: Readonly<Record<string, z.ZodType>> = {
  text: z.object({ text: z.string() }),
  thinking: z.object({ thinking: z.string() }),
  tool_use: z.object({ id: z.string(), name: z.string() }),
  tool_result: z.object({
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.lazy(() => blockSchema))]).optional(),
  }),
  image: z.object({ source: z.looseObject({}) }),
  document: z.object({ source: z.looseObject({}) }),
};

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.array(blockSchema),
});

const headSchema = z.looseObject({
  id: z.string(),
  model: z.string(),
  system: z.array(blockSchema),
  tools: z.array(z.looseObject({ name: z.string() })),
  params: z.looseObject({}),
});
