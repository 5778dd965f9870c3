import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Message } from '@varve/messages';
import type { ImportedThread } from '@varve/transcript/import';
import { z } from 'zod';
import { EvalsError } from '../../error.ts';
import type { Report } from '../../report/report-schema.ts';
import { readFile as whatWasRead } from '../../session/describe-read.ts';
import { importNamed, mainThreads } from '../../session/import-threads.ts';
import { rawHistory } from '../../session/raw-history.ts';
import { sessionFacts } from '../../session/session-facts.ts';

const id = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const index = z.int().nonnegative();

/** What an answer is good for; the README of `evals/questions` says what each kind means. */
const KINDS = [
  ...(['cause', 'decision', 'rejected', 'tried', 'failure', 'request', 'rule'] as const),
  ...(['step', 'state', 'file-state', 'identifier', 'number'] as const),
] as const;
const kind = z.enum(KINDS);

const questionSchema = z.strictObject({
  id,
  kind,
  question: z.string().min(1).max(200),
  /** Of each group, one alternative stands in a right answer. */
  terms: z.array(z.array(z.string().min(1).max(60)).min(1)).min(1),
  /** Where it stands before the point. */
  proof: z.strictObject({ message: index, block: index }),
  /** A message after the point that needed it. */
  need: index,
});

const pointSchema = z
  .strictObject({
    id,
    agent: z.string().min(1),
    /** Relative to the folder of sessions, with `/`. */
    session: z.string().min(1),
    /** SHA-256 of the file. */
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    /** Of several main threads. */
    thread: z.string().min(1).optional(),
    /** How many messages of the history stand before the point. */
    messageIndex: z.int().positive(),
    tokens: z.int().positive(),
    questions: z.array(questionSchema).length(3),
  })
  .check(({ value: { messageIndex, questions }, issues }) => {
    for (const { id, proof, need } of questions) {
      if (proof.message < messageIndex && messageIndex < need) continue;
      const message = `"${id}": its proof stands before the point, its need after it`;
      issues.push({ code: 'custom', message, input: id });
    }
  });

const fileSchema = z
  .strictObject({
    version: z.literal(1),
    about: z.string().min(1),
    estimator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
    points: z.array(pointSchema).min(1),
  })
  .check(({ value: { points }, issues }) => {
    const ids = points.flatMap(({ id, questions }) => [id, ...questions.map(({ id }) => id)]);
    const twice = ids.filter((each, at) => ids.indexOf(each) !== at);
    for (const each of twice)
      issues.push({ code: 'custom', message: `two have the id "${each}"`, input: each });
  });

export type Question = Readonly<z.infer<typeof questionSchema>>;
export type QuestionPoint = Readonly<z.infer<typeof pointSchema>>;

/** A point with the session it was chosen in. */
export interface OpenPoint extends QuestionPoint {
  /** Of the whole session, with no compaction in it. */
  readonly history: readonly Message[];
  readonly recorded: ImportedThread;
  /** What was read of its file. */
  readonly read: Report['read'][number];
}

/** The points of a file of `evals/questions`. Throws `not-found`, and `bad-questions` with everything that is wrong with it. */
export async function loadQuestions(path: string): Promise<readonly QuestionPoint[]> {
  const json = await read(path, 'Questions are read from evals/questions of the repository.');
  const name = basename(path);
  let value: unknown;
  try {
    value = JSON.parse(json.toString('utf8'));
  } catch (cause) {
    throw new EvalsError('bad-questions', `${name} is no JSON.`, { cause });
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data.points;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new EvalsError(
    'bad-questions',
    `${name} holds no questions that can be asked:\n  ${faults.join('\n  ')}`,
  );
}

/**
 * Finds the session of a point in a folder of sessions. Throws `not-found`, and `stale-questions` where the session is no
 * longer what the questions were written from.
 */
export async function openPoint(point: QuestionPoint, sessions: string): Promise<OpenPoint> {
  const { id, session, digest, thread: wanted, messageIndex } = point;
  const path = join(sessions, ...session.split('/'));
  const bytes = await read(path, 'Pass the folder that holds the sessions of the questions.');
  if (createHash('sha256').update(bytes).digest('hex') !== digest)
    throw stale(id, `${session} has changed since`);
  const file = { ...FILE, path, name: session };
  const imported = await importNamed(file);
  const threads = mainThreads(imported, session);
  const found = threads.find(({ thread }) => wanted === undefined || thread.id === wanted);
  const history = found && rawHistory(found.thread);
  if (found === undefined || history?.[messageIndex]?.role !== 'assistant')
    throw stale(id, `message ${messageIndex} of ${session} begins no reply now`);
  const facts = sessionFacts(imported, session);
  return { ...point, history, recorded: found.thread, read: whatWasRead({ file, facts }) };
}

const FILE = { place: '', named: true } as const;

async function read(path: string, advice: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new EvalsError('not-found', `Nothing can be read at ${path}. ${advice}`, { cause });
  }
}

const stale = (id: string, what: string): EvalsError =>
  new EvalsError(
    'stale-questions',
    `The questions of "${id}" were written from another session: ${what}.`,
  );
