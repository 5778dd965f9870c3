import { untilAborted } from '@varve/guards';
import type { CompactionFailed, Summarize } from '../types.ts';
import { type AcceptOptions, acceptSummary } from './accept-summary.ts';
import { addUsage, type CallOutcome, callModel, type Wait } from './call.ts';
import { createDraft, type Draft, type DraftSource, shortenDraft } from './draft.ts';
import type { Bill } from './engine.ts';
import { type CompactFailure, failureOfCode } from './failure.ts';
import {
  type NextTry,
  nextTry,
  type Progress,
  type SummaryAttempt,
  type Trouble,
} from './next-try.ts';
import { type RequestSource, summaryRequest } from './summary-request.ts';
import { writeInParts } from './write-in-parts.ts';

export interface SummaryTask extends DraftSource, RequestSource {
  /** Tokens of a text. */
  readonly sizeOfText: (text: string) => number;
  /** The most output the first call asks for, in tokens. */
  readonly outputTokens: number;
  readonly end: number;
  readonly accept: (draft: Draft) => AcceptOptions;
  readonly summarize: Summarize;
  readonly wait: Wait;
  readonly onAttempt?: ((attempt: SummaryAttempt) => void) | undefined;
}

/** A summary that was accepted. */
export interface Written extends Bill {
  readonly kind: 'written';
  readonly text: string;
  /** The share of what is replaced that the model was shown, in tokens. */
  readonly seenShare: number;
}

/** With what of the conversation it was asked for. */
type WrittenOf = Written & { readonly draft: Draft };

/**
 * Asks a model for a summary until one is accepted or nothing is left to try: a broken call again after a pause, an unusable
 * answer once with more room, a prompt that is too long with less in it, and where too little would be left, in parts.
 *
 * @throws the signal's reason, an `AbortError` unless one was given
 */
export async function writeSummary(
  task: SummaryTask,
  signal: AbortSignal | undefined,
): Promise<WrittenOf | CompactionFailed<CompactFailure>> {
  let progress: Progress = begin(task);
  for (;;) {
    const fitted = fitDraft(progress, task);
    if (!fitted || seesTooLittle(fitted.draft)) {
      return inParts(progress, { limitTokens: task.windowTokens }, task, signal);
    }
    const outcome = await callModel(task.summarize, fitted.request, signal);
    progress = counted({ ...progress, draft: fitted.draft }, outcome);
    const judged = judge(outcome, fitted.draft, task);
    if (judged.kind === 'accepted') return written(progress, judged.text);
    const trouble: Trouble = judged;
    const next = nextTry(progress, trouble, task);
    if (trouble.reason === 'prompt-too-long' && (!next || seesTooLittle(next.progress.draft))) {
      report(progress, trouble, { next: 'parts', task });
      const limitTokens = limitOf(trouble, promptTokens(progress.draft, task));
      return inParts(progress, { limitTokens, trouble }, task, signal);
    }
    report(progress, trouble, { next, task });
    if (!next) return failed(progress, trouble);
    if (next.pauseMs > 0) await untilAborted(task.wait(next.pauseMs, signal), signal);
    progress = next.progress;
  }
}

/** Below this share of the conversation, in tokens, a summary of what is left would stand for what it has not seen. */
const LEAST_SEEN = 0.7;

const seesTooLittle = (draft: Draft): boolean => draft.omitted > 0 && seenShare(draft) < LEAST_SEEN;

/** Media aside, because no summary is shown any. */
const seenShare = ({ tokens, wholeTokens }: Draft): number =>
  wholeTokens === 0 ? 1 : Math.min(1, Math.round((tokens / wholeTokens) * 1_000) / 1_000);

const promptTokens = ({ tokens }: Draft, { overheadTokens }: SummaryTask): number =>
  tokens + overheadTokens;

/** How long a prompt may be, by our own measure; where the provider does not say, a quarter of what it refused. */
function limitOf({ error }: Trouble, sentTokens: number): number {
  const { limitTokens, actualTokens = sentTokens } = error ?? {};
  if (limitTokens === undefined) return sentTokens / 4;
  return limitTokens * Math.min(1, sentTokens / Math.max(1, actualTokens));
}

async function inParts(
  progress: Progress,
  start: { readonly limitTokens: number; readonly trouble?: Trouble },
  task: SummaryTask,
  signal: AbortSignal | undefined,
): Promise<WrittenOf | CompactionFailed<CompactFailure>> {
  const { calls, usage } = progress;
  const result = await writeInParts(task, { ...start, calls, usage }, signal);
  if (result.kind === 'written') return { ...result, draft: createDraft(task, task.end) };
  const { cause = start.trouble?.error } = result;
  return { ...result, ...(cause !== undefined && { cause }) };
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

function judge(outcome: CallOutcome, draft: Draft, task: SummaryTask) {
  if (outcome.kind === 'reply') return acceptSummary(outcome.reply, task.accept(draft));
  const { error } = outcome;
  return { kind: 'failed', reason: failureOfCode(error.code), error } as const;
}

function report(
  progress: Progress,
  { reason }: Trouble,
  { next, task }: { readonly next: NextTry | 'parts' | undefined; readonly task: SummaryTask },
): void {
  const isParts = next === 'parts';
  const { omitted, messages } = (isParts ? progress : (next?.progress ?? progress)).draft;
  const kind = isParts ? 'parts' : (next?.kind ?? 'none');
  const remaining = messages.length - (omitted > 0 ? 1 : 0);
  task.onAttempt?.({ attempt: progress.calls, reason, next: kind, omitted, remaining });
}

const bill = ({ calls, usage }: Progress) => ({ calls, ...(usage && { usage }) });

const written = (progress: Progress, text: string): WrittenOf => ({
  kind: 'written',
  text,
  draft: progress.draft,
  seenShare: seenShare(progress.draft),
  ...bill(progress),
});

const failed = (
  progress: Progress,
  { reason, error }: Trouble,
): CompactionFailed<CompactFailure> => ({
  kind: 'failed',
  reason,
  ...bill(progress),
  ...(error !== undefined && { cause: error }),
});
