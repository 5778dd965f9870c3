import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, type Message, serializeEntry } from '@varve/messages';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSessionFiles } from '../src/fidelity/compactors/session-files.ts';
import { shuffleStatements } from '../src/fidelity/compactors/shuffle.ts';
import { agreementOf, kendallTauB } from '../src/fidelity/questions/agreement.ts';
import { ARMS, type Arm } from '../src/fidelity/questions/arm-names.ts';
import { compareArms } from '../src/fidelity/questions/compare-arms.ts';
import { standsIn } from '../src/fidelity/questions/left-of.ts';
import { formatQuestions } from '../src/fidelity/questions/questions-text.ts';
import {
  gradeReadings,
  isRight,
  loadReadings,
  type Reading,
  withoutSentences,
} from '../src/fidelity/questions/readings.ts';
import { createSuite } from '../src/fidelity/questions/suite-score.ts';
import { type ReadPoint, readPoints } from '../src/fidelity/texts/open-points.ts';
import { main } from '../src/main.ts';
import { temporaryFolder } from './files.ts';
import { planOf } from './replays.ts';
import { generatedSteps, read, type Step, threadOf, write } from './sessions.ts';

const TERMS = [['port 8081'], ['failed', 'fails', 'red']];

describe('an answer is right (FIDELITY 2.5)', () => {
  test.each([
    ['with every group', 'The check of port 8081 failed.', true],
    ['in other letters and spaces', 'THE CHECK OF Port\n  8081 FAILED', true],
    ['with another alternative', 'It is red on port 8081.', true],
    ['not with one of two groups', 'It listens on port 8081.', false],
    ['not with the state swapped', 'The check of port 8081 passed.', false],
    ['not with another number', 'The check of port 80812 failed.', false],
    ['not where it says something else', 'Nothing is open.', false],
    ['not where the text does not say', null, false],
  ])('%s', (_, answer, expected) => {
    expect(isRight(answer, { terms: TERMS })).toBe(expected);
  });

  test.each([
    ['bash_server.py', true],
    ['bash-server.py', false],
    ['my_bash_server.pyc', false],
  ])('an identifier is one as written: %s', (answer, expected) => {
    expect(isRight(answer, { terms: [['bash_server.py']] })).toBe(expected);
  });
});

