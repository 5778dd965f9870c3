import { createEstimator } from '@varve/tokens';
import { BASELINE } from '../built-in-strategies.ts';
import { hashUnit } from '../demand/vocabulary.ts';
import type { ReplayedThread, Report, ReportRow, ReportSession } from '../report/report-schema.ts';
import { type PricingOptions, underWindow } from '../resolve-pricing.ts';
import { describeReplayed } from '../session/describe-replayed.ts';
import { describeSession } from '../session/describe-session.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import type { SessionFile } from '../session/session-files.ts';
import type { Strategy } from '../strategy.ts';
import { RECORDED_MODEL, recordedModel, threadPricing } from '../thread-pricing.ts';
import { rowOf } from './metrics.ts';
import { recordedConditions } from './recorded-conditions.ts';
import { variantsOf } from './reference.ts';
import { relatedRows } from './related-rows.ts';
import { type Replay, replay, replayAndWait } from './replay.ts';
import { planSession, type SessionPlan } from './session-plan.ts';

/** What the replay of a main thread needs to know of the other sessions. */
export interface ThreadBackground {
  /** Hashes of the units that are not counted as demand. */
  readonly guessable: Float64Array;
  readonly foreignSessions: number;
  /** Sessions of one project have one number. */
  readonly project: number;
}

export interface ReplayFileOptions {
  /** One for each main thread, in order; null for one that is not replayed. */
  readonly backgrounds: readonly (ThreadBackground | null)[];
  readonly strategies: readonly Strategy[];
  readonly pricing: PricingOptions;
  /** Windows to replay in beside that of `pricing`, in tokens; each thread in its own where that is no larger. */
  readonly otherWindows: readonly number[];
}

/** A session file and its rows, in the order of threads and strategies. */
export interface ReplayedFile {
  readonly session: ReportSession;
  readonly rows: readonly ReportRow[];
  /** For each of the other windows, in their order. */
  readonly otherRows: readonly (readonly ReportRow[])[];
  readonly unpriced: Report['unpriced'];
}

/** Replays the main threads of a file under all strategies. */
export async function replayFile(
  file: SessionFile,
  { backgrounds, strategies, pricing: options, otherWindows }: ReplayFileOptions,
): Promise<ReplayedFile> {
  const imported = await importNamed(file);
  const replayed: ReplayedThread[] = [];
  const rows: ReportRow[] = [];
  const otherRows: ReportRow[][] = otherWindows.map(() => []);
  const unpriced: Report['unpriced'] = [];
  for (const [at, named] of mainThreads(imported, file.name).entries()) {
    const background = backgrounds[at];
    if (background == null) continue;
    const known = new Set(background.guessable);
    const { session, thread } = named;
    const pricing = threadPricing(thread, options);
    if (pricing === undefined) {
      unpriced.push({ session, recordedModel: recordedModel(thread) ?? null });
      continue;
    }
    const plan = planSession(thread, pricing, {
      isGuessable: (unit) => known.has(hashUnit(unit)),
      ...(options.model === RECORDED_MODEL && { conditions: recordedConditions(thread, pricing) }),
    });
    replayed.push(describeReplayed(named, plan, background));
    const own = await rowsOf(session, plan, strategies);
    rows.push(...own);
    for (const [place, window] of otherWindows.entries()) {
      const other = { ...plan, pricing: underWindow(pricing, window) };
      const isOwn = pricing.refusesLarger && pricing.window <= window;
      otherRows[place]?.push(...(isOwn ? own : await rowsOf(session, other, strategies)));
    }
  }
  const { message: sizeOf } = createEstimator();
  return {
    session: describeSession(imported, { file: file.name, sizeOf, replayed }),
    rows,
    otherRows,
    unpriced,
  };
}

async function rowsOf(
  session: string,
  plan: SessionPlan,
  strategies: readonly Strategy[],
): Promise<readonly ReportRow[]> {
  const replays = new Map<Strategy, Replay>();
  const baseline = replay(plan, BASELINE);
  replays.set(BASELINE, baseline);
  const rows: ReportRow[] = [];
  for (const strategy of strategies) {
    const result = await cheapestReplay(plan, strategy, replays);
    rows.push(rowOf({ session, strategy: strategy.name }, plan, { replay: result, baseline }));
  }
  return relatedRows(rows);
}

/** Of the variants of a reference the one that costs least; what was replayed before is not replayed again. */
async function cheapestReplay(
  plan: SessionPlan,
  strategy: Strategy,
  replays: Map<Strategy, Replay>,
): Promise<Replay> {
  let best: Replay | undefined;
  for (const variant of variantsOf(strategy)) {
    const found = replays.get(variant) ?? (await replayAndWait(plan, variant));
    replays.set(variant, found);
    if (best === undefined || costOf(found) < costOf(best)) best = found;
  }
  return best as Replay;
}

const costOf = ({ tally }: Replay): number =>
  tally.invalidRequests > 0 ? Infinity : tally.dollars;
