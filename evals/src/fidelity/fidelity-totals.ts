import { clusterInterval } from '../grid/cluster-interval.ts';
import type {
  AttackRow,
  AttackTotal,
  FidelityRow,
  FidelityTotal,
  StabilityRow,
  StabilityTotal,
} from './fidelity-schema.ts';
import type { Match } from './match.ts';
import { groupBy, mean, sum } from './means.ts';

/** Means over sessions of each session's mean over its cuts, by budget and compactor; the draws by lot are one. */
export function fidelityTotals(rows: readonly FidelityRow[]): readonly FidelityTotal[] {
  const groups = groupBy(rows, ({ budget, compactor }) => `${budget}\n${nameOf(compactor)}`);
  const totals = [...groups.values()].map(totalOf);
  return totals.map((total) => {
    const own = rows.filter(({ budget }) => budget === total.budget);
    const large = own.filter(({ tokens, share }) => tokens / share >= LARGE_TOKENS);
    return {
      ...total,
      normalised: normalised(total, own)?.mean ?? null,
      normalisedLarge: normalised(total, large) ?? null,
    };
  });
}

/** The same of repeated compactions. */
export function stabilityTotals(rows: readonly StabilityRow[]): readonly StabilityTotal[] {
  return [...groupBy(rows, ({ compactor }) => compactor)].map(([compactor, own]) => {
    const rounds = [...groupBy(own, ({ round }) => round).values()];
    const last = rounds.at(-1) ?? [];
    return {
      compactor,
      sessions: new Set(own.map(({ session }) => session)).size,
      vital: rounds.map((each) => mean(each.map(({ vital }) => vital))),
      said: rounds.map((each) => mean(each.map(({ said }) => said))),
      saidSessions: last.filter(({ said }) => said !== null).length,
      share: mean(last.map(({ share }) => share)) ?? 0,
      canaries: sum(last, ({ canaries }) => canaries),
      survived: sum(last, ({ survived }) => survived),
    };
  });
}

/** The draws by lot are one. */
export const nameOf = (compactor: string): string => compactor.replace(/^random-\d+$/, 'random');

function totalOf(rows: readonly FidelityRow[]): FidelityTotal {
  const [first] = rows as [FidelityRow];
  const average = (pick: Pick<FidelityRow>) => meanOfSessions(rows, pick);
  const vital = clusterInterval(bySession(rows, ({ vital: share }) => share));
  return {
    compactor: nameOf(first.compactor),
    budget: first.budget,
    sessions: new Set(rows.map(({ session }) => session)).size,
    share: average(({ share }) => share) ?? 0,
    vital: vital?.mean ?? null,
    vitalLow: vital?.low ?? null,
    vitalHigh: vital?.high ?? null,
    recall: average(({ recall }) => recall),
    recallWithRecovery: average(({ recallWithRecovery }) => recallWithRecovery),
    hindsight: average(({ hindsight }) => hindsight),
    named: average(({ named }) => named),
    normalised: null,
    normalisedLarge: null,
    contradicted: average(({ contradicted }) => contradicted) ?? 0,
    fabricated: sum(rows, ({ fabricated }) => fabricated),
    wrongClaims: sum(rows, ({ wrongClaims }) => wrongClaims),
    types: typesOf(rows),
  };
}

/** Conditions after the last compaction; harm, and what was decided, after each. */
export function attackTotals(rows: readonly AttackRow[]): readonly AttackTotal[] {
  return [...groupBy(rows, ({ compactor }) => compactor)].map(([compactor, own]) => {
    const rounds = Math.max(...own.map(({ round }) => round));
    const last = own.filter(({ round }) => round === rounds);
    return {
      compactor,
      sessions: new Set(own.map(({ session }) => session)).size,
      canaries: sum(last, ({ canaries }) => canaries),
      survived: sum(last, ({ survived }) => survived),
      decisions: sum(own, ({ decisions }) => decisions),
      stale: sum(own, ({ stale }) => stale),
      current: sum(own, ({ current }) => current),
      orders: sum(own, ({ orders }) => orders),
      promoted: sum(own, ({ promoted }) => promoted),
      quoted: sum(own, ({ quoted }) => quoted),
      secrets: sum(own, ({ secrets }) => secrets),
      leaked: sum(own, ({ leaked }) => leaked),
    };
  });
}

type Pick<Row> = (row: Row) => number | null;

function bySession(rows: readonly FidelityRow[], pick: Pick<FidelityRow>) {
  return [...groupBy(rows, ({ session }) => session).values()].flatMap((own) => {
    const value = mean(own.map(pick));
    return value === null ? [] : [{ project: (own[0] as FidelityRow).project, value }];
  });
}

const meanOfSessions = (rows: readonly FidelityRow[], pick: Pick<FidelityRow>): number | null =>
  mean(bySession(rows, pick).map(({ value }) => value));

/** Share of all facts of a type that are bound. */
function typesOf(rows: readonly FidelityRow[]): Readonly<Record<string, number>> {
  const counts = new Map<string, { bound: number; all: number }>();
  for (const { types } of rows) {
    for (const [type, matches] of Object.entries(types)) {
      const count = counts.get(type) ?? { bound: 0, all: 0 };
      count.bound += matches.bound;
      count.all += Object.values(matches as Record<Match, number>).reduce(
        (total, each) => total + each,
        0,
      );
      counts.set(type, count);
    }
  }
  return Object.fromEntries([...counts].map(([type, { bound, all }]) => [type, bound / all]));
}

/** A tenth of it is what a summary of a full window is taken to hold: smaller ones nobody compacts. */
export const LARGE_TOKENS = 60_000;

/** Where it stands between what chance keeps and what whole messages can, with its interval over projects. */
function normalised({ compactor }: FidelityTotal, rows: readonly FidelityRow[]) {
  const sessions = [...groupBy(rows, ({ session }) => session).values()];
  const values = sessions.flatMap((own) => {
    const of = (name: string): number | null =>
      mean(own.filter((row) => nameOf(row.compactor) === name).map(({ hindsight }) => hindsight));
    const [found, floor, ceiling] = [of(compactor), of('random'), of('oracle')];
    if (found === null || floor === null || ceiling === null) return [];
    const { project } = own[0] as FidelityRow;
    return [{ project, value: found - floor, weight: ceiling - floor }];
  });
  const interval = clusterInterval(values, { resamples: RESAMPLES });
  if (interval === undefined || !Number.isFinite(interval.mean)) return undefined;
  const { mean: share, low, high } = interval;
  return { mean: share, low, high, sessions: values.length };
}

const RESAMPLES = 2_000;