describe('agreement and order', () => {
  test('two readers who grade the same agree wholly, by chance not at all', () => {
    const same = [true, false, true].map((each) => [each, each] as const);
    expect(agreementOf(same)).toMatchObject({ both: 3, same: 1, kappa: 1 });
    const cross = [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const;
    expect(agreementOf(cross)).toMatchObject({ both: 4, same: 0.5, kappa: 0 });
    expect(agreementOf([[true, true]])).toMatchObject({ same: 1, kappa: null });
    expect(agreementOf([])).toBeNull();
  });

  const figures = (one: readonly number[], other: readonly number[]) =>
    one.map((value, at) => [value, other[at] as number] as const);

  test.each([
    ['the same order', [1, 2, 3, 4], [0.1, 0.2, 0.3, 0.9], 1],
    ['two alone', [1, 2], [3, 4], 1],
    ['the other way round', [1, 2, 3, 4], [4, 3, 2, 1], -1],
    ['one pair of six changed', [1, 2, 3, 4], [1, 2, 4, 3], 2 / 3],
    ['a tie in one', [1, 1, 2], [1, 2, 3], 2 / Math.sqrt(6)],
    ['the same tie in both', [1, 1, 2], [5, 5, 6], 1],
  ])('tau-b of %s', (_, one, other, tau) => {
    expect(kendallTauB(figures(one, other))).toBeCloseTo(tau);
  });

  test('there is no tau where one figure is the same for all', () => {
    expect(kendallTauB(figures([1, 1, 1], [1, 2, 3]))).toBeNull();
    expect(kendallTauB([])).toBeNull();
  });
});

describe('shuffleStatements', () => {
  const text = [
    '## Checks',
    '- `pnpm test`: 2 failed',
    '- `pnpm build`: ok',
    '- port = 8081',
    'The reader was dropped. It lost lines of long files.',
  ].join('\n');

  test('no statement keeps its value, and all words are there', () => {
    const facts = [
      '`pnpm test`: 2 failed',
      '`pnpm build`: ok',
      'port = 8081',
      'reader was dropped',
    ];
    for (let seed = 1; seed <= 20; seed++)
      for (const kept of facts) expect(shuffleStatements(text, seed)).not.toContain(kept);
    const mixed = shuffleStatements(text);
    expect(mixed).toMatch(/^## Checks\n- `pnpm test`: /);
    const words = (each: string) => each.split(/\s+/).sort();
    expect(words(mixed)).toEqual(words(text));
  });

  test('is the same for the same seed', () => {
    expect(shuffleStatements(text, 3)).toBe(shuffleStatements(text, 3));
  });
});

const NAME = 'small.jsonl';
const STEPS: readonly Step[] = [
  { user: 'Never touch vendor/. The preview has to run on port 8081.' },
  ...generatedSteps({ seed: 4, calls: 40, lines: 30 }),
];

interface Fixture {
  readonly sessions: string;
  readonly questions: string;
}

/** One point of a small session, in the middle of it; compacted at so much of what stands before it, where that is wanted. */
function fixture(folder: string, { compactedAt = 0 } = {}): Fixture {
  const { entries } = threadOf(STEPS);
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const half = Math.floor(messages.length / 2);
  const messageIndex = messages.findIndex(({ role }, at) => at > half && role === 'assistant');
  const summary = {
    ...{ id: 'summary', role: 'user', origin: { kind: 'summary' } },
    content: [{ type: 'text', text: 'The preview runs on port 8081; vendor/ stays untouched.' }],
  } as const;
  const [first, last] = [
    messages[0]?.id as string,
    messages[endOf(messages, messageIndex * compactedAt)]?.id as string,
  ];
  const compaction = {
    ...{ id: 'c', at: '2026-06-01T10:00:00Z', type: 'edit', by: 'compact', reason: 'auto' },
    edit: { kind: 'replace-span', fromId: first, toId: last, with: [summary], then: [] },
  } as unknown as Entry;
  const behind = entries.findIndex((e) => e.type === 'message' && e.message.id === last) + 1;
  const written = compactedAt > 0 ? entries.toSpliced(behind, 0, compaction) : entries;
  const bytes = written.map((entry) => `${serializeEntry(entry)}\n`).join('');
  writeFileSync(join(folder, NAME), bytes);
  const question = (id: string, words: string, terms: readonly (readonly string[])[]) => ({
    ...{ id, kind: 'rule', question: words, terms },
    ...{ proof: { message: 0, block: 0 }, need: messageIndex + 1 },
  });
  const point = {
    ...{ id: 'small', agent: 'varve', session: NAME, messageIndex, tokens: 10_000 },
    digest: createHash('sha256').update(bytes).digest('hex'),
    questions: [
      question('small-1', 'Which folder must not be touched?', [['vendor*']]),
      question('small-2', 'Where does the preview have to run?', [['port 8081']]),
      question('small-3', 'What is refactored?', [['Alpha']]),
    ],
  };
  const estimator = { name: 'varve-o200k', version: '2' };
  const file = { version: 1, about: 'A small session.', estimator, points: [point] };
  const questions = join(folder, 'questions.file');
  writeFileSync(questions, JSON.stringify(file));
  return { sessions: folder, questions };
}

/** The last message of a round, at or before a place or else the first. */
function endOf(messages: readonly Message[], place: number): number {
  const ends = messages.flatMap(({ role }, at) =>
    role === 'user' && messages[at + 1]?.role === 'assistant' ? [at] : [],
  );
  return ends.findLast((at) => at < place) ?? 0;
}

const textOf = ({ texts }: ReadPoint, arm: Arm) => texts.find((each) => each.arm === arm);

let known: ReturnType<typeof readPoints> | undefined;

/** The point, read once. */
async function small(): Promise<readonly [ReadPoint]> {
  known ??= readPoints(fixture(temporaryFolder()));
  return (await known) as readonly [ReadPoint];
}

describe('the texts of a point', () => {
  test('there is one of each arm but the recorded, each under its own id', async () => {
    const [point] = await small();
    expect(point.texts.map(({ arm }) => arm)).toEqual(ARMS.filter((arm) => arm !== 'recorded'));
    const ids = point.texts.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  });

  test('two runs give the same digests', async () => {
    const [point] = await small();
    const [again] = await readPoints(fixture(temporaryFolder()));
    const named = ({ texts }: ReadPoint) => texts.map(({ id, digest }) => [id, digest]);
    expect(named(again as ReadPoint)).toEqual(named(point));
  });

  test('all but the whole context fit into a tenth of it', async () => {
    const [point] = await small();
    const whole = textOf(point, 'keep-all')?.tokens ?? 0;
    for (const { arm, tokens } of point.texts)
      if (arm !== 'keep-all') expect(tokens, arm).toBeLessThanOrEqual(whole / 10);
  });

  test('the files that were looked at last come back where rounds leave room', async () => {
    const [point] = await small();
    const [rounds, alone] = [textOf(point, 'ledger+rounds'), textOf(point, 'ledger')];
    expect(rounds?.tokens).toBeGreaterThan(alone?.tokens ?? 0);
    expect(rounds?.text).toContain('<restored-file path=');
  });

  test('a compaction at the point is an arm with what somebody wrote', async () => {
    const [point] = await readPoints(fixture(temporaryFolder(), { compactedAt: 1 }));
    const recorded = point && textOf(point, 'recorded');
    expect(recorded?.text).toContain('The preview runs on port 8081; vendor/ stays untouched.');
    expect(point?.texts.map(({ arm }) => arm)).toEqual(ARMS);
  });

  test('one shortly before it is one with all that came since', async () => {
    const [point] = await readPoints(fixture(temporaryFolder(), { compactedAt: 0.95 }));
    const recorded = point && textOf(point, 'recorded');
    expect(recorded?.text).toContain('The preview runs on port 8081; vendor/ stays untouched.');
    expect(recorded?.left.messages.at(-1)).toBe(point?.recording.history[point.messageIndex - 1]);
    expect(recorded?.left.messages.length).toBeGreaterThan(2);
  });

  test.each([
    ['far back', 0.5],
    ['behind the point', 1.2],
  ])('one %s is none', async (_, compactedAt) => {
    const [point] = await readPoints(fixture(temporaryFolder(), { compactedAt }));
    expect(point?.texts.map(({ arm }) => arm)).toEqual(ARMS.filter((arm) => arm !== 'recorded'));
  });
});

describe('files as a session shows them', () => {
  const PATH = '/srv/a.ts';
  const numbered = '     1→const port = 8080;\n     2→start(port);';
  const filesOf = (...steps: readonly Step[]) => {
    const files = createSessionFiles();
    for (const entry of threadOf(steps).entries)
      if (entry.type === 'message') files.add(entry.message);
    return files;
  };
  const change = (old_string: string, new_string: string): Step => ({
    call: ['Edit', { file_path: PATH, old_string, new_string }],
    result: 'Done.',
  });

  test('a file is what was read, without numbers of lines, and with the edits since', () => {
    const edited = change('8080;\nstart', '8081;\nstart');
    expect(filesOf(read(PATH, numbered)).textOf(PATH)).toBe('const port = 8080;\nstart(port);');
    expect(filesOf(read(PATH, numbered), edited).textOf(PATH)).toBe(
      'const port = 8081;\nstart(port);',
    );
  });

  test('several edits of one call, and the hunks of a patch', () => {
    const edits = [
      { old_string: '8080', new_string: '8081' },
      { old_string: 'start(port)', new_string: 'begin(port)' },
    ];
    const several: Step = { call: ['MultiEdit', { file_path: PATH, edits }], result: 'Done.' };
    expect(filesOf(read(PATH, numbered), several).textOf(PATH)).toBe(
      'const port = 8081;\nbegin(port);',
    );
    const patch = (...lines: readonly string[]): Step => ({
      call: ['apply_patch', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') }],
      result: 'Done.',
    });
    const hunk = [
      `*** Update File: ${PATH}`,
      '@@',
      '-const port = 8080;',
      '+const port = 9;',
      ' start(port);',
    ];
    expect(filesOf(read(PATH, numbered), patch(...hunk)).textOf(PATH)).toBe(
      'const port = 9;\nstart(port);',
    );
    const added = filesOf(patch('*** Add File: /srv/b.ts', '+one', '+two'));
    expect(added.textOf('/srv/b.ts')).toBe('one\ntwo');
  });

  test('what a command prints from the first line on, and nothing that begins further down', () => {
    const prints = (command: string): Step => ({ call: ['Bash', { command }], result: 'one\ntwo' });
    expect(filesOf(prints(`sed -n '1,200p' ${PATH}`)).textOf(PATH)).toBe('one\ntwo');
    expect(filesOf(prints(`cat ${PATH}`)).textOf(PATH)).toBe('one\ntwo');
    expect(filesOf(prints(`sed -n '40,200p' ${PATH}`)).textOf(PATH)).toBeUndefined();
    const further: Step = {
      call: ['Read', { file_path: PATH, offset: 40 }],
      result: '    40→return port;',
    };
    expect(filesOf(further).textOf(PATH)).toBeUndefined();
    expect(filesOf(read(PATH, numbered), further).textOf(PATH)).toBe(
      'const port = 8080;\nstart(port);',
    );
  });

  const CODE = 'const port = 8080;\nstart(port);\nstop(port);';
  const TWICE = 'function a() {\n  run(1);\n}\nfunction b() {\n  run(1);\n}';
  const patchOf = (...lines: readonly string[]): Step => {
    const whole = ['*** Begin Patch', `*** Update File: ${PATH}`, ...lines, '*** End Patch'];
    return { call: ['apply_patch', { input: whole.join('\n') }], result: 'Done.' };
  };
  const editOf = (more: Record<string, unknown>): Step => ({
    call: ['Edit', { file_path: PATH, old_string: 'port', new_string: 'door', ...more }],
    result: 'Done.',
  });

  test.each<[string, string, Step, string | undefined]>([
    ['a hunk that only adds: agents place it differently', CODE, patchOf('@@', '+x'), undefined],
    ['a hunk that only adds behind an anchor', CODE, patchOf('@@ start(port);', '+x'), undefined],
    [
      'a hunk behind its anchor',
      TWICE,
      patchOf('@@ function b() {', '-  run(1);', '+  run(2);'),
      TWICE.replace(/1(?=\);\n}$)/, '2'),
    ],
    [
      'a hunk behind an anchor without its indentation',
      '  if a:\n    go()\n  if b:\n    go()',
      patchOf('@@ if b:', '-    go()', '+    stop()'),
      '  if a:\n    go()\n  if b:\n    stop()',
    ],
    [
      'a hunk behind two anchors, one below the other',
      'class A\n  def go\n    1\nclass B\n  def go\n    1',
      patchOf('@@ class B', '@@ def go', '-    1', '+    2'),
      'class A\n  def go\n    1\nclass B\n  def go\n    2',
    ],
    [
      'an anchor that is not there',
      TWICE,
      patchOf('@@ function c() {', '-  run(1);', '+  run(2);'),
      undefined,
    ],
    [
      'the second hunk behind the first',
      TWICE,
      patchOf('@@', '-  run(1);', '+  run(1);', '@@', '-  run(1);', '+  run(3);'),
      TWICE.replace(/1(?=\);\n}$)/, '3'),
    ],
    ['lines as a whole only', CODE, patchOf('@@', '-port', '+door'), undefined],
    [
      'a hunk without a head, with an empty line',
      'a\n\nb',
      patchOf(' a', '', '-b', '+c'),
      'a\n\nc',
    ],
    [
      'the end of a file',
      'go\nstay\ngo\n',
      patchOf('@@', '-stay', '+left', ' go', '*** End of File'),
      'go\nleft\ngo\n',
    ],
    [
      'an end that is somewhere else',
      'go\nstay\ngo',
      patchOf('@@', '-stay', '+left', '*** End of File'),
      undefined,
    ],
    [
      'a file that is moved',
      CODE,
      patchOf('*** Move to: /srv/z.ts', '@@', '-stop(port);', '+x'),
      undefined,
    ],
    [
      'a file that stands in a patch twice',
      CODE,
      patchOf('@@', '-stop(port);', '+x', `*** Update File: ${PATH}`, '@@', '-x', '+y'),
      undefined,
    ],
    ['all of a text', CODE, editOf({ replace_all: true }), CODE.replaceAll('port', 'door')],
    [
      'all of a text, in other letters',
      CODE,
      editOf({ replaceAll: true }),
      CODE.replaceAll('port', 'door'),
    ],
    [
      'so many as are there',
      CODE,
      editOf({ expected_replacements: 3 }),
      CODE.replaceAll('port', 'door'),
    ],
    ['another number than is there', CODE, editOf({ expected_replacements: 2 }), undefined],
    ['one of several: which is not known', CODE, editOf({}), undefined],
    ['one of several, said', CODE, editOf({ replace_all: false }), undefined],
    ['nothing, in a file that is not empty', CODE, editOf({ old_string: '' }), undefined],
    ['nothing, in an empty file', '', editOf({ old_string: '' }), 'door'],
  ])('an edit replaces %s', (_, before, step, after) => {
    expect(filesOf(write(PATH, before), step).textOf(PATH)).toBe(after);
  });

  test('a new file may be the edit of an empty text', () => {
    expect(filesOf(editOf({ old_string: '' })).textOf(PATH)).toBe('door');
  });

  const viewOf = (input: Record<string, unknown>, result: string): Step => ({
    call: ['view', { path: PATH, ...input }],
    result,
  });

  test.each<[string, Record<string, unknown>]>([
    ['view_range', { view_range: [40, 41] }],
    ['viewRange', { viewRange: ['40', '41'] }],
    ['startLine', { startLine: 40 }],
    ['lineStart', { lineStart: 40 }],
    ['line_number', { line_number: 40 }],
    ['an offset as text', { offset: '40' }],
    ['an offset that is counted from the end', { offset: -40 }],
    ['an offset of one, which some count from zero', { offset: 1 }],
    ['one that cannot be read', { view_range: 'the end' }],
  ])('a view that begins further down is not the file: %s', (_, input) => {
    const view = viewOf(input, 'return port;');
    expect(filesOf(view).textOf(PATH)).toBeUndefined();
    expect(filesOf(write(PATH, CODE), view).textOf(PATH)).toBe(CODE);
  });

  test.each<[string, Record<string, unknown>, string, string | undefined]>([
    ['a range from the first line on', { view_range: [1, 2] }, 'one\ntwo', 'one\ntwo'],
    ['an offset of null', { offset: null }, 'one', 'one'],
    ['an offset of zero', { offset: 0 }, 'one', 'one'],
    ['an offset of one with numbers', { offset: 1 }, '1\tone\n2\ttwo', 'one\ntwo'],
    ['no offset, with numbers from further down', {}, '40\tone\n41\ttwo', undefined],
    ['numbers that are not those of lines', {}, '1\tone\n7\ttwo', '1\tone\n7\ttwo'],
  ])('a view is what stands in the file: %s', (_, input, result, text) => {
    expect(filesOf(viewOf(input, result)).textOf(PATH)).toBe(text);
  });

  test.each<[string, Step, string | undefined]>([
    [
      'head',
      { call: ['Bash', { command: `head -1 ${PATH}` }], result: 'const port = 8080;\n' },
      CODE,
    ],
    [
      'sed',
      { call: ['Bash', { command: `sed -n 1,1p ${PATH}` }], result: 'const port = 8080;' },
      CODE,
    ],
    ['a limit', viewOf({ limit: 1 }, 'const port = 8080;'), CODE],
    ['a range', viewOf({ view_range: [1, 1] }, 'const port = 8080;'), CODE],
    ['other lines than before', viewOf({ limit: 1 }, 'const port = 9;'), undefined],
    [
      'a limit that is not reached',
      viewOf({ limit: 5 }, 'const port = 8080;'),
      'const port = 8080;',
    ],
    ['all of it', viewOf({}, 'const port = 8080;'), 'const port = 8080;'],
    ['more than before', viewOf({ limit: 4 }, `${CODE}\nrest();`), `${CODE}\nrest();`],
    ['as many lines, others', viewOf({ limit: 3 }, 'a\nb\nc'), 'a\nb\nc'],
  ])('a look at the first lines behind a look at all: %s', (_, step, text) => {
    expect(filesOf(write(PATH, CODE), step).textOf(PATH)).toBe(text);
  });

  test('one that was changed in a way that is not known is no longer shown as it was', () => {
    const files = filesOf(read(PATH, numbered), change('something else', 'x'));
    expect(files.paths).toEqual([PATH]);
    expect(files.textOf(PATH)).toBeUndefined();
  });
});

