import { type Block, type Head, isText, type Message } from '@varve/messages';
import { soundReply } from '@varve/messages/fit';
import type { ModelResponse } from '@varve/models';
import { providerProfiles } from '@varve/tokens/models';
import { knownModel, type OwnModels } from './known-model.ts';

/** What of a reply may be sent back to a model. */
export function sendable(
  content: readonly Block[],
  model: string,
  models: OwnModels,
): readonly Block[] {
  return soundReply(content, providerProfiles(knownModel(model, models) ?? UNKNOWN)).content;
}

const UNKNOWN = { provider: 'other', thinking: 'free' } as const;

export function replyMessage(
  id: string,
  response: ModelResponse,
  { head, models }: { readonly head: Pick<Head, 'model'>; readonly models: OwnModels },
): Message {
  const { id: responseId, model, stopReason, usage, content } = response;
  return {
    id,
    role: 'assistant',
    content: sendable(content, head.model, models),
    response: { id: responseId, model, stopReason, usage },
  };
}

/** The text of a reply, its blocks in order. */
export function textOf(content: readonly Block[]): string {
  return content
    .filter(isText)
    .map(({ text }) => text)
    .join('')
    .trim();
}
