import type { Memdir } from '@varve/memdir';
import { createEstimator } from '@varve/tokens';
import type { Chain, Turn } from './chain.ts';
import { BAD, type JudgedStatement, judge, shareOf } from './score.ts';
import { statementsIn } from './statements.ts';

/** What one turn was shown of a memory. */
export interface ShownTurn {
  readonly turn: Turn;
  readonly files: readonly ShownFile[];
  /** Files that hold something the turn needs. */
  readonly targets: readonly string[];
  /** What it needs and no file holds. */
  readonly notHeld: readonly string[];
}

export interface ShownFile {
  readonly path: string;
  readonly statements: readonly JudgedStatement[];
  /** Whole days since it was written; as memory says, and as it is. */
  readonly saidDays: number | undefined;
  readonly days: number;
  readonly hasCaveat: boolean;
  /** As the model sees it. */
  readonly text: string;
}

export interface UseScore {
  readonly turns: number;
  /** Share of the files that hold what a turn needs, mean over turns with such files. */
  readonly recall: number | undefined;
  /** Of the files that are shown. */
  readonly precision: number | undefined;
  /** Of what turns need, the share that no file holds: what was never written, or was lost. */
  readonly notHeld: number | undefined;
  /** Of the turns that fit nothing, the share that are shown nothing. */
  readonly clean: number | undefined;
  readonly shownStatements: number;
  readonly wrongShown: number;
  /** Of what a turn is shown, by estimate; mean over turns. */
  readonly tokensPerTurn: number;
  /** Of shown statements that are two days old or more, the share with the caveat. */
  readonly withCaveat: number | undefined;
  /** Mean error of the age that is said, in days. */
  readonly ageError: number | undefined;
}

export interface AskedMemory {
  readonly memory: Memdir;
  readonly files: ReadonlyMap<string, string>;
  /** When each file was last changed, and the time of the turn, in ms. */
  readonly writtenMs: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;

/** Recall as it ships, without a model, on the memory of a chain. */
export async function showTurn(
  turn: Turn,
  chain: Chain,
  { memory, files, writtenMs, nowMs }: AskedMemory,
): Promise<ShownTurn> {
  const result = await memory.startRecall().recall(turn.text);
  const recalled = result.kind === 'recalled' ? result.memories : [];
  const held = (path: string) =>
    judge(statementsIn(files.get(path) ?? '', path), chain, turn.after);
  const liveIn = (path: string) => held(path).flatMap(({ live }) => live);
  const live = new Set([...files.keys()].flatMap(liveIn));
  return {
    turn,
    targets: [...files.keys()].filter((path) => liveIn(path).some((id) => turn.needs.includes(id))),
    notHeld: turn.needs.filter((id) => !live.has(id)),
    files: recalled.map(({ path, text, ageDays }) => ({
      path,
      text,
      statements: held(path).filter((each) => isShown(each.text, text)),
      saidDays: ageDays,
      days: Math.floor((nowMs - (writtenMs.get(path) ?? nowMs)) / DAY_MS),
      hasCaveat: CAVEAT.test(text.split('\n')[0] ?? ''),
    })),
  };
}

/** Words of a warning that what follows may have changed. */
const CAVEAT = /\b(?:verify|check|confirm|out of date|outdated|may have changed|true then)\b/i;

const flat = (text: string): string => text.replace(/[\s*`>|-]+/g, ' ').trim();
const isShown = (statement: string, text: string): boolean => flat(text).includes(flat(statement));

export function scoreUse(shown: readonly ShownTurn[]): UseScore {
  const needy = shown.filter(({ turn }) => turn.needs.length > 0);
  const answerable = needy.filter(({ targets }) => targets.length > 0);
  const idle = shown.filter(({ turn }) => turn.needs.length === 0);
  const files = needy.flatMap((each) => each.files.map((file) => ({ file, each })));
  const statements = shown.flatMap((each) => each.files.flatMap((file) => file.statements));
  const old = shown.flatMap((each) => each.files.filter(({ days }) => days >= 2));
  const aged = shown.flatMap((each) => each.files);
  const needs = needy.reduce((sum, { turn }) => sum + turn.needs.length, 0);
  const notHeld = needy.reduce((sum, each) => sum + each.notHeld.length, 0);
  return {
    turns: shown.length,
    recall: meanOf(
      answerable.map((each) => shareOf(hitsOf(each), Math.min(MOST_FILES, each.targets.length), 0)),
    ),
    precision:
      files.length === 0
        ? undefined
        : files.filter(({ file, each }) => each.targets.includes(file.path)).length / files.length,
    notHeld: needs === 0 ? undefined : notHeld / needs,
    clean: meanOf(idle.map((each) => (each.files.length === 0 ? 1 : 0))),
    shownStatements: statements.length,
    wrongShown: statements.filter((each) => BAD.has(each.class)).length,
    tokensPerTurn: meanOf(shown.map(tokensOf)) ?? 0,
    withCaveat: meanOf(old.flatMap((file) => file.statements.map(() => (file.hasCaveat ? 1 : 0)))),
    ageError: meanOf(
      aged.map(({ saidDays, days }) => (saidDays === undefined ? days : Math.abs(saidDays - days))),
    ),
  };
}

const { text: tokensIn } = createEstimator();
const tokensOf = ({ files }: ShownTurn): number =>
  files.reduce((sum, { text }) => sum + tokensIn(text), 0);

const MOST_FILES = 5;

const hitsOf = ({ files, targets }: ShownTurn): number =>
  files.filter(({ path }) => targets.includes(path)).length;

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
