import type { Usage } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import type { ModelInfo } from '@varve/tokens';
import { policyFor } from '../known-model.ts';
import { textOf } from '../reply.ts';
import { withinWindow } from '../window.ts';
import { planProgress } from './plan-progress.ts';
import { forkRequest, type ProgressState, tailRequest } from './requests.ts';

export interface ProgressOptions {
  /** The client of the child's own model. */
  readonly client: ModelClient;
  /** A cheaper model for short tails, and its client where it is another. */
  readonly cheap: { readonly model: string; readonly client?: ModelClient | undefined };
  /** Milliseconds of one clock. */
  readonly now: () => number;
  /** Least milliseconds between two summaries. @default 30_000 */
  readonly intervalMs?: number | undefined;
  /** UTF-16 units of the tail. @default 2_000 */
  readonly tailUnits?: number | undefined;
  /** Entries of one's own; they win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

export type ProgressResult =
  | {
      readonly kind: 'summary';
      readonly text: string;
      readonly via: 'fork' | 'tail';
      readonly usage: Usage;
    }
  | { readonly kind: 'none'; readonly reason: 'too-soon' | 'nothing-new' | 'no-text' }
  | { readonly kind: 'failed'; readonly cause: unknown };

export interface Progress {
  /**
   * A few words about what a child is doing; `none` where it is too soon or nothing is new. Failures are returned.
   *
   * @throws the signal's reason, an `AbortError` unless one was given
   */
  summarize(
    state: ProgressState,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ProgressResult>;
}

const OUTPUT_TOKENS = 60;
const MAX_SUMMARY_UNITS = 80;

/** Progress summaries of one child, by whichever way is cheaper at that moment; by its tail where its window is full. */
export function createProgress(options: ProgressOptions): Progress {
  const { now, intervalMs = 30_000 } = options;
  let last: { readonly ms: number; readonly seen: string } | undefined;
  return {
    async summarize(state, { signal } = {}) {
      signal?.throwIfAborted();
      const ms = now();
      const elapsedMs = last ? ms - last.ms : Infinity;
      // below zero the clock was set back, perhaps by hours, and says nothing
      const isTooSoon = elapsedMs >= 0 && elapsedMs < intervalMs;
      if (isTooSoon) return { kind: 'none', reason: 'too-soon' };
      const seen = placeOf(state);
      if (last?.seen === seen) return { kind: 'none', reason: 'nothing-new' };
      const before = last;
      last = { ms, seen };
      try {
        return await ask(state, { ...options, signal });
      } catch (cause) {
        signal?.throwIfAborted();
        last = before && { ms, seen: before.seen }; // what was new still is
        return { kind: 'failed', cause };
      }
    },
  };
}

const placeOf = ({ sent, since }: ProgressState): string =>
  `${sent.messages.length + since.length} ${since.at(-1)?.id ?? sent.messages.at(-1)?.id}`;

type Asking = ProgressOptions & { readonly signal: AbortSignal | undefined };

async function ask(state: ProgressState, options: Asking): Promise<ProgressResult> {
  const { client, cheap, now, models, signal } = options;
  const fork = forkRequest(state, models);
  const tail = tailRequest(state, { model: cheap.model, tailUnits: options.tailUnits });
  const plan = planProgress({
    sent: state.sent,
    fork,
    tail,
    policy: policyFor(fork.head.model, models),
    tailPolicy: policyFor(tail.head.model, models),
    models,
    idleMs: now() - state.sentMs,
    outputTokens: OUTPUT_TOKENS,
  });
  const fitted = plan.via === 'fork' ? withinWindow(fork, models) : undefined;
  const via = fitted ? 'fork' : 'tail';
  const chosen = fitted ? client : (cheap.client ?? client);
  const response = await send(chosen, fitted ?? tail, { signal });
  const line = textOf(response.content).split('\n')[0]?.trim() ?? '';
  if (line === '' || line.length > MAX_SUMMARY_UNITS) return { kind: 'none', reason: 'no-text' };
  return { kind: 'summary', text: line, via, usage: response.usage };
}
