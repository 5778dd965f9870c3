import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import type { Block, Usage } from '@varve/messages';
import { brokenOff } from '../broken-off.ts';
import { anthropicCacheMiss } from '../cache-miss.ts';
import { createBlocks } from '../stream/blocks.ts';
import type { Fold } from '../stream/exchange.ts';
import type { ModelEvent, ModelResponse } from '../types.ts';
import { anthropicStopReason } from './stop-reason.ts';

/** Assembles the events of a Messages stream. An answer is whole only after `message_stop`. */
export function createAnthropicFold(): Fold<unknown> {
  const blocks = createBlocks();
  let message: Fields = {};
  let usage: Usage | undefined;
  let isOver = false;
  const readers: Readonly<Record<string, (event: Fields) => ModelEvent[]>> = {
    message_start(event) {
      message = recordOf(event.message);
      usage = mergeUsage(usage, message.usage);
      const { id, model } = message;
      const start = { type: 'response-start', id: textOf(id), model: textOf(model) } as const;
      return [usage === undefined ? start : { ...start, usage }];
    },
    content_block_start(event) {
      const block = recordOf(event.content_block);
      // after a fallback the whole message is labelled with the model that took over
      const { model = message.model } = block.type === 'fallback' ? recordOf(block.to) : {};
      message = { ...message, model };
      return blocks.start(event.index, block as Block);
    },
    content_block_delta: (event) => blocks.delta(event.index, recordOf(event.delta)),
    content_block_stop: (event) => blocks.stop(event.index),
    message_delta(event) {
      message = { ...message, ...present(recordOf(event.delta)), ...present(beside(event)) };
      usage = mergeUsage(usage, event.usage);
      return [];
    },
    message_stop() {
      isOver = true;
      return blocks.settle(anthropicStopReason(message.stop_reason));
    },
  };
  return {
    get usage() {
      return usage;
    },
    read: (event) => readers[textOf(recordOf(event).type)]?.(recordOf(event)) ?? [],
    end() {
      if (!isOver) throw brokenOff();
      return { ...responseOf(message, usage), ...blocks.result() };
    },
  };
}

const beside = ({ context_management, input_transformations, diagnostics }: Fields): Fields => ({
  context_management,
  input_transformations,
  diagnostics,
});

const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/** Counters are cumulative: the last one that is given counts. */
function mergeUsage(usage: Usage | undefined, reported: unknown): Usage | undefined {
  if (!isRecord(reported)) return usage;
  const merged = usage ? { ...usage, ...present(reported) } : reported;
  return {
    ...merged,
    input_tokens: merged.input_tokens ?? 0,
    output_tokens: merged.output_tokens ?? 0,
  } as Usage;
}

function responseOf(message: Fields, usage: Usage | undefined): Omit<ModelResponse, 'content'> {
  const { stop_reason: word, stop_details: stopDetails, context_management: management } = message;
  const cacheMiss = anthropicCacheMiss(message.diagnostics);
  return {
    id: textOf(message.id),
    model: textOf(message.model),
    stopReason: anthropicStopReason(word),
    ...(typeof word === 'string' && { providerStopReason: word }),
    ...(stopDetails != null && { stopDetails }),
    usage: usage ?? { input_tokens: 0, output_tokens: 0 },
    ...(management != null && { appliedEdits: listOf(recordOf(management).applied_edits) }),
    ...(message.input_transformations != null && {
      inputTransformations: listOf(message.input_transformations),
    }),
    ...(usage?.iterations != null && { iterations: listOf(usage.iterations) }),
    ...(cacheMiss && { cacheMiss }),
  };
}
