import type { Request } from '@varve/messages';
import type { Emulator } from '../src/emulator.ts';
import { createEmulator } from '../src/index.ts';

export const ANTHROPIC_HEADERS = {
  'x-api-key': 'test',
  'anthropic-version': '2026-10-21',
  'content-type': 'application/json',
};

export const OPENAI_HEADERS = { authorization: 'Bearer test', 'content-type': 'application/json' };

const encoder = new TextEncoder();

export interface PostOptions {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts a value, or bytes as they are, to an emulator without a socket. */
export async function post(
  emulator: Pick<Emulator, 'handle'>,
  body: unknown,
  { path = '/v1/messages', headers }: PostOptions = {},
): Promise<Posted> {
  const own = path.startsWith('/v1/messages') ? ANTHROPIC_HEADERS : OPENAI_HEADERS;
  const bytes = body instanceof Uint8Array ? body : encoder.encode(JSON.stringify(body));
  const reply = await emulator.handle({
    method: 'POST',
    path,
    headers: headers ?? own,
    body: bytes,
  });
  return { ...reply, json: reply.body === '' ? undefined : JSON.parse(reply.body) };
}

export interface Posted extends Awaited<ReturnType<Emulator['handle']>> {
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a provider's answer
  readonly json: any;
}

export const MODEL = 'claude-opus-5-5';

export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: unknown) => ({ role: 'assistant', content });
export const text = (value: string) => ({ type: 'text', text: value });
export const toolUse = (id: string, input: unknown = {}) => ({
  type: 'tool_use',
  id,
  name: 'read',
  input,
});
export const toolResult = (id: string, content: unknown = 'ok') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
export const TOOL = { name: 'read', input_schema: { type: 'object' } };

/** The least that is accepted, with fields in place of its own. */
export const body = (fields: Record<string, unknown> = {}) => ({
  model: MODEL,
  max_tokens: 100,
  messages: [user('Hello')],
  ...fields,
});

export const beta = (...names: string[]) => ({
  headers: { ...ANTHROPIC_HEADERS, 'anthropic-beta': names.join(',') },
});

export const create = (options: NonNullable<Parameters<typeof createEmulator>[0]> = {}): Emulator =>
  createEmulator(options);

/** A request as a client of the Messages API would send it: markers written on their blocks. */
export function toMessagesBody(request: Request): Record<string, unknown> {
  const { head, messages, markers, maxOutputTokens, server } = request;
  const { max_tokens: _limit, ...params } = head.params;
  const marked = <Part extends object>(parts: readonly Part[], isAt: (index: number) => unknown) =>
    parts.map((part, index) => {
      const marker = isAt(index) as { ttl?: string } | undefined;
      if (!marker) return part;
      const control = { type: 'ephemeral', ...(marker.ttl && { ttl: marker.ttl }) };
      return { ...part, cache_control: control };
    });
  const last = (at: 'tools' | 'system', length: number) => (index: number) =>
    index === length - 1 ? markers.find((marker) => marker.at === at) : undefined;
  return {
    ...params,
    ...server,
    model: head.model,
    max_tokens: maxOutputTokens,
    ...(head.tools.length > 0 && { tools: marked(head.tools, last('tools', head.tools.length)) }),
    ...(head.system.length > 0 && {
      system: marked(head.system, last('system', head.system.length)),
    }),
    messages: messages.map(({ role, content }, messageIndex) => ({
      role,
      content: marked(content, (blockIndex) =>
        markers.find(
          (marker) =>
            marker.at === 'message' &&
            marker.messageIndex === messageIndex &&
            marker.blockIndex === blockIndex,
        ),
      ),
    })),
  };
}
