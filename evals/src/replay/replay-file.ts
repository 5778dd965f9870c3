import { createEstimator } from '@varve/tokens';
import { BASELINE } from '../built-in-strategies.ts';
import { hashUnit } from '../demand/vocabulary.ts';
import type { PricingOptions } from '../pricing.ts';
import type { ReplayedThread, ReportRow, ReportSession } from '../report/report-schema.ts';
import { describeReplayed } from '../session/describe-replayed.ts';
import { describeSession } from '../session/describe-session.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import type { SessionFile } from '../session/session-files.ts';
import type { Strategy } from '../strategy.ts';
import { threadPricing } from '../thread-pricing.ts';
import { rowOf } from './metrics.ts';
import { replay, replayAndWait } from './replay.ts';
import { planSession } from './session-plan.ts';

/** What the replay of a main thread needs to know of the other sessions. */
export interface ThreadBackground {
  /** Hashes of the units that are not counted as demand. */
  readonly guessable: Float64Array;
  readonly foreignSessions: number;
  /** Sessions of one project have one number. */
  readonly project: number;
}

export interface ReplayFileOptions {
  /** One for each main thread, in order; none for a thread without one. */
  readonly backgrounds: readonly ThreadBackground[];
  readonly strategies: readonly Strategy[];
  readonly pricing: PricingOptions;
}

/** A session file and its rows, in the order of threads and strategies. */
export interface ReplayedFile {
  readonly session: ReportSession;
  readonly rows: readonly ReportRow[];
}

/** Replays the main threads of a file under all strategies. */
export async function replayFile(
  file: SessionFile,
  { backgrounds, strategies, pricing }: ReplayFileOptions,
): Promise<ReplayedFile> {
  const imported = await importNamed(file);
  const replayed: ReplayedThread[] = [];
  const rows: ReportRow[] = [];
  for (const [at, named] of mainThreads(imported, file.name).entries()) {
    const background = backgrounds[at] ?? NO_BACKGROUND;
    const known = new Set(background.guessable);
    const plan = planSession(named.thread, threadPricing(named.thread, pricing), {
      isGuessable: (unit) => known.has(hashUnit(unit)),
    });
    replayed.push(describeReplayed(named, plan, background));
    const baseline = replay(plan, BASELINE);
    for (const strategy of strategies) {
      const result = strategy === BASELINE ? baseline : await replayAndWait(plan, strategy);
      const names = { session: named.session, strategy: strategy.name };
      rows.push(rowOf(names, plan, { replay: result, baseline }));
    }
  }
  const { message: sizeOf } = createEstimator();
  return { session: describeSession(imported, { file: file.name, sizeOf, replayed }), rows };
}

const NO_BACKGROUND: ThreadBackground = {
  guessable: new Float64Array(),
  foreignSessions: 0,
  project: 0,
};
