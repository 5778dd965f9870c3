import type { View } from '@varve/messages';
import { isTokens } from './check-options.ts';
import type { TakeNotes } from './extractor.ts';
import type { NotesFold } from './notes-fold.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import {
  type ExtractionDecision,
  type ExtractionThresholds,
  shouldExtract,
} from './should-extract.ts';

/**
 * What became of a response. `folded-in`: an extraction runs, and when it is done it is decided again; `new-baseline`: the
 * first size after a compaction that did not say its own; `unknown-size`: it is no number from 0 up; `disabled`: no notes
 * are taken, or no more.
 */
export type ResponseDecision =
  | ExtractionDecision
  | {
      readonly kind: 'wait';
      readonly reason: 'disabled' | 'folded-in' | 'new-baseline' | 'unknown-size';
    };

/** A response, and what the conversation is after it. */
export interface ResponseFacts {
  /** Size of the context in tokens, the response included. */
  readonly contextTokens: number;
  readonly view: View;
}

export interface ResponseWatchOptions {
  readonly fold: NotesFold;
  readonly runs: OneAtATime<unknown>;
  readonly take: TakeNotes;
  readonly thresholds: ExtractionThresholds | undefined;
  /** Aborted when no more notes are to be taken. */
  readonly closing: AbortSignal;
}

export interface ResponseWatch {
  afterResponse(facts: ResponseFacts): ResponseDecision;
  /** Resolves when nothing it started runs, and nothing is to be decided again. */
  idle(): Promise<void>;
}

/** Decides after each response, and starts what it decides without waiting for it. */
export function createResponseWatch(options: ResponseWatchOptions): ResponseWatch {
  const { fold, runs, take, thresholds, closing } = options;
  let latest: (ResponseFacts & { readonly exchanges: number }) | undefined;
  let background: Promise<void> | undefined;

  function consider({ contextTokens, view }: ResponseFacts): ResponseDecision {
    if (!isTokens(contextTokens)) return { kind: 'wait', reason: 'unknown-size' };
    const { awaitsBaseline, baselineTokens, toolCallsSince: toolCalls } = fold.state();
    // What was cleared makes room that has to fill again before it counts as growth.
    if (awaitsBaseline || contextTokens < (baselineTokens ?? 0)) fold.rebase(contextTokens);
    if (awaitsBaseline) return { kind: 'wait', reason: 'new-baseline' };
    const state = { contextTokens, baselineTokens, toolCalls, endsWithCall: endsWithCall(view) };
    const decision = shouldExtract(state, thresholds);
    if (decision.kind === 'extract') {
      const work = (signal: AbortSignal) => take(decision.reason, { contextTokens, view, signal });
      background = runs.run(work, closing).then(considerAgain, considerAgain); // rejected: by `close`
    }
    return decision;
  }

  function considerAgain(): void {
    background = undefined;
    const facts = latest;
    latest = undefined;
    // Sizes and messages of before a compaction say nothing about what is there now.
    if (facts?.exchanges === fold.state().exchanges) afterResponse(facts);
  }

  function afterResponse(facts: ResponseFacts): ResponseDecision {
    if (closing.aborted) return { kind: 'wait', reason: 'disabled' };
    if (!runs.isBusy()) return consider(facts);
    latest = { ...facts, exchanges: fold.state().exchanges };
    return { kind: 'wait', reason: 'folded-in' };
  }

  return {
    afterResponse,
    async idle() {
      while (background !== undefined) await background;
    },
  };
}

function endsWithCall({ messages, open }: View): boolean {
  if (open !== undefined) return true;
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.content.some(({ type }) => type === 'tool_use') ?? false;
}
