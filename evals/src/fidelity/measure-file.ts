import { hashUnit } from '../demand/vocabulary.ts';
import type { ThreadBackground } from '../replay/replay-file.ts';
import { planSession, type SessionPlan } from '../replay/session-plan.ts';
import { type PricingOptions, resolvePricing } from '../resolve-pricing.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import type { SessionFile } from '../session/session-files.ts';
import { measureAttack } from './attack/measure-attack.ts';
import { findCompactors } from './built-in-compactors.ts';
import type { Compactor } from './compactor.ts';
import { compactAnswered } from './compactors/answered.ts';
import type { AttackRow, EditNeed, FidelityRow, StabilityRow } from './fidelity-schema.ts';
import { editNeeds } from './foresight/edit-needs.ts';
import { measureStability } from './measure-stability.ts';
import { measureCuts, measureRecorded } from './measure-thread.ts';
import { peersAnswered } from './peers/peer-compactors.ts';
import {
  type LeftAfter,
  type RecordedCompaction,
  recordedCompactions,
} from './recorded-compactions.ts';
import type { RecordedSummary } from './recorded-summaries.ts';

export interface MeasureFileOptions {
  /** One for each main thread, in order; null for one that is not measured. */
  readonly backgrounds: readonly (ThreadBackground | null)[];
  readonly compactors: readonly string[];
  readonly budgets: readonly number[];
  /** Those of all sessions. */
  readonly summaries: readonly RecordedSummary[];
  /** Whether peers are given the recorded summaries as well. */
  readonly peers: boolean;
}

export interface MeasuredFile {
  readonly rows: readonly FidelityRow[];
  readonly stability: readonly StabilityRow[];
  readonly attacks: readonly AttackRow[];
  readonly needs: readonly EditNeed[];
}

/** Measures the main threads of a file. */
export async function measureFile(
  file: SessionFile,
  options: MeasureFileOptions,
): Promise<MeasuredFile> {
  const compactors = await findCompactors(options.compactors);
  const imported = await importNamed(file);
  const measured: MeasuredFile[] = [];
  for (const [at, each] of mainThreads(imported, file.name).entries()) {
    const background = options.backgrounds[at];
    if (background === null) continue;
    measured.push(await measureThread(each, { ...options, compactors, background }));
  }
  return {
    rows: measured.flatMap(({ rows }) => rows),
    stability: measured.flatMap(({ stability }) => stability),
    attacks: measured.flatMap(({ attacks }) => attacks),
    needs: measured.flatMap(({ needs }) => needs),
  };
}

interface MeasureThreadOptions extends Pick<MeasureFileOptions, 'budgets' | 'summaries' | 'peers'> {
  readonly compactors: readonly Compactor[];
  readonly background: ThreadBackground | undefined;
}

async function measureThread(
  { session, thread }: ReturnType<typeof mainThreads>[number],
  { compactors, background, budgets, summaries, peers }: MeasureThreadOptions,
): Promise<MeasuredFile> {
  const { guessable = [], project = 0 } = background ?? {};
  const known = new Set(guessable);
  const plan = planSession(thread, resolvePricing(PRICING), {
    isGuessable: (unit) => known.has(hashUnit(unit)),
  });
  const options = { names: { session, project }, compactors };
  const own = summaries.filter((each) => each.session === session);
  const recorded = [
    ...recordedCompactions(thread, plan.recording.history),
    ...(await answeredCompactions(plan, { summaries: own, peers })),
  ].sort((one, other) => one.messageIndex - other.messageIndex);
  const cuts = await measureCuts(plan, { ...options, budgets });
  const repeated = { ...options, budget: STABILITY_BUDGET };
  return {
    rows: [...cuts, ...(await measureRecorded(plan, recorded, options))],
    stability: await measureStability(plan, repeated),
    attacks: await measureAttack(plan, repeated),
    needs: editNeeds(thread, options),
  };
}

const answeredCompactions = (
  plan: SessionPlan,
  { summaries, peers }: Pick<MeasureFileOptions, 'summaries' | 'peers'>,
) =>
  Promise.all(
    summaries.map(async (summary): Promise<RecordedCompaction> => {
      const { messageIndex } = summary;
      const left = await compactAnswered(plan, summary);
      const others = peers ? await answeredByPeers(plan, left, messageIndex) : [];
      return { messageIndex, left: [...left, ...others] };
    }),
  );

/** The text as the model wrote it, in no more tokens than ours took. */
function answeredByPeers(
  { recording }: SessionPlan,
  [ours, unchecked]: readonly LeftAfter[],
  messageIndex: number,
): Promise<readonly LeftAfter[]> {
  const sizeOf = recording.sizes.message;
  return peersAnswered(recording.history.slice(0, messageIndex), {
    summary: unchecked?.synthesised.join('\n') ?? '',
    budgetTokens: (ours?.messages ?? []).reduce((sum, message) => sum + sizeOf(message), 0),
    sizeOf,
  });
}

const STABILITY_BUDGET = 0.1;

/** Nothing is priced here; the rules for a valid history are those of the default model. */
const PRICING: PricingOptions = { ttl: '5m' };
