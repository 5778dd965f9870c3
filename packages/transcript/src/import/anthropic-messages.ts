import { isToolResult } from '@varve/messages';
import { anthropicUsage } from './anthropic-usage.ts';
import { contentOf } from './claude-code-record.ts';
import { stopReasonOf } from './claude-code-reply.ts';
import type { CreateImporter } from './importer.ts';
import { isRecord, type JsonRecord, textOf } from './json.ts';
import { addSystem, createPlain } from './plain.ts';

/** Messages of Anthropic's API. */
export const createAnthropicMessages: CreateImporter = (context) =>
  createPlain(context, (thread, message, place) => {
    const content = contentOf(message.content);
    if (message.role === 'system') return addSystem(thread, content, place);
    if (message.role === 'assistant') {
      const response = responseOf(message, `${context.name}:${place.id}`);
      thread.assistant(content, { ...place, id: textOf(message.id) ?? place.id, response });
      return true;
    }
    for (const block of content.filter(isToolResult)) {
      thread.result(block, { ...place, id: `${place.id}-result` });
    }
    const rest = content.filter((block) => !isToolResult(block));
    thread.user(rest, place);
    return message.role === 'user';
  });

function responseOf(message: JsonRecord, place: string) {
  const model = textOf(message.model);
  if (model === undefined) return undefined;
  const usage = isRecord(message.usage) ? { usage: anthropicUsage(message.usage) } : {};
  const stopReason = stopReasonOf(message.stop_reason);
  const id = textOf(message.id) ?? place;
  return { id, model, stopReason, ...usage };
}