/** Answers every question of the texts of some arms rightly, and of all others that the text does not say. */
function reading(reader: string, points: readonly ReadPoint[], known: readonly Arm[]): Reading {
  const right = ['vendor/', 'on port 8081', 'the project Alpha'];
  const answers = points.flatMap(({ open, texts }) =>
    texts.flatMap(({ id, digest, arm }) =>
      open.questions.map((question, at) => ({
        ...{ text: id, digest, question: question.id },
        answer: known.includes(arm) ? (right[at] as string) : null,
      })),
    ),
  );
  return { reader, answers };
}

describe('compareArms', () => {
  const row = (report: ReturnType<typeof compareArms>, arm: Arm) =>
    report.arms.find((each) => each.arm === arm);

  test('counts what both readers could answer, and how far they agree', async () => {
    const points = await small();
    const report = compareArms(points, [
      reading('one', points, ['keep-all', 'ledger+rounds', 'ledger']),
      reading('two', points, ['keep-all', 'ledger+rounds']),
    ]);
    expect(row(report, 'keep-all')).toMatchObject({ answers: 6, answered: 1, suite: 1 });
    expect(row(report, 'ledger')).toMatchObject({ answers: 6, answered: 0.5 });
    expect(row(report, 'shuffled')).toMatchObject({ answered: 0, low: 0, high: 0 });
    expect(report.agreement).toMatchObject([{ readers: ['one', 'two'], both: 18 }]);
    expect(report.agreement[0]?.same).toBeCloseTo(15 / 18);
    expect(report.agreement[0]?.kappa).toBeCloseTo(0.6667, 3);
    expect(report.order.tau).toBeGreaterThan(0.5);
    expect(report.order.leftOut).toEqual(['recorded']);
    expect(report.absent).toEqual([{ point: 'small', arm: 'recorded' }]);
    expect(formatQuestions(report)).toContain('kappa .67');
  });

  test('says how often readers grade as a look for terms that stand together does', async () => {
    const points = await small();
    const [{ texts, open }] = points;
    const { reader, answers } = reading('one', points, ARMS);
    const graded = (isRight: (stands: boolean) => boolean) =>
      answers.map((each) => {
        const question = open.questions.find(({ id }) => id === each.question);
        const { text = '' } = texts.find(({ id }) => id === each.text) ?? {};
        const stands = question !== undefined && standsIn(text, question);
        return { ...each, answer: isRight(stands) ? each.answer : null };
      });
    const same = compareArms(points, [{ reader, answers: graded((stands) => stands) }]);
    expect(same.together).toMatchObject({ both: 18, same: 1, kappa: 1 });
    expect(formatQuestions(same)).toContain('tells 1.000 of 18 answers');
    const other = compareArms(points, [{ reader, answers: graded((stands) => !stands) }]);
    expect(other.together).toMatchObject({ both: 18, same: 0 });
    expect(compareArms(points, []).together).toBeNull();
  });

  test('one answer at a point counts, and grades stand in the order of the answers', async () => {
    const points = await small();
    const { answers } = reading('one', points, ['keep-all']);
    const report = compareArms(points, [{ reader: 'one', answers: answers.slice(0, 1) }]);
    expect(row(report, 'keep-all')).toMatchObject({ answers: 1, answered: 1 });
    const texts = points.flatMap((point) => point.texts);
    const questions = points.flatMap(({ open }) => open.questions);
    const { grades } = gradeReadings([{ reader: 'one', answers }], { texts, questions });
    expect(grades.map(({ question }) => question)).toEqual(answers.map(({ question }) => question));
  });

  test('an order that is not that of the suite is told', async () => {
    const points = await small();
    const report = compareArms(points, [reading('one', points, ['shuffled', 'random', 'newest'])]);
    expect(report.order.tau).toBeLessThan(0);
  });

  test('answers from texts that have changed since are stale and count for nothing', async () => {
    const points = await small();
    const [{ texts }] = points;
    const [whole] = texts;
    const { reader, answers } = reading('one', points, ['keep-all']);
    const changed = answers.map((each) =>
      each.text === whole?.id
        ? { ...each, digest: '0'.repeat(64) }
        : { ...each, ...(each.question === 'small-1' && { text: 'gone' }) },
    );
    const report = compareArms(points, [{ reader, answers: changed }]);
    expect(report.stale).toEqual([{ point: 'small', reader: 'one', answers: 8 }]);
    expect(report.readers).toEqual([{ reader: 'one', graded: 10, right: 0, stale: 8, open: 8 }]);
    expect(row(report, 'keep-all')).toMatchObject({ answers: 0, answered: null });
    expect(report.order.leftOut).toContain('keep-all');
    expect(formatQuestions(report)).toMatch(/Stale, and left out: .* at small \(8\)/);
  });

  test('an answer to what nobody asks is refused', async () => {
    const points = await small();
    const answers = [{ text: 'x', digest: '0'.repeat(64), question: 'small-9', answer: null }];
    expect(() => compareArms(points, [{ reader: 'one', answers }])).toThrow('not asked');
  });
});

