import { median, quantile } from './statistics.ts';
import type { ValidatedFormat, ValidatedSession } from './validation-schema.ts';

/** A row for each format, in the order in which they come: medians of its sessions, breaks of all of them together. */
export function summariseFormats(sessions: readonly ValidatedSession[]): ValidatedFormat[] {
  const formats = [...new Set(sessions.map(({ format }) => format))];
  return formats.map((format) =>
    summarise(
      format,
      sessions.filter((each) => each.format === format),
    ),
  );
}

function summarise(format: string, sessions: readonly ValidatedSession[]): ValidatedFormat {
  const sizes = (of: (session: ValidatedSession) => number | null) =>
    sessions.flatMap((session) => {
      const value = of(session);
      return value === null ? [] : [Math.abs(value)];
    });
  const total = (of: (session: ValidatedSession) => number) =>
    sessions.reduce((sum, session) => sum + of(session), 0);
  const [billed, predicted, found] = [
    total((session) => session.billedBreaks),
    total((session) => session.predictedBreaks),
    total((session) => session.foundBreaks),
  ];
  const shareErrors = sizes(({ shareErrorPoints }) => shareErrorPoints);
  return {
    format,
    sessions: sessions.length,
    shareErrorMedian: median(shareErrors),
    shareErrorP90: quantile(shareErrors, 0.9),
    costErrorMedian: median(sizes(({ costErrorShare }) => costErrorShare)),
    costErrorAlwaysWarm: median(sizes(({ baselines }) => baselines.alwaysWarm.costErrorShare)),
    costErrorConstant: median(sizes(({ baselines }) => baselines.constant.costErrorShare)),
    breakPrecision: predicted === 0 ? null : found / predicted,
    breakRecall: billed === 0 ? null : found / billed,
    leftOneOut: summariseLeftOut(sessions),
    contextSizeErrorMedian: median(sizes((session) => session.contextSizeErrorMedian)),
    contextSizeErrorP95: median(sizes((session) => session.contextSizeErrorP95)),
    contextSizeErrorAfter50: median(sizes((session) => session.contextSizeErrorAfter50)),
    contextSizeErrorTranscriptOnly: median(
      sizes((session) => session.contextSizeErrorTranscriptOnly),
    ),
  };
}

function summariseLeftOut(sessions: readonly ValidatedSession[]): ValidatedFormat['leftOneOut'] {
  const scored = sessions.flatMap(({ leftOneOut, billedBreaks }) =>
    leftOneOut === null ? [] : [{ ...leftOneOut, billedBreaks }],
  );
  if (scored.length === 0) return null;
  const total = (of: (session: (typeof scored)[number]) => number): number =>
    scored.reduce((sum, session) => sum + of(session), 0);
  const [billed, predicted, found] = [
    total(({ billedBreaks }) => billedBreaks),
    total(({ predictedBreaks }) => predictedBreaks),
    total(({ foundBreaks }) => foundBreaks),
  ];
  return {
    costErrorMedian: median(scored.map(({ costErrorShare }) => Math.abs(costErrorShare ?? 0))),
    breakPrecision: predicted === 0 ? null : found / predicted,
    breakRecall: billed === 0 ? null : found / billed,
  };
}
