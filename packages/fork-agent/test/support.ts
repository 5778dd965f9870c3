import type { Block, Head, Message, Request } from '@varve/messages';
import { createModelStream, type ModelClient, type ModelResponse } from '@varve/models';

export const text = (value: string): Block => ({ type: 'text', text: value });
export const call = (id: string, name = 'read', input: unknown = { path: 'a.ts' }): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});

export type Reply = string | readonly Block[] | Partial<ModelResponse> | Error;

/** A client that answers from a list and keeps what it was asked. */
export function scripted(replies: readonly Reply[]): ModelClient & { asked: Request[] } {
  const asked: Request[] = [];
  return {
    provider: 'scripted',
    asked,
    stream(request, { signal } = {}) {
      const index = asked.push(request) - 1;
      return createModelStream(async function* () {
        const reply = replies[index] ?? new Error('the script has ended');
        if (reply instanceof Error) throw reply;
        const response = toResponse(reply, index);
        yield { type: 'response-start', id: response.id, model: response.model };
        yield { type: 'response-end', response };
      }, signal);
    },
  };
}

function toResponse(reply: Exclude<Reply, Error>, index: number): ModelResponse {
  const given: Partial<ModelResponse> =
    typeof reply === 'string'
      ? { content: [text(reply)] }
      : Array.isArray(reply)
        ? { content: reply as readonly Block[] }
        : (reply as Partial<ModelResponse>);
  const content = given.content ?? [];
  const hasCalls = content.some(({ type }) => type === 'tool_use');
  return {
    id: `m${index}`,
    model: 'claude-opus-5-5',
    stopReason: hasCalls ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 90 },
    ...given,
    content,
  };
}

export const HEAD: Head = {
  id: 'head',
  model: 'claude-opus-5-5',
  system: [{ type: 'text', text: 'You fix tests.' }],
  tools: ['read', 'write', 'agent'].map((name) => ({ name, input_schema: { type: 'object' } })),
  params: { thinking: { type: 'adaptive' } },
};

export const requestOf = (messages: readonly Message[], head: Head = HEAD): Request => ({
  head,
  messages,
  markers: [],
  maxOutputTokens: 1_000,
});

export const PARENT: Request = requestOf([
  { id: 'u1', role: 'user', content: [text('Fix the parser.')] },
]);

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
