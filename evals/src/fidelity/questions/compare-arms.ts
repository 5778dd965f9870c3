import { clusterInterval } from '../../grid/cluster-interval.ts';
import { lossyFile, type ReadPart } from '../../session/describe-read.ts';
import { isMostlyLost } from '../../session/losses.ts';
import { groupBy, mean, sum } from '../means.ts';
import type { ReadPoint } from '../texts/open-points.ts';
import { type Agreement, agreementOf, kendallTauB } from './agreement.ts';
import { ARMS, type Arm, BUDGET } from './arm-names.ts';
import { standsIn } from './left-of.ts';
import type { Question } from './load.ts';
import { type Grade, gradeReadings, type Reading } from './readings.ts';
import { createSuite } from './suite-score.ts';

/** What the readings say of the arms, and whether the suite says the same. */
export interface QuestionsReport extends ReadPart {
  readonly budget: number;
  readonly points: number;
  readonly questions: number;
  readonly readers: readonly ReaderRow[];
  readonly arms: readonly ArmRow[];
  /** Of each two readers. */
  readonly agreement: readonly (Agreement & { readonly readers: readonly [string, string] })[];
  /** Of readers and of whether the terms of a question stand together in a text: what tells of texts that nobody reads. */
  readonly together: Agreement | null;
  /** Each arm at its own points, and all at the points that have them all. */
  readonly order: Order;
  readonly orderAtSharedPoints: Order;
  /** Answers from texts that have changed since. */
  readonly stale: readonly {
    readonly point: string;
    readonly reader: string;
    readonly answers: number;
  }[];
  readonly absent: ReturnType<typeof absentOf>;
}

export interface ReaderRow {
  readonly reader: string;
  readonly graded: number;
  readonly right: number;
  readonly stale: number;
  /** Questions of texts of today that the reader has not answered. */
  readonly open: number;
}

export interface ArmRow {
  readonly arm: Arm;
  readonly points: number;
  /** Tokens of a text, mean. */
  readonly tokens: number;
  readonly answers: number;
  /** Share of the answers that are right, with its interval over projects; null without answers. */
  readonly answered: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The suite's total of the same texts. */
  readonly suite: number | null;
}

export interface Order {
  /** Kendall's tau-b of `answered` and `suite`; null where there is no order. */
  readonly tau: number | null;
  readonly points: number;
  readonly arms: readonly Arm[];
  /** Without an answer, or without a figure of the suite. */
  readonly leftOut: readonly Arm[];
}

/** Grades readings of the texts of points and compares the arms by them and by the suite. */
export function compareArms(
  all: readonly ReadPoint[],
  readings: readonly Reading[],
): QuestionsReport {
  const points = all.filter(({ open }) => !isMostlyLost(open.read.losses));
  const texts = points.flatMap((point) => point.texts);
  const questions = points.flatMap(({ open }) => open.questions);
  const { grades, stale } = gradeReadings(readings, { texts, questions });
  const pointOf = new Map(
    points.flatMap(({ open }) => open.questions.map(({ id }) => [id, open.id] as const)),
  );
  const staleBy = groupBy(stale, ({ reader, question }) => `${pointOf.get(question)}\n${reader}`);
  const marks = marksOf(points, grades);
  const asked = points.reduce(
    (total, { open, texts }) => total + texts.length * open.questions.length,
    0,
  );
  const arms = rowsOf(marks);
  const full = points
    .filter(({ texts }) => texts.length === ARMS.length)
    .map(({ open }) => open.id);
  return {
    budget: BUDGET,
    points: points.length,
    questions: questions.length,
    readers: readings.map(({ reader }) => {
      const own = grades.filter((each) => each.reader === reader);
      return {
        reader,
        graded: own.length,
        right: own.filter(({ isRight }) => isRight).length,
        stale: stale.filter((each) => each.reader === reader).length,
        open: asked - own.length,
      };
    }),
    arms,
    agreement: agreements(readings, grades),
    together: togetherOf(grades, questions),
    order: orderOf(arms, points.length),
    orderAtSharedPoints: orderOf(
      rowsOf(marks.filter(({ point }) => full.includes(point))),
      full.length,
    ),
    stale: [...staleBy].map(([name, { length: answers }]) => {
      const [point = '', reader = ''] = name.split('\n');
      return { point, reader, answers };
    }),
    absent: absentOf(points),
    ...readOf(all),
  };
}

