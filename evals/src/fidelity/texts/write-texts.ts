import { writeFiles } from '../../report/write-files.ts';
import { absentOf } from '../questions/compare-arms.ts';
import type { ReadPoint } from './open-points.ts';
import type { ArmText } from './point-texts.ts';

/**
 * Writes what a reader is given below `reading`: texts by point, questions, and a sheet of answers to fill in; and beside it
 * `key.json`, which says what each text is. Throws `not-written`.
 */
export async function writeTexts(points: readonly ReadPoint[], folder: string): Promise<void> {
  const texts = points.flatMap((point) => point.texts);
  await writeFiles(folder, { 'key.json': json({ texts: keyOf(texts), absent: absentOf(points) }) });
  await writeFiles(`${folder}/reading`, { 'answers.json': json(sheetOf(points)) });
  const asked = points.map(({ open }) => [
    `${open.id}.json`,
    json(open.questions.map(({ id, question }) => ({ id, question }))),
  ]);
  await writeFiles(`${folder}/reading/questions`, Object.fromEntries(asked));
  for (const { open, texts } of points) {
    const files = texts.map(({ id, text }) => [`${id}.txt`, text]);
    await writeFiles(`${folder}/reading/texts/${open.id}`, Object.fromEntries(files));
  }
}

const keyOf = (texts: readonly ArmText[]) =>
  Object.fromEntries(
    byId(texts).map(({ id, point, arm, digest, tokens }) => [id, { point, arm, digest, tokens }]),
  );

/** Every question of every text, with no answer yet. */
const sheetOf = (points: readonly ReadPoint[]) => ({
  reader: '',
  answers: points.flatMap(({ open, texts }) =>
    byId(texts).flatMap(({ id, digest }) =>
      open.questions.map((question) => ({ text: id, digest, question: question.id, answer: null })),
    ),
  ),
});

const byId = (texts: readonly ArmText[]): readonly ArmText[] =>
  texts.toSorted((one, other) => (one.id < other.id ? -1 : 1));

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
