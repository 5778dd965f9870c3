import type { MessageLike } from '../like.ts';
import type { AISDKMessage, AISDKMessageLike } from './ai-sdk-types.ts';
import {
  type Conversion,
  createMemo,
  isAssistant,
  oneByOne,
  type PlainMessage,
} from './conversion.ts';
import { readModelGroup } from './from-ai-sdk.ts';
import { mergesIntoResults, resultGroupEnd } from './results.ts';
import { writeModelMessages } from './to-ai-sdk.ts';

/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface AISDKConverter {
  to(messages: readonly MessageLike[]): Conversion<AISDKMessage>;
  from(messages: readonly AISDKMessageLike[]): Conversion<PlainMessage>;
}

/** A converter for a history that grows: each call reads only the messages it has not seen. */
export function createAISDKConverter(): AISDKConverter {
  return {
    to: createMemo({
      groupEnd: oneByOne,
      isCaller: isAssistant,
      merges: mergesIntoResults,
      convert: writeModelMessages,
    }),
    from: createMemo({ groupEnd, convert: readModelGroup }),
  };
}

const groupEnd = (messages: readonly AISDKMessageLike[], start: number): number =>
  resultGroupEnd(messages, start, {
    isResult: ({ role }) => role === 'tool',
    isUser: ({ role }) => role === 'user',
  });

/** Our messages as model messages of the AI SDK (`ai` 7). */
export const toAISDK: AISDKConverter['to'] = (messages) => createAISDKConverter().to(messages);

/** Model messages of the AI SDK (`ai` 7) as ours, without ids. */
export const fromAISDK: AISDKConverter['from'] = (messages) =>
  createAISDKConverter().from(messages);
