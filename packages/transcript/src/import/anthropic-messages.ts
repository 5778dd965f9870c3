import { isRecord, recordOf } from '@varve/guards';
import { isToolResult, type Usage } from '@varve/messages';
import { anthropicUsage } from './anthropic-usage.ts';
import { contentOf } from './claude-code-record.ts';
import { stopReasonOf } from './claude-code-reply.ts';
import type { CreateImporter } from './importer.ts';
import { countOf, type JsonRecord, textOf, words } from './json.ts';
import { addSystem, createPlain, type Place } from './plain.ts';
import type { ThreadBuilder } from './thread.ts';

/** Messages of Anthropic's API. */
export const createAnthropicMessages: CreateImporter = (context) =>
  createPlain(context, {
    fields: words(
      'role content id model stop_reason usage created_at timestamp ts modelInfo metrics isSummary',
    ),
    add(thread, message, stand) {
      const content = contentOf(message.content);
      if (message.role === 'system') return addSystem(thread, { content, place: stand, context });
      // of Roo Code, for what it took away
      const isSummary = message.isSummary === true;
      const place = isSummary ? { ...stand, origin: { kind: 'summary' } as const } : stand;
      if (message.role === 'user') addUser(thread, content, place);
      else if (message.role === 'assistant') {
        const response = isSummary ? undefined : responseOf(message, `${context.name}:${place.id}`);
        thread.assistant(content, { ...place, id: textOf(message.id) ?? place.id, response });
      } else return false;
      return true;
    },
  });

function addUser(thread: ThreadBuilder, content: ReturnType<typeof contentOf>, place: Place): void {
  for (const block of content.filter(isToolResult)) {
    thread.result(block, { ...place, id: `${place.id}-result` });
  }
  thread.user(
    content.filter((block) => !isToolResult(block)),
    place,
  );
}

function responseOf(message: JsonRecord, place: string) {
  const model = textOf(message.model) ?? textOf(recordOf(message.modelInfo).modelId);
  if (model === undefined) return undefined;
  const tokens = recordOf(message.metrics).tokens;
  const usage = isRecord(message.usage)
    ? { usage: anthropicUsage(message.usage) }
    : isRecord(tokens)
      ? { usage: clineUsage(tokens) }
      : {};
  const stopReason = stopReasonOf(message.stop_reason);
  const id = textOf(message.id) ?? place;
  return { id, model, stopReason, ...usage };
}

/** Cline counts what was read from the cache among the prompt, and no writes. */
function clineUsage(tokens: JsonRecord): Usage {
  const prompt = countOf(tokens.prompt) ?? 0;
  const cached = Math.min(prompt, countOf(tokens.cached) ?? 0);
  return {
    input_tokens: prompt - cached,
    output_tokens: countOf(tokens.completion) ?? 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    provider_usage: tokens,
  };
}
