import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createEstimator } from '@varve/tokens';
import { expect, test } from 'vitest';
import { COMPACTORS } from '../src/fidelity/compactors/arms.ts';
import { BUDGET } from '../src/fidelity/questions/arm-names.ts';
import { loadQuestions, openPoint, type QuestionPoint } from '../src/fidelity/questions/load.ts';
import { resolvePricing } from '../src/resolve-pricing.ts';
import { createRecording } from '../src/session/recording.ts';
import labelled from './noise-lines.json' with { type: 'json' };

const { VARVE_SESSIONS: recorded = '' } = process.env;

const POINTS = labelled.points as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What was measured last; none of them may rise. */
const MOST = { first: 0.735, second: 0.805, unlabelled: 0.01 };

test.skipIf(recorded === '')(
  'L321, noise: of the lines of the ledger’s text at ten places, how many two readers call noise',
  async () => {
    const questions = await loadQuestions(
      join(import.meta.dirname, '..', 'questions', 'questions.json'),
    );
    const counts = { lines: 0, unlabelled: 0, agreed: 0 };
    const first = { u: 0, n: 0 };
    const second = { u: 0, n: 0 };
    for (const point of questions) {
      const labels = labelsOf(POINTS[point.id]);
      if (labels === undefined) continue;
      for (const line of (await ledgerText(point)).split('\n').filter(isRow)) {
        const [one, two] = labels.get(digestOf(line)) ?? [];
        if (one === 'h' || two === 'h') continue;
        counts.lines++;
        if (one === undefined || two === undefined) counts.unlabelled++;
        else {
          if (one === two) counts.agreed++;
          first[one]++;
          second[two]++;
        }
      }
    }
    const unlabelled = counts.unlabelled / counts.lines;
    const agreed = counts.agreed / (counts.lines - counts.unlabelled);
    process.stderr.write(
      `noise of ${counts.lines} lines at ten places: ${shareOf(first).toFixed(3)} and ${shareOf(second).toFixed(3)} by two readings that agree on ${agreed.toFixed(2)}; ${counts.unlabelled} lines have no label\n`,
    );
    expect(counts.lines).toBeGreaterThan(200);
    expect(agreed).toBeGreaterThan(0.8);
    expect(unlabelled).toBeLessThanOrEqual(MOST.unlabelled);
    // the goal is .10 (FIDELITY.md section 4)
    expect(shareOf(first)).toBeLessThanOrEqual(MOST.first);
    expect(shareOf(second)).toBeLessThanOrEqual(MOST.second);
  },
);

type Label = 'u' | 'n' | 'h';

const labelsOf = (groups: Readonly<Record<string, string>> | undefined) =>
  groups &&
  new Map(
    Object.entries(groups).flatMap(([labels, digests]) =>
      digests.split(' ').map((digest) => [digest, [...labels] as Label[]] as const),
    ),
  );

const shareOf = ({ u, n }: { readonly u: number; readonly n: number }): number => n / (u + n);

const isRow = (line: string): boolean => line.trim() !== '' && !/^(?:## |===)/.test(line);

/** A message has the label of its number, however much of it stands. */
const digestOf = (line: string): string =>
  createHash('sha256')
    .update((/^\[\d+\] /.exec(line)?.[0] ?? line).trim())
    .digest('hex')
    .slice(0, 8);

async function ledgerText(point: QuestionPoint): Promise<string> {
  const open = await openPoint(point, recorded);
  const { profile, model } = resolvePricing({ ttl: '5m' });
  const { head, history, sizes } = createRecording(open.recorded, {
    ...{ profile, modelId: model.id, estimator: createEstimator() },
  });
  const next = open.history[open.messageIndex]?.id;
  const past = history.slice(
    0,
    history.findIndex(({ id }) => id === next),
  );
  const run = COMPACTORS.ledger.create({ head, sizeOf: sizes.message });
  for (const message of past) run.add(message);
  const size = past.reduce((sum, message) => sum + sizes.message(message), 0);
  const { messages } = await run.compact(Math.floor(size * BUDGET));
  return messages
    .flatMap(({ content }) => content)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('\n');
}
