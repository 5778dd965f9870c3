import type { MessageLike } from '../like.ts';
import { type Conversion, createMemo, oneByOne, type PlainMessage } from './conversion.ts';
import { readResponsesGroup, responsesGroupEnd } from './from-openai-responses.ts';
import type { OpenAIResponsesItem, OpenAIResponsesItemLike } from './openai-responses-types.ts';
import { mergesIntoResults } from './results.ts';
import { writeResponsesItems } from './to-openai-responses.ts';

/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface OpenAIResponsesConverter {
  to(messages: readonly MessageLike[]): Conversion<OpenAIResponsesItem>;
  from(items: readonly OpenAIResponsesItemLike[]): Conversion<PlainMessage>;
}

/** A converter for a history that grows: each call reads only the messages it has not seen. */
export function createOpenAIResponsesConverter(): OpenAIResponsesConverter {
  return {
    to: createMemo({ groupEnd: oneByOne, merges, convert: writeResponsesItems }),
    from: createMemo({
      groupEnd: responsesGroupEnd,
      convert: readResponsesGroup,
    }),
  };
}

const merges = (message: MessageLike, previous: MessageLike): boolean =>
  (message.role === 'assistant' && previous.role === 'assistant') ||
  mergesIntoResults(message, previous);

/** Our messages as input items of OpenAI's Responses. */
export const toOpenAIResponses: OpenAIResponsesConverter['to'] = (messages) =>
  createOpenAIResponsesConverter().to(messages);

/** Items of OpenAI's Responses, input or output, as our messages, without ids. Reasoning travels as blocks of its own. */
export const fromOpenAIResponses: OpenAIResponsesConverter['from'] = (items) =>
  createOpenAIResponsesConverter().from(items);
