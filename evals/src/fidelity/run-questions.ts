import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Head, Message } from '@varve/messages';
import { recallAt } from '../demand/hindsight-recall.ts';
import { createNeeds } from '../demand/needs.ts';
import { planSession, type SessionPlan } from '../replay/session-plan.ts';
import { resolvePricing } from '../resolve-pricing.ts';
import { importNamed, mainThreads } from '../session/import-threads.ts';
import type { Compactor } from './compactor.ts';
import { dropOldest, keepAll, keepSome, randomMessages } from './compactors/keep-some.ts';
import { ledgerAlone, ledgerShuffled, ledgerWithFiles } from './compactors/ledger-arms.ts';
import { ledgerCompact } from './compactors/ledger-compact.ts';
import { type FactType, VITAL } from './facts/fact.ts';
import { look } from './look.ts';
import { momentsAt } from './moments.ts';
import { loadQuestions, openPoint, type QuestionPoint } from './questions/load.ts';
import {
  type ArmText,
  KEEP_ALL,
  type QuestionTable,
  questionTable,
} from './questions/question-table.ts';
import { readReadings } from './questions/readings.ts';
import { type RecordedCompaction, recordedCompactions } from './recorded-compactions.ts';
import { messagesText } from './request-text.ts';
import type { FactScore } from './score.ts';