test('the suite asks for what the next calls need, as much as for what the next words name', () => {
  const line = 'const total = priceWithTaxes(basket);';
  const { recording } = planOf([
    { user: 'Change it.' },
    read('src/bill.ts', line),
    { say: 'Seen.' },
    { user: 'On.' },
    { call: ['Edit', { file_path: 'x', old_string: line, new_string: 'y' }], result: 'ok' },
  ]);
  const suiteOf = createSuite({ recording, messageIndex: 5 });
  const left = (...at: readonly number[]) =>
    suiteOf({ messages: at.map((each) => recording.history[each] as Message), synthesised: [] });
  expect(left(0, 1, 2, 3, 4)).toBe(1);
  expect(left(0, 4)).toBeCloseTo(1 / 2);
});

test('the suite asks for people, findings and needs, each as much as the others', () => {
  const found = 'It fails because parseHeader drops the port 8081 in src/header.ts.';
  const { recording } = planOf([
    { user: 'Make the header work.' },
    { say: found },
    { user: 'On.' },
    { say: 'Now parseHeader keeps 8081.' },
  ]);
  const suiteOf = createSuite({ recording, messageIndex: 3 });
  const left = (...at: readonly number[]) => {
    const messages = at.map((each) => recording.history[each] as Message);
    return suiteOf({ messages, synthesised: [] });
  };
  expect(left(0, 1, 2)).toBe(1);
  expect(left(0, 2)).toBeCloseTo(1 / 3);
  expect(left(1)).toBeCloseTo(2 / 3);
  expect(left()).toBe(0);
});

