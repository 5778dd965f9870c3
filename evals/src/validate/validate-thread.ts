import type { ModelInfo } from '@varve/tokens';
import type { ImportedSession, ImportedThread } from '@varve/transcript/import';
import { contextSizeErrors } from './context-size.ts';
import { diagnosesOf } from './diagnoses.ts';
import { doubtsAbout } from './doubts.ts';
import { reasonFor } from './error-reason.ts';
import { lossChances, type SeenRequest } from './loss-chances.ts';
import { predictReads } from './predict-reads.ts';
import { providerRules } from './provider-rules.ts';
import { recordedEvents } from './recorded-events.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { type ReadScore, scoreReads } from './score-reads.ts';
import { median, quantile } from './statistics.ts';
import type { ValidatedSession } from './validation-schema.ts';

// Fewer say nothing about a rule.
const MIN_REQUESTS = 3;

/** One thread, what others can learn from it, and what it gives when it learns from others alone. */
export interface ValidatedThread {
  readonly validated: ValidatedSession;
  readonly seen: readonly SeenRequest[];
  leftOneOut(others: readonly SeenRequest[]): ValidatedSession['leftOneOut'];
}

/** Compares simulator and meter with the bills of one thread; undefined where it has fewer than three. */
export const validateThread = (
  ...args: Parameters<typeof studyThread>
): ValidatedSession | undefined => studyThread(...args)?.validated;

export interface StudyOptions {
  readonly file: string;
  readonly format: ImportedSession['format'];
  /** Entries of one's own, which win over the table. @default none */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** The same with what other threads need of it. */
export function studyThread(
  thread: ImportedThread,
  { file, format, models = [] }: StudyOptions,
): ValidatedThread | undefined {
  const events = recordedEvents(thread);
  const requests = events.filter((event) => event.kind === 'request');
  if (requests.length < MIN_REQUESTS) return undefined;
  const model = mostUsedModel(requests);
  const rules = providerRules(model, models);
  const predictions = predictReads(events, { thread, format, rules });
  const score = scoreReads(predictions, rules);
  const { confidence, doubts } = doubtsAbout(requests, { thread, rules });
  const learns = rules.policy.provider === 'openai';
  return {
    validated: {
      file,
      format,
      model,
      policy: rules.policy.name,
      ...readFigures(score),
      ...sizeFigures(thread, model),
      confidence,
      doubts,
      reason: reasonFor(score, doubts),
      leftOneOut: null,
      diagnoses: diagnosesOf(predictions),
    },
    seen: learns ? predictions.flatMap(({ seen }) => seen ?? []) : [],
    leftOneOut: learns ? againstOthers(events, { thread, format, rules }) : () => null,
  };
}

/** Keeps the thread: only for providers of which sessions learn from each other. */
function againstOthers(
  events: ReturnType<typeof recordedEvents>,
  options: Omit<Parameters<typeof predictReads>[1], 'chances'>,
): ValidatedThread['leftOneOut'] {
  return (others) => {
    if (others.length === 0) return null;
    const predictions = predictReads(events, { ...options, chances: lossChances(others) });
    const { costErrorShare, breaks } = scoreReads(predictions, options.rules);
    return { costErrorShare, predictedBreaks: breaks.predicted, foundBreaks: breaks.both };
  };
}

function readFigures(score: ReadScore) {
  const { requests, billedCachedShare, predictedCachedShare, costErrorShare, exactShare } = score;
  const { billed, predicted, both } = score.breaks;
  return {
    requests,
    billedCachedShare,
    predictedCachedShare,
    shareErrorPoints: 100 * (predictedCachedShare - billedCachedShare),
    costErrorShare,
    exactShare,
    billedBreaks: billed,
    predictedBreaks: predicted,
    foundBreaks: both,
    breakPrecision: predicted === 0 ? null : both / predicted,
    breakRecall: billed === 0 ? null : both / billed,
    unexplainedBreaks: score.unexplained.length,
    unexplained: score.unexplained.map((each) => ({ ...each, signals: [...each.signals] })),
    baselines: score.baselines,
    firstRequest: score.firstRequest,
  };
}

function sizeFigures(thread: ImportedThread, model: string) {
  const errors = contextSizeErrors(thread, model);
  const { afterCompaction } = errors;
  return {
    contextSizeErrorMedian: median(errors.withUsage),
    contextSizeErrorP95: quantile(errors.withUsage, 0.95),
    contextSizeErrorAfter50: median(errors.afterFifty),
    contextSizeErrorTranscriptOnly: median(errors.transcriptOnly),
    afterCompaction: {
      requests: afterCompaction.length,
      unanchored: afterCompaction.filter(({ anchored }) => !anchored).length,
      errorMedian: median(afterCompaction.map(({ error }) => error)),
    },
  };
}

function mostUsedModel(requests: readonly RecordedRequest[]): string {
  const counts = new Map<string, number>();
  for (const { model } of requests) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
