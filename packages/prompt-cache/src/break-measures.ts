import { promptTokens, type Usage } from '@varve/messages';
import type { BreakObservation } from './break-detector.ts';
import type { CacheBreak } from './cache-break.ts';

/** What a session's cache did, in numbers. */
export interface BreakMeasures {
  readonly requests: number;
  readonly promptTokens: number;
  readonly readTokens: number;
  /** Read tokens of all prompt tokens, from 0 to 1; 0 before the first response. */
  readonly hitShare: number;
  /** Expected drops by reason: how often a session was compacted, cleared or left idle. */
  readonly expected: Readonly<Record<string, number>>;
  /** Alarms by their largest cause. */
  readonly alarms: Readonly<Record<string, number>>;
  /** Tokens that drops of either kind cost. */
  readonly lostTokens: number;
  /** Drops that were announced or predicted and did not come. */
  readonly falseAlarms: number;
}

interface MeasuredResponse {
  readonly usage: Usage;
  readonly wasWarned: boolean;
}

export interface MeasureKeeper {
  add(observation: BreakObservation, response: MeasuredResponse): void;
  get(): BreakMeasures;
}

export function createBreakMeasures(): MeasureKeeper {
  let measures: BreakMeasures = NOTHING;
  return {
    add(observation, response) {
      measures = added(measures, observation, response);
    },
    get: () => measures,
  };
}

const NOTHING: BreakMeasures = {
  requests: 0,
  promptTokens: 0,
  readTokens: 0,
  hitShare: 0,
  expected: {},
  alarms: {},
  lostTokens: 0,
  falseAlarms: 0,
};

function added(
  measures: BreakMeasures,
  observation: BreakObservation,
  { usage, wasWarned }: MeasuredResponse,
): BreakMeasures {
  const { kind, readTokens } = observation;
  const prompt = measures.promptTokens + promptTokens(usage);
  const read = measures.readTokens + readTokens;
  const lost = kind === 'no-drop' ? 0 : observation.expectedReadTokens - readTokens;
  const { expected, alarms } = measures;
  return {
    requests: measures.requests + 1,
    promptTokens: prompt,
    readTokens: read,
    hitShare: prompt > 0 ? read / prompt : 0,
    expected: kind === 'expected' ? counted(expected, observation.reason) : expected,
    alarms: kind === 'alarm' ? counted(alarms, largestCause(observation.breaks)) : alarms,
    lostTokens: measures.lostTokens + lost,
    falseAlarms: measures.falseAlarms + (kind === 'no-drop' && wasWarned ? 1 : 0),
  };
}

function counted(counts: Readonly<Record<string, number>>, name: string) {
  return { ...counts, [name]: (counts[name] ?? 0) + 1 };
}

function largestCause(breaks: readonly CacheBreak[]): string {
  const [largest] = [...breaks].sort((left, right) => right.lostTokens - left.lostTokens);
  return largest?.cause ?? 'unexplained';
}
