import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultSessions } from '../src/default-paths.ts';
import { agreementOf, isRight, kendallTau } from '../src/fidelity/questions/grade.ts';
import { formatQuestions } from '../src/fidelity/questions-text.ts';
import { runQuestions } from '../src/fidelity/run-questions.ts';
import { temporaryFolder } from './files.ts';

describe('grades (FIDELITY 2.5)', () => {
  const terms = [['8081', 'port 8081'], ['preview']];

  test.each<[string, string | null, boolean]>([
    ['all groups', 'The preview runs on port 8081.', true],
    ['one of two', 'It runs on port 8081.', false],
    ['another number', 'The preview runs on port 18081.', false],
    ['nothing', null, false],
  ])('an answer with %s', (_, answer, expected) => {
    expect(isRight(answer, { terms })).toBe(expected);
  });

  test('agreement, as a share and beyond chance', () => {
    expect(agreementOf([])).toEqual({ pairs: 0, share: null, kappa: null });
    const pairs = [
      [true, true],
      [true, false],
      [false, false],
      [false, false],
    ] as const;
    expect(agreementOf(pairs)).toEqual({ pairs: 4, share: 0.75, kappa: 0.5 });
    expect(agreementOf([[true, true]])).toMatchObject({ share: 1, kappa: null });
  });

  test.each<[number[], number[], number | null]>([
    [[1, 2, 3, 4], [10, 20, 30, 40], 1],
    [[1, 2, 3, 4], [4, 3, 2, 1], -1],
    [[1, 2, 3, 4], [1, 2, 4, 3], 2 / 3],
    [[1, 1, 2], [1, 2, 3], 2 / Math.sqrt(6)],
    [[1, 1], [1, 2], null],
  ])('tau of %j and %j', (one, other, expected) => {
    const tau = kendallTau(one, other);
    if (expected === null) expect(tau).toBeNull();
    else expect(tau).toBeCloseTo(expected);
  });
});

const SESSION = 'round-trip-bug.jsonl';

/** A question of a session of the project, in a file of its own. */
function questionsIn(folder: string): string {
  const bytes = readFileSync(join(defaultSessions(), SESSION));
  const question = (id: string, terms: string[][]) => ({
    ...{ id, kind: 'rule', question: `What of ${id}?`, terms },
    ...{ proof: { message: 0, block: 0 }, need: 70 },
  });
  const point = {
    ...{ id: 'point', agent: 'own', session: SESSION, messageIndex: 61, tokens: 1_000 },
    digest: createHash('sha256').update(bytes).digest('hex'),
    questions: [
      question('first', [['quartz-17']]),
      question('second', [['dist/']]),
      question('third', [['changelog.md']]),
    ],
  };
  const file = join(folder, 'questions.json');
  const estimator = { name: 'any', version: '1' };
  writeFileSync(file, JSON.stringify({ version: 1, about: 'A test.', estimator, points: [point] }));
  return file;
}

describe('runQuestions (FIDELITY 2.5)', () => {
  test('gives texts that do not name their arm, and counts what was read of them', async () => {
    const folder = temporaryFolder();
    const readings = join(folder, 'readings');
    const options = { sessions: defaultSessions(), questions: questionsIn(folder), readings };
    const { files, table } = await runQuestions(options);
    const names = Object.keys(files).filter((name) => name.endsWith('.txt'));
    expect(names).toHaveLength(6);
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{12}\.txt$/);
    const asked = JSON.parse(files['questions.json'] ?? '') as readonly Asked[];
    expect(JSON.stringify(asked)).not.toMatch(/ledger|newest|random|terms|quartz-17/);
    expect(table).toMatchObject({ tau: null, stale: 0, open: 36, readers: [] });
    expect(table.rows.map(({ arm, suite }) => [arm, suite])[0]).toEqual(['keep-all', 1]);

    mkdirSync(readings);
    writeReading(join(readings, 'one.json'), asked, 'about quartz-17');
    writeReading(join(readings, 'two.json'), asked, 'nothing of it', asked[0]?.text);
    const { table: read } = await runQuestions(options);
    expect(read).toMatchObject({ readers: ['one.json', 'two.json'], stale: 3, open: 3 });
    for (const { arm, answered } of read.rows)
      if (arm !== 'keep-all') expect(answered[0]).toBeCloseTo(1 / 3);
    expect(read.agreement).toMatchObject({ pairs: 15, share: 2 / 3 });
    expect(formatQuestions(read)).toContain('3 answers were given to texts that are others now');
  });

  test('refuses a reading that is none', async () => {
    const folder = temporaryFolder();
    const readings = join(folder, 'readings');
    mkdirSync(readings);
    writeFileSync(join(readings, 'a.json'), '{"version":1,"reader":"x","answers":[{"text":"no"}]}');
    await expect(
      runQuestions({ sessions: defaultSessions(), questions: questionsIn(folder), readings }),
    ).rejects.toMatchObject({ code: 'bad-recording' });
  });
});

interface Asked {
  readonly text: string;
  readonly digest: string;
  readonly questions: readonly { readonly id: string }[];
}

/** The same answer to every first question; of `other` as if another text had been read. */
function writeReading(
  path: string,
  asked: readonly Asked[],
  answer: string,
  other?: string | undefined,
): void {
  const answers = asked.flatMap(({ text, digest, questions }) =>
    questions.map(({ id }) => ({
      text,
      digest: text === other ? '0'.repeat(64) : digest,
      question: id,
      answer: id === 'first' ? answer : null,
    })),
  );
  const reader = path.slice(path.lastIndexOf('/') + 1);
  writeFileSync(path, JSON.stringify({ version: 1, reader, answers }));
}
