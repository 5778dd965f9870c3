import { agreementOf, isRight, kendallTau } from './grade.ts';
import type { QuestionPoint } from './load.ts';
import type { Reading } from './readings.ts';

/** One text that was given to be read: what an arm left of a point. */
export interface ArmText {
  /** Says nothing of the arm. */
  readonly id: string;
  readonly digest: string;
  readonly arm: string;
  readonly point: QuestionPoint;
  /** Tokens of it, as a share of those before the point. */
  readonly share: number;
  readonly suite: SuiteScore;
}

/**
 * What the suite says of the same text without being asked anything: shares of what people said and asked to be kept to, of what
 * the assistant found and comes back to, of the state of the work, of what the next calls need and the next words name.
 */
export interface SuiteScore {
  readonly people: number | null;
  readonly found: number | null;
  readonly state: number | null;
  readonly calls: number | null;
  readonly words: number | null;
}

/** One arm over its points. */
export interface ArmRow {
  readonly arm: string;
  readonly points: number;
  readonly share: number;
  /** Share of the questions that are answered, by each reading; null where it read none of them. */
  readonly answered: readonly (number | null)[];
  readonly mean: number | null;
  readonly suite: number;
}

export interface QuestionTable {
  readonly readers: readonly string[];
  readonly rows: readonly ArmRow[];
  readonly agreement: ReturnType<typeof agreementOf>;
  /** Between what is answered and the suite, over the arms that were read. */
  readonly tau: number | null;
  /** Answers to texts that are others now. */
  readonly stale: number;
  /** Answers that are still wanted, over all readings; two are. */
  readonly open: number;
}

/** All of a context is there: each question is answered by the place that proves it. */
export const KEEP_ALL = 'keep-all';

export function questionTable(
  texts: readonly ArmText[],
  readings: readonly Reading[],
): QuestionTable {
  const known = new Map(texts.map((text) => [text.id, text]));
  const right = readings.map(({ answers }) => {
    const grades = new Map<string, boolean>();
    for (const { text, digest, question, answer } of answers) {
      const read = known.get(text);
      const asked = read?.point.questions.find(({ id }) => id === question);
      if (read?.digest === digest && asked)
        grades.set(`${text} ${question}`, isRight(answer, asked));
    }
    return grades;
  });
  const given = readings.reduce((sum, { answers }) => sum + answers.length, 0);
  const counted = right.reduce((sum, { size }) => sum + size, 0);
  const rows = [...new Set(texts.map(({ arm }) => arm))].map((arm) =>
    rowOf(
      texts.filter((each) => each.arm === arm),
      right,
    ),
  );
  const read = rows.filter((row) => row.mean !== null);
  const [one, other] = right;
  const both = [...(one ?? [])].flatMap(([key, grade]) => {
    const second = other?.get(key);
    return second === undefined ? [] : [[grade, second] as const];
  });
  const wanted = texts.filter(({ arm }) => arm !== KEEP_ALL);
  const asked = wanted.reduce((sum, { point }) => sum + point.questions.length, 0);
  return {
    readers: readings.map(({ reader }) => reader),
    rows,
    agreement: agreementOf(both),
    tau: kendallTau(
      read.map(({ mean }) => mean as number),
      read.map(({ suite }) => suite),
    ),
    stale: given - counted,
    open: Math.max(0, READINGS * asked - counted),
  };
}

/** Of each text. */
const READINGS = 2;

function rowOf(texts: readonly ArmText[], right: readonly ReadonlyMap<string, boolean>[]): ArmRow {
  const [{ arm }] = texts as [ArmText];
  const answered = right.map((grades) => {
    if (arm === KEEP_ALL) return 1;
    const own = texts.flatMap(({ id, point }) =>
      point.questions.flatMap((question) => grades.get(`${id} ${question.id}`) ?? []),
    );
    return meanOf(own.map(Number));
  });
  return {
    arm,
    points: texts.length,
    share: meanOf(texts.map(({ share }) => share)) ?? 0,
    answered,
    mean: meanOf(answered.filter((each) => each !== null)),
    suite: meanOf(texts.map(({ suite }) => suiteTotal(suite)).filter((each) => each !== null)) ?? 0,
  };
}

/** The suite's total: people, findings, state and needs, each as much as the others; nothing in it was fitted. */
export const suiteTotal = ({ people, found, state, calls, words }: SuiteScore): number | null =>
  meanOf([people, found, state, meanOf([calls, words].filter(isKnown))].filter(isKnown));

const isKnown = (share: number | null): share is number => share !== null;

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
