import type { Usage } from '@varve/messages';
import type { ModelError } from '@varve/models';
import { type Draft, type DraftSource, shortenDraft } from './draft.ts';
import type { CompactFailure } from './failure.ts';
import { mostOutputTokens, type RequestSource } from './summary-request.ts';
import { MOST_PARTS, MOST_SMALLER } from './write-in-parts.ts';

/** A call that did not give a summary, and what is tried next. */
export interface SummaryAttempt {
  /** Counted from 1. */
  readonly attempt: number;
  readonly reason: CompactFailure;
  /** `parts`: from here on the history is summarised in parts, each with the summary of those before it. */
  readonly next: 'retry' | 'larger-budget' | 'shorter' | 'parts' | 'none';
  /** Oldest messages that the next call does not show. */
  readonly omitted: number;
  /** Messages that the next call shows. */
  readonly remaining: number;
}

/** How often what is tried again, each counted over all calls for one summary. */
const MOST_BROKEN = 2;
const MOST_UNUSABLE = 1;
const MOST_SHORTER = 3;
/** More calls than this are never made for one summary in one request. */
const MOST_WHOLE_CALLS = 1 + MOST_BROKEN + MOST_UNUSABLE + MOST_SHORTER;
/** More calls than this are never made for one summary; above 7 only where the history had to be shown in parts. */
export const MOST_CALLS: number = MOST_WHOLE_CALLS + MOST_PARTS + MOST_SMALLER;

/** How far the work on one summary is. */
export interface Progress {
  readonly calls: number;
  readonly broken: number;
  readonly unusable: number;
  readonly shorter: number;
  readonly outputTokens: number;
  readonly draft: Draft;
  readonly usage: Usage | undefined;
}

/** Why a call gave no summary. */
export interface Trouble {
  readonly reason: CompactFailure;
  readonly error?: ModelError;
}

type TryTask = DraftSource &
  Pick<RequestSource, 'head' | 'tokenizer' | 'maxOutputTokens' | 'maxSummaryTokens'>;

export interface NextTry {
  readonly kind: Exclude<SummaryAttempt['next'], 'none' | 'parts'>;
  readonly progress: Progress;
  readonly pauseMs: number;
}

/** What is tried after a call that gave no summary; undefined where nothing is left. */
export function nextTry(progress: Progress, trouble: Trouble, task: TryTask): NextTry | undefined {
  switch (trouble.reason) {
    case 'prompt-too-long':
      return tryShorter(progress, trouble.error, task);
    case 'model-failed':
      return tryAgain(progress, trouble.error);
    case 'cut-summary':
    case 'empty-summary':
    case 'error-reply':
    case 'lost-earlier':
    case 'no-structure':
    case 'over-bound':
    case 'tool-call':
      return tryLarger(progress, trouble.reason, task);
    default:
      return undefined;
  }
}

function tryShorter(
  progress: Progress,
  error: ModelError | undefined,
  task: TryTask,
): NextTry | undefined {
  if (progress.shorter >= MOST_SHORTER) return undefined;
  const draft = shortenDraft(progress.draft, task, gapOf(error));
  if (!draft) return undefined;
  return {
    kind: 'shorter',
    progress: { ...progress, draft, shorter: progress.shorter + 1 },
    pauseMs: 0,
  };
}

/** By how many tokens the provider says the prompt is too long. */
function gapOf(error: ModelError | undefined): number | undefined {
  const { actualTokens, limitTokens } = error ?? {};
  if (actualTokens === undefined || limitTokens === undefined) return undefined;
  return actualTokens > limitTokens ? actualTokens - limitTokens : undefined;
}

function tryAgain(progress: Progress, error: ModelError | undefined): NextTry | undefined {
  if (!error?.retryable || progress.broken >= MOST_BROKEN) return undefined;
  const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** progress.broken;
  if (pauseMs > LONGEST_PAUSE_MS) return undefined;
  return { kind: 'retry', progress: { ...progress, broken: progress.broken + 1 }, pauseMs };
}

const FIRST_PAUSE_MS = 1_000;
/** A provider that asks for a longer pause is not waited for: the conversation goes on without it. */
const LONGEST_PAUSE_MS = 60_000;

/** A summary that was cut is only worth a second call that may be longer. */
function tryLarger(progress: Progress, reason: CompactFailure, task: TryTask): NextTry | undefined {
  if (progress.unusable >= MOST_UNUSABLE) return undefined;
  const outputTokens = Math.min(progress.outputTokens * 2, mostOutputTokens(task.head, task));
  if (reason === 'cut-summary' && outputTokens <= progress.outputTokens) return undefined;
  const unusable = progress.unusable + 1;
  return { kind: 'larger-budget', progress: { ...progress, outputTokens, unusable }, pauseMs: 0 };
}
