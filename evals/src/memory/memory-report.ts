import { priceUsage } from '@varve/tokens';
import { median } from '../validate/statistics.ts';
import type { Chain } from './chain.ts';
import { FAKE_DREAMS, FAKE_WRITERS, pollutedMemory } from './controls.ts';
import { type DreamScore, scoreDream } from './dream-score.ts';
import type { RecallTable } from './recall-table.ts';
import type { Recording } from './recordings.ts';
import type { RotRow } from './rot.ts';
import { type ChainRun, isComplete } from './run-chain.ts';
import type { DreamRun } from './run-dream.ts';
import { CLASSES, type MemoryScore, type StatementClass, score } from './score.ts';
import { type TargetRow, targetsOf } from './targets.ts';
import type { UseScore } from './use-score.ts';

/** The middle of several runs, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Memories at the end of their chains. Shares are of statements. */
export interface WriterRow {
  readonly writer: string;
  readonly runs: number;
  readonly statements: Spread;
  readonly pollution: Spread;
  readonly missed: Spread;
  readonly f1: Spread;
  readonly shares: Readonly<Record<StatementClass, number>>;
  /** In all runs together. */
  readonly secrets: number;
  readonly injected: number;
  readonly relative: number;
}

export interface DreamRow {
  readonly dream: string;
  readonly runs: number;
  readonly lostTrue: Spread;
  readonly removedBad: Spread | undefined;
  readonly keptStale: Spread | undefined;
  readonly duplicatesLeft: Spread | undefined;
  readonly invented: number;
  readonly net: Spread;
}

export interface ShippedDreamRow extends DreamRow {
  readonly memory: DreamRun['memory'];
  /** Share of statements that are stale afterwards. */
  readonly staleAfter: Spread;
  readonly pollutionBefore: Spread;
  readonly pollutionAfter: Spread;
  readonly missedAfter: Spread;
  /** Bytes that second dreams changed, in all. */
  readonly again: number;
  /** Dreams after which an undo gave other bytes than before. */
  readonly notUndone: number;
}

export interface CostRow {
  readonly sessions: number;
  /** Sessions after which nothing was written. */
  readonly emptyRuns: number;
  /** Per session, by estimate. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What a session begins with: rules, and the index at the end of the chain. */
  readonly rulesTokens: number;
  readonly indexTokens: number;
  /** At list prices of the recorded model, without a cache; undefined where it has none. */
  readonly dollars: number | undefined;
  readonly dollarsPerTrue: number | undefined;
}

export interface UseRow extends UseScore {
  /** Turns in which memory showed a wrong value and somebody answered; of these, those that used it. */
  readonly answeredWrong: number;
  readonly actedOn: number;
  /** The same turns without memory. */
  readonly actedOnWithout: number;
}

/** A run without the texts of its memory. */
export type RunSummary = Omit<ChainRun, 'folder' | 'wanted' | 'answered'> & {
  readonly isComplete: boolean;
  readonly wanted: readonly WantedSummary[];
};
export type DreamSummary = Omit<DreamRun, 'wanted' | 'answered'> & {
  readonly wanted: readonly WantedSummary[];
};

export interface WantedSummary {
  readonly place: string;
  readonly reason: string;
}

/** How far the answers of a take are used. */
export interface RecordingState {
  readonly chain: string;
  readonly take: number;
  readonly answers: number;
  readonly used: number;
  /** The first request that is another one than was answered; nothing behind it counts. */
  readonly staleFrom: WantedSummary | undefined;
}

export interface MemoryReport {
  readonly schema: 1;
  readonly chains: readonly {
    readonly name: string;
    readonly sessions: number;
    readonly items: number;
    readonly turns: number;
    readonly heldBack: boolean;
  }[];
  readonly heldBackLeftOut: number;
  /** What ships, over complete runs; undefined without any. */
  readonly shipped: WriterRow | undefined;
  readonly use: UseRow | undefined;
  readonly targets: readonly TargetRow[];
  readonly recordings: readonly RecordingState[];
  readonly cost: CostRow | undefined;
  readonly fakeWriters: readonly WriterRow[];
  readonly fakeDreams: readonly DreamRow[];
  /** On the memory of the controls, and on what the extraction wrote. */
  readonly shippedDreams: readonly ShippedDreamRow[];
  readonly runs: readonly RunSummary[];
  readonly dreams: readonly DreamSummary[];
  readonly recall: RecallTable | undefined;
  readonly rot: readonly RotRow[];
}

export interface ReportInput {
  readonly chains: readonly Chain[];
  readonly heldBackLeftOut: number;
  readonly runs: readonly ChainRun[];
  readonly dreams?: readonly DreamRun[] | undefined;
  readonly recordings?: readonly Recording[] | undefined;
  /** Of the other chains, where these are held back: for the targets alone. */
  readonly others?: Pick<ReportInput, 'runs' | 'dreams'> | undefined;
  readonly recall?: RecallTable | undefined;
  readonly rot?: readonly RotRow[] | undefined;
}