test('a session of which much is missing is asked nothing, and named (P365)', async () => {
  const [point] = await small();
  const losses = { ...point.open.read.losses, results: 8, inventedResults: 4 };
  const lossy = { ...point, open: { ...point.open, read: { ...point.open.read, losses } } };
  const report = compareArms([lossy], []);
  expect(report).toMatchObject({
    points: 0,
    read: [{ file: NAME, losses: { inventedResults: 4 } }],
    leftOut: [{ session: NAME, why: 'lossy' }],
  });
  const text = formatQuestions(report).replaceAll(/\s+/g, ' ');
  expect(text).toContain(`too much missing: ${NAME} (4 of 8 results of calls not in the file)`);
  expect(compareArms([point], [])).toMatchObject({ points: 1, leftOut: [] });
});

describe('loadReadings', () => {
  const answer = { text: 'x', digest: 'a'.repeat(64), question: 'small-1', answer: null };
  const loading = (...files: readonly unknown[]) => {
    const folder = temporaryFolder();
    for (const [at, file] of files.entries())
      writeFileSync(join(folder, `${at}.json`), JSON.stringify(file));
    return loadReadings(folder);
  };

  test('reads none where there is no folder, and all by name', async () => {
    await expect(loadReadings(join(temporaryFolder(), 'none'))).resolves.toEqual([]);
    const [one, two] = ['one', 'two'].map((reader) => ({ reader, answers: [answer] }));
    await expect(loading(one, two)).resolves.toEqual([one, two]);
  });

  test.each([
    ['an answer of more than 300 characters', { ...answer, answer: 'x'.repeat(301) }],
    ['a digest that is none', { ...answer, digest: 'x' }],
    ['words of the text', { ...answer, quote: 'what somebody wrote' }],
  ])('refuses %s', async (_, changed) => {
    const bad = loading({ reader: 'one', answers: [changed] });
    await expect(bad).rejects.toMatchObject({ code: 'bad-questions' });
  });

  test('refuses two answers to one question of a text, and two files of one reader', async () => {
    const twice = { reader: 'one', answers: [answer, answer] };
    await expect(loading(twice)).rejects.toThrow('answers twice: small-1 from x');
    const one = { reader: 'one', answers: [answer] };
    await expect(loading(one, one)).rejects.toMatchObject({
      code: 'bad-questions',
      message: expect.stringContaining('Two readings are of "one"'),
    });
    const two = { reader: 'two', answers: [answer] };
    await expect(loading(one, two, one, two)).rejects.toThrow('Two readings are of "one"');
  });

  test('a question may have a name of one letter, and has one', async () => {
    const named = (question: string) => ({ reader: 'one', answers: [{ ...answer, question }] });
    await expect(loading(named('q'))).resolves.toEqual([named('q')]);
    await expect(loading(named(''))).rejects.toMatchObject({ code: 'bad-questions' });
  });
});

