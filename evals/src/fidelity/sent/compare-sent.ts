import { clusterInterval, type Interval } from '../../grid/cluster-interval.ts';
import type { ReadPart } from '../../session/describe-read.ts';
import { groupBy, mean } from '../means.ts';
import type { SentRow } from './measure-sent.ts';

/** What the requests of strategies hold of what was said, and of what questions ask. */
export interface SentReport extends ReadPart {
  readonly strategies: readonly SentTotal[];
  /** Each fold beside the same strategy without it. */
  readonly folds: readonly FoldRow[];
  readonly rows: readonly SentRow[];
}

export interface SentTotal {
  readonly strategy: string;
  readonly sessions: number;
  readonly places: number;
  /** Of a request at the places of said facts, mean. */
  readonly tokens: number | null;
  /** Share of the said facts of the whole conversation, mean over sessions. */
  readonly said: Interval | null;
  readonly questions: number;
  /** Share of the questions whose answer stands together. */
  readonly answered: Interval | null;
}

export interface FoldRow {
  readonly fold: string;
  readonly unfolded: string;
  /** Share of the said facts that the unfolded requests hold less that of the folded ones, mean over sessions. */
  readonly saidLost: Interval | null;
  /** Questions that the unfolded requests answer. */
  readonly questions: number;
  /** Share of them that the folded ones do not. */
  readonly lost: Interval | null;
  /** Ids of these, and of those that only the folded requests answer. */
  readonly lostIds: readonly string[];
  readonly gainedIds: readonly string[];
}

export function compareSent(rows: readonly SentRow[], read: ReadPart): SentReport {
  const byStrategy = groupBy(rows, ({ strategy }) => strategy);
  return {
    strategies: [...byStrategy].map(([strategy, own]) => totalOf(strategy, own)),
    folds: [...byStrategy].flatMap(([fold, own]) => {
      const unfolded = fold.replace(/\+fold$/, '');
      const others = unfolded === fold ? undefined : byStrategy.get(unfolded);
      return others === undefined ? [] : [{ fold, unfolded, ...foldOf(own, others) }];
    }),
    rows,
    ...read,
  };
}

function totalOf(strategy: string, rows: readonly SentRow[]): SentTotal {
  const saying = rows.filter(({ said }) => said !== null);
  const asking = rows.flatMap(({ project, asked }) =>
    Object.values(asked).map((isHeld) => ({ project, value: Number(isHeld) })),
  );
  const sessions = sessionsOf(saying);
  return {
    strategy,
    sessions: sessions.length,
    places: saying.length,
    tokens: mean(saying.map(({ tokens }) => tokens)),
    said: clusterInterval(sessions) ?? null,
    questions: asking.length,
    answered: clusterInterval(asking) ?? null,
  };
}

const keptShare = ({ said }: SentRow): number | null =>
  said === null || said.facts === 0 ? null : said.kept / said.facts;

/** The share that is kept in each session, mean over its places. */
const sessionsOf = (rows: readonly SentRow[]) =>
  [...groupBy(rows, ({ session }) => session)].flatMap(([session, own]) => {
    const value = mean(own.map(keptShare));
    return value === null ? [] : [{ session, project: own[0]?.project ?? 0, value }];
  });

function foldOf(folded: readonly SentRow[], unfolded: readonly SentRow[]) {
  const before = new Map(sessionsOf(unfolded).map(({ session, value }) => [session, value]));
  const saidLost = clusterInterval(
    sessionsOf(folded).flatMap(({ session, project, value }) => {
      const base = before.get(session);
      return base === undefined ? [] : [{ project, value: base - value }];
    }),
  );
  const held = new Map(folded.flatMap(({ asked }) => Object.entries(asked)));
  const asked = unfolded.flatMap(({ project, asked: own }) =>
    Object.entries(own).map(([id, isHeld]) => ({ id, project, isHeld })),
  );
  const answered = asked.filter(({ isHeld }) => isHeld);
  const isLost = ({ id }: { readonly id: string }): boolean => held.get(id) !== true;
  const lost = clusterInterval(
    answered.map((each) => ({ project: each.project, value: Number(isLost(each)) })),
  );
  return {
    saidLost: saidLost ?? null,
    questions: answered.length,
    lost: lost ?? null,
    lostIds: answered.filter(isLost).map(({ id }) => id),
    gainedIds: asked.filter((each) => !each.isHeld && !isLost(each)).map(({ id }) => id),
  };
}
