import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { withCanaries } from '../src/fidelity/canaries.ts';
import { clearResults } from '../src/fidelity/compactors/clear-results.ts';
import { dropAll, keepAll, keepSome } from '../src/fidelity/compactors/keep-some.ts';
import { stabilityTotals } from '../src/fidelity/fidelity-totals.ts';
import { measureStability } from '../src/fidelity/measure-stability.ts';
import { planOf } from './replays.ts';
import { edit, read, type Step } from './sessions.ts';

const SAID: Readonly<Record<number, string>> = {
  0: 'It fails because parseHeader drops the port 8081 in src/header.ts.',
  11: 'Now parseHeader keeps 8081.',
};
const SESSION: readonly Step[] = Array.from({ length: 12 }, (_, at): readonly Step[] => [
  { user: `Step ${at}: change part ${at}.` },
  read(
    `src/part-${at}.ts`,
    `const part_${at} = compute_part(${at}); // as it was before the change`,
  ),
  edit(`src/part-${at}.ts`, `const part_${at} = compute_part(${at});`),
  { say: SAID[at] ?? `Part ${at} is done.` },
]).flat();

const plan = planOf(SESSION);
const names = { session: 'test', project: 0 };
const totals = async () =>
  stabilityTotals(
    await measureStability(plan, {
      compactors: [keepAll, clearResults, dropAll],
      names,
      budget: 0.1,
    }),
  );

describe('measureStability (EVALS e)', () => {
  test('whoever keeps words keeps the old facts and every condition through five compactions', async () => {
    const [all, clearing, nothing] = await totals();
    expect(all).toMatchObject({ vital: [1, 1, 1, 1, 1], share: 1, canaries: 15, survived: 15 });
    expect(clearing).toMatchObject({ vital: [1, 1, 1, 1, 1], survived: 15 });
    expect(nothing).toMatchObject({ vital: [0, 0, 0, 0, 0], share: 0, survived: 0 });
    // what was found before the first compaction
    expect(all?.said).toEqual([1, 1, 1, 1, 1]);
    expect(nothing?.said).toEqual([null, null, null, null, null]);
    expect([all?.saidSessions, nothing?.saidSessions]).toEqual([1, 0]);
  });
});

test('a finding that goes after the first compaction is counted, one that never stood there is not', async () => {
  let round = 0;
  const forgetful = keepSome('forgetful', (messages) => (round++ === 0 ? messages : []));
  const rows = await measureStability(plan, { compactors: [forgetful], names, budget: 0.1 });
  expect(rows.map(({ said }) => said)).toEqual([1, 0, 0, 0, 0]);
});

describe('withCanaries', () => {
  const { history } = plan.recording;
  const textOf = (messages: readonly Message[]) => JSON.stringify(messages);

  test('puts fifteen conditions into what the person said before the first compaction, the same ones again', () => {
    const { history: marked, sentences } = withCanaries(history, { before: 5 });
    expect(new Set(sentences).size).toBe(15);
    for (const sentence of sentences) {
      expect(textOf(history)).not.toContain(sentence);
      expect(textOf(marked.slice(0, 5))).toContain(sentence);
    }
    expect(marked.slice(5)).toEqual(history.slice(5));
    expect(withCanaries(history, { before: 5 })).toEqual({ history: marked, sentences });
  });

  test('leaves a history alone in which nobody said anything', () => {
    expect(withCanaries(history, { before: 0 })).toEqual({ history, sentences: [] });
  });
});