export function memoryReport(input: ReportInput): MemoryReport {
  const { chains, heldBackLeftOut, runs, dreams = [], recordings = [], others } = input;
  const { recall, rot = [] } = input;
  const complete = runs.filter(isComplete);
  const shipped = complete.length === 0 ? undefined : shippedRow(complete);
  const use = useRow(complete);
  const shippedDreams = (['polluted', 'written'] as const).flatMap((memory) =>
    shippedDreamRow(memory, dreams),
  );
  const fakeWriters = Object.entries(FAKE_WRITERS).map(([name, write]) =>
    writerRow(
      name,
      chains.map((chain) => score(write(chain), chain, chain.sessions.length)),
    ),
  );
  const fakeDreams = Object.entries(FAKE_DREAMS).map(([name, dream]) =>
    dreamRow(
      name,
      chains.map((chain) => {
        const before = pollutedMemory(chain).map(({ text }) => text);
        return scoreDream(before, dream(before, chain), chain, chain.sessions.length);
      }),
    ),
  );
  return {
    schema: 1,
    chains: chains.map(({ name, sessions, items, turns, heldBack }) => ({
      ...{ name, heldBack, sessions: sessions.length, items: items.length, turns: turns.length },
    })),
    heldBackLeftOut,
    ...{ shipped, use, shippedDreams },
    targets: targetsOf({
      runs: [...runs, ...(others?.runs ?? [])],
      dreams: [...dreams, ...(others?.dreams ?? [])],
      heldBack: new Set(chains.flatMap(({ name, heldBack }) => (heldBack ? [name] : []))),
      ...{ fakeWriters, fakeDreams },
    }),
    recordings: runs.flatMap((run) => stateOf(run, dreams, recordings)),
    cost: costRow(complete),
    fakeWriters,
    fakeDreams,
    runs: runs.map(({ folder: _, answered: __, wanted, ...run }) => ({
      ...run,
      isComplete: isComplete(run),
      wanted: wanted.map(({ place, reason }) => ({ place, reason })),
    })),
    dreams: dreams.map(({ wanted, answered: _, ...run }) => ({
      ...run,
      wanted: wanted.map(({ place, reason }) => ({ place, reason })),
    })),
    ...{ recall, rot },
  };
}

function stateOf(
  { chain, take, wanted, answered }: ChainRun,
  dreams: readonly DreamRun[],
  recordings: readonly Recording[],
): readonly RecordingState[] {
  const isOwn = (each: { readonly chain: string; readonly take: number }) =>
    each.chain === chain && each.take === take;
  const recording = recordings.find(isOwn);
  if (recording === undefined) return [];
  const own = dreams.filter(isOwn);
  const stale = [...wanted, ...own.flatMap((dream) => dream.wanted)].find(
    ({ reason }) => reason !== 'missing',
  );
  return [
    {
      ...{ chain, take, answers: recording.exchanges.size },
      used: new Set([...answered, ...own.flatMap((dream) => dream.answered)]).size,
      staleFrom: stale && { place: stale.place, reason: stale.reason },
    },
  ];
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values) ?? 0, low: Math.min(...values), high: Math.max(...values) };
}

const lastOf = ({ checkpoints }: ChainRun): MemoryScore =>
  (checkpoints.at(-1) as ChainRun['checkpoints'][number]).score;

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function shippedRow(runs: readonly ChainRun[]): WriterRow {
  return {
    ...writerRow('as it ships', runs.map(lastOf)),
    // anywhere in the folder, not in statements alone
    secrets: sum(runs.map(({ leaks }) => leaks.secrets.length)),
    injected: sum(runs.map(({ leaks }) => leaks.injected.length)),
  };
}

function writerRow(writer: string, scores: readonly MemoryScore[]): WriterRow {
  const all = (of: (each: MemoryScore) => number) => scores.map(of);
  const statements = sum(all((each) => each.statements));
  const shares = Object.fromEntries(
    CLASSES.map((kind) => [
      kind,
      statements === 0 ? 0 : sum(all(({ classes }) => classes[kind])) / statements,
    ]),
  ) as Record<StatementClass, number>;
  return {
    ...{ writer, runs: scores.length, shares },
    statements: spreadOf(all((each) => each.statements)),
    pollution: spreadOf(all((each) => each.pollution)),
    missed: spreadOf(all((each) => each.missed)),
    f1: spreadOf(all((each) => each.f1)),
    secrets: sum(all(({ classes }) => classes.secret)),
    injected: sum(all(({ classes }) => classes.injected)),
    relative: sum(all((each) => each.relative)),
  };
}