describe('varve-evals questions', () => {
  /** The exit code, and what was printed. */
  async function running(args: readonly string[]) {
    let stdout = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += text;
      return true;
    });
    const tell = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => {
      write.mockRestore();
      tell.mockRestore();
    });
    const code = await main(['questions', ...args]);
    write.mockRestore();
    return { code, stdout };
  }

  test('asks it of what strategies send, with --strategy', async () => {
    const folder = temporaryFolder();
    const { sessions, questions } = fixture(folder);
    const out = join(folder, 'out');
    const given = ['--sessions', sessions, '--questions', questions, '--out', out];
    const ran = await running([...given, '--strategy', 'layers, layers+fold']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/the points of 3 questions/);
    expect(ran.stdout).toMatch(/Questions that layers answers and layers\+fold does not: none\./);
    const report = JSON.parse(readFileSync(join(out, 'sent.json'), 'utf8'));
    expect(report.strategies).toMatchObject([
      { strategy: 'keep-all', questions: 3, answered: { mean: 1 } },
      { strategy: 'layers', questions: 3 },
      { strategy: 'layers+fold', questions: 3 },
    ]);
    expect(report.folds).toMatchObject([{ fold: 'layers+fold', unfolded: 'layers' }]);
    await expect(running([...given, '--strategy', 'nothing'])).resolves.toMatchObject({ code: 2 });
  });

  test('writes what a reader gets without the arms, the key beside it, and grades what comes back', async () => {
    const folder = temporaryFolder();
    const { sessions, questions } = fixture(folder);
    const given = ['--sessions', sessions, '--questions', questions];
    const texts = join(folder, 'texts');
    await expect(running([...given, '--texts', texts])).resolves.toMatchObject({ code: 0 });
    const names = readdirSync(join(texts, 'reading'), { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.includes('.'));
    expect(files.filter((name) => name.endsWith('.txt'))).toHaveLength(6);
    for (const name of files) {
      const all = `${name}\n${readFileSync(join(texts, 'reading', name), 'utf8')}`;
      for (const arm of ARMS) expect(all, name).not.toContain(arm);
      expect(all, name).not.toContain('"terms"');
    }
    const key = JSON.parse(readFileSync(join(texts, 'key.json'), 'utf8'));
    const sheet = JSON.parse(readFileSync(join(texts, 'reading', 'answers.json'), 'utf8'));
    expect(sheet.answers).toHaveLength(18);
    for (const { text, digest } of sheet.answers) {
      const words = readFileSync(join(texts, 'reading', 'texts', 'small', `${text}.txt`));
      expect(createHash('sha256').update(words).digest('hex')).toBe(digest);
      expect(key.texts[text]).toMatchObject({ point: 'small', digest });
    }

    const readings = join(folder, 'readings');
    mkdirSync(readings);
    writeFileSync(join(readings, 'one.json'), JSON.stringify({ ...sheet, reader: 'one' }));
    const out = ['--readings', readings, '--out', join(folder, 'out')];
    const { code, stdout } = await running([...given, ...out, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ questions: 3, points: 1, stale: [] },
      readers: [{ reader: 'one', graded: 18, right: 0, stale: 0, open: 0 }],
    });
    const report = await running([...given, ...out]);
    expect(report.stdout).toContain('3 questions at 1 points');
  });

  test('says what it lacks', async () => {
    const { questions } = fixture(temporaryFolder());
    const nowhere = ['--sessions', temporaryFolder(), '--questions', questions];
    await expect(running([...nowhere, '--texts', temporaryFolder()])).resolves.toMatchObject({
      code: 2,
    });
  });
});

