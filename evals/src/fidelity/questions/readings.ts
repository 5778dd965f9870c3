import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EvalsError } from '../../error.ts';
import { holds, holdsAny } from '../../memory/words.ts';
import type { ArmText } from '../texts/point-texts.ts';
import { LONGEST_ANSWER } from './left-of.ts';
import type { Question } from './load.ts';

const answerSchema = z.strictObject({
  text: z.string().min(1).describe('Id of the text.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the text as it was read.'),
  question: z.string().min(1),
  answer: z
    .string()
    .max(LONGEST_ANSWER)
    .nullable()
    .describe('null where the text does not say it.'),
});

const readingSchema = z
  .strictObject({ reader: z.string().min(1), answers: z.array(answerSchema) })
  .check(({ value: { answers }, issues }) => {
    const names = answers.map(({ text, question }) => `${question} from ${text}`);
    const twice = names.filter((each, at) => names.indexOf(each) !== at);
    for (const each of new Set(twice))
      issues.push({ code: 'custom', message: `answers twice: ${each}`, input: each });
  });

/** What one reader answered from texts without knowing their arms. */
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** The readings in a folder, by name; none where there is no folder. Throws `bad-questions`. */
export async function loadReadings(folder: string): Promise<readonly Reading[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  const readings = await Promise.all(files.map((name) => loadReading(join(folder, name), name)));
  const readers = readings.map(({ reader }) => reader);
  const twice = readers.find((each, at) => readers.indexOf(each) !== at);
  if (twice === undefined) return readings;
  throw new EvalsError('bad-questions', `Two readings are of "${twice}". Put them into one file.`);
}

/** A sheet that a reader filled in. Throws `bad-questions`. */
export const loadSheet = (path: string): Promise<Reading> => loadReading(path, path);

/**
 * What is stored of a reading: of each answer the terms of its question that it holds, which the grade comes from, and no sentence of the session.
 * Throws `bad-questions` for a question that is not asked.
 */
export const withoutSentences = (
  { reader, answers }: Reading,
  questions: readonly Question[],
): Reading => ({
  reader,
  answers: answers.map((each) => {
    const question = questions.find(({ id }) => id === each.question);
    if (question === undefined) throw notAsked(reader, each.question);
    return { ...each, answer: each.answer === null ? null : termsIn(each.answer, question) };
  }),
});

function termsIn(answer: string, { terms }: Question): string {
  const found = terms.flatMap((group) => group.find((term) => holdsAny(answer, [term])) ?? []);
  return found.map((term) => term.replace(/\*$/, '')).join('; ');
}

const notAsked = (reader: string, question: string): EvalsError =>
  new EvalsError('bad-questions', `${reader} answers "${question}", which is not asked.`);

async function loadReading(path: string, name: string): Promise<Reading> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new EvalsError('bad-questions', `${name} is no JSON.`, { cause });
  }
  const parsed = readingSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new EvalsError('bad-questions', `${name} is no reading:\n  ${faults.join('\n  ')}`);
}

/** An answer that counts. */
export interface Grade {
  readonly reader: string;
  readonly text: ArmText;
  readonly question: string;
  readonly isRight: boolean;
}

export interface Graded {
  readonly grades: readonly Grade[];
  /** Answers from texts that are no more, by their question. */
  readonly stale: readonly { readonly reader: string; readonly question: string }[];
}

export interface GradeOptions {
  /** As they are now. */
  readonly texts: readonly ArmText[];
  readonly questions: readonly Question[];
}

/** Holds answers against the terms of their questions. Throws `bad-questions` for a question that is not asked of the text. */
export function gradeReadings(
  readings: readonly Reading[],
  { texts, questions }: GradeOptions,
): Graded {
  const byId = new Map(texts.map((text) => [text.id, text]));
  const asked = new Map(questions.map((question) => [question.id, question]));
  const grades: Grade[] = [];
  const stale: Graded['stale'][number][] = [];
  for (const { reader, answers } of readings) {
    for (const { text: id, digest, question: name, answer } of answers) {
      const question = asked.get(name);
      if (question === undefined) throw notAsked(reader, name);
      const text = byId.get(id);
      if (text?.digest !== digest) stale.push({ reader, question: name });
      else grades.push({ reader, text, question: name, isRight: isRight(answer, question) });
    }
  }
  return { grades, stale };
}

/** Whether an answer has one alternative of each group in it; half of an answer is none. */
export const isRight = (answer: string | null, { terms }: Pick<Question, 'terms'>): boolean =>
  answer !== null && holds(answer, { words: terms });