export function dreamRow(dream: string, scores: readonly DreamScore[]): DreamRow {
  const spread = (of: (each: DreamScore) => number | undefined) => {
    const values = scores.flatMap((each) => of(each) ?? []);
    return values.length === 0 ? undefined : spreadOf(values);
  };
  return {
    ...{ dream, runs: scores.length },
    lostTrue: spreadOf(scores.map(({ lostTrue }) => lostTrue)),
    removedBad: spread(({ removedBad }) => removedBad),
    keptStale: spread(({ keptStale }) => keptStale),
    duplicatesLeft: spread(({ duplicatesLeft }) => duplicatesLeft),
    invented: sum(scores.map(({ invented }) => invented)),
    net: spreadOf(scores.map(({ net }) => net)),
  };
}

function shippedDreamRow(
  memory: DreamRun['memory'],
  dreams: readonly DreamRun[],
): readonly ShippedDreamRow[] {
  const runs = dreams.flatMap((run) =>
    run.memory === memory && run.score !== undefined && run.after !== undefined
      ? [{ ...run, score: run.score, after: run.after }]
      : [],
  );
  if (runs.length === 0) return [];
  const name = memory === 'polluted' ? 'as it ships' : 'on what was written';
  return [
    {
      ...dreamRow(
        name,
        runs.map((run) => run.score),
      ),
      memory,
      staleAfter: spreadOf(
        runs.map(({ after }) =>
          after.statements === 0 ? 0 : after.classes.stale / after.statements,
        ),
      ),
      pollutionBefore: spreadOf(runs.map(({ before }) => before.pollution)),
      pollutionAfter: spreadOf(runs.map(({ after }) => after.pollution)),
      missedAfter: spreadOf(runs.map(({ after }) => after.missed)),
      again: sum(runs.map((run) => run.again)),
      notUndone: runs.filter((run) => !run.isUndoneIdentical).length,
    },
  ];
}

function costRow(runs: readonly ChainRun[]): CostRow | undefined {
  const checkpoints = runs.flatMap((run) => run.checkpoints);
  if (checkpoints.length === 0) return undefined;
  const dollars = runs.map((run) => {
    const [model] = run.models;
    if (model === undefined) return undefined;
    const usage = {
      input_tokens: sum(run.checkpoints.map(({ inputTokens }) => inputTokens)),
      output_tokens: sum(run.checkpoints.map(({ outputTokens }) => outputTokens)),
    };
    const priced = priceUsage(usage, model);
    return priced.unpricedTokens > 0 ? undefined : priced.dollars;
  });
  const isPriced = dollars.every((each) => each !== undefined);
  const total = isPriced ? sum(dollars as number[]) : undefined;
  const kept = sum(runs.map((run) => lastOf(run).classes.true));
  return {
    sessions: checkpoints.length,
    emptyRuns:
      checkpoints.filter(({ written }) => written.writes === 0).length / checkpoints.length,
    inputTokens: sum(checkpoints.map(({ inputTokens }) => inputTokens)) / checkpoints.length,
    outputTokens: sum(checkpoints.map(({ outputTokens }) => outputTokens)) / checkpoints.length,
    rulesTokens: checkpoints[0]?.rulesTokens ?? 0,
    indexTokens: sum(runs.map((run) => run.checkpoints.at(-1)?.indexTokens ?? 0)) / runs.length,
    dollars: total,
    dollarsPerTrue: total === undefined || kept === 0 ? undefined : total / kept,
  };
}

function useRow(runs: readonly ChainRun[]): UseRow | undefined {
  const uses = runs.flatMap(({ use }) => use ?? []);
  if (uses.length === 0) return undefined;
  const middle = (of: (each: (typeof uses)[number]) => number | undefined) => {
    const values = uses.flatMap((each) => of(each) ?? []);
    return values.length === 0 ? undefined : (median(values) ?? undefined);
  };
  const shown = runs.flatMap(({ acted }) => acted).filter(({ wrongShown }) => wrongShown);
  return {
    turns: sum(uses.map(({ turns }) => turns)),
    recall: middle(({ recall }) => recall),
    precision: middle(({ precision }) => precision),
    notHeld: middle(({ notHeld }) => notHeld),
    clean: middle(({ clean }) => clean),
    shownStatements: sum(uses.map(({ shownStatements }) => shownStatements)),
    wrongShown: sum(uses.map(({ wrongShown }) => wrongShown)),
    tokensPerTurn: middle(({ tokensPerTurn }) => tokensPerTurn) ?? 0,
    withCaveat: middle(({ withCaveat }) => withCaveat),
    ageError: middle(({ ageError }) => ageError),
    answeredWrong: shown.length,
    actedOn: shown.filter(({ acted }) => acted === 'wrong').length,
    actedOnWithout: shown.filter(({ without }) => without === 'wrong').length,
  };
}
