import type { Usage } from '@varve/messages';
import type { ModelError } from '@varve/models';
import type { Summarize } from '../types.ts';
import { type AcceptOptions, acceptSummary } from './accept-summary.ts';
import { addUsage, type CallOutcome, callModel, orAborted, type Wait } from './call.ts';
import { createDraft, type Draft, type DraftSource, shortenDraft } from './draft.ts';
import type { CompactFailure } from './failure.ts';
import {
  type NextTry,
  nextTry,
  type Progress,
  type SummaryAttempt,
  type Trouble,
} from './next-try.ts';
import { type RequestSource, summaryRequest } from './summary-request.ts';

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
    return { kind: 'trouble', trouble: { reason: reasonOf(error), error } };
  }
  const result = acceptSummary(outcome.reply, task.accept(draft));
  if (result.kind === 'accepted') return { kind: 'accepted', text: result.text };
  return { kind: 'trouble', trouble: { reason: result.reason } };
}

function reasonOf({ code }: ModelError): CompactFailure {
  if (TOO_LONG.has(code)) return 'prompt-too-long';
  return code === 'refused' ? 'refused' : 'model-failed';
}

const TOO_LONG: ReadonlySet<string> = new Set([
  'media-too-large',
  'prompt-too-long',
  'request-too-large',
  'silent-overflow',
]);

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
