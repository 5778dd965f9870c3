import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { BASELINE } from '../src/built-in-strategies.ts';
import { momentsAt } from '../src/fidelity/moments.ts';
import { standsIn } from '../src/fidelity/questions/left-of.ts';
import type { Question } from '../src/fidelity/questions/load.ts';
import { compareSent } from '../src/fidelity/sent/compare-sent.ts';
import { lookAt, replyOf } from '../src/fidelity/sent/measure-sent.ts';
import { formatSent } from '../src/fidelity/sent/sent-text.ts';
import layers, { layersFold } from '../src/strategies/layers.ts';
import type { Strategy } from '../src/strategy.ts';
import { planOf } from './replays.ts';
import { read, type Step } from './sessions.ts';

/** Small calls, each behind a finding, and at the end the words that come back to all of them. */
const findings = Array.from(
  { length: 80 },
  (_, at) => `The module part${at}.ts fails because readToken${at} returns value_${at} too early.`,
);
const steps: readonly Step[] = [
  { user: 'Find out why the modules fail.' },
  ...findings.map(
    (words, at): Step => ({
      ...{ call: ['Read', { file_path: `/srv/app/part${at}.ts` }], words },
      result: `export const part${at} = [${'0, '.repeat(80)}];`,
    }),
  ),
  ...Array.from({ length: 14 }, (_, at) => read(`/srv/app/late${at}.ts`, 'export {};')),
  { say: findings.map((_, at) => `part${at}.ts readToken${at} value_${at}`).join('\n') },
];

/** The shipped fold, but what it folds is gone. */
const dropping: Strategy = {
  ...layersFold,
  name: 'layers+dropped+fold',
  create(context) {
    const run = layersFold.create(context);
    return {
      ...run,
      request: () => {
        const request = run.request();
        return { ...request, messages: request.messages.map(withoutLines) };
      },
    };
  },
};

const withoutLines = (message: Message): Message => {
  const [first] = message.content;
  const isFold = first?.type === 'text' && String(first.text).startsWith('[Earlier calls');
  return isFold ? { ...message, content: [{ type: 'text', text: '[Earlier calls.]' }] } : message;
};

const question = (at: number): Question => ({
  ...{ id: `why-${at}`, kind: 'cause', question: `Why does part${at} fail?` },
  ...{ terms: [[`readToken${at}`], [`value_${at}`]], proof: { message: 1, block: 0 }, need: 900 },
});

async function measured(strategies: readonly Strategy[]) {
  const plan = planOf(steps, { id: 'main' });
  const place = plan.recording.replies.at(-1) as number;
  const [moment] = momentsAt([{ messageIndex: place }], plan.recording);
  const facts = (moment?.facts ?? []).filter(({ type }) => type === 'said');
  const rows = await lookAt(plan, [BASELINE, ...strategies], {
    facts: new Map([[place, facts]]),
    questions: new Map([[place, [question(1), question(2), question(79)]]]),
  });
  const names = { session: 'made', project: 0 };
  const none = { read: [], leftOut: [], skipped: [], refused: [] };
  return compareSent(
    rows.map((row) => ({ ...names, ...row })),
    none,
  );
}

describe('what a fold keeps is looked at (issue 14, done when 2)', () => {
  test('the shipped fold keeps findings word for word, and answers what they answer', async () => {
    const report = await measured([layers, layersFold]);
    const [all, unfolded, folded] = report.strategies;
    expect(all).toMatchObject({ strategy: 'keep-all', said: { mean: 1 }, answered: { mean: 1 } });
    expect(folded?.tokens).toBeLessThan((unfolded?.tokens ?? 0) * 0.85);
    expect(folded).toMatchObject({ said: { mean: 1 }, answered: { mean: 1 } });
    expect(report.folds).toMatchObject([
      { fold: 'layers+fold', questions: 3, saidLost: { mean: 0 }, lost: { mean: 0 }, lostIds: [] },
    ]);
  });

  test('a fold that drops what it folds loses both, and is named beside the strategy without it', async () => {
    const report = await measured([{ ...layers, name: 'layers+dropped' }, dropping]);
    expect(report.strategies.at(-1)?.said?.mean).toBeLessThan(0.5);
    expect(report.folds).toMatchObject([
      {
        ...{ fold: 'layers+dropped+fold', unfolded: 'layers+dropped', questions: 3 },
        ...{ lost: { mean: 2 / 3 }, lostIds: ['why-1', 'why-2'], gainedIds: [] },
      },
    ]);
    expect(report.folds[0]?.saidLost?.mean).toBeGreaterThan(0.5);
    expect(formatSent(report)).toContain('and layers+dropped+fold does not: why-1, why-2.');
  });
});

describe('an answer stands where its terms stand together', () => {
  const asked = { terms: [['port 8081'], ['failed', 'fails']] };
  test.each([
    ['in one sentence', 'The check of port 8081 failed.', true],
    ['in two lines that follow each other', 'It failed.\nport 8081 is taken', true],
    ['not far apart', `port 8081${' and so on'.repeat(40)} failed`, false],
    [
      'near each other behind a place where one stands alone',
      `failed ${'-'.repeat(400)} failed: port 8081`,
      true,
    ],
    ['not with one of two', 'port 8081 is free', false],
    ['not as a part of a word', 'It failed on port 80812.', false],
  ])('%s', (_, text, expected) => {
    expect(standsIn(text, asked)).toBe(expected);
  });
});

test('a point of questions at which no request is sent is an error, and is not left out', () => {
  const plan = planOf(steps, { id: 'main' });
  for (const index of [0, 100_000])
    expect(() => replyOf(plan, index)).toThrow(/for which no request is sent/);
  const [reply = 0] = plan.recording.replies;
  expect(replyOf(plan, reply)).toBe(reply);
});
