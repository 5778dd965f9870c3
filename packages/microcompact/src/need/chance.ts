import type { Candidate } from '../candidate.ts';
import { NEED_WEIGHTS, type NeedFeature } from '../need-weights.ts';
import type { NeedRecord } from './need-memory.ts';

export interface NeedMoment {
  /** Requests sent so far. */
  readonly requests: number;
  /** Where the newest turn of a person starts. */
  readonly turnOrder: number;
}

/** What is known of a candidate now, by what came before and nothing else. */
export function needFeatures(
  { kind, use, tokens, addedAt, turn }: Candidate,
  record: NeedRecord,
  { requests, turnOrder }: NeedMoment,
): Readonly<Record<NeedFeature, number>> {
  const age = Math.max(1, requests - addedAt + 1);
  const { path, pathUsesBefore, mentions, isSuperseded, coverage } = record;
  const pathUses = path === undefined ? 0 : path.uses - pathUsesBefore;
  const isResult = kind === 'result';
  const isEdit = use === 'edit' || use === 'write';
  return {
    logAge: Math.log(age),
    logTokens: Math.log(tokens),
    read: Number(isResult && use === 'read'),
    search: Number(isResult && (use === 'search' || use === 'list')),
    shell: Number(isResult && use === 'shell'),
    editInput: Number(!isResult && isEdit),
    otherInput: Number(!isResult && !isEdit),
    sinceNamed:
      path === undefined || pathUses === 0
        ? 0
        : Math.log(Math.max(1, requests - path.lastAt + 1)) - Math.log(age),
    mentions: Math.log1p(mentions),
    pathUses: Math.log1p(pathUses),
    superseded: Number(isSuperseded),
    sameTurn: Number(turn === turnOrder),
    coverage,
  };
}

/** The chance that a candidate is needed within the next `horizonRequests`. */
export function needChance(candidate: Candidate, record: NeedRecord, moment: NeedMoment): number {
  const { intercept, weights, calibration } = NEED_WEIGHTS;
  const features = needFeatures(candidate, record, moment);
  let sum = intercept;
  for (const name of NAMES) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-(calibration.scale * sum + calibration.shift)));
}

const NAMES = Object.keys(NEED_WEIGHTS.weights) as NeedFeature[];

/** Steps in which chances are told apart, each a factor of e to the power of a fifth, from 1 down. */
const STEPS = 32;
const STEP = 0.2;

const stepOf = (chance: number): number =>
  Math.min(STEPS - 1, Math.max(0, Math.floor(-Math.log(chance) / STEP)));

/** Notes what the chance was at a request. */
export function noteChance(record: NeedRecord, chance: number, request: number): void {
  record.lastAt ??= new Int32Array(STEPS).fill(-1);
  record.lastAt[stepOf(chance)] = request;
}

/** The last request at which the chance was so large; -1 where it never was. */
export function lastAtLeast({ lastAt }: NeedRecord, chance: number): number {
  let last = -1;
  if (lastAt === undefined) return last;
  for (let step = stepOf(chance); step >= 0; step--) last = Math.max(last, lastAt[step] as number);
  return last;
}