test('a stored reading has the terms of the answers, the same grades, and no sentence', () => {
  const question = {
    id: 'q',
    kind: 'cause',
    question: 'Why?',
    terms: [['cache.ts', 'the cache'], ['stale*']],
    proof: { message: 0, block: 0 },
    need: 2,
  } as const;
  const asked = { ...question, terms: question.terms.map((group) => [...group]) };
  const given = ['The cache in cache.ts went Stalest.', 'It went stale.', 'Something else.', null];
  const answers = given.map((answer, at) => ({
    ...{ text: `t${at}`, digest: '0'.repeat(64), question: 'q' },
    answer,
  }));
  const stored = withoutSentences({ reader: 'r', answers }, [asked]);
  expect(stored.answers.map(({ answer }) => answer)).toEqual([
    'cache.ts; stale',
    'stale',
    '',
    null,
  ]);
  expect(stored.answers.map(({ answer }) => isRight(answer, asked))).toEqual(
    given.map((answer) => isRight(answer, asked)),
  );
});

test('a sheet with a part of the texts leaves what its reader answered before (--take)', async () => {
  const readings = temporaryFolder();
  const [stored] = await loadReadings(join(import.meta.dirname, '..', 'questions', 'readings'));
  if (stored === undefined) throw new Error('There is no reading.');
  const answers = stored.answers.slice(0, 3);
  writeFileSync(join(readings, 'one.json'), JSON.stringify({ reader: 'one', answers }));
  const [first, again] = answers as [Reading['answers'][number], Reading['answers'][number]];
  const other = { ...first, text: 'other-text' };
  const sheet = join(temporaryFolder(), 'sheet.json');
  const given = [
    { ...again, answer: null },
    { ...other, answer: null },
  ];
  writeFileSync(sheet, JSON.stringify({ reader: 'one', answers: given }));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await main(['questions', '--take', sheet, '--readings', readings])).toBe(0);
  expect((await loadReadings(readings))[0]?.answers).toEqual([first, answers[2], ...given]);
});
