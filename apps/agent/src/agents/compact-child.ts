import { compact } from '@varve/compact';
import { createCompactionPipeline } from '@varve/compact/pipeline';
import { type Head, isToolResult, type Message } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { contextLimits, createEstimator, resolveModel } from '@varve/tokens';
import { hookedCompaction } from '../hooks/compaction.ts';
import type { Hooks } from '../hooks/hooks.ts';

export interface CompactChildOptions {
  readonly id: string;
  readonly head: Head;
  /** What a fork shares with its parent, which stays. */
  readonly prefix: readonly Message[];
  readonly client: ModelClient;
  readonly hooks: Hooks;
  readonly windowTokens?: number | undefined;
  readonly percent?: number | undefined;
  /** Told what came of it, in a line. */
  readonly onEnd: (text: string) => void;
}

type Given = readonly Message[];

/** The share of the threshold that an agent's own messages have to reach: less is not worth a summary. */
const LEAST_SHARE = 0.2;
/** After so many that failed one after the other, no more are tried. */
const MOST_FAILURES = 3;

/** Compacts an agent's own messages once they and what they stand behind fill the window (C16), with the hooks of the agent. */
export function compactChild(options: CompactChildOptions) {
  const { id, head, prefix, client, hooks, onEnd } = options;
  const { model } = resolveModel(head.model);
  const threshold = contextLimits({
    ...{ windowTokens: model.windowTokens, maxOutputTokens: model.maxOutputTokens },
    ...{ shrinkWindowToTokens: options.windowTokens, autocompactPercent: options.percent },
  }).baseTokens;
  const estimator = createEstimator({ family: model.tokenizer });
  const sizeOf = (messages: Given) =>
    messages.reduce((sum, message) => sum + estimator.message(message), 0);
  const fixed = estimator.head(head) + sizeOf(prefix);
  const hooked = hookedCompaction(
    { summarize: (request, given) => send(client, request, given) },
    () => hooks,
  );
  const pipeline = createCompactionPipeline(hooked);
  let failures = 0;

  return async (messages: Given, { signal }: { readonly signal: AbortSignal }): Promise<Given> => {
    const own = sizeOf(messages);
    if (fixed + own < threshold || own < LEAST_SHARE * threshold || failures >= MOST_FAILURES)
      return messages;
    const [first, ...rest] = messages as [Message, ...Message[]];
    // answers to calls of the parent are no part of what is summarised
    const task = { ...first, content: first.content.filter((block) => !isToolResult(block)) };
    let after = messages;
    let shorter = messages;
    const done = await pipeline.run(
      {
        ...{ trigger: 'auto', path: 'full', reason: 'threshold', threadId: id },
        tokensBefore: fixed + own,
      },
      {
        async compact({ instructions, signal: until }) {
          const result = await compact([task, ...rest], {
            ...{ head, summarize: hooked.summarize, trigger: 'auto', focus: instructions },
            ...{ signal: until, contextTokens: fixed + own, windowTokens: options.windowTokens },
          });
          shorter = result.messages;
          return result;
        },
        commit() {
          after = shorter;
          return undefined;
        },
      },
      { signal },
    );
    if (done.kind === 'failed') failures += 1;
    else failures = 0;
    onEnd(
      done.kind === 'failed'
        ? `${id} could not be compacted: ${done.reason}`
        : `${id} was compacted: ${fixed + own} tokens are ${fixed + sizeOf(after)} now`,
    );
    return after;
  };
}
