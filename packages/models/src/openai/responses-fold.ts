import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import { isToolUse, type StopReason, type Usage } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
import { brokenOff } from '../broken-off.ts';
import { openaiCacheMiss } from '../cache-miss.ts';
import { toModelError } from '../errors/to-model-error.ts';
import type { Fold } from '../stream/exchange.ts';
import type { ModelEvent, ModelResponse } from '../types.ts';
import { createItems } from './items.ts';
import { responsesStopReason } from './stop-reason.ts';
import { responsesUsage } from './usage.ts';

/** Assembles the events of the Responses API. An answer is whole only after `response.completed` or `.incomplete`. */
export function createResponsesFold(onLosses?: (losses: readonly Loss[]) => void): Fold<unknown> {
  const items = createItems(onLosses);
  let last: Fields | undefined;
  let usage: Usage | undefined;
  const end = (event: Fields): ModelEvent[] => {
    const response = recordOf(event.response);
    last = response;
    if (isRecord(response.usage)) usage = responsesUsage(response.usage);
    const output = listOf(response.output);
    const missed = output.flatMap((item, place) =>
      items.isFinished(place) ? [] : items.done(place, item),
    );
    return [...missed, ...items.settle(stopReasonOf(response, items))];
  };
  const readers: Readonly<Record<string, (event: Fields) => ModelEvent[]>> = {
    'response.created': ({ response }) => {
      const { id, model } = recordOf(response);
      return [{ type: 'response-start', id: textOf(id), model: textOf(model) }];
    },
    'response.output_item.added': (event) => items.added(event.output_index, event.item),
    'response.output_item.done': (event) => items.done(event.output_index, event.item),
    'response.output_text.delta': (event) => items.text('text-delta', event),
    'response.refusal.delta': (event) => items.text('text-delta', event),
    'response.reasoning_summary_text.delta': (event) => items.text('thinking-delta', event),
    'response.reasoning_text.delta': (event) => items.text('thinking-delta', event),
    'response.function_call_arguments.delta': (event) => items.input(event),
    'response.completed': end,
    'response.incomplete': end,
    'response.cancelled': end,
    'response.failed': fail,
  };
  return {
    get usage() {
      return usage;
    },
    read: (event) => readers[textOf(recordOf(event).type)]?.(recordOf(event)) ?? [],
    end() {
      if (!last) throw brokenOff();
      return responseOf(last, { usage, items });
    },
  };
}

function fail(event: Fields): never {
  const { error, id } = recordOf(event.response);
  throw toModelError({ error, requestID: id }, { hasBegun: true });
}

type Items = ReturnType<typeof createItems>;

function stopReasonOf(response: Fields, items: Items): StopReason {
  const { content } = items.result();
  return responsesStopReason({
    status: response.status,
    reason: recordOf(response.incomplete_details).reason,
    hasCalls: items.hasUnreadable() || content.some(isToolUse),
    isCompaction: content.length > 0 && content.every(({ type }) => type === 'compaction'),
  });
}

function responseOf(
  response: Fields,
  { usage, items }: { readonly usage: Usage | undefined; readonly items: Items },
): ModelResponse {
  const { incomplete_details: details } = response;
  const cacheMiss = openaiCacheMiss(response.prompt_cache_diagnostics);
  const word = textOf(recordOf(details).reason) || textOf(response.status);
  return {
    id: textOf(response.id),
    model: textOf(response.model),
    stopReason: stopReasonOf(response, items),
    providerStopReason: word,
    ...(details != null && { stopDetails: details }),
    usage: usage ?? { input_tokens: 0, output_tokens: 0, provider_usage: null },
    ...(cacheMiss && { cacheMiss }),
    ...items.result(),
  };
}
