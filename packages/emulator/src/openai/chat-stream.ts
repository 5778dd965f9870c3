import { type Fields, listOf, recordOf } from '@varve/guards';
import { cutPieces } from '../anthropic/stream.ts';
import type { ChatCompletion } from './chat.ts';

export interface ChatStreamOptions {
  readonly deltaCharacters: number;
  readonly includeUsage: boolean;
}

/** The events of a chat completion: role, text, calls, the reason it ended, usage where asked for, `[DONE]`. */
export function chatEvents(
  completion: ChatCompletion,
  options: ChatStreamOptions,
): readonly string[] {
  const { choices, usage, ...rest } = completion;
  const [{ message, finish_reason }] = choices;
  const base = { ...rest, object: 'chat.completion.chunk' };
  const chunk = (choice: Fields | undefined, counts: Fields | null) =>
    data({
      ...base,
      choices: choice ? [{ index: 0, logprobs: null, ...choice }] : [],
      ...(options.includeUsage && { usage: counts }),
    });
  const deltas = [
    { role: 'assistant', content: message.content === null ? null : '', refusal: null },
    ...pieces(message.content ?? '', options).map((content) => ({ content })),
    ...listOf(message.tool_calls).flatMap((call, index) =>
      callDeltas(recordOf(call), index, options),
    ),
  ];
  return [
    ...deltas.map((delta) => chunk({ delta, finish_reason: null }, null)),
    chunk({ delta: {}, finish_reason }, null),
    ...(options.includeUsage ? [chunk(undefined, usage)] : []),
    'data: [DONE]\n\n',
  ];
}

const data = (value: Fields): string => `data: ${JSON.stringify(value)}\n\n`;

const pieces = (text: unknown, { deltaCharacters }: ChatStreamOptions): string[] =>
  cutPieces(String(text), deltaCharacters);

function callDeltas(call: Fields, index: number, options: ChatStreamOptions): Fields[] {
  const { name, arguments: text } = recordOf(call.function);
  const open = { index, id: call.id, type: 'function', function: { name, arguments: '' } };
  return [
    { tool_calls: [open] },
    ...pieces(text, options).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ];
}