export interface RunQuestionsOptions {
  /** The folder that the questions name sessions below. */
  readonly sessions: string;
  /** File of questions. */
  readonly questions: string;
  /** Folder of readings. */
  readonly readings: string;
  /** Only points of these ids. @default all */
  readonly points?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface QuestionRun {
  readonly table: QuestionTable;
  /** What is given to readers, by name of the file. */
  readonly files: Readonly<Record<string, string>>;
}

/** Of what stands before a point. */
const BUDGET = 0.1;

/**
 * Makes at each point what every arm leaves in a tenth of its tokens, under names that say nothing of the arm, and holds the
 * readings that were made of these texts against the suite's figures for them.
 */
export async function runQuestions(options: RunQuestionsOptions): Promise<QuestionRun> {
  const { points: only = [] } = options;
  const all = await loadQuestions(options.questions);
  const points = only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
  const texts: (ArmText & { readonly words: string })[] = [];
  for (const [at, point] of points.entries()) {
    texts.push(...(await textsAt(point, options.sessions)));
    options.onProgress?.(at + 1, points.length);
  }
  const given = texts
    .filter(({ arm }) => arm !== KEEP_ALL)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const asked = given.map(({ id, digest, point }) => ({
    text: id,
    digest,
    questions: point.questions.map(({ id, question }) => ({ id, question })),
  }));
  return {
    table: questionTable(texts, await readReadings(options.readings)),
    files: {
      ...Object.fromEntries(given.map(({ id, words }) => [`${id}.txt`, words])),
      'questions.json': `${JSON.stringify(asked, undefined, 2)}\n`,
      'README.md': INSTRUCTION,
    },
  };
}

async function textsAt(point: QuestionPoint, sessions: string) {
  const { session, messageIndex } = point;
  await openPoint(point, sessions); // refuses a session that has changed
  const file = {
    place: '',
    named: true,
    path: join(sessions, ...session.split('/')),
    name: session,
  };
  const threads = mainThreads(await importNamed(file), session);
  const named = threads.find(
    ({ thread }) => point.thread === undefined || thread.id === point.thread,
  );
  const { thread } = named as (typeof threads)[number];
  const plan = planSession(thread, resolvePricing({ ttl: '5m' }));
  const [moment] = momentsAt([{ messageIndex }], plan.recording);
  if (moment === undefined) return [];
  const { history, sizes, head } = plan.recording;
  const compactions = recordedCompactions(thread, history);
  const recorded = compactions.findLast((each) => each.messageIndex <= messageIndex);
  const needs = needsAt(plan, messageIndex);
  const tokens = Math.floor(moment.tokens * BUDGET);
  const texts: (ArmText & { readonly words: string })[] = [];
  for (const compactor of [...ARMS, ...(recorded ? [recordedArm(recorded, head)] : [])]) {
    const run = compactor.create({ head, sizeOf: sizes.message });
    for (const message of moment.past) run.add(message);
    const left = await run.compact(compactor.name === KEEP_ALL ? Number.POSITIVE_INFINITY : tokens);
    const { types, share } = look(left, moment, plan.recording);
    const visible = new Set(left.messages.flatMap((each) => plan.demand.index.unitsOf(each)));
    const isVisible = (unit: number): boolean => visible.has(unit);
    const words = `${messagesText(left.messages)}\n`;
    const suite = {
      people: boundIn(types, (type) => PEOPLE.has(type)),
      found: boundIn(types, (type) => type === 'said'),
      state: boundIn(types, (type) => VITAL.has(type) && type !== 'said' && !PEOPLE.has(type)),
      calls: recallAt(needs.calls, isVisible),
      words: recallAt(needs.words, isVisible),
    };
    const names = { id: nameOf(point.id, compactor.name), arm: compactor.name, point };
    texts.push({ ...names, digest: digestOf(words), share, suite, words });
  }
  return texts;
}

const PEOPLE: ReadonlySet<FactType> = new Set(['user-message', 'constraint']);

/** Share of the facts of some types that are bound; null where there are none. */
function boundIn(types: FactScore['types'], isMeant: (type: FactType) => boolean): number | null {
  let [bound, all] = [0, 0];
  for (const [type, score] of Object.entries(types)) {
    if (!isMeant(type as FactType)) continue;
    bound += score.bound;
    all += Object.values(score).reduce((sum, each) => sum + each, 0);
  }
  return all === 0 ? null : bound / all;
}

/** What is needed behind a point, which need not be one of the recorded requests' own. */
function needsAt({ recording, demand }: SessionPlan, messageIndex: number) {
  const input = { history: recording.history, replies: [messageIndex], demand };
  return {
    calls: createNeeds(input, 'calls').before(messageIndex),
    words: createNeeds(input, 'words').before(messageIndex),
  };
}

const named = (name: string, compactor: Compactor): Compactor => ({ ...compactor, name });

const ARMS: readonly Compactor[] = [
  named(KEEP_ALL, keepAll),
  ledgerWithFiles,
  named('ledger+rounds', ledgerCompact),
  ledgerAlone,
  ledgerShuffled,
  named('newest messages', dropOldest),
  named('random messages', randomMessages(1)),
];

/** The last summary that was recorded before the point, and the newest of what came since that fits. */
const recordedArm = ({ left, messageIndex }: RecordedCompaction, head: Head): Compactor =>
  keepSome('recorded summary', (messages, { tokens, sizeOf }) => {
    const summary = left[0]?.messages.filter(({ origin }) => origin?.kind === 'summary') ?? [];
    const size = summary.reduce((sum, each) => sum + sizeOf(each), 0);
    const run = dropOldest.create({ head, sizeOf });
    for (const message of messages.slice(messageIndex)) run.add(message);
    const since =
      size >= tokens
        ? []
        : (run.compact(tokens - size) as { messages: readonly Message[] }).messages;
    return [...summary, ...since];
  });

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same for the same point and arm, and nothing to be read from it. */
const nameOf = (point: string, arm: string): string =>
  digestOf(`varve questions 1\n${point}\n${arm}`).slice(0, 12);

const INSTRUCTION = `Each text is what is left of a conversation. questions.json asks three things of each.
Answer every question from its text alone, in one sentence; null where the text does not say. Nothing else may be read for
it, and one text says nothing about another. Write a reading as

  { "version": 1, "reader": "<a name>", "answers": [{ "text", "digest", "question", "answer" }] }

with the digest of the text as questions.json has it, and store it in evals/questions/readings.
`;