/** The sessions of all points, each once. */
function readOf(points: readonly ReadPoint[]): ReadPart {
  const read = [...new Map(points.map(({ open }) => [open.session, open.read])).values()];
  return { read, leftOut: read.flatMap(lossyFile), skipped: [], refused: [] };
}

/** Where an arm has nothing to show. */
export const absentOf = (points: readonly ReadPoint[]) =>
  points.flatMap(({ open, texts }) =>
    ARMS.filter((arm) => !texts.some((text) => text.arm === arm)).map((arm) => ({
      point: open.id,
      arm,
    })),
  );

/** One arm at one point. */
interface Mark {
  readonly arm: Arm;
  readonly point: string;
  readonly project: number;
  readonly tokens: number;
  readonly right: number;
  readonly answers: number;
  readonly suite: number | null;
}

const marksOf = (points: readonly ReadPoint[], grades: readonly Grade[]): readonly Mark[] =>
  points.flatMap(({ open, project, texts, ...place }) => {
    const suiteOf = createSuite(place);
    return texts.map((text) => {
      const own = grades.filter((grade) => grade.text === text);
      return {
        ...{ arm: text.arm, point: open.id, project, tokens: text.tokens },
        right: own.filter(({ isRight }) => isRight).length,
        answers: own.length,
        suite: suiteOf(text.left),
      };
    });
  });

const rowsOf = (marks: readonly Mark[]): readonly ArmRow[] =>
  [...groupBy(marks, ({ arm }) => arm)].map(([arm, own]) => {
    const read = own.filter(({ answers }) => answers > 0);
    const answered = clusterInterval(
      read.map(({ project, right, answers }) => ({ project, value: right, weight: answers })),
    );
    return {
      ...{ arm, points: own.length, tokens: mean(own.map(({ tokens }) => tokens)) ?? 0 },
      answers: sum(own, ({ answers }) => answers),
      answered: answered?.mean ?? null,
      low: answered?.low ?? null,
      high: answered?.high ?? null,
      suite: mean(own.map(({ suite }) => suite)),
    };
  });

function orderOf(rows: readonly ArmRow[], points: number): Order {
  const known = rows.flatMap(({ arm, answered, suite }) =>
    answered === null || suite === null ? [] : [{ arm, figures: [answered, suite] as const }],
  );
  const arms = known.map(({ arm }) => arm);
  return {
    tau: kendallTauB(known.map(({ figures }) => figures)),
    points,
    arms,
    leftOut: ARMS.filter((arm) => !arms.includes(arm)),
  };
}

function togetherOf(grades: readonly Grade[], questions: readonly Question[]): Agreement | null {
  const asked = new Map(questions.map((question) => [question.id, question]));
  return agreementOf(
    grades.flatMap(({ text, question: id, isRight }) => {
      const question = asked.get(id);
      return question === undefined ? [] : [[isRight, standsIn(text.text, question)] as const];
    }),
  );
}

const agreements = (readings: readonly Reading[], grades: readonly Grade[]) =>
  readings.flatMap(({ reader }, at) =>
    readings.slice(at + 1).flatMap(({ reader: other }) => {
      const theirs = new Map(
        grades
          .filter((each) => each.reader === other)
          .map((each) => [`${each.text.id}\n${each.question}`, each.isRight]),
      );
      const pairs = grades
        .filter((each) => each.reader === reader)
        .flatMap((each) => {
          const second = theirs.get(`${each.text.id}\n${each.question}`);
          return second === undefined ? [] : [[each.isRight, second] as const];
        });
      const found = agreementOf(pairs);
      return found ? [{ readers: [reader, other] as const, ...found }] : [];
    }),
  );
