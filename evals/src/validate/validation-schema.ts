import { z } from 'zod';
import { reportSchema } from '../report/report-schema.ts';

const count = z.number().int().nonnegative();
/** From 0 to 1; null where there is nothing to take a share of. */
const share = z.number().nullable();

const baselineSchema = z.object({ cachedShare: share, costErrorShare: share });

const sessionSchema = z.object({
  file: z.string(),
  format: z.string(),
  model: z.string(),
  policy: z.string(),
  /** Billed requests of the main thread, the first one included. */
  requests: count,
  /** Tokens read over tokens of all prompts but the first. */
  billedCachedShare: share,
  predictedCachedShare: share,
  shareErrorPoints: share,
  /** Predicted over billed price of the prompts but the first, less one. */
  costErrorShare: share,
  /** Requests whose read was predicted to within 0.5 % of the prompt. */
  exactShare: share,
  billedBreaks: count,
  predictedBreaks: count,
  foundBreaks: count,
  breakPrecision: share,
  breakRecall: share,
  unexplainedBreaks: count,
  unexplained: z.array(
    z.object({
      request: count,
      messageId: z.string(),
      lostTokens: z.number(),
      /** Null where the clock says nothing, or runs backwards. */
      gapSeconds: z.number().nullable(),
      signals: z.array(z.string()),
    }),
  ),
  baselines: z.object({ alwaysWarm: baselineSchema, constant: baselineSchema }),
  firstRequest: z.object({ billedRead: count, promptTokens: count }),
  /** Predicted prompt sizes against billed ones: medians and 95th percentiles of the error without sign. */
  contextSizeErrorMedian: share,
  contextSizeErrorP95: share,
  contextSizeErrorAfter50: share,
  contextSizeErrorTranscriptOnly: share,
  afterCompaction: z.object({ requests: count, unanchored: count, errorMedian: share }),
  confidence: z.enum(['high', 'medium', 'low']),
  /** Why it is not higher. */
  doubts: z.array(z.string()),
  /** Why the price is off by more than 5 %; empty where it is not. */
  reason: z.string(),
  /** The same with chances of a miss from the other sessions alone; null where chances decide nothing, or no other session has any. */
  leftOneOut: z
    .object({ costErrorShare: share, predictedBreaks: count, foundBreaks: count })
    .nullable(),
  /** What the provider said of misses, and what the simulator or the bill says. */
  diagnoses: z.array(
    z.object({
      request: count,
      messageId: z.string(),
      word: z.string(),
      missedTokens: z.number().nullable(),
      kind: z.enum(['agreed', 'differs', 'only-diagnosed', 'unknown']),
      ours: z.array(z.string()),
      by: z.enum(['rules', 'bill']).nullable(),
    }),
  ),
});

/** Medians over the sessions of a format; breaks pooled. */
const formatSchema = z.object({
  format: z.string(),
  sessions: count,
  shareErrorMedian: share,
  shareErrorP90: share,
  costErrorMedian: share,
  costErrorAlwaysWarm: share,
  costErrorConstant: share,
  breakPrecision: share,
  breakRecall: share,
  /** With chances from the other sessions alone, as `leftOneOut` of each. */
  leftOneOut: z
    .object({ costErrorMedian: share, breakPrecision: share, breakRecall: share })
    .nullable(),
  contextSizeErrorMedian: share,
  contextSizeErrorP95: share,
  contextSizeErrorAfter50: share,
  contextSizeErrorTranscriptOnly: share,
});

/** What `validate --json` prints. */
export const validationSchema = z.object({
  version: z.string(),
  command: z.array(z.string()),
  sessions: z.array(sessionSchema),
  formats: z.array(formatSchema),
  /** As in the report of a replay. */
  read: reportSchema.shape.read,
  leftOut: reportSchema.shape.leftOut,
  bills: reportSchema.shape.bills,
  skipped: reportSchema.shape.skipped,
  refused: reportSchema.shape.refused,
  /** Files that were read and bill no prompts to compare with. */
  unbilled: z.array(z.object({ file: z.string(), reason: z.string() })),
  assumptions: z.array(z.string()),
});

export type Validation = z.infer<typeof validationSchema>;
export type ValidatedSession = z.infer<typeof sessionSchema>;
export type ValidatedFormat = z.infer<typeof formatSchema>;
