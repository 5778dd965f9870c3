import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Message } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultQuestions, defaultReadings } from '../src/default-paths.ts';
import { recordsOf } from '../src/fidelity/context-text.ts';
import { compareArms } from '../src/fidelity/questions/compare-arms.ts';
import {
  loadQuestions,
  type OpenPoint,
  openPoint,
  type QuestionPoint,
} from '../src/fidelity/questions/load.ts';
import { loadReadings } from '../src/fidelity/questions/readings.ts';
import { readPoints } from '../src/fidelity/texts/open-points.ts';
import { holds } from '../src/memory/words.ts';
import { temporaryFolder } from './files.ts';

const { VARVE_SESSIONS: SESSIONS = '' } = process.env;
const points = await loadQuestions(defaultQuestions());
const questions = points.flatMap((point) => point.questions);

const textOf = (messages: readonly Message[]): string => recordsOf(messages).join('\n');

describe('the questions of 20 points', () => {
  test('are three of each, from 12 sessions and more', () => {
    expect(points).toHaveLength(20);
    expect(questions).toHaveLength(60);
    expect(new Set(points.map(({ session }) => session)).size).toBeGreaterThanOrEqual(12);
  });

  test('ask what no single kind of fact can answer', () => {
    expect(new Set(questions.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
  });

  test('a third stand behind 150K tokens and more', () => {
    expect(points.filter(({ tokens }) => tokens >= 150_000).length).toBeGreaterThanOrEqual(7);
    expect(points.filter(({ tokens }) => tokens < 55_000)).toEqual([]);
  });

  test('no answer stands in its question', () => {
    const told = questions.filter(({ question, terms }) => holds(question, { words: terms }));
    expect(told.map(({ id }) => id)).toEqual([]);
  });
});

describe.skipIf(SESSIONS === '')('the questions against real sessions', () => {
  let open: readonly OpenPoint[];
  beforeAll(async () => {
    open = await Promise.all(points.map((point) => openPoint(point, SESSIONS)));
  }, 120_000);

  test('every point stands between rounds, with 30 messages and more after it', () => {
    for (const { id, history, messageIndex } of open) {
      expect(history[messageIndex - 1]?.role, id).toBe('user');
      expect(history.length - messageIndex, id).toBeGreaterThanOrEqual(30);
    }
  });

  test('every need is in the session', () => {
    const beyond = open.flatMap(({ history, questions }) =>
      questions.filter(({ need }) => history[need] === undefined),
    );
    expect(beyond.map(({ id }) => id)).toEqual([]);
  });

  test('a text that answers stands where the proof says', () => {
    const unproved = open.flatMap(({ history, questions }) =>
      questions.filter(({ terms, proof }) => {
        const message = history[proof.message];
        const block = message?.content[proof.block];
        if (message === undefined || block === undefined) return true;
        return !holds(textOf([{ ...message, content: [block] }]), { words: terms });
      }),
    );
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });

  test('half of them are not answered by the newest 6,000 tokens', () => {
    const near = open.flatMap((point) => {
      const text = textOf(newest(point, 6000));
      return point.questions.filter(({ terms }) => holds(text, { words: terms }));
    });
    expect(near.length).toBeLessThanOrEqual(questions.length / 2);
  });

  test('the tokens before each point are those of the estimator', () => {
    for (const { id, history, messageIndex, tokens } of open) {
      const counted = sizeOf(history.slice(0, messageIndex));
      expect(Math.abs(counted - tokens) / tokens, id).toBeLessThan(0.05);
    }
  });

  test('the suite ranks the arms as two readings of the questions do (FIDELITY 1)', async () => {
    const read = await readPoints({ questions: defaultQuestions(), sessions: SESSIONS });
    const { order, stale } = compareArms(read, await loadReadings(defaultReadings()));
    if (stale.length > 0)
      process.stderr.write(
        `stale answers: ${stale.map(({ point, answers }) => `${point} ${answers}`).join(', ')}\n`,
      );
    expect(order.arms.length).toBeGreaterThanOrEqual(4);
    expect(order.tau).toBeGreaterThanOrEqual(0.8);
  }, 300_000);

  test('a session that has changed is refused', async () => {
    const [point] = points as readonly [QuestionPoint];
    const folder = temporaryFolder();
    const path = join(folder, ...point.session.split('/'));
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(join(SESSIONS, ...point.session.split('/')), path);
    await expect(openPoint(point, folder)).resolves.toMatchObject({ id: point.id });
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
    await expect(openPoint(point, folder)).rejects.toMatchObject({ code: 'stale-questions' });
  });
});

describe('loadQuestions and openPoint', () => {
  const [point] = points as readonly [QuestionPoint];
  const file = JSON.parse(readFileSync(defaultQuestions(), 'utf8'));
  const [first] = point.questions;

  const loading = (...changed: readonly unknown[]): Promise<unknown> => {
    const path = join(temporaryFolder(), 'questions.json');
    writeFileSync(path, JSON.stringify({ ...file, points: changed }));
    return loadQuestions(path);
  };
  const withFirst = (change: object) => ({
    ...point,
    questions: [{ ...first, ...change }, ...point.questions.slice(1)],
  });

  test.each([
    ['a question of more than 200 characters', withFirst({ question: 'x'.repeat(201) })],
    ['a term of more than 60 characters', withFirst({ terms: [['x'.repeat(61)]] })],
    ['a proof after the point', withFirst({ proof: { message: point.messageIndex, block: 0 } })],
    ['a need before the point', withFirst({ need: point.messageIndex })],
    ['two questions', { ...point, questions: point.questions.slice(1) }],
    ['text of the session', withFirst({ quote: 'what somebody wrote' })],
  ])('refuses %s', async (_, changed) => {
    await expect(loading(changed)).rejects.toMatchObject({ code: 'bad-questions' });
  });

  test('refuses an id that two have', async () => {
    await expect(loading(point, point)).rejects.toThrow(`two have the id "${point.id}"`);
  });

  test('refuses what is no JSON, and what is not there', async () => {
    const path = join(temporaryFolder(), 'questions.json');
    await expect(loadQuestions(path)).rejects.toMatchObject({ code: 'not-found' });
    writeFileSync(path, '{');
    await expect(loadQuestions(path)).rejects.toMatchObject({ code: 'bad-questions' });
  });

  test('a session that is not there is said', async () => {
    await expect(openPoint(point, temporaryFolder())).rejects.toMatchObject({ code: 'not-found' });
  });
});

const estimator = createEstimator();
const sizeOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + estimator.message(message), 0);

/** The last messages before a point that fit into so many tokens. */
function newest({ history, messageIndex }: OpenPoint, budget: number): readonly Message[] {
  let start = messageIndex;
  let left = budget;
  while (start > 0) {
    left -= estimator.message(history[start - 1] as Message);
    if (left < 0) break;
    start--;
  }
  return history.slice(start, messageIndex);
}
