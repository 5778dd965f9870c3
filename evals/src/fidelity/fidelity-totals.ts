import { clusterInterval } from '../grid/cluster-interval.ts';
import type { FidelityRow, FidelityTotal } from './fidelity-schema.ts';
import type { Match } from './match.ts';

/** Means over sessions of each session's mean over its cuts, by budget and compactor; the draws by lot are one. */
export function fidelityTotals(rows: readonly FidelityRow[]): readonly FidelityTotal[] {
  const groups = groupBy(rows, ({ budget, compactor }) => `${budget}\n${nameOf(compactor)}`);
  const totals = [...groups.values()].map(totalOf);
  return totals.map((total) => ({ ...total, normalised: normalised(total, totals) }));
}

const nameOf = (compactor: string): string => compactor.replace(/^random-\d+$/, 'random');

function totalOf(rows: readonly FidelityRow[]): FidelityTotal {
  const [first] = rows as [FidelityRow];
  const mean = (pick: (row: FidelityRow) => number | null) => meanOfSessions(rows, pick);
  const vital = clusterInterval(bySession(rows, ({ vital: share }) => share));
  return {
    compactor: nameOf(first.compactor),
    budget: first.budget,
    sessions: new Set(rows.map(({ session }) => session)).size,
    share: mean(({ share }) => share) ?? 0,
    vital: vital?.mean ?? null,
    vitalLow: vital?.low ?? null,
    vitalHigh: vital?.high ?? null,
    recall: mean(({ recall }) => recall),
    recallWithRecovery: mean(({ recallWithRecovery }) => recallWithRecovery),
    hindsight: mean(({ hindsight }) => hindsight),
    normalised: null,
    contradicted: mean(({ contradicted }) => contradicted) ?? 0,
    fabricated: sum(rows, ({ fabricated }) => fabricated),
    wrongClaims: sum(rows, ({ wrongClaims }) => wrongClaims),
    types: typesOf(rows),
  };
}

function bySession(rows: readonly FidelityRow[], pick: (row: FidelityRow) => number | null) {
  return [...groupBy(rows, ({ session }) => session).values()].flatMap((own) => {
    const values = own.map(pick).filter((value) => value !== null);
    if (values.length === 0) return [];
    const value = values.reduce((total, each) => total + each, 0) / values.length;
    return [{ project: (own[0] as FidelityRow).project, value }];
  });
}

function meanOfSessions(rows: readonly FidelityRow[], pick: (row: FidelityRow) => number | null) {
  const means = bySession(rows, pick);
  return means.length === 0
    ? null
    : means.reduce((total, { value }) => total + value, 0) / means.length;
}

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

/** Where it stands between what chance keeps and what whole messages can. */
function normalised(total: FidelityTotal, totals: readonly FidelityTotal[]): number | null {
  const of = (compactor: string) =>
    totals.find((each) => each.compactor === compactor && each.budget === total.budget)?.hindsight;
  const [floor, ceiling] = [of('random'), of('oracle')];
  if (total.hindsight === null || floor == null || ceiling == null || ceiling === floor)
    return null;
  return (total.hindsight - floor) / (ceiling - floor);
}

const sum = (rows: readonly FidelityRow[], pick: (row: FidelityRow) => number): number =>
  rows.reduce((total, row) => total + pick(row), 0);

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
