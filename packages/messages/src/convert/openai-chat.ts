import type { MessageLike } from '../like.ts';
import { type Conversion, createMemo, oneByOne, type PlainMessage } from './conversion.ts';
import { readChatGroup } from './from-openai-chat.ts';
import type { OpenAIChatMessage, OpenAIChatMessageLike } from './openai-chat-types.ts';
import { mergesIntoResults, resultGroupEnd } from './results.ts';
import { writeChatMessage } from './to-openai-chat.ts';

/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface OpenAIChatConverter {
  to(messages: readonly MessageLike[]): Conversion<OpenAIChatMessage>;
  from(messages: readonly OpenAIChatMessageLike[]): Conversion<PlainMessage>;
}

/** A converter for a history that grows: each call reads only the messages it has not seen. */
export function createOpenAIChatConverter(): OpenAIChatConverter {
  return {
    to: createMemo({ groupEnd: oneByOne, merges: mergesIntoResults, convert: writeChatMessage }),
    from: createMemo({ groupEnd, convert: readChatGroup }),
  };
}

const groupEnd = (messages: readonly OpenAIChatMessageLike[], start: number): number =>
  resultGroupEnd(messages, start, {
    isResult: ({ role }) => role === 'tool',
    isUser: ({ role }) => role === 'user',
  });

/** Our messages as messages of OpenAI's Chat Completions. */
export const toOpenAIChat: OpenAIChatConverter['to'] = (messages) =>
  createOpenAIChatConverter().to(messages);

/** Messages of OpenAI's Chat Completions as ours, without ids. */
export const fromOpenAIChat: OpenAIChatConverter['from'] = (messages) =>
  createOpenAIChatConverter().from(messages);
