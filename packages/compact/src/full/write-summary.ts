import type { Usage } from '@varve/messages';
import type { ModelError } from '@varve/models';
import type { Summarize } from '../types.ts';
import { type AcceptOptions, acceptSummary } from './accept-summary.ts';
import { addUsage, type CallOutcome, callModel, orAborted, type Wait } from './call.ts';
import { createDraft, type Draft, type DraftSource, shortenDraft } from './draft.ts';
import type { CompactFailure } from './failure.ts';
import { type RequestSource, summaryRequest } from './summary-request.ts';

/** A call that did not give a summary, and what is tried next. */
export interface SummaryAttempt {
  /** Counted from 1. */
  readonly attempt: number;
  readonly reason: CompactFailure;
  readonly next: 'retry' | 'larger-budget' | 'shorter' | 'none';
  /** Oldest messages that the next call does not show. */
  readonly omitted: number;
  /** Messages that the next call shows. */
  readonly remaining: number;
}

export interface SummaryTask extends DraftSource, RequestSource {
  /** The most output the first call asks for, in tokens. */
  readonly outputTokens: number;
  readonly end: number;
  readonly accept: (draft: Draft) => AcceptOptions;
  readonly summarize: Summarize;
  readonly wait: Wait;
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
}

export type WriteResult = { readonly calls: number; readonly usage?: Usage } & (
  | { readonly kind: 'written'; readonly text: string; readonly draft: Draft }
  | { readonly kind: 'failed'; readonly reason: CompactFailure; readonly cause?: unknown }
);

/** How often what is tried again, each counted over all calls for one summary. */
const MOST_BROKEN = 2;
const MOST_UNUSABLE = 1;
const MOST_SHORTER = 3;
/** More calls than this are never made for one summary. */
export const MOST_CALLS: number = 1 + MOST_BROKEN + MOST_UNUSABLE + MOST_SHORTER;

interface Progress {
  readonly calls: number;
  readonly broken: number;
  readonly unusable: number;
  readonly shorter: number;
  readonly outputTokens: number;
  readonly draft: Draft;
  readonly usage: Usage | undefined;
}

interface Trouble {
  readonly reason: CompactFailure;
  readonly error?: ModelError;
}

/**
 * Asks a model for a summary until one is accepted or nothing is left to try: a broken call again after a pause, an unusable
 * answer once with more room, a prompt that is too long with less in it.
 *
 * @throws DOMException `AbortError`
 */
export async function writeSummary(
  task: SummaryTask,
  signal: AbortSignal | undefined,
): Promise<WriteResult> {
  let progress: Progress = begin(task);
  for (;;) {
    const fitted = fitDraft(progress, task);
    if (!fitted) return failed(progress, { reason: 'prompt-too-long' });
    const outcome = await callModel(task.summarize, fitted.request, signal);
    progress = counted({ ...progress, draft: fitted.draft }, outcome);
    const judged = judge(outcome, progress.draft, task);
    if (judged.kind === 'accepted') return written(progress, judged.text);
    const next = nextTry(progress, judged.trouble, task);
    report(progress, judged.trouble, { next, task });
    if (!next) return failed(progress, judged.trouble);
    if (next.pauseMs > 0) await orAborted(task.wait(next.pauseMs, signal), signal);
    progress = next.progress;
  }
}

function begin(task: SummaryTask): Progress {
  const draft = createDraft(task, task.end);
  const { outputTokens } = task;
  return { calls: 0, broken: 0, unusable: 0, shorter: 0, outputTokens, draft, usage: undefined };
}

/** A draft that fits by estimate is not shortened; each step drops something, so this ends. */
function fitDraft({ draft, outputTokens }: Progress, task: SummaryTask) {
  for (let current: Draft | undefined = draft; current; ) {
    const made = summaryRequest(current, outputTokens, task);
    if (made.kind === 'request') return { draft: current, request: made.request };
    current = shortenDraft(current, task, made.overTokens);
  }
  return undefined;
}

function counted(progress: Progress, outcome: CallOutcome): Progress {
  const usage = outcome.kind === 'reply' ? outcome.reply.usage : outcome.error.usage;
  return { ...progress, calls: progress.calls + 1, usage: addUsage(progress.usage, usage) };
}

type Judged =
  | { readonly kind: 'accepted'; readonly text: string }
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

function judge(outcome: CallOutcome, draft: Draft, task: SummaryTask): Judged {
  if (outcome.kind === 'error') {
    const { error } = outcome;
    const reason = TOO_LONG.has(error.code)
      ? 'prompt-too-long'
      : REFUSED.has(error.code)
        ? 'refused'
        : 'model-failed';
    return { kind: 'trouble', trouble: { reason, error } };
  }
  const result = acceptSummary(outcome.reply, task.accept(draft));
  if (result.kind === 'accepted') return { kind: 'accepted', text: result.text };
  return { kind: 'trouble', trouble: { reason: result.reason } };
}

const TOO_LONG: ReadonlySet<string> = new Set([
  'media-too-large',
  'prompt-too-long',
  'request-too-large',
  'silent-overflow',
]);
const REFUSED: ReadonlySet<string> = new Set(['refused']);

interface NextTry {
  readonly kind: SummaryAttempt['next'];
  readonly progress: Progress;
  readonly pauseMs: number;
}

function nextTry(progress: Progress, trouble: Trouble, task: SummaryTask): NextTry | undefined {
  switch (trouble.reason) {
    case 'prompt-too-long':
      return tryShorter(progress, trouble.error, task);
    case 'model-failed':
      return tryAgain(progress, trouble.error);
    case 'cut-summary':
    case 'empty-summary':
    case 'error-reply':
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
  task: SummaryTask,
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
function tryLarger(
  progress: Progress,
  reason: CompactFailure,
  { maxOutputTokens = Number.POSITIVE_INFINITY }: SummaryTask,
): NextTry | undefined {
  if (progress.unusable >= MOST_UNUSABLE) return undefined;
  const outputTokens = Math.min(progress.outputTokens * 2, maxOutputTokens);
  if (reason === 'cut-summary' && outputTokens <= progress.outputTokens) return undefined;
  const unusable = progress.unusable + 1;
  return { kind: 'larger-budget', progress: { ...progress, outputTokens, unusable }, pauseMs: 0 };
}

function report(
  progress: Progress,
  { reason }: Trouble,
  { next, task }: { readonly next: NextTry | undefined; readonly task: SummaryTask },
): void {
  const { omitted, messages } = (next?.progress ?? progress).draft;
  const kind = next?.kind ?? 'none';
  const remaining = messages.length - (omitted > 0 ? 1 : 0);
  task.onAttempt?.({ attempt: progress.calls, reason, next: kind, omitted, remaining });
}

const bill = ({ calls, usage }: Progress) => ({ calls, ...(usage && { usage }) });

const written = (progress: Progress, text: string): WriteResult => ({
  kind: 'written',
  text,
  draft: progress.draft,
  ...bill(progress),
});

const failed = (progress: Progress, { reason, error }: Trouble): WriteResult => ({
  kind: 'failed',
  reason,
  ...bill(progress),
  ...(error !== undefined && { cause: error }),
});
